"""One scope in memory at one revision: its rows, and the lexical index that finds and ranks them."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hydramind.index.columns import Column
from hydramind.index.postings import Postings
from hydramind.mind import gate, text
from hydramind.records import ChangeSet, Entity, Memory

_DOCUMENTS: Final = 20_000
"""Documents looked at for one draft before its commoner words are left out."""
_TELLING: Final = 3
"""Words always used, however common."""


@dataclass(frozen=True, slots=True)
class Match:
    """A memory that passed the gate; `score` = trust x coverage."""

    memory_id: int
    score: float
    coverage: float


@dataclass(frozen=True, slots=True)
class Matches:
    """Best first, cut to the limit; `considered` recallable memories, `passed` how many passed the gate."""

    best: tuple[Match, ...]
    considered: int
    passed: int


class ScopeIndex:
    """Rows and postings of a scope; `revision` is the newest op it contains."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        self.revision = 0
        self._rows: dict[int, Memory] = {}
        self._entities: dict[int, Entity] = {}
        self._ordinals: dict[int, int] = {}
        self._by_key: dict[str, int] = {}
        self._postings = Postings()
        self._ids = Column(np.int64)
        self._created = Column(np.int64)
        self._trust = Column(np.float64)
        self._live = Column(np.bool_)
        self._active = Column(np.bool_)

    def __len__(self) -> int:
        return len(self._rows)

    def memory(self, memory_id: int) -> Memory | None:
        """The row of a memory, whatever its status."""
        return self._rows.get(memory_id)

    def memories(self) -> Iterator[Memory]:
        """Every row, in no order."""
        return iter(self._rows.values())

    def entity(self, entity_id: int) -> Entity | None:
        """The row of an entity."""
        return self._entities.get(entity_id)

    def entities(self) -> Iterator[Entity]:
        """Every entity, in no order."""
        return iter(self._entities.values())

    def active_with(self, key: str) -> Memory | None:
        """The active memory whose canonical content has this key."""
        memory = self._rows.get(self._by_key.get(key, -1))
        return memory if memory is not None and memory.comparable else None

    def put_entities(self, entities: Iterable[Entity]) -> None:
        """Add or replace entities."""
        self._entities.update((entity.id, entity) for entity in entities)

    def put_memories(self, memories: Iterable[Memory]) -> None:
        """Add or replace rows; an older revision never replaces a newer one. Content never changes under an id, so only
        new ids are indexed."""
        for memory in memories:
            ordinal = self._ordinals.get(memory.id)
            if ordinal is not None and memory.revision < self._rows[memory.id].revision:
                continue
            self._rows[memory.id] = memory
            if ordinal is None:
                self._ordinals[memory.id] = self._postings.add(text.index_terms(memory.text))
                self._ids.append(memory.id)
                self._created.append(memory.created_at)
                self._trust.append(memory.trust)
                self._live.append(memory.recallable)
                self._active.append(memory.comparable)
            else:
                self._trust[ordinal] = memory.trust
                self._live[ordinal] = memory.recallable
                self._active[ordinal] = memory.comparable
            if memory.comparable:
                self._by_key[memory.key] = memory.id

    def apply(self, changes: ChangeSet) -> None:
        """Take over the rows of a committed change."""
        self.put_entities(changes.entities())
        self.put_memories(changes.memories())

    def search(self, keywords: Sequence[str], limit: int, among: Collection[int] | None = None) -> Matches:
        """Memories that hold at least 0.80 of the keywords, by trust x coverage; ties to the newer, then the smaller id.

        `among` narrows to those ids. No keywords find nothing. Every recallable memory of the scope is considered.
        """
        live = self._live.view()
        considered = int(live.sum()) if among is None else sum(self._is_live(memory_id) for memory_id in among)
        ordinals, counts = self._postings.matches(keywords)
        keep = live[ordinals] & (counts >= gate.needed(len(keywords)))
        if among is not None:
            allowed = np.fromiter(among, np.int64, len(among))
            keep &= np.isin(self._ids.view()[ordinals], allowed)
        ordinals, counts = ordinals[keep], counts[keep]
        coverage = counts / max(1, len(keywords))
        scores = self._trust.view()[ordinals] * coverage
        order = self._ranked(ordinals, scores, limit)
        best = tuple(
            Match(int(self._ids.view()[ordinals[i]]), float(scores[i]), float(coverage[i])) for i in order.tolist()
        )
        return Matches(best, considered, len(ordinals))

    def related(self, content: str, limit: int, floor: float) -> list[Memory]:
        """Active memories that share words with `content`, the most telling first (summed inverse document frequency).

        `floor` is the smallest share (0..1) of the content's own weight that a memory must hold. Words are taken from
        the rarest on until their documents exceed a budget, so that the cost does not grow with common words.
        """
        weights = self._telling(content)
        ordinals, shares = self._postings.weighted(weights)
        keep = self._active.view()[ordinals] & (shares >= floor * sum(weights.values()))
        ordinals, shares = ordinals[keep], shares[keep]
        order = self._ranked(ordinals, shares, limit)
        return [self._rows[int(self._ids.view()[ordinals[position]])] for position in order.tolist()]

    def _telling(self, content: str) -> dict[str, float]:
        """Words of `content` and how rare each is, the rarest first, as far as the budget goes but at least some."""
        counts = sorted((self._postings.frequency(term), term) for term in text.index_terms(content))
        weights: dict[str, float] = {}
        documents = 0
        for frequency, term in counts:
            documents += frequency
            if documents > _DOCUMENTS and len(weights) >= _TELLING:
                break
            weights[term] = math.log(1 + (self._postings.size + 1) / (frequency + 1))
        return weights

    def _ranked(self, ordinals: NDArray[np.uint32], scores: NDArray[np.float64], limit: int) -> NDArray[np.intp]:
        """Positions of the best `limit`: by score, then newer, then smaller id."""
        positions = np.arange(len(scores))
        if 0 < limit < len(scores):
            cut = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            positions = positions[scores >= cut]
        chosen = ordinals[positions]
        order = np.lexsort((self._ids.view()[chosen], -self._created.view()[chosen], -scores[positions]))
        return positions[order[:limit]]

    def _is_live(self, memory_id: int) -> bool:
        row = self._rows.get(memory_id)
        return row is not None and row.recallable
