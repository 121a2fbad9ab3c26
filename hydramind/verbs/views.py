"""Rows as the faces show them."""

from __future__ import annotations

from typing import Protocol

from hydramind import clock
from hydramind.errors import NotFound
from hydramind.ids import parse_id, stable_id
from hydramind.mind import text
from hydramind.models import ConflictView, EntityView, MemoryView, RelationView
from hydramind.records import Entity, Memory, Relates
from hydramind.verbs.compare import Found


class Rows(Protocol):
    """Where rows of one scope are looked up: a projection, or a view on one."""

    scope: str

    def memory(self, memory_id: int) -> Memory | None:
        """The row of a memory."""
        ...

    def entity(self, entity_id: int) -> Entity | None:
        """The row of an entity."""
        ...


def require(rows: Rows, memory_id: str) -> Memory:
    """The memory of that external id; raises `NotFound` when this scope does not hold it."""
    number = parse_id(memory_id)
    memory = rows.memory(number) if number is not None else None
    if memory is None:
        raise NotFound(f"no memory {memory_id!r} in scope {rows.scope!r}")
    return memory


def entity_id(scope: str, name: str) -> int:
    """Id of an entity: the same for canonically equal names of one scope, never shared between scopes (HYD-50)."""
    return stable_id("entity", scope, text.canonical_name(name))


def entity_view(entity: Entity, memories: int = 0) -> EntityView:
    """An entity as a face shows it."""
    return EntityView(id=str(entity.id), name=entity.name, kind=entity.kind, memories=memories)


def memory_view(rows: Rows, memory: Memory) -> MemoryView:
    """A memory as a face shows it."""
    linked = (rows.entity(id_) for id_ in memory.entities)
    return MemoryView(
        id=str(memory.id),
        scope=memory.scope,
        content=memory.content,
        kind=memory.kind,
        status=memory.status,
        trust=memory.trust,
        created_at=clock.to_iso(memory.created_at),
        event_time=clock.to_iso(memory.event_time),
        valid_from=clock.to_iso(memory.valid_from),
        valid_to=None if memory.valid_to >= clock.FOREVER else clock.to_iso(memory.valid_to),
        source=memory.source,
        session=memory.session,
        evidence_id=memory.evidence_id,
        confidence=memory.confidence,
        fact_type=memory.fact_type,
        slot=memory.slot,
        entities=tuple(entity_view(entity) for entity in linked if entity is not None),
        premise_superseded=memory.premise_superseded,
    )


def relation_view(relation: Relates) -> RelationView:
    """A declared relation as a face shows it."""
    return RelationView(
        id=str(relation.id),
        source=str(relation.source),
        target=str(relation.target),
        relation=relation.relation,
        weight=relation.weight,
        reason=relation.reason,
        created_at=clock.to_iso(relation.created_at),
        withdrawn_at=clock.to_iso(relation.withdrawn_at) if relation.withdrawn_at else None,
    )


def conflict_view(found: Found) -> ConflictView:
    """What a comparison found, as a face shows it."""
    return ConflictView(
        kind=found.verdict.kind.value,
        memory_id=str(found.memory.id),
        content=found.memory.content,
        reason=found.verdict.reason,
        draft_quote=found.verdict.draft_quote,
        stored_quote=found.verdict.stored_quote,
    )
