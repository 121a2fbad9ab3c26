"""What a change does to other memories, gathered row by row into one change set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from hydramind.errors import Damaged
from hydramind.ids import stable_id
from hydramind.mind import lineage, trust
from hydramind.mind.conflict import Kind, Verdict
from hydramind.mind.lineage import Dependent
from hydramind.models import TrustChange
from hydramind.queries import edges
from hydramind.records import (
    About,
    ChangeSet,
    Contradicts,
    DerivedFrom,
    Edge,
    Entity,
    Memory,
    MemoryKind,
    Relates,
    ScopeNode,
    Status,
    SupersededBy,
    TrustDecay,
    TrustRestore,
)
from hydramind.store.view import View
from hydramind.verbs.compare import Found, claim_of, judge

_CHAIN: Final = 1_000
"""Versions that a chain of replacements is followed back."""
_ONE_THING: Final = frozenset({Kind.SUPERSEDES, Kind.CONTRADICTS, Kind.DUPLICATE})
"""Verdicts between two versions of one fact."""


@dataclass(slots=True)
class Effects:
    """The changes of one decision; a memory touched twice keeps one row, the last."""

    view: View
    rows: dict[int, Memory] = field(default_factory=dict[int, Memory])
    entities: list[Entity] = field(default_factory=list[Entity])
    edges: dict[int, Edge] = field(default_factory=dict[int, Edge])
    trust_changes: list[TrustChange] = field(default_factory=list[TrustChange])
    flagged: list[int] = field(default_factory=list[int])

    def changes(self, verb: str) -> ChangeSet:
        """Everything as one change set; the first change of a scope brings its Scope node."""
        if not (self.rows or self.edges):
            return ChangeSet(verb)
        scope = ScopeNode(stable_id("scope", self.view.scope), self.view.scope, self.view.now)
        first = (scope,) if self.view.revision == 1 else ()
        return ChangeSet(verb, (*first, *self.entities, *self.rows.values()), tuple(self.edges.values()))

    def memory(self, memory_id: int) -> Memory:
        """A memory as changed so far; raises `Damaged` when the graph names one that the scope does not hold."""
        memory = self.rows.get(memory_id) or self.view.memory(memory_id)
        if memory is None:
            raise Damaged(f"scope {self.view.scope!r} has a relationship to memory {memory_id}, which it does not hold")
        return memory

    def put(self, memory: Memory) -> Memory:
        """Write a memory's row at this decision's revision."""
        self.rows[memory.id] = replace(memory, revision=self.view.revision)
        return self.rows[memory.id]

    def about(self, memory: Memory, entities: Iterable[Entity]) -> None:
        """Link a memory to entities, creating those the scope does not know."""
        for entity in entities:
            if self.view.entity(entity.id) is None:
                self.entities.append(entity)
            self._edge(About(stable_id("about", memory.id, entity.id), memory.id, entity.id))

    def derived(self, memory: Memory, premises: Iterable[Memory]) -> None:
        """Record what a memory was concluded from."""
        for premise in premises:
            self._edge(DerivedFrom(stable_id("derived", memory.id, premise.id), memory.id, premise.id))

    def relate(self, source: Memory, relation: Relates) -> None:
        """Write a declared relation, with the row of the memory that it leaves."""
        self.put(self.memory(source.id))
        self._edge(relation)

    async def contradict(self, new: Memory, found: Found, *, again: bool = False) -> None:
        """The old memory loses 0.40 and, where it was active, its status; its dependents 0.15 a hop (HYD-17..21).
        `again`: `new` contradicted it before and that was withdrawn, so the event needs an id of its own."""
        old, now = self.memory(found.memory.id), self.view.now
        repeated = (self.view.revision,) if again else ()
        after = trust.after_loss(old.trust, trust.CONTRADICTION_LOSS)
        event = Contradicts(
            id=stable_id("contradicts", new.id, old.id, *repeated),
            source=new.id,
            target=old.id,
            detected_at=now,
            reason=found.verdict.reason,
            before_trust=old.trust,
            after_trust=after,
            revision=self.view.revision,
            draft_quote=found.verdict.draft_quote,
            stored_quote=found.verdict.stored_quote,
            step=len(self.trust_changes),
        )
        self._edge(event)
        self._trust(old, after, 0)
        if old.status == Status.ACTIVE:
            self.put(replace(self.memory(old.id), status=Status.CONTRADICTED.value))
        for dependent in await self.dependents(old.id, excluded={new.id}):
            self._decay(event, dependent)

    async def supersede(self, old: Memory, new: Memory, reason: str, *, since: int | None = None) -> None:
        """The old memory stops being current when the new one starts (`since`, where that is not its own start), or
        where it had ended before; trust stays (HYD-32); dependents are flagged. It holds until a start that is ahead:
        a value of a slot has its successor already then, what is told without one stays active."""
        starts = new.valid_from if since is None else since
        if self._holds_until(old, new, starts):
            return
        ends = max(old.valid_from, min(old.valid_to, starts))
        self.put(replace(self.memory(old.id), status=Status.SUPERSEDED.value, valid_to=ends))
        self._edge(SupersededBy(stable_id("superseded", old.id, new.id), old.id, new.id, self.view.now, reason))
        for dependent in await self.dependents(old.id, excluded={new.id}):
            memory = self.memory(dependent.memory_id)
            if not memory.premise_superseded:
                self.put(replace(memory, premise_superseded=True))
                self.flagged.append(memory.id)

    async def place(self, new: Memory, later: Sequence[Found]) -> None:
        """A late-arriving older statement goes before the earliest of the later versions of its fact and ends where that
        one starts; the version it follows ends where it starts. `later` are the active ones. Nobody loses trust."""
        versions = [*later, *await self._earlier_versions(new, later)]
        told = {each.memory.id for each in later}
        following = [each for each in versions if each.memory.id in told or _follows(each.memory, new)]
        after = min(following, key=_place)
        if not self._holds_until(new, after.memory, after.memory.valid_from):
            self.file_as_history(new, after.memory, after.verdict.reason)
        before = [each for each in versions if each not in following]
        if before:
            last = self.memory(max(before, key=_place).memory.id)
            ends = max(last.valid_from, min(last.valid_to, new.valid_from))
            if ends < last.valid_to:
                self.put(replace(last, valid_to=ends))

    def file_as_history(self, new: Memory, later: Memory, reason: str) -> None:
        """An older statement is stored as a version before `later`, which stays as it is."""
        ends = max(new.valid_from, min(new.valid_to, later.valid_from))
        self.put(replace(self.memory(new.id), status=Status.SUPERSEDED.value, valid_to=ends))
        self._edge(SupersededBy(stable_id("superseded", new.id, later.id), new.id, later.id, self.view.now, reason))

    async def withdraw(self, event: Contradicts, by: Memory, reason: str) -> None:
        """Give back what a contradiction took, from the contradicted memory and from its dependents."""
        self._edge(replace(event, withdrawn_at=self.view.now))
        self._restore(event.target, event, by, reason)
        decays = await self.view.read_ids(edges.DECAYS_FROM, [event.target])
        for decay in sorted(decays, key=lambda decay: (decay.hop, decay.target)):
            if decay.caused_by == str(event.id):
                self._restore(decay.target, decay, by, reason)
        others = await self.view.read_ids(edges.CONTRADICTED_BY, [event.target])
        standing = [other for other in others if not other.withdrawn_at and not self._is_withdrawn(other.id)]
        old = self.memory(event.target)
        if old.status == Status.CONTRADICTED and not standing:
            await self._reinstate(old)

    async def standing_contradictions(self, memory: Memory) -> list[Contradicts]:
        """Contradictions not withdrawn that `memory` or a version it replaced has caused."""
        versions, frontier = [memory.id], [memory.id]
        while frontier and len(versions) < _CHAIN:
            older = {edge.source for edge in await self.view.read_ids(edges.REPLACES, frontier)}
            frontier = sorted(older.difference(versions))
            versions.extend(frontier)
        found = await self.view.read_ids(edges.CONTRADICTS, versions)
        return sorted(
            (event for event in found if not event.withdrawn_at), key=lambda event: (event.revision, event.step)
        )

    async def dependents(self, cause: int, excluded: set[int]) -> list[Dependent]:
        """What rests on a memory, two hops down, each once at its smallest hop."""
        layers: list[Sequence[DerivedFrom]] = []
        frontier = [cause]
        for _ in range(trust.MAX_HOPS):
            layer = await self.view.read_ids(edges.DEPENDENTS, frontier)
            layers.append(layer)
            frontier = sorted({edge.source for edge in layer})
        return lineage.dependents(cause, layers, excluded)

    def _holds_until(self, old: Memory, new: Memory, starts: int) -> bool:
        """Whether `new` starts in time to come, so that `old` stays active until then; not in a slot, which has one
        active fact: there `old` has its successor, and holds until its end."""
        slot = self.memory(new.id).slot
        if starts <= self.view.now or (slot and slot == self.memory(old.id).slot):
            return False
        ends = max(old.valid_from, min(old.valid_to, starts))
        self.put(replace(self.memory(old.id), valid_to=ends))
        return True

    async def _earlier_versions(self, new: Memory, later: Sequence[Found]) -> list[Found]:
        """The versions that led to `later`, back to the one that `new` follows; what was forgotten is not among them. One
        read for each step that is later than `new`."""
        found: list[Found] = []
        frontier = sorted(each.memory.id for each in later)
        seen = set(frontier)
        while frontier and len(seen) < _CHAIN:
            older = {edge.source for edge in await self.view.read_ids(edges.REPLACES, frontier)} - seen
            seen |= older
            frontier = list[int]()
            for memory in map(self.memory, sorted(older)):
                verdict = same_fact(new, memory)
                if verdict is not None and memory.status != Status.FORGOTTEN:
                    found.append(Found(memory, verdict))
                if verdict is None or _follows(memory, new):
                    frontier.append(memory.id)
        return found

    async def _reinstate(self, old: Memory) -> None:
        """Active again; where the scope has been told the same statement anew meanwhile, that one stays the current one,
        and so does a fact that fills the slot by now, unless it is the older one."""
        twin = self._current(old, lambda row: row.key == old.key, self.view.active_with(old.key))
        if twin is not None:
            self.file_as_history(old, twin, "stated again")
            return
        holder = None
        if old.slot:
            holder = self._current(old, lambda row: row.slot == old.slot, self.view.active_in_slot(old.slot))
        if holder is None:
            self.put(replace(old, status=Status.ACTIVE.value))
        elif holder.event_time >= old.event_time:
            self.file_as_history(old, holder, f"slot {old.slot!r} has a new value")
        else:
            back = self.put(replace(old, status=Status.ACTIVE.value))
            await self.supersede(holder, back, f"slot {old.slot!r} has a later value")

    def _current(self, old: Memory, alike: Callable[[Memory], bool], stored: Memory | None) -> Memory | None:
        """The active fact like `old`, as this decision leaves it: among the rows it changed, or the one that is stored."""
        if old.kind != MemoryKind.FACT:
            return None
        changed = next((row for row in self.rows.values() if row.id != old.id and row.comparable and alike(row)), None)
        return changed or (stored if stored is not None and self.memory(stored.id).comparable else None)

    def _is_withdrawn(self, event_id: int) -> bool:
        edge = self.edges.get(event_id)
        return isinstance(edge, Contradicts) and edge.withdrawn_at > 0

    def _decay(self, event: Contradicts, dependent: Dependent) -> None:
        memory = self.memory(dependent.memory_id)
        after = trust.after_loss(memory.trust, trust.derived_loss(dependent.hop))
        reason = f"rests on memory {event.target}, which was contradicted"
        self._edge(
            TrustDecay(
                id=stable_id("decay", event.id, memory.id),
                source=event.target,
                target=memory.id,
                detected_at=self.view.now,
                reason=reason,
                before_trust=memory.trust,
                after_trust=after,
                hop=dependent.hop,
                caused_by=str(event.id),
                revision=self.view.revision,
                step=len(self.trust_changes),
            )
        )
        summary = replace(
            dependent.via,
            last_decayed_at=self.view.now,
            last_decay_reason=reason,
            before_trust=memory.trust,
            after_trust=after,
            decay_hop=dependent.hop,
            caused_by=str(event.id),
        )
        self._edge(summary)
        self._trust(memory, after, dependent.hop)

    def _restore(self, memory_id: int, entry: Contradicts | TrustDecay, by: Memory, reason: str) -> None:
        memory = self.memory(memory_id)
        after = trust.after_gain(memory.trust, trust.taken(entry.before_trust, entry.after_trust))
        self._edge(
            TrustRestore(
                id=stable_id("restore", entry.id, self.view.revision),
                source=by.id,
                target=memory.id,
                detected_at=self.view.now,
                reason=reason,
                before_trust=memory.trust,
                after_trust=after,
                caused_by=str(entry.id),
                revision=self.view.revision,
                step=len(self.trust_changes),
            )
        )
        self._trust(memory, after, entry.hop if isinstance(entry, TrustDecay) else 0)

    def _trust(self, memory: Memory, after: float, hop: int) -> None:
        self.trust_changes.append(TrustChange(memory_id=str(memory.id), before=memory.trust, after=after, hop=hop))
        self.put(replace(memory, trust=after))

    def _edge(self, edge: Edge) -> None:
        rewritable = isinstance(edge, Contradicts | DerivedFrom | Relates)
        self.edges[edge.id] = replace(edge, written=self.view.revision) if rewritable else edge


def _follows(memory: Memory, new: Memory) -> bool:
    """Whether a stored version speaks of a later time; of two of one time the one that is told later comes later."""
    return memory.event_time > new.event_time


def _place(found: Found) -> tuple[int, int, bool, int]:
    memory = found.memory
    return (memory.event_time, memory.created_at, memory.status != Status.SUPERSEDED, memory.id)


def same_fact(new: Memory, memory: Memory) -> Verdict | None:
    """How `new` stands to an earlier version, None where that is a version of something else."""
    if new.slot and new.slot == memory.slot:
        return Verdict(Kind.SUPERSEDES, f"slot {new.slot!r} had a later value already")
    verdict = judge(claim_of(new), memory, new.event_time)
    return verdict if verdict.kind in _ONE_THING else None
