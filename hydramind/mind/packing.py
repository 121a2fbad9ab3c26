"""Evidence packing: the turns to hand over for a ranking, under a budget of tokens; what does not fit is skipped, never cut.

Units are taken greedily in rank order. A unit is taken whole or not at all; turns that stand there already cost nothing.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from hydramind.mind.fusion import minmax

DECAY: Final = 0.7
"""Share of a neighbour's score that a turn takes over in `Strategy.PROPAGATE`."""

_EACH = "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(rf"[{_EACH}]|(?:(?![{_EACH}])\w)++|[^\w\s]")


class Strategy(StrEnum):
    """What a unit is. TURN: a hit. WINDOW: a hit with the turns up to `window` before and after it in its session.
    PROPAGATE: a single turn, by its worth: its own score or, if more, `decay` x the best score within `window` in its
    session; hits are always candidates, other turns when they are worth something. SESSION: all turns of a session."""

    TURN = "turn"
    WINDOW = "window"
    PROPAGATE = "propagate"
    SESSION = "session"


class SessionRank(StrEnum):
    """How sessions are ranked by their hits: the highest score, the sum of scores, or the sum of 1 / log2(rank + 1)."""

    MAX = "max"
    SUM = "sum"
    DCG = "dcg"


class Arrangement(StrEnum):
    """In which order the items stand: that of the corpus, or that in which they were taken."""

    CHRONOLOGICAL = "chronological"
    RANK = "rank"


class Role(StrEnum):
    """Why an item is there: it was found, or it stands beside what was found."""

    HIT = "hit"
    CONTEXT = "context"


@dataclass(frozen=True, slots=True)
class Turn:
    """What may be handed over. `position` counts the turns of a session; "" is no session: nothing stands beside it."""

    id: int
    session: str
    position: int
    date: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Packing:
    """How to pack: `budget_tokens` by `count_tokens` of the rendered turns, `window` 0 or more."""

    budget_tokens: int
    strategy: Strategy = Strategy.TURN
    window: int = 1
    decay: float = DECAY
    session_rank: SessionRank = SessionRank.MAX
    arrangement: Arrangement = Arrangement.CHRONOLOGICAL


@dataclass(frozen=True, slots=True)
class Item:
    """One turn as handed over. A hit has its rank (from 1) and score whatever pulled it in; context has neither, but the
    id of the hit it stands beside."""

    id: int
    role: Role
    rank: int | None
    score: float | None
    expanded_from: int | None
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """Items with distinct ids, their tokens together, and the hits that are not among them because they did not fit, best
    first."""

    items: tuple[Item, ...]
    tokens: int
    skipped: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Unit:
    """Turns that are taken together, by their places in the corpus, and the hit that asks for them."""

    hit: int
    places: tuple[int, ...]


def count_tokens(text: str) -> int:
    """A stand-in for a model's tokens: words, marks, and every Chinese, Japanese or Korean character."""
    return sum(1 for _ in _TOKEN.finditer(text))


def render(turn: Turn) -> str:
    """`(date) speaker: text`, without what is empty."""
    date = f"({turn.date}) " if turn.date else ""
    return f"{date}{turn.speaker}: {turn.text}" if turn.speaker else f"{date}{turn.text}"


def pack(turns: Sequence[Turn], ranked: Sequence[tuple[int, float]], plan: Packing) -> Evidence:
    """Evidence for `ranked` ids and scores, best first, out of `turns`: the hits and what may stand beside them, in the
    order of the corpus. ValueError: an id of a turn or a hit repeats, or a hit is no turn."""
    corpus = _Corpus(turns, ranked)
    taken: dict[int, Item] = {}
    spent = 0
    for unit in _UNITS[plan.strategy](corpus, plan):
        new = {place: corpus.item(place, unit.hit) for place in unit.places if place not in taken}
        cost = sum(item.tokens for item in new.values())
        if spent + cost <= plan.budget_tokens:
            taken.update(new)
            spent += cost
    places = sorted(taken) if plan.arrangement is Arrangement.CHRONOLOGICAL else list(taken)
    skipped = tuple(turn_id for turn_id, _ in ranked if corpus.places[turn_id] not in taken)
    return Evidence(tuple(taken[place] for place in places), spent, skipped)


