"""timeline: every version of what is known about an entity (HYD-35)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hydramind.graph.connection import Graph
from hydramind.index.scope_index import ScopeIndex
from hydramind.mind import text
from hydramind.models import EntityView, Timeline, TimelineOf, Version
from hydramind.queries import edges, memories
from hydramind.records import Memory, Status, SupersededBy
from hydramind.verbs.effects import same_fact
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


async def _versions(graph: Graph, index: ScopeIndex, shown: Sequence[Memory]) -> tuple[Version, ...]:
    ids = [memory.id for memory in shown if memory.status == Status.SUPERSEDED]
    found = sorted(await graph.read_ids(edges.REPLACED_BY, ids, scope=index.scope), key=lambda each: each.revised_at)
    links = {edge.source: edge for edge in found}
    versions: list[Version] = []
    for place, memory in enumerate(shown):
        successor, reason = _successor(memory, shown[place + 1 :], links)
        versions.append(Version(memory=memory_view(index, memory), superseded_by=successor, reason=reason))
    return tuple(versions)


def _successor(memory: Memory, later: Sequence[Memory], links: Mapping[int, SupersededBy]) -> tuple[str, str]:
    """The version that follows a superseded one, and why; empty for any other. The edge names what it met when one of the
    two was told; a version of the same fact that was told after that and starts between them follows it now."""
    link = links.get(memory.id)
    if link is None:
        return "", ""
    for each in later:
        if each.id == link.target:
            break
        if each.valid_from >= memory.valid_to and _leads_to(link.target, each.id, links):
            verdict = same_fact(each, memory)
            if verdict is not None:
                slotted = bool(each.slot) and each.slot == memory.slot
                return str(each.id), f"slot {each.slot!r} has a new value" if slotted else verdict.reason
    return str(link.target), link.reason


def _leads_to(end: int, start: int, links: Mapping[int, SupersededBy]) -> bool:
    """Whether `start` was replaced by `end`, at once or by way of others that are shown."""
    seen: set[int] = set()
    while start in links and start not in seen:
        seen.add(start)
        start = links[start].target
        if start == end:
            return True
    return False


def _when(memory: Memory) -> tuple[int, int, bool, int]:
    # Of two versions of one instant, the one that was replaced came first.
    return (memory.event_time, memory.created_at, memory.status != Status.SUPERSEDED, memory.id)
