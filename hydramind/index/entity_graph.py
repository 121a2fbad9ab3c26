"""The graph channel of one scope: which memory mentions which entity, and which turn follows which; ranks on its own.

A memory is a node, an entity key is a node, a mention is an edge of weight 1, and so is the step from a turn to the next.
No edge joins two entities. Query keys find entities softly, entities find memories.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from hydramind.errors import Unavailable
from hydramind.index.columns import Column
from hydramind.mind import text
from hydramind.mind.fusion import minmax

Ordinals = NDArray[np.int64]
Scores = NDArray[np.float64]
Neighbours = NDArray[np.int32]
"""(n,) the ordinal of the turn beside each memory in its conversation, -1 for none."""
Found = tuple[Ordinals, Scores]
"""Ascending ordinals of memories and their scores above 0."""

EXACT: Final = 1.0
ALIKE: Final = 0.5
"""Smallest likeness of an entity to a query key, the likest entity counting 1."""
MOST_ALIKE: Final = 20
"""Entities that one query key may match."""
WHO: Final = 0.25
"""Share of a speaker's strength that a memory of theirs takes when nothing it says matched."""
BESIDE: Final = 0.5
"""Share of a memory's score that its neighbours in time take over."""
HUB: Final = 20_000
"""An entity of more memories than this tells them apart too little to be worth reading: `emg` leaves it out."""
DAMPING: Final = 0.5
"""Probability that the walk of `ppr` goes on."""
MOST_SEEDS: Final = 5
PASSAGE_SEED: Final = 0.05
_CLOSE: Final = 1e-10
_K1: Final = 1.5
_B: Final = 0.75


class Mentioned(Protocol):
    """What is read of a mention: the entity's normalised key, and whether it is the one who speaks."""

    @property
    def key(self) -> str:
        """Normalised key of the entity, "" for none."""
        ...

    @property
    def who(self) -> bool:
        """Whether it is the speaker, not something said."""
        ...


