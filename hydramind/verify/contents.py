"""One scope as the graph holds it, read row by row without any projection."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TypeVar

from hydramind.graph.connection import Graph
from hydramind.queries import audit, entities, memories
from hydramind.queries.audit import Link
from hydramind.records import Entity, Memory, Op, ScopeNode

Row = Memory | Entity | Op | Link
AnyRow = TypeVar("AnyRow", Memory, Entity, Op, Link)
LEDGER = ("CONTRADICTS", "TRUST_DECAY", "TRUST_RESTORE")


@dataclass(frozen=True)
class Contents:
    """Rows and relationships of a scope, in no order; `links` by type, each with those that cross its border.

    What lacks a property is in `incomplete` alone, so that the checks can rely on all others.
    """

    scope: str
    memories: Sequence[Memory]
    entities: Sequence[Entity]
    ops: Sequence[Op]
    links: Mapping[str, Sequence[Link]]
    scopes: Sequence[ScopeNode]
    incomplete: Sequence[Row] = ()

    @cached_property
    def by_id(self) -> dict[int, Memory]:
        """Memories by id."""
        return {memory.id: memory for memory in self.memories}

    @cached_property
    def ids(self) -> set[int]:
        """Ids of all memories and entities that are there, complete or not."""
        return {row.id for row in (*self.memories, *self.entities, *self.incomplete)}

    @cached_property
    def commits(self) -> list[Op]:
        """The ops that are commits, by revision."""
        return sorted((op for op in self.ops if not self.is_keyed(op)), key=lambda op: op.revision)

    @cached_property
    def keyed(self) -> list[Op]:
        """The ops that store what an idempotency key returned, by key."""
        return sorted((op for op in self.ops if self.is_keyed(op)), key=lambda op: op.key)

    @cached_property
    def ledger(self) -> list[Link]:
        """Every entry that moved trust."""
        return [link for type_ in LEDGER for link in self.links[type_]]

    def is_keyed(self, op: Op) -> bool:
        """Whether an op belongs to an idempotency key."""
        return op.key.startswith(f"{self.scope}!")

    def leading_from(self, type_: str) -> dict[int, list[Link]]:
        """Relationships of one type by the id they start at."""
        found: dict[int, list[Link]] = defaultdict(list)
        for link in self.links[type_]:
            found[link.source].append(link)
        return found

    def leading_to(self, type_: str) -> dict[int, list[Link]]:
        """Relationships of one type by the id they end at."""
        found: dict[int, list[Link]] = defaultdict(list)
        for link in self.links[type_]:
            found[link.target].append(link)
        return found


async def read(graph: Graph, scope: str) -> Contents:
    """Everything of the scope; not one snapshot, so the caller makes sure that nobody wrote meanwhile."""
    incomplete: list[Row] = []
    links = {
        family.type: _complete(
            [*await graph.read(family.out, scope=scope), *await graph.read(family.into, scope=scope)], incomplete
        )
        for family in audit.FAMILIES
    }
    return Contents(
        scope=scope,
        memories=_complete(await graph.read(memories.OF_SCOPE, scope=scope), incomplete),
        entities=_complete(await graph.read(entities.OF_SCOPE, scope=scope), incomplete),
        ops=_complete(await graph.read(audit.OPS, scope=scope), incomplete),
        links=links,
        scopes=[node for node in await graph.read(entities.SCOPES) if node.name == scope],
        incomplete=incomplete,
    )


def missing(row: Row) -> list[str]:
    """Properties that the graph does not hold for a row."""
    return [field.name for field in fields(row) if getattr(row, field.name) is None]


def _complete(rows: Sequence[AnyRow], incomplete: list[Row]) -> list[AnyRow]:
    """The rows that lack nothing; the others go to `incomplete`."""
    incomplete.extend(row for row in rows if missing(row))
    return [row for row in rows if not missing(row)]
