"""remember: keep one statement, and let what it contradicts lose trust (HYD-15..23)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from hydramind import clock
from hydramind.errors import Conflict
from hydramind.mind import text
from hydramind.mind.conflict import Claim, Kind, Verdict
from hydramind.models import Remember, Remembered
from hydramind.queries import edges
from hydramind.records import Entity, Memory, MemoryKind, Status
from hydramind.store.view import Decision, View
from hydramind.verbs import keyed
from hydramind.verbs.compare import Comparison, Found, compare, filling
from hydramind.verbs.effects import Effects
from hydramind.verbs.views import conflict_view, entity_id, memory_view, require

_ANCESTORS: Final = 10_000
"""Premises looked at before a cycle check gives up and refuses."""
_DETAILS: Final = {"kind", "session", "evidence_id", "confidence", "fact_type", "valid_from", "valid_until", "slot"}


@dataclass(frozen=True, slots=True)
class Details:
    """What a caller may say about a statement beside its text; times are epoch milliseconds, None where not stated."""

    kind: str = MemoryKind.FACT.value
    session: str = ""
    evidence_id: str = ""
    confidence: float = 1.0
    fact_type: str = ""
    valid_from: int | None = None
    valid_to: int | None = None
    slot: str = ""

    @classmethod
    def of(cls, request: Remember) -> Details:
        """As the request states them."""
        return cls(
            request.kind,
            request.session,
            request.evidence_id,
            request.confidence,
            request.fact_type,
            event_ms(request.valid_from),
            event_ms(request.valid_until),
            request.slot,
        )

    @classmethod
    def inherited(cls, old: Memory) -> Details:
        """Those of an earlier version, except its validity."""
        return cls(old.kind, old.session, old.evidence_id, old.confidence, old.fact_type, slot=old.slot)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement about to be kept: its id is fixed before the decision, so that a retried decision names the same one."""

    memory_id: int
    content: str
    entity_refs: Sequence[str]
    event_time: int | None
    source: str
    details: Details = field(default_factory=Details)

    def claim(self) -> Claim:
        """As the detector sees it."""
        return Claim(self.content, self.event_time)

    def entities(self, view: View) -> list[Entity]:
        """The entities it names: those of the scope where they exist, new ones otherwise; spelling variants are one."""
        named: dict[int, Entity] = {}
        for name in self.entity_refs:
            id_ = entity_id(view.scope, name)
            key = text.canonical_name(name)
            named.setdefault(id_, view.entity(id_) or Entity(id_, view.scope, name, key, view.now))
        return list(named.values())

    def memory(self, view: View, entities: Sequence[Entity]) -> Memory:
        """The new row, at full trust."""
        happened = view.now if self.event_time is None else self.event_time
        details = self.details
        return Memory(
            id=self.memory_id,
            scope=view.scope,
            content=self.content,
            key=content_key(self.content),
            created_at=view.now,
            event_time=happened,
            valid_from=happened if details.valid_from is None else details.valid_from,
            valid_to=clock.FOREVER if details.valid_to is None else details.valid_to,
            kind=details.kind,
            source=self.source,
            session=details.session,
            evidence_id=details.evidence_id,
            confidence=details.confidence,
            fact_type=details.fact_type,
            slot=details.slot,
            dated=self.event_time is not None,
            entity_ids=",".join(str(entity.id) for entity in entities),
            revision=view.revision,
        )


def content_key(content: str) -> str:
    """Hash of the canonical content: equal for contents that differ in white space or Unicode composition only."""
    return hashlib.blake2b(text.canonical_content(content).encode(), digest_size=16).hexdigest()


def event_ms(moment: datetime | None) -> int | None:
    """Epoch milliseconds of a request's event time."""
    return None if moment is None else clock.to_ms(moment)


