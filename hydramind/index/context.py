"""What the conversation around a turn, its speaker and its time add to the turn's own score.

All scores are in standard deviations over the scope. The weights were found on chat questions and lie on a plateau: each
may change by half without moving recall by half a point. None depends on a person, a phrase or a data set.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hydramind.index.scope_index import Arrays
from hydramind.mind.fusion import zscores
from hydramind.mind.times import HALF_LIFE_DAYS, Span

Scores = NDArray[np.float64]
Mask = NDArray[np.bool_]

AFTER_QUESTION: Final = 1.0
"""Share of the turn before that a turn takes over when that one asks: its words are in the question, the fact in the answer."""
AFTER: Final = 0.25
BEFORE_THAT: Final = 0.3
AFTER_THAT: Final = 0.2
HALF_DISTANCE: Final = 50.0
"""Index terms between the middles of two turns that halve what one gives to the other."""
SESSION: Final = 0.5
NAMED: Final = 2.0
OF_ONESELF: Final = 1.0
"""What a turn in the first person counts for more when it is asked whose evidence there is."""
OTHERS_BETTER: Final = 0.9
"""Evidence by the people named, against that by the others, below which the question is about what nobody named said."""
_BEST: Final = 5
_HALF_LIFE_MS: Final = HALF_LIFE_DAYS * 86_400_000


def standardised(values: Scores, among: Mask) -> Scores:
    """(n,) distance from the mean in population standard deviations, taken over `among`; 0 elsewhere and where all are
    equal."""
    scores = np.zeros(len(values))
    scores[among] = zscores(values[among])
    return scores


def around(arrays: Arrays, own: Scores) -> Scores:
    """(n,) what the two turns before and after each turn give to it, of their positive scores; the farther, the less."""
    before, after = arrays.conversations.neighbours()
    before_that, after_that = _following(before), _following(after)
    positive = np.append(np.maximum(own, 0.0), 0.0)
    lengths = np.append(arrays.postings.lengths, 0.0)
    mine = lengths[:-1] / 2
    asked = np.append(arrays.conversations.asks, False)[before]
    near_before, near_after = mine + lengths[before] / 2, mine + lengths[after] / 2
    given = AFTER_QUESTION * asked * _near(near_before) * positive[before]
    given += AFTER * _near(near_after) * positive[after]
    given += BEFORE_THAT * _near(near_before + (lengths[before] + lengths[before_that]) / 2) * positive[before_that]
    given += AFTER_THAT * _near(near_after + (lengths[after] + lengths[after_that]) / 2) * positive[after_that]
    return given


def _following(chain: NDArray[np.int32]) -> NDArray[np.int32]:
    return np.append(chain, np.int32(-1))[chain]


def _near(distance: NDArray[np.float64]) -> Scores:
    return np.exp2(distance / -HALF_DISTANCE).astype(np.float64)


def session_scores(arrays: Arrays, keywords: Sequence[str]) -> Scores:
    """(n,) standard score of each turn's conversation by BM25, the conversation being one document; 0 outside any."""
    sessions, count = arrays.conversations.sessions()
    inside = sessions >= 0
    whole = arrays.postings.grouped_bm25(keywords, sessions, count)
    scores = np.zeros(len(sessions))
    scores[inside] = zscores(whole)[sessions[inside]]
    return scores


def timely(event_times: NDArray[np.int64], spans: Sequence[Span]) -> Scores:
    """(n,) 0..1: 1 for what happened inside one of the spans, else 2 ** (-days / 30) from the nearest end (SEEDS 4.3)."""
    best = np.zeros(len(event_times))
    for span in spans:
        early = np.zeros(len(event_times)) if span.from_ms is None else np.maximum(span.from_ms - event_times, 0)
        late = np.zeros(len(event_times)) if span.until_ms is None else np.maximum(event_times - (span.until_ms - 1), 0)
        best[:] = np.maximum(best, np.exp2((early + late) / -_HALF_LIFE_MS))
    return best


def speaking(arrays: Arrays, words: Collection[str]) -> Scores:
    """(n,) what a turn gains for being by somebody whom the question names."""
    return NAMED * arrays.conversations.spoken_by(words).astype(np.float64)


def about_others(arrays: Arrays, words: Collection[str], told: Scores, visible: Mask) -> bool:
    """Whether the evidence for a question that names some of the speakers is rather by the others: the mean of the five best
    turns of those named falls below `OTHERS_BETTER` of that of the rest, by what they say (`told`), not by who they are.
    Always false where it names none or all."""
    named = visible & arrays.conversations.spoken_by(words)
    others = visible & arrays.conversations.spoken() & ~named
    if not named.any() or not others.any():
        return False
    scores = told + OF_ONESELF * arrays.conversations.of_oneself
    theirs = _mean_of_best(scores[others])
    return theirs > 0 and _mean_of_best(scores[named]) < OTHERS_BETTER * theirs


def _mean_of_best(scores: Scores) -> float:
    count = min(_BEST, len(scores))
    return float(np.partition(scores, len(scores) - count)[len(scores) - count :].mean())
