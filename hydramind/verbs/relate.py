"""relate: declare how one memory stands to another, or take that back (HYB-24, HYB-28, HYB-39, HYB-40)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hydramind.errors import Conflict, NotFound
from hydramind.ids import stable_id
from hydramind.models import Relate, Related
from hydramind.queries import edges
from hydramind.records import Memory, Relates, Status
from hydramind.store.view import Decision, View
from hydramind.verbs.effects import Effects
from hydramind.verbs.views import relation_view, require

_MEANS: Final = {"related_to": "analogous_to"}
_BOTH_WAYS: Final = frozenset({"analogous_to"})
"""Relations without a direction: stored once, from the lower id to the higher."""


async def decide(view: View, request: Relate) -> Decision[Related]:
    """What it changes: declared again it gets the new weight and reason, or nothing when it has them already; withdrawn
    its row stays. Raises `NotFound` for a memory that the scope does not hold or a relation that was never declared,
    `Conflict` for a forgotten memory."""
    effects = Effects(view)
    name = _MEANS.get(request.relation, request.relation)
    source, target = _ends(view, request, name)
    id_ = stable_id("related", view.scope, source.id, target.id, name)
    stored = await view.read_ids(edges.RELATIONS, [source.id])
    known = next((edge for edge in stored if edge.id == id_), None)
    fresh = Relates(id_, source.id, target.id, name, request.weight, request.reason, view.now)
    relation = _withdrawn(known, request, view.now) if request.withdraw else _declared(known, fresh)
    if relation != known:
        effects.relate(source, relation)
    return Decision(effects.changes("relate"), Related(relation=relation_view(relation), changed=relation != known))


def _ends(view: View, request: Relate, name: str) -> tuple[Memory, Memory]:
    source, target = require(view, request.memory_id), require(view, request.other_id)
    for memory in () if request.withdraw else (source, target):
        if memory.status == Status.FORGOTTEN:
            raise Conflict(f"memory {str(memory.id)!r} is forgotten: reinstate it before it is related to another")
    if name in _BOTH_WAYS and source.id > target.id:
        return target, source
    return source, target


def _declared(known: Relates | None, fresh: Relates) -> Relates:
    """One that stands keeps the time at which it was declared."""
    if known is None or known.withdrawn_at:
        return fresh if known is None else replace(fresh, written=known.written)
    return replace(known, weight=fresh.weight, reason=fresh.reason)


def _withdrawn(known: Relates | None, request: Relate, now: int) -> Relates:
    if known is None:
        raise NotFound(f"memory {request.memory_id!r} was never declared {request.relation!r} of {request.other_id!r}")
    return known if known.withdrawn_at else replace(known, withdrawn_at=now)
