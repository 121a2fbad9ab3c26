"""forget: hide a memory; node and provenance stay, and what it took from others by contradiction is given back (HYD-41)."""

from __future__ import annotations

from dataclasses import replace

from hydramind.clock import FOREVER
from hydramind.models import Forgotten, OneMemory
from hydramind.records import Status
from hydramind.store.view import Decision, View
from hydramind.verbs.effects import Effects
from hydramind.verbs.views import memory_view, require


async def decide(view: View, request: OneMemory) -> Decision[Forgotten]:
    """What forgetting changes; a second time changes nothing."""
    effects = Effects(view)
    memory = require(view, request.memory_id)
    if memory.status == Status.FORGOTTEN:
        return Decision(effects.changes("forget"), Forgotten(memory=memory_view(view, memory), changed=False))
    # A stated end is kept for `reinstate`: what hides the memory is its status, and `forgotten_at` in views of the past.
    ends = max(memory.valid_from, view.now) if memory.valid_to == FOREVER else memory.valid_to
    hidden = effects.put(replace(memory, status=Status.FORGOTTEN.value, valid_to=ends, forgotten_at=view.now))
    for event in await effects.standing_contradictions(memory):
        await effects.withdraw(event, hidden, f"memory {memory.id}, which contradicted it, was withdrawn")
    reply = Forgotten(
        memory=memory_view(view, effects.memory(memory.id)), changed=True, trust_changes=tuple(effects.trust_changes)
    )
    return Decision(effects.changes("forget"), reply)
