"""One scope in memory at one revision: its rows, and the lexical index that finds and ranks them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hydramind import clock
from hydramind.index.columns import Column
from hydramind.index.conversations import Conversations
from hydramind.index.ordering import best
from hydramind.index.postings import Postings
from hydramind.index.vectors import VectorTable
from hydramind.mind import text
from hydramind.records import ChangeSet, Entity, Memory, MemoryKind

_DOCUMENTS: Final = 20_000
"""Documents looked at for one draft before its commoner words are left out."""
_TELLING: Final = 3
"""Words always used, however common."""


@dataclass(frozen=True, slots=True)
class Arrays:
    """Columns of a scope by ordinal, and its channels; `said` marks turns and notes."""

    ids: NDArray[np.int64]
    created: NDArray[np.int64]
    happened: NDArray[np.int64]
    trust: NDArray[np.float64]
    confidence: NDArray[np.float64]
    said: NDArray[np.bool_]
    postings: Postings
    vectors: VectorTable
    conversations: Conversations


class ScopeIndex:
    """Rows and postings of a scope; `revision` is the newest op it contains."""

    def __init__(self, scope: str, dimension: int = 0) -> None:
        """`dimension` is that of the vectors, 0 where there is no embedder."""
        self.scope = scope
        self.revision = 0
        self._rows: dict[int, Memory] = {}
        self._entities: dict[int, Entity] = {}
        self._ordinals: dict[int, int] = {}
        self._by_key: dict[str, int] = {}
        self._by_slot: dict[str, int] = {}
        self._postings = Postings()
        self._vectors = VectorTable(dimension)
        self._conversations = Conversations()
        self._ids = Column(np.int64)
        self._created = Column(np.int64)
        self._happened = Column(np.int64)
        self._forgotten = Column(np.int64)
        self._ends = Column(np.int64)
        self._trust = Column(np.float64)
        self._confidence = Column(np.float64)
        self._said = Column(np.bool_)
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

    def memories_from(self, ordinal: int) -> Iterator[Memory]:
        """Every row from that ordinal on, in the order of ordinals."""
        # A dict keeps the place of a key whose value is replaced, so its order is that of the ordinals.
        return islice(self._rows.values(), ordinal, None)

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

    def active_in_slot(self, slot: str) -> Memory | None:
        """The active fact of this canonical slot."""
        memory = self._rows.get(self._by_slot.get(slot, -1))
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
                ordinal = self._new(memory)
            self._trust[ordinal] = memory.trust
            self._live[ordinal] = memory.recallable
            self._active[ordinal] = memory.comparable
            self._forgotten[ordinal] = memory.forgotten_at or clock.FOREVER
            self._ends[ordinal] = memory.valid_to
            if memory.comparable:
                self._by_key[memory.key] = memory.id
                if memory.slot:
                    self._by_slot[memory.slot] = memory.id

    def _new(self, memory: Memory) -> int:
        """Index what never changes under an id and make room for what does."""
        ordinal = self._ordinals[memory.id] = self._postings.add(text.term_counts(memory.text))
        self._conversations.add(memory)
        self._ids.append(memory.id)
        self._created.append(memory.created_at)
        self._happened.append(memory.event_time)
        self._confidence.append(memory.confidence)
        self._said.append(memory.kind != MemoryKind.FACT)
        for column in (self._trust, self._live, self._active, self._forgotten, self._ends):
            column.append(0)
        return ordinal

    @property
    def holds_talk(self) -> bool:
        """Whether any row is a turn or a note."""
        return bool(self._said.view().any())

    @property
    def embedded(self) -> int:
        """How many rows have a vector."""
        return self._vectors.filled

    def has_vector(self, memory_id: int) -> bool:
        """Whether the row of that id has a vector."""
        ordinal = self._ordinals[memory_id]
        return bool(self._vectors.present(ordinal + 1)[ordinal])

    def put_vector(self, memory_id: int, row: NDArray[np.int8], scale: float) -> None:
        """Set the vector of a row; one whose row is not here yet is left out and asked for again."""
        ordinal = self._ordinals.get(memory_id)
        if ordinal is not None:
            self._vectors.put(ordinal, row, scale)

    def without_vector(self, limit: int) -> list[Memory]:
        """Rows that lack a vector, at most `limit`."""
        missing = np.flatnonzero(~self._vectors.present(len(self)))[:limit]
        return [self._rows[int(self._ids.view()[ordinal])] for ordinal in missing.tolist()]

    def visible(self, now: int, as_of: int | None = None) -> NDArray[np.bool_]:
        """(n,) which rows a recall may return: recallable and not past their validity at `now`; or, for a moment
        `as_of`, what was held then: told by then, not yet forgotten, not yet replaced or run out."""
        ends = self._ends.view()
        if as_of is None:
            return self._live.view() & (ends > now)
        return (self._created.view() <= as_of) & (self._forgotten.view() > as_of) & (ends > as_of)

    @property
    def arrays(self) -> Arrays:
        """What ranking reads; windows on the columns, valid until the next write."""
        return Arrays(
            self._ids.view(),
            self._created.view(),
            self._happened.view(),
            self._trust.view(),
            self._confidence.view(),
            self._said.view(),
            self._postings,
            self._vectors,
            self._conversations,
        )

    def apply(self, changes: ChangeSet) -> None:
        """Take over the rows of a committed change."""
        self.put_entities(changes.entities())
        self.put_memories(changes.memories())

    def related(self, content: str, limit: int, floor: float) -> list[Memory]:
        """Active memories that share words with `content`, the most telling first (summed inverse document frequency).

        `floor` is the smallest share (0..1) of the content's own weight that a memory must hold. Words are taken from
        the rarest on until their documents exceed a budget, so that the cost does not grow with common words.
        """
        weights = self._telling(content)
        ordinals, shares = self._postings.weighted(weights)
        keep = self._active.view()[ordinals] & (shares >= floor * sum(weights.values()))
        ordinals, shares = ordinals[keep], shares[keep]
        order = best(ordinals, shares, self._ids.view(), self._created.view(), limit)
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
