"""What a decision sees: the projection at the revision before its own, plus what its group has staged ahead of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from hydramind.index.scope_index import ScopeIndex
from hydramind.mind import text
from hydramind.queries.query import Query
from hydramind.records import ChangeSet, Entity, Memory, Op

Row = TypeVar("Row")
Result = TypeVar("Result")


class Reader(Protocol):
    """Reads inside the write unit, so that what the group has staged is visible."""

    async def read_ids(self, query: Query[Row], ids: Sequence[int], **parameters: Any) -> list[Row]:
        """Rows of a read by id."""
        ...

    async def read(self, query: Query[Row], **parameters: Any) -> list[Row]:
        """Rows of a read."""
        ...


@dataclass(frozen=True, slots=True)
class KeyedCall:
    """An idempotency key and the hash of the arguments it was first used with."""

    key: str
    payload_hash: str


@dataclass(frozen=True, slots=True)
class Decision(Generic[Result]):
    """What a verb decided: its changes (none: nothing is committed), its result, and the text stored under its key."""

    changes: ChangeSet
    result: Result
    keyed: KeyedCall | None = None
    stored: str = ""


class Staged:
    """Changes decided in this group and not yet committed, laid over the projection."""

    def __init__(self, index: ScopeIndex) -> None:
        self.index = index
        self.memories: dict[int, Memory] = {}
        self.entities: dict[int, Entity] = {}
        self.keyed: dict[int, Op] = {}
        self.revision = index.revision

    def add(self, changes: ChangeSet, keyed: Op | None) -> None:
        """Lay one more decision over what is there."""
        self.memories.update((memory.id, memory) for memory in changes.memories())
        self.entities.update((entity.id, entity) for entity in changes.entities())
        if keyed is not None:
            self.keyed[keyed.id] = keyed
        self.revision += 1


class View:
    """One decision's look at a scope. `revision` is the op number that the decision gets if it changes anything."""

    def __init__(self, staged: Staged, reader: Reader, now: int) -> None:
        self._staged = staged
        self._reader = reader
        self.scope = staged.index.scope
        self.revision = staged.revision + 1
        self.now = now

    def memory(self, memory_id: int) -> Memory | None:
        """The row of a memory of this scope, whatever its status."""
        return self._staged.memories.get(memory_id) or self._staged.index.memory(memory_id)

    def entity(self, entity_id: int) -> Entity | None:
        """The row of an entity of this scope."""
        return self._staged.entities.get(entity_id) or self._staged.index.entity(entity_id)

    def keyed(self, op_id: int) -> Op | None:
        """A keyed result staged by this group."""
        return self._staged.keyed.get(op_id)

    def active_with(self, key: str) -> Memory | None:
        """The active memory whose canonical content has this key."""
        for memory in self._staged.memories.values():
            if memory.key == key and memory.comparable:
                return memory
        found = self._staged.index.active_with(key)
        return self._current(found) if found is not None else None

    def active_in_slot(self, slot: str) -> Memory | None:
        """The active fact of this canonical slot; none for the empty one."""
        for memory in self._staged.memories.values():
            if slot and memory.slot == slot and memory.comparable:
                return memory
        found = self._staged.index.active_in_slot(slot)
        return self._current(found) if found is not None else None

    def related(self, content: str, limit: int, floor: float) -> list[Memory]:
        """Active memories that share words with `content`: those staged by this group first, then the most telling."""
        terms = text.index_terms(content)
        staged = [
            memory
            for memory in self._staged.memories.values()
            if memory.comparable and terms & text.index_terms(memory.content)
        ]
        known = {memory.id for memory in staged}
        stored = (self._current(memory) for memory in self._staged.index.related(content, limit, floor))
        return staged + [memory for memory in stored if memory is not None and memory.id not in known]

    async def read(self, query: Query[Row], **parameters: Any) -> list[Row]:
        """Rows of a graph read, with this group's earlier changes visible."""
        return await self._reader.read(query, **parameters)

    async def read_ids(self, query: Query[Row], ids: Sequence[int]) -> list[Row]:
        """Rows of a graph read by id in this scope, with this group's earlier changes visible."""
        return await self._reader.read_ids(query, ids, scope=self.scope)

    def _current(self, memory: Memory) -> Memory | None:
        current = self._staged.memories.get(memory.id, memory)
        return current if current.comparable else None


Decide = Callable[[View], Awaitable[Decision[Result]]]
"""A verb's decision: reads through the view, changes nothing, may be called again when another writer was faster."""