async def decide(view: View, request: Remember, statement: Statement) -> Decision[Remembered]:
    """What remembering this statement changes."""
    call = keyed.call(
        request.idempotency_key,
        "remember",
        request.content,
        request.entity_refs,
        request.derived_from,
        statement.event_time,
        *_told(request),
    )
    earlier = await keyed.first_result(view, call)
    effects = Effects(view)
    if earlier is not None:
        return Decision(effects.changes("remember"), Remembered.model_validate_json(earlier))
    premises = [_premise(view, memory_id) for memory_id in request.derived_from]
    entities = statement.entities(view)
    if request.kind != MemoryKind.FACT:
        reply = await _create(effects, statement.memory(view, entities), entities, premises, Comparison((), 0))
    elif (same := view.active_with(content_key(statement.content))) is not None and not _over(same, statement, view):
        reply = await _link_duplicate(effects, same, statement, entities, premises)
    else:
        reply = await _judge(effects, statement, entities, premises)
    return Decision(effects.changes("remember"), reply, call, reply.model_dump_json() if call else "")


def _told(request: Remember) -> tuple[str, ...]:
    """The details of a keyed call, in one text; nothing where none is stated."""
    told = request.model_dump(mode="json", include=_DETAILS, exclude_defaults=True)
    return (json.dumps(told, sort_keys=True),) if told else ()


async def _judge(
    effects: Effects, statement: Statement, entities: Sequence[Entity], premises: Sequence[Memory]
) -> Remembered:
    """Compare with what is stored; another wording of the same statement is linked, anything else is kept."""
    slot, claim = statement.details.slot, statement.claim()
    comparison = compare(effects.view, claim, [entity.id for entity in entities], now=effects.view.now)
    comparison = _renewing(comparison, statement, effects.view)
    alike = [found.memory for found in comparison.of(Kind.DUPLICATE) if not slot or found.memory.slot in ("", slot)]
    if alike:
        return await _link_duplicate(effects, alike[0], statement, entities, premises)
    comparison = filling(comparison, effects.view.active_in_slot(slot), claim, effects.view.now)
    return await _create(effects, statement.memory(effects.view, entities), entities, premises, comparison)


def _over(same: Memory, statement: Statement, view: View) -> bool:
    """Whether a memory had run out by the time that the statement speaks of."""
    return same.valid_to <= (view.now if statement.event_time is None else statement.event_time)


def _renewing(comparison: Comparison, statement: Statement, view: View) -> Comparison:
    """What says the same and had run out is no duplicate: the statement is a new version of it."""

    def judged(found: Found) -> Found:
        if found.verdict.kind is not Kind.DUPLICATE or not _over(found.memory, statement, view):
            return found
        return Found(found.memory, Verdict(Kind.SUPERSEDES, "stated again after it had run out"))

    return Comparison(tuple(map(judged, comparison.found)), comparison.judged)


async def _create(
    effects: Effects, new: Memory, entities: Sequence[Entity], premises: Sequence[Memory], comparison: Comparison
) -> Remembered:
    new = effects.put(new)
    effects.about(new, entities)
    effects.derived(new, premises)
    await settle(effects, new, comparison)
    rows = Shown(effects, entities)
    return Remembered(
        outcome="created",
        memory=memory_view(rows, effects.memory(new.id)),
        conflicts=tuple(conflict_view(found) for found in comparison.found if found.verdict.kind is not Kind.REFINES),
        trust_changes=tuple(effects.trust_changes),
    )


async def settle(effects: Effects, new: Memory, comparison: Comparison) -> None:
    """Carry out what a comparison means for the stored memories. A late-arriving older statement takes no trust: it goes
    between the versions before and after it."""
    replaced = comparison.of(Kind.SUPERSEDES)
    later = [found for found in replaced if not found.verdict.draft_is_current]
    if later:
        await effects.place(new, later)
    for found in replaced:
        if found.verdict.draft_is_current:
            await effects.supersede(found.memory, effects.memory(new.id), found.verdict.reason)
    for found in comparison.of(Kind.CONTRADICTS) if not later else ():
        await effects.contradict(new, found)


