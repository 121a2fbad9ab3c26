"""What only demo scopes allow: moving their clock, and removing them for good."""

from __future__ import annotations

from typing import Final

from hydramind import clock
from hydramind.errors import Invalid, NotFound, Refused
from hydramind.graph.connection import Graph
from hydramind.models import DemoClock, OneScope, Removed, SkipDays
from hydramind.queries import audit, entities, memories, removal, vectors
from hydramind.store.scopes import DAY_MS, DEMO_PREFIX, Scopes

MOST_DAYS: Final = 36_500
"""How far the clock of a demo scope may be from the real one."""


def start(scopes: Scopes, scope: str, days: int) -> DemoClock:
    """Put the clock of a demo scope back to `days` ago; raises `Refused` for any other scope."""
    _require_demo(scope, "its clock cannot be moved")
    scopes.skip(scope, -days * DAY_MS)
    return _clock(scopes, scope)


def skip(scopes: Scopes, request: SkipDays) -> DemoClock:
    """Move the clock of a demo scope in this process; raises `Refused` for any other scope."""
    _require_demo(request.scope, "its clock cannot be moved")
    if scopes.skipped_ms(request.scope) + request.skip_days * DAY_MS > MOST_DAYS * DAY_MS:
        raise Invalid("skip_days", f"must leave the clock within {MOST_DAYS:,} days of now, got {request.skip_days}")
    scopes.skip(request.scope, request.skip_days * DAY_MS)
    return _clock(scopes, request.scope)


async def remove(graph: Graph, scopes: Scopes, request: OneScope) -> Removed:
    """Delete every node of a demo scope; raises `Refused` for any other scope, `NotFound` when there is none.

    Writes that wait in this process finish first. Another process that has it open sees at its next look
    that it is gone.
    """
    scope = request.scope
    _require_demo(scope, "it cannot be removed; forget hides single memories")
    await scopes.retire(scope)
    ops = [op.id for op in await graph.read(audit.OPS, scope=scope)]
    if not ops:
        raise NotFound(f"no scope {scope!r}")
    kept = [memory.id for memory in await graph.read(memories.OF_SCOPE, scope=scope)]
    named = [entity.id for entity in await graph.read(entities.OF_SCOPE, scope=scope)]
    derived = [id_ for id_, _ in await graph.read(vectors.IDS_OF_SCOPE, scope=scope)]
    nodes = [node.id for node in await graph.read(entities.SCOPES) if node.name == scope]
    # The ops last: a removal cut short can be asked for again.
    steps = (
        (removal.VECTORS, derived),
        (removal.MEMORIES, kept),
        (removal.ENTITIES, named),
        (removal.SCOPES, nodes),
        (removal.OPS, ops),
    )
    for query, ids in steps:
        await graph.write(query, [{"id": id_} for id_ in ids])
    await scopes.retire(scope)
    return Removed(scope=scope, memories=len(kept), entities=len(named), ops=len(ops))


def _require_demo(scope: str, consequence: str) -> None:
    if not scope.startswith(DEMO_PREFIX):
        raise Refused(f"scope {scope!r} is no demo (those start with {DEMO_PREFIX!r}): {consequence}")


def _clock(scopes: Scopes, scope: str) -> DemoClock:
    skipped = scopes.skipped_ms(scope) / DAY_MS
    return DemoClock(scope=scope, skipped_days=round(skipped, 6), now=clock.to_iso(scopes.now(scope)))