class EntityGraph:
    """Memories are ordinals 0..n-1 in the order they were added; none is ever changed, only masked by its owner. Adding
    costs its own mentions, whatever the size."""

    def __init__(self, hub: int = HUB) -> None:
        self._hub = hub
        self._size = 0
        self._entities: dict[str, int] = {}
        self._names: list[str] = []
        self._by_token: dict[str, array[int]] = {}
        self._lengths = Column(np.float64)
        self._total = 0
        # Most entities have one memory; only the others get an array. A code is 2 x ordinal + (1 for the speaker).
        self._first = Column(np.uint32)
        self._more: dict[int, array[int]] = {}
        self._degrees = Column(np.int32)
        self._edge_memory = Column(np.int32)
        self._edge_entity = Column(np.int32)

    def __len__(self) -> int:
        return self._size

    @property
    def entities(self) -> int:
        """How many entities are known."""
        return len(self._names)

    def add(self, ordinal: int, mentions: Iterable[Mentioned]) -> None:
        """Add the next memory. Of several mentions of one key what is said counts before who speaks; an empty key is none.
        ValueError when `ordinal` is not the next."""
        if ordinal != self._size:
            raise ValueError(f"memory {ordinal!r} is not the next: add {self._size!r}")
        speaks: dict[str, bool] = {}
        for mention in mentions:
            if mention.key:
                speaks[mention.key] = mention.who and speaks.get(mention.key, True)
        for key, who in speaks.items():
            self._join(2 * ordinal + who, key)
        self._size += 1

    def matches(self, keys: Sequence[str]) -> dict[str, float]:
        """Keys of the entities that normalised query `keys` match, strongest first, and their strength 0..1: the mean
        likeness over the keys that match them."""
        found = self._strengths(keys)
        return {self._names[entity]: found[entity] for entity in sorted(found, key=lambda each: (-found[each], each))}

    def emg(self, keys: Sequence[str], before: Neighbours, after: Neighbours) -> Found:
        """Memories of the entities that `keys` match. An entity counts strength / ln(1 + memories), so 1.44 x strength for
        a single one; a memory the best entity it speaks of or, where only its speaker matched, WHO x that; its
        neighbours at least BESIDE x its score, one hop. Cost: the postings of the matched entities, none above HUB."""
        said, spoken = np.zeros(self._size), np.zeros(self._size)
        touched: list[Ordinals] = []
        for worth, entity in sorted(
            (strength / math.log(1 + self._degree(e)), e) for e, strength in self._strengths(keys).items()
        ):
            if self._degree(entity) > self._hub:
                continue
            codes = self._codes(entity)
            ordinals, who = (codes >> 1).astype(np.int64), (codes & 1).astype(np.bool_)
            # Ascending worth: the last one written is the best.
            said[ordinals[~who]] = worth
            spoken[ordinals[who]] = worth
            touched.append(ordinals)
        reached = _distinct(touched, self._size)
        own = np.where(said[reached] > 0, said[reached], WHO * spoken[reached])
        return self._spread(reached, own, before, after)

    def ppr(
        self,
        keys: Sequence[str],
        before: Neighbours,
        after: Neighbours,
        passages: Found | None = None,
        most_steps: int = 1000,
    ) -> Found:
        """PageRank personalised to the MOST_SEEDS entities with the most strength / memories, and to `passages`, where
        given, with PASSAGE_SEED x their min-max scores; undirected, damped, to an L1 change of 1e-10. No seed, no result.
        Cost: every edge of the scope about 35 times. Unavailable when it does not settle within `most_steps`."""
        seeds = np.zeros(self._size + self.entities)
        if passages is not None:
            seeds[passages[0]] = PASSAGE_SEED * minmax(passages[1])
        shares = [(strength / self._degree(entity), entity) for entity, strength in self._strengths(keys).items()]
        for share, entity in sorted(shares, key=lambda each: (-each[0], each[1]))[:MOST_SEEDS]:
            seeds[self._size + entity] = share
        if not seeds.any():
            return np.empty(0, np.int64), np.empty(0)
        rank = _walk(seeds / seeds.sum(), *self._edges(before, after), most_steps)[: self._size]
        reached = np.flatnonzero(rank)
        return reached, rank[reached]

    def _join(self, code: int, key: str) -> None:
        entity = self._entities.get(key)
        if entity is None:
            entity = self._new(key)
            self._first.append(code)
        else:
            self._more.setdefault(entity, array("I")).append(code)
        self._degrees.view()[entity] += 1
        self._edge_memory.append(code >> 1)
        self._edge_entity.append(entity)

    def _new(self, key: str) -> int:
        entity = self._entities[key] = len(self._names)
        self._names.append(key)
        tokens = text.index_terms(key)
        for token in tokens:
            self._by_token.setdefault(token, array("I")).append(entity)
        self._lengths.append(len(tokens))
        self._total += len(tokens)
        self._degrees.append(0)
        return entity

    def _codes(self, entity: int) -> NDArray[np.uint32]:
        first = self._first.view()[entity : entity + 1]
        more = self._more.get(entity)
        # Copies: a view would keep the array from growing.
        return first.copy() if more is None else np.concatenate([first, np.array(more, np.uint32)])

    def _degree(self, entity: int) -> int:
        return int(self._degrees.view()[entity])

    def _strengths(self, keys: Sequence[str]) -> Mapping[int, float]:
        likeness: dict[int, list[float]] = {}
        for key in dict.fromkeys(keys):
            for entity, alike in self._alike(key):
                likeness.setdefault(entity, []).append(alike)
        return {entity: sum(values) / len(values) for entity, values in likeness.items()}

    def _alike(self, key: str) -> Iterator[tuple[int, float]]:
        """Entities alike to one key, at most MOST_ALIKE: BM25 of the key's tokens in the entities' keys over the highest
        such score; the entity of that very key EXACT. Equally alike ones: the longer known first."""
        entities, scores = self._bm25(text.keywords(key))
        # Ascending entities and a stable sort: of equal ones those known first.
        best = np.argsort(-scores, kind="stable")[:MOST_ALIKE]
        best = best[scores[best] >= ALIKE * scores.max(initial=0.0)]
        values = scores[best] / scores.max(initial=0.0)
        alike = dict(zip(entities[best].tolist(), values.tolist(), strict=True))
        exact = self._entities.get(key)
        if exact is not None:
            alike[exact] = EXACT
        nearest = sorted((-value, entity) for entity, value in alike.items())
        for value, entity in nearest[:MOST_ALIKE]:
            yield entity, -value

    def _bm25(self, tokens: Sequence[str]) -> tuple[Ordinals, Scores]:
        """Entities with any of the tokens, ascending, and their scores; a token counts once in a key."""
        postings = [np.array(self._by_token[token], np.uint32) for token in tokens if token in self._by_token]
        scores = np.zeros(self.entities)
        for posting in postings:
            scores[posting] += math.log(1 + (self.entities - len(posting) + 0.5) / (len(posting) + 0.5))
        entities = _distinct(postings, self.entities)
        norms = 1 - _B + _B * self.entities / max(1, self._total) * self._lengths.view()[entities]
        return entities, scores[entities] / (1 + _K1 * norms)

    def _spread(self, reached: Ordinals, own: Scores, before: Neighbours, after: Neighbours) -> Found:
        """Scores of memories and of their neighbours."""
        scores = np.zeros(self._size)
        scores[reached] = own
        beside = [side[reached].astype(np.int64) for side in (before, after)]
        for ordinals in beside:
            there = ordinals >= 0
            # Nobody has two predecessors or two successors, so no ordinal repeats.
            scores[ordinals[there]] = np.maximum(scores[ordinals[there]], BESIDE * own[there])
        everything = _distinct([reached, *(ordinals[ordinals >= 0] for ordinals in beside)], self._size)
        return everything, scores[everything]

    def _edges(self, before: Neighbours, after: Neighbours) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Both directions of every edge: sources and targets, memories first, then entities."""
        memory, entity = self._edge_memory.view().astype(np.intp), self._edge_entity.view().astype(np.intp) + self._size
        ends = [(memory, entity), (entity, memory)]
        for side in (before, after):
            there = np.flatnonzero(side[: self._size] >= 0)
            ends.append((there, side[there].astype(np.intp)))
        return np.concatenate([source for source, _ in ends]), np.concatenate([target for _, target in ends])


def _distinct(parts: Sequence[NDArray[np.int64] | NDArray[np.uint32]], size: int) -> Ordinals:
    """The distinct numbers below `size` in `parts`, ascending; a mark a number is cheaper than sorting them."""
    marks = np.zeros(size, np.bool_)
    for part in parts:
        marks[part] = True
    return np.flatnonzero(marks)


def _walk(seeds: Scores, sources: NDArray[np.intp], targets: NDArray[np.intp], most_steps: int) -> Scores:
    """(nodes,) where a walk from `seeds` (sum 1) stands. Nodes without edges are met only as seeds; there it starts anew."""
    degrees = np.bincount(sources, minlength=len(seeds))
    spread = 1.0 / np.maximum(degrees, 1)
    lonely = degrees == 0
    rank = seeds
    for _ in range(most_steps):
        moved = np.bincount(targets, (rank * spread)[sources], minlength=len(seeds)) + rank[lonely].sum() * seeds
        after = (1 - DAMPING) * seeds + DAMPING * moved
        change = float(np.abs(after - rank).sum())
        rank = after
        if change < _CLOSE:
            return rank
    raise Unavailable(f"personalised PageRank did not settle in {most_steps!r} steps: use the other graph method")