async def _link_duplicate(
    effects: Effects, same: Memory, statement: Statement, entities: Sequence[Entity], premises: Sequence[Memory]
) -> Remembered:
    """The scope holds the statement already: only links that it lacks are added, and the slot where it had none."""
    missing = [entity for entity in entities if entity.id not in same.entities]
    if missing:
        ids = ",".join(str(id_) for id_ in (*same.entities, *(entity.id for entity in missing)))
        effects.about(effects.put(replace(same, entity_ids=ids)), missing)
    known = {edge.target for edge in await effects.view.read_ids(edges.PREMISES, [same.id])} if premises else set[int]()
    fresh = [premise for premise in premises if premise.id not in known]
    if fresh:
        await _refuse_cycle(effects.view, same, fresh)
        effects.derived(effects.put(effects.memory(same.id)), fresh)
    replaced = await _fill(effects, same, statement)
    return Remembered(
        outcome="duplicate",
        memory=memory_view(Shown(effects, entities), effects.memory(same.id)),
        conflicts=tuple(conflict_view(found) for found in replaced),
    )


async def _fill(effects: Effects, same: Memory, statement: Statement) -> Sequence[Found]:
    """A fact that was kept without a slot takes the one it is told again with; the fact that held it gives way, or stays
    where the statement is dated before it. Raises `Conflict` when it fills another slot."""
    slot, view = statement.details.slot, effects.view
    if not slot or same.slot == slot:
        return ()
    take_slot(effects, same, slot)
    replaced = filling(Comparison((), 0), view.active_in_slot(slot), statement.claim(), view.now).found
    for found in replaced:
        if found.verdict.draft_is_current:
            since = view.now if statement.event_time is None else statement.event_time
            await effects.supersede(found.memory, same, found.verdict.reason, since=since)
        else:
            await effects.supersede(same, found.memory, found.verdict.reason)
    return replaced


def take_slot(effects: Effects, memory: Memory, slot: str) -> None:
    """A stored fact fills `slot` from now on; raises `Conflict` when it fills another one."""
    if memory.slot and memory.slot != slot:
        raise Conflict(
            f"slot {slot!r}: memory {memory.id} holds this statement and fills slot {memory.slot!r}; "
            "forget it first, or say in the statement what it is about"
        )
    effects.put(replace(effects.memory(memory.id), slot=slot))


async def _refuse_cycle(view: View, memory: Memory, premises: Sequence[Memory]) -> None:
    seen = {premise.id for premise in premises}
    frontier = sorted(seen)
    while frontier:
        if memory.id in seen:
            raise Conflict(
                f"derived_from: memory {memory.id} already holds this statement and cannot rest on itself; "
                f"{', '.join(str(premise.id) for premise in premises)} lead back to it"
            )
        if len(seen) > _ANCESTORS:
            raise Conflict(f"derived_from: the lineage above is larger than {_ANCESTORS} memories")
        above = {edge.target for edge in await view.read_ids(edges.PREMISES, frontier)}
        frontier = sorted(above - seen)
        seen |= above


def _premise(view: View, memory_id: str) -> Memory:
    memory = require(view, memory_id)
    if memory.status == Status.FORGOTTEN:
        raise Conflict(f"derived_from: memory {memory_id!r} is forgotten")
    return memory


class Shown:
    """Rows for a reply: the view, with what this decision adds."""

    def __init__(self, effects: Effects, entities: Sequence[Entity]) -> None:
        self.scope = effects.view.scope
        self._effects = effects
        self._entities = {entity.id: entity for entity in entities}

    def memory(self, memory_id: int) -> Memory | None:
        """A row as changed so far."""
        return self._effects.rows.get(memory_id) or self._effects.view.memory(memory_id)

    def entity(self, entity_id: int) -> Entity | None:
        """An entity, new ones included."""
        return self._entities.get(entity_id) or self._effects.view.entity(entity_id)
