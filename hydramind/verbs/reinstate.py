"""reinstate: undo forget; the memory is shown again, and what its forgetting gave back is taken again."""

from __future__ import annotations

from dataclasses import replace

from hydramind.clock import FOREVER
from hydramind.errors import Conflict
from hydramind.graph.commit import op_id
from hydramind.mind.conflict import Kind, Verdict
from hydramind.models import OneMemory, Reinstated
from hydramind.queries import edges, ops
from hydramind.records import Contradicts, Memory, Status, TrustRestore
from hydramind.store.view import Decision, View
from hydramind.verbs.compare import Comparison, Found, claim_of, compare, judge
from hydramind.verbs.effects import Effects
from hydramind.verbs.remember import settle
from hydramind.verbs.views import memory_view, require


async def decide(view: View, request: OneMemory) -> Decision[Reinstated]:
    """What reinstating changes; raises `Conflict` when the memory is not forgotten, or when the scope has been told
    the same statement anew or its slot was filled meanwhile. What was remembered since it was forgotten contradicts or
    replaces it as it would have done then."""
    effects = Effects(view)
    memory = require(view, request.memory_id)
    if memory.status != Status.FORGOTTEN:
        raise Conflict(f"memory {request.memory_id!r} is {memory.status}: only a forgotten memory can be reinstated")
    shown = effects.put(await _as_before(view, memory))
    _refuse_twin(view, shown)
    for event in await _withdrawn_by_forgetting(view, memory):
        await _contradict_again(effects, event)
    await _meet(effects, shown)
    reply = Reinstated(
        memory=memory_view(view, effects.memory(shown.id)), changed=True, trust_changes=tuple(effects.trust_changes)
    )
    return Decision(effects.changes("reinstate"), reply)


async def _as_before(view: View, memory: Memory) -> Memory:
    """The row with the status that holds now: a successor keeps it superseded, a standing contradiction in doubt.
    `forgotten_at` stays: it tells that the log holds a step of its story."""
    if await view.read_ids(edges.REPLACED_BY, [memory.id]):
        return replace(memory, status=Status.SUPERSEDED.value)
    doubts = await view.read_ids(edges.CONTRADICTED_BY, [memory.id])
    standing = any(not doubt.withdrawn_at for doubt in doubts)
    status = Status.CONTRADICTED if standing else Status.ACTIVE
    # Forgetting cuts an open validity at its own time: any other end was there before.
    cut = memory.valid_to == max(memory.valid_from, memory.forgotten_at)
    ends = FOREVER if cut else memory.valid_to
    return replace(memory, status=status.value, valid_to=ends)


def _refuse_twin(view: View, shown: Memory) -> None:
    if not shown.comparable:
        return
    twin = view.active_with(shown.key)
    if twin is not None:
        raise _twin(shown, twin)
    holder = view.active_in_slot(shown.slot)
    if holder is not None:
        raise Conflict(
            f"memory {shown.id} cannot be reinstated: active memory {holder.id} fills its slot {shown.slot!r} by now; "
            "forget that one first, or remember the statement anew"
        )


async def _withdrawn_by_forgetting(view: View, memory: Memory) -> list[Contradicts]:
    """The contradictions that ended when `memory` was last forgotten, in the order they were given back."""
    restores = await view.read(edges.RESTORES_BY, id=memory.id, scope=view.scope)
    last = max((restore.revision for restore in restores), default=0)
    made_by = await view.read_ids(ops.BY_ID, [op_id(view.scope, last)]) if last else []
    if [op.verb for op in made_by] != ["forget"]:  # A revision gives trust back as well, and that stays.
        return []
    return [event for restore in _in_order(restores, last) for event in await _undone_by(view, restore)]


def _in_order(restores: list[TrustRestore], revision: int) -> list[TrustRestore]:
    return sorted((each for each in restores if each.revision == revision), key=lambda each: each.step)


async def _undone_by(view: View, restore: TrustRestore) -> list[Contradicts]:
    """The contradiction of the restored memory itself; empty for what was given back along the lineage."""
    events = await view.read_ids(edges.CONTRADICTED_BY, [restore.target])
    return [event for event in events if str(event.id) == restore.caused_by]


async def _contradict_again(effects: Effects, event: Contradicts) -> None:
    """As when it was found; a memory that something else contradicts by now is not contradicted again."""
    target = effects.memory(event.target)
    if target.status == Status.CONTRADICTED:
        return
    verdict = Verdict(Kind.CONTRADICTS, event.reason, event.draft_quote, event.stored_quote)
    await effects.contradict(effects.memory(event.source), Found(target, verdict), again=True)


async def _meet(effects: Effects, shown: Memory) -> None:
    """What statements made while it was hidden do to it: what they would have done had it not been forgotten. Those
    that were there before were compared when the later of the two was remembered."""
    if not shown.comparable:
        return
    doubts = await effects.view.read_ids(edges.CONTRADICTED_BY, [shown.id])
    met = {doubt.source for doubt in doubts} | effects.rows.keys()
    candidates = compare(effects.view, claim_of(shown), shown.entities, excluded=met).found
    since = [found.memory for found in candidates if found.memory.created_at >= shown.forgotten_at]
    for newer in sorted(since, key=lambda memory: (memory.created_at, memory.id)):
        if not effects.memory(shown.id).comparable:
            return
        verdict = judge(claim_of(newer), shown, newer.event_time)
        if verdict.kind is Kind.DUPLICATE:
            raise _twin(shown, newer)
        await settle(effects, newer, Comparison((Found(shown, verdict),), 1))


def _twin(shown: Memory, twin: Memory) -> Conflict:
    return Conflict(f"memory {shown.id} cannot be reinstated: active memory {twin.id} holds the same statement")
