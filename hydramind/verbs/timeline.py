"""timeline: every version of what is known about an entity (HYD-35)."""

from __future__ import annotations

from hydramind.graph.connection import Graph
from hydramind.index.scope_index import ScopeIndex
from hydramind.mind import text
from hydramind.models import EntityView, Timeline, TimelineOf, Version
from hydramind.queries import edges, memories
from hydramind.records import Memory, Status
from hydramind.verbs.views import entity_id, entity_view, memory_view


async def run(graph: Graph, index: ScopeIndex, request: TimelineOf) -> Timeline:
    """Oldest first by event time; the newest `limit` when there are more. What was forgotten is not shown; an entity
    that the scope does not know has no versions."""
    id_ = entity_id(index.scope, request.entity_ref)
    entity = index.entity(id_)
    if entity is None:
        name = EntityView(id=str(id_), name=text.clean(request.entity_ref))
        return Timeline(limit=request.limit, entity=name, versions=(), total=0)
    about = await graph.read(memories.ABOUT, id=id_, scope=index.scope)
    rows = await graph.read_ids(memories.BY_ID, about, scope=index.scope)
    known = sorted((row for row in rows if row.status != Status.FORGOTTEN), key=_when)
    shown = known[len(known) - request.limit :] if request.limit < len(known) else known
    return Timeline(
        limit=request.limit,
        entity=entity_view(entity, sum(row.recallable for row in known)),
        versions=await _versions(graph, index, shown),
        total=len(known),
    )


async def _versions(graph: Graph, index: ScopeIndex, shown: list[Memory]) -> tuple[Version, ...]:
    ids = [memory.id for memory in shown if memory.status == Status.SUPERSEDED]
    links = {edge.source: edge for edge in await graph.read_ids(edges.REPLACED_BY, ids, scope=index.scope)}
    versions: list[Version] = []
    for memory in shown:
        link = links.get(memory.id)
        successor = str(link.target) if link is not None else ""
        reason = link.reason if link is not None else ""
        versions.append(Version(memory=memory_view(index, memory), superseded_by=successor, reason=reason))
    return tuple(versions)


def _when(memory: Memory) -> tuple[int, int, bool, int]:
    # Of two versions of one instant, the one that was replaced came first.
    return (memory.event_time, memory.created_at, memory.status != Status.SUPERSEDED, memory.id)
