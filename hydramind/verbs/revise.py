"""revise: replace an active memory by a new version without erasing it (HYD-32..34)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hydramind.errors import Conflict
from hydramind.mind.conflict import Claim, Kind, detect
from hydramind.models import Revise, Revised
from hydramind.queries import edges
from hydramind.records import Entity, Memory, MemoryKind, Status
from hydramind.store.view import Decision, View
from hydramind.verbs.compare import Comparison, compare
from hydramind.verbs.effects import Effects
from hydramind.verbs.remember import Details, Shown, Statement, content_key, settle, take_slot
from hydramind.verbs.views import conflict_view, memory_view, require


async def decide(view: View, request: Revise, statement: Statement) -> Decision[Revised]:
    """What the revision changes. Repeating a revision that happened, or one to the same text, changes nothing."""
    effects = Effects(view)
    old = require(view, request.memory_id)
    entities = _entities(view, old, request, statement)
    same_links = tuple(entity.id for entity in entities) == old.entities
    if old.status == Status.ACTIVE and old.key == content_key(statement.content) and same_links:
        return Decision(effects.changes("revise"), _reply(effects, old, old, entities))
    if old.status == Status.SUPERSEDED:
        done = await _already_done(view, old, content_key(statement.content))
        if done is not None:
            return Decision(effects.changes("revise"), _reply(effects, done, old, entities))
    if old.status != Status.ACTIVE:
        raise Conflict(f"memory {request.memory_id!r} is {old.status}: only an active memory can be revised")
    reply = await _replace(effects, old, statement, entities, request.reason)
    return Decision(effects.changes("revise"), reply)


async def _replace(
    effects: Effects, old: Memory, statement: Statement, entities: Sequence[Entity], reason: str
) -> Revised:
    view = effects.view
    existing = view.active_with(content_key(statement.content)) if old.kind == MemoryKind.FACT else None
    if existing is not None and existing.id != old.id:
        if old.slot:
            take_slot(effects, existing, old.slot)
        await effects.supersede(old, existing, reason, since=min(existing.valid_from, view.now))
        await _withdraw_what_no_longer_holds(effects, old, existing)
        return _reply(effects, existing, old, entities)
    new = effects.put(replace(statement, details=Details.inherited(old)).memory(view, entities))
    effects.about(new, entities)
    await effects.supersede(old, new, reason)
    await _withdraw_what_no_longer_holds(effects, old, new)
    # The new version is current by the caller's word: what it only updates in other memories is a conflict to report.
    comparison = Comparison((), 0)
    if old.kind == MemoryKind.FACT:
        comparison = compare(view, statement.claim(), new.entities, {old.id}, view.now)
    await settle(effects, new, comparison)
    reply = _reply(effects, new, old, entities)
    shown = tuple(conflict_view(found) for found in comparison.found if found.verdict.kind is not Kind.REFINES)
    return reply.model_copy(update={"conflicts": shown})


async def _withdraw_what_no_longer_holds(effects: Effects, old: Memory, new: Memory) -> None:
    """What `old` contradicted gets its trust back unless the new version contradicts it too."""
    for event in await effects.standing_contradictions(old):
        target = effects.memory(event.target)
        if detect(Claim(new.content), Claim(target.content)).kind is not Kind.CONTRADICTS:
            await effects.withdraw(event, new, f"memory {event.source}, which contradicted it, was revised")


async def _already_done(view: View, old: Memory, key: str) -> Memory | None:
    for edge in await view.read_ids(edges.REPLACED_BY, [old.id]):
        successor = view.memory(edge.target)
        if successor is not None and successor.key == key:
            return successor
    return None


def _entities(view: View, old: Memory, request: Revise, statement: Statement) -> list[Entity]:
    if request.entity_refs is not None:
        return statement.entities(view)
    inherited = (view.entity(id_) for id_ in old.entities)
    return [entity for entity in inherited if entity is not None]


def _reply(effects: Effects, new: Memory, old: Memory, entities: Sequence[Entity]) -> Revised:
    rows = Shown(effects, entities)
    return Revised(
        memory=memory_view(rows, effects.memory(new.id)),
        replaced=memory_view(rows, effects.memory(old.id)),
        trust_changes=tuple(effects.trust_changes),
        flagged=tuple(str(id_) for id_ in effects.flagged),
    )