class _Corpus:
    """Turns by place, id and position, and the hits among them."""

    def __init__(self, turns: Sequence[Turn], ranked: Sequence[tuple[int, float]]) -> None:
        self.turns = turns
        self.hits = dict(ranked)
        self.ranks = {turn_id: rank for rank, turn_id in enumerate(self.hits, 1)}
        self.places = {turn.id: place for place, turn in enumerate(turns)}
        if len(self.places) < len(turns):
            raise ValueError("turns: an id stands there more than once")
        if len(self.hits) < len(ranked):
            raise ValueError("ranked: an id stands there more than once")
        missing = [turn_id for turn_id in self.hits if turn_id not in self.places]
        if missing:
            raise ValueError(f"ranked: {missing[0]!r} is none of the turns")
        self._at: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
        for place, turn in enumerate(turns):
            self._at[turn.session, turn.position].append(place)

    def around(self, turn: Turn, window: int) -> Iterator[int]:
        """Places of the turns at most `window` positions away in the same session, itself included, by position."""
        if not turn.session:
            yield self.places[turn.id]
            return
        for position in range(turn.position - window, turn.position + window + 1):
            yield from self._at.get((turn.session, position), ())

    def item(self, place: int, hit: int) -> Item:
        """The turn at a place, as pulled in by a hit."""
        turn = self.turns[place]
        text = render(turn)
        score = self.hits.get(turn.id)
        role = Role.CONTEXT if score is None else Role.HIT
        beside = hit if score is None else None
        return Item(turn.id, role, self.ranks.get(turn.id), score, beside, text, count_tokens(text))


def _turn_units(corpus: _Corpus, plan: Packing) -> Iterable[_Unit]:
    return [_Unit(hit, (corpus.places[hit],)) for hit in corpus.hits]


def _window_units(corpus: _Corpus, plan: Packing) -> Iterable[_Unit]:
    for hit in corpus.hits:
        yield _Unit(hit, tuple(corpus.around(corpus.turns[corpus.places[hit]], plan.window)))


def _propagated_units(corpus: _Corpus, plan: Packing) -> Iterable[_Unit]:
    """By worth, hits before what they lift to the same worth, then by rank of the hit that gives the worth and place."""
    values = np.array(list(corpus.hits.values()), np.float64)
    mapped = minmax(values) if (values < 0).any() else values
    # Of every turn: worth (negated), whether it is context, the rank of the hit it is worth that by, its place, the hit.
    best: dict[int, tuple[float, bool, int, int, int]] = {}
    for (hit, rank), own in zip(corpus.ranks.items(), mapped.tolist(), strict=True):
        home = corpus.places[hit]
        for place in (home, *corpus.around(corpus.turns[home], plan.window)):
            worth = own if place == home else plan.decay * own
            is_hit = corpus.turns[place].id in corpus.hits
            if place == home or worth > 0:
                claim = (-worth, not is_hit, rank, place, hit)
                best[place] = min(claim, best.get(place, claim))
    return [_Unit(hit, (place,)) for *_, place, hit in sorted(best.values())]


def _session_units(corpus: _Corpus, plan: Packing) -> Iterable[_Unit]:
    """By the session's rank, then by its best hit."""
    hits: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for hit in corpus.hits:
        hits[_session(corpus.turns[corpus.places[hit]])].append(hit)
    members: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for place in sorted(range(len(corpus.turns)), key=lambda each: corpus.turns[each].position):
        members[_session(corpus.turns[place])].append(place)
    worth = {session: _session_worth(corpus, found, plan.session_rank) for session, found in hits.items()}
    for session in sorted(hits, key=lambda each: (-worth[each], corpus.ranks[hits[each][0]])):
        yield _Unit(hits[session][0], tuple(members[session]))


def _session(turn: Turn) -> tuple[str, int]:
    """What a turn shares with its session only; a turn without one is alone."""
    return (turn.session, 0) if turn.session else ("", turn.id)


def _session_worth(corpus: _Corpus, hits: Sequence[int], by: SessionRank) -> float:
    if by is SessionRank.DCG:
        return math.fsum(1 / math.log2(corpus.ranks[hit] + 1) for hit in hits)
    scores = [corpus.hits[hit] for hit in hits]
    return math.fsum(scores) if by is SessionRank.SUM else max(scores)


_UNITS = {
    Strategy.TURN: _turn_units,
    Strategy.WINDOW: _window_units,
    Strategy.PROPAGATE: _propagated_units,
    Strategy.SESSION: _session_units,
}
