"""What the conversation around a turn, its speaker and its time add to the turn's own score.

All scores are in standard deviations over the scope. The weights were found on chat questions and lie on a plateau: each
may change by half without moving recall by half a point. None depends on a person, a phrase or a data set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from hydramind.index.conversations import NOBODY, Conversations
from hydramind.index.scope_index import Arrays
from hydramind.mind.fusion import zscores
from hydramind.mind.times import Span

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
"""What a turn gains for being by somebody whom the question names."""
OF_ONESELF: Final = 1.0
"""What a turn in the first person counts for more when it is asked whose evidence there is."""
OTHERS_BETTER: Final = 0.9
"""Evidence by the people named, against that by the others, below which the question is about what nobody named said."""
_BEST: Final = 5
_HALF_LIFE_MS: Final = 30 * 86_400_000


def standardised(values: Scores, among: Mask) -> Scores:
    """(n,) distance from the mean in population standard deviations, taken over `among`; 0 elsewhere and where all are
    equal."""
    scores = np.zeros(len(values))
    scores[among] = zscores(values[among])
    return scores


def around(arrays: Arrays, own: Scores) -> Scores:
    """(n,) what the two turns before and after each turn give to it, of their positive scores; the farther, the less."""
    positive = np.append(np.maximum(own, 0.0), 0.0).astype(np.float32)
    given = np.zeros(len(own), np.float32)
    for neighbour, share in _measures(arrays).beside:
        given += share * positive[neighbour]
    return given.astype(np.float64)


Beside = tuple[tuple[NDArray[np.int32], NDArray[np.float32]], ...]
"""(n,) each: a turn beside every turn, -1 for none, and the share of its score that it gives; four of them."""


@dataclass(frozen=True, slots=True, eq=False)
class _Measures:
    """Of conversations of `size` memories: what stands beside each turn, and (sessions,) how many terms each has."""

    size: int
    beside: Beside
    lengths: Scores


_KNOWN: WeakKeyDictionary[Conversations, _Measures] = WeakKeyDictionary()


def _measures(arrays: Arrays) -> _Measures:
    """The same until a turn is added, since neither neighbours nor lengths change otherwise."""
    found = _KNOWN.get(arrays.conversations)
    if found is None or found.size != len(arrays.ids):
        lengths = arrays.postings.grouped_lengths(*arrays.conversations.sessions())
        found = _KNOWN[arrays.conversations] = _Measures(len(arrays.ids), _beside(arrays), lengths)
    return found


def _beside(arrays: Arrays) -> Beside:
    before, after = (side.copy() for side in arrays.conversations.neighbours())
    before_that, after_that = _following(before), _following(after)
    lengths = np.append(arrays.postings.lengths, 0.0).astype(np.float64)
    mine = lengths[:-1] / 2
    asked = np.append(arrays.conversations.asks, False)[before]
    near_before, near_after = mine + lengths[before] / 2, mine + lengths[after] / 2
    far_before = near_before + (lengths[before] + lengths[before_that]) / 2
    far_after = near_after + (lengths[after] + lengths[after_that]) / 2
    return (
        (before, np.float32(AFTER_QUESTION) * asked * _near(near_before)),
        (after, np.float32(AFTER) * _near(near_after)),
        (before_that, np.float32(BEFORE_THAT) * _near(far_before)),
        (after_that, np.float32(AFTER_THAT) * _near(far_after)),
    )


def _following(chain: NDArray[np.int32]) -> NDArray[np.int32]:
    return np.append(chain, np.int32(NOBODY))[chain]


def _near(distance: Scores) -> NDArray[np.float32]:
    return np.exp2(distance / -HALF_DISTANCE).astype(np.float32)


def session_scores(arrays: Arrays, keywords: Sequence[str]) -> Scores:
    """(n,) standard score of each turn's conversation by BM25, the conversation being one document; 0 outside any."""
    sessions, _ = arrays.conversations.sessions()
    whole = arrays.postings.grouped_bm25(keywords, sessions, _measures(arrays).lengths)
    # One more, which -1 leads to.
    return np.append(zscores(whole), 0.0)[sessions]


def timely(event_times: NDArray[np.int64], spans: Sequence[Span]) -> Scores:
    """(n,) 0..1: 1 for what happened inside one of the spans, else 2 ** (-days / 30) from the nearest end (SEEDS 4.3)."""
    best = np.zeros(len(event_times))
    for span in spans:
        early = np.zeros(len(event_times)) if span.from_ms is None else np.maximum(span.from_ms - event_times, 0)
        late = np.zeros(len(event_times)) if span.until_ms is None else np.maximum(event_times - (span.until_ms - 1), 0)
        best[:] = np.maximum(best, np.exp2((early + late) / -_HALF_LIFE_MS))
    return best


def about_others(arrays: Arrays, named: Mask, told: Scores, visible: Mask) -> bool:
    """Whether the evidence for a question that names some of the speakers (`named` are their turns) is rather by the
    others: the mean of the five best turns of those named falls below `OTHERS_BETTER` of that of the rest, by what they say
    (`told`), not by who they are. Always false where it names none or all."""
    named = visible & named
    others = visible & arrays.conversations.spoken() & ~named
    if not named.any() or not others.any():
        return False
    scores = told + OF_ONESELF * arrays.conversations.of_oneself
    theirs = _mean_of_best(scores[others])
    return theirs > 0 and _mean_of_best(scores[named]) < OTHERS_BETTER * theirs


def _mean_of_best(scores: Scores) -> float:
    count = min(_BEST, len(scores))
    return float(np.partition(scores, len(scores) - count)[len(scores) - count :].mean())
