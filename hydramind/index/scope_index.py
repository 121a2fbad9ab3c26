"""One scope in memory at one revision: its rows, and the lexical index that finds and ranks them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hydramind.index.columns import Column
from hydramind.index.conversations import Conversations
from hydramind.index.lookup import ABSENT, Lookup
from hydramind.index.ordering import best
from hydramind.index.postings import Postings
from hydramind.index.rows import RowTable
from hydramind.index.terms import Terms
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
        self._rows = RowTable()
        self._entities: dict[int, Entity] = {}
        self._by_id = Lookup()
        self._by_key = Lookup()
        self._by_slot = Lookup()
        self._terms = Terms()
        self._postings = Postings()
        self._vectors = VectorTable(dimension)
        self._conversations = Conversations(self._rows)
        self._said = Column(np.bool_)
        self._live = Column(np.bool_)
        self._active = Column(np.bool_)

    def __len__(self) -> int:
        return len(self._rows)

    def memory(self, memory_id: int) -> Memory | None:
        """The row of a memory, whatever its status."""
        ordinal = self._by_id.get(memory_id)
        return None if ordinal == ABSENT else self._rows.row(ordinal)

    def memories_of(self, memory_ids: Sequence[int]) -> list[Memory]:
        """The rows of some ids that it holds, in their order; cheaper than one after the other."""
        return self._rows.rows_at(np.array(self._by_id.find(memory_ids), np.int32))

    def matched(self, memory_ids: Sequence[int], terms: Sequence[str]) -> list[tuple[str, ...]]:
        """Of each of some ids that it holds, which of the terms its text holds, in the order given."""
        ordinals = np.array(self._by_id.find(memory_ids), np.int32)
        held = [self._postings.holding(term, ordinals).tolist() for term in terms]
        return [tuple(compress(terms, row)) for row in zip(*held, strict=True)] if held else [()] * len(memory_ids)

    def memories(self) -> Iterator[Memory]:
        """Every row, in no order."""
        return self._rows.rows()

    def memories_from(self, ordinal: int) -> Iterator[Memory]:
        """Every row from that ordinal on, in the order of ordinals."""
        return self._rows.rows(ordinal)

    def entity(self, entity_id: int) -> Entity | None:
        """The row of an entity."""
        return self._entities.get(entity_id)

    def entities(self) -> Iterator[Entity]:
        """Every entity, in no order."""
        return iter(self._entities.values())

    def active_with(self, key: str) -> Memory | None:
        """The active memory whose canonical content has this key."""
        memory = self._comparable(self._by_key.get(hash(key)))
        return memory if memory is not None and memory.key == key else None

    def active_in_slot(self, slot: str) -> Memory | None:
        """The active fact of this canonical slot."""
        memory = self._comparable(self._by_slot.get(hash(slot)))
        return memory if memory is not None and memory.slot == slot else None

    def _comparable(self, ordinal: int) -> Memory | None:
        return self._rows.row(ordinal) if ordinal != ABSENT and self._active.item(ordinal) else None

    def put_entities(self, entities: Iterable[Entity]) -> None:
        """Add or replace entities."""
        self._entities.update((entity.id, entity) for entity in entities)

    def put_memories(self, memories: Iterable[Memory]) -> None:
        """Add or replace rows; an older revision never replaces a newer one. Content never changes under an id, so only
        new ids are indexed."""
        given = list(memories)
        fresh: dict[int, Memory] = {}
        for memory, ordinal in zip(given, self._by_id.find([memory.id for memory in given]), strict=True):
            if ordinal != ABSENT:
                if memory.revision >= self._rows.number("revision", ordinal):
                    self._replace(ordinal, memory)
            elif memory.id not in fresh or memory.revision >= fresh[memory.id].revision:
                fresh[memory.id] = memory
        if fresh:
            self._add(list(fresh.values()))

    def _add(self, memories: Sequence[Memory]) -> None:
        first = len(self)
        self._rows.extend(memories)
        self._postings.extend([self._terms.counts(memory.text) for memory in memories])
        self._conversations.extend(memories, self._terms)
        self._said.extend([memory.kind != MemoryKind.FACT for memory in memories])
        self._live.extend([memory.recallable or memory.gives_way for memory in memories])
        self._active.extend([memory.comparable for memory in memories])
        for ordinal, memory in enumerate(memories, first):
            self._by_id.put(memory.id, ordinal)
            self._find_by_statement(ordinal, memory)

    def _replace(self, ordinal: int, memory: Memory) -> None:
        self._rows.replace(ordinal, memory)
        self._live[ordinal] = memory.recallable or memory.gives_way
        self._active[ordinal] = memory.comparable
        self._find_by_statement(ordinal, memory)

    def _find_by_statement(self, ordinal: int, memory: Memory) -> None:
        # By hash: the row found tells whether it is the one, and two statements of one hash are not to be expected.
        if memory.comparable:
            self._by_key.put(hash(memory.key), ordinal)
            if memory.slot:
                self._by_slot.put(hash(memory.slot), ordinal)

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
        ordinal = self._by_id.get(memory_id)
        return bool(self._vectors.present(ordinal + 1)[ordinal])

    def put_vector(self, memory_id: int, row: NDArray[np.int8], scale: float) -> None:
        """Set the vector of a row; one whose row is not here yet is left out and asked for again."""
        ordinal = self._by_id.get(memory_id)
        if ordinal != ABSENT:
            self._vectors.put(ordinal, row, scale)

    def put_vectors(self, memory_ids: Sequence[int], rows: NDArray[np.int8], scales: Sequence[float]) -> None:
        """The same for (n, d) rows of distinct memories."""
        ordinals = np.array(self._by_id.find(memory_ids), np.int32)
        here = ordinals != ABSENT
        self._vectors.put_all(ordinals[here], rows[here], np.array(scales, np.float32)[here])

    def without_vector(self, limit: int, *, said: bool | None = None) -> list[Memory]:
        """Rows that lack a vector, at most `limit`, in the order they came; turns and notes or facts alone where told."""
        missing = ~self._vectors.present(len(self))
        if said is not None:
            missing &= self._said.view() == said
        missing = np.flatnonzero(missing)[:limit]
        return self._rows.rows_at(missing)

    def visible(self, now: int, as_of: int | None = None) -> NDArray[np.bool_]:
        """(n,) which rows a recall may return: recallable, or giving way at a time to come, and valid at `now`; or, for a
        moment `as_of`, what was held then: told by then, not yet forgotten, not yet replaced or run out."""
        moment = now if as_of is None else as_of
        begins, ends = self._rows.column("valid_from"), self._rows.column("valid_to")
        # What happens later may be known already; what is said to become true later than that is not true yet.
        ahead = (begins > moment) & (begins > self._rows.column("event_time"))
        if as_of is None:
            return self._live.view() & (ends > now) & ~ahead
        forgotten = self._rows.column("forgotten_at")
        told = self._rows.column("created_at") <= as_of
        return told & ((forgotten == 0) | (forgotten > as_of)) & (ends > as_of) & ~ahead

    @property
    def arrays(self) -> Arrays:
        """What ranking reads; windows on the columns, valid until the next write."""
        return Arrays(
            self._rows.column("id"),
            self._rows.column("created_at"),
            self._rows.column("event_time"),
            self._rows.column("trust"),
            self._rows.column("confidence"),
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
        order = best(ordinals, shares, self._rows.column("id"), self._rows.column("created_at"), limit)
        return self._rows.rows_at(ordinals[order])

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
