"""inspect, stats, graph, entities: what a scope holds, as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from hydramind.graph.connection import Graph
from hydramind.index.scope_index import ScopeIndex
from hydramind.mind import trust
from hydramind.models import (
    EntityView,
    GraphEdge,
    GraphNode,
    GraphView,
    Inspection,
    OneMemory,
    OpenScopeView,
    RelationView,
    Stats,
)
from hydramind.queries import edges
from hydramind.queries.query import Query
from hydramind.records import Contradicts, DerivedFrom, Edge, Entity, Memory, Relates, Status, SupersededBy
from hydramind.store.scopes import DAY_MS, Scopes
from hydramind.verbs.views import entity_view, memory_view, relation_view, require

_FAMILIES: Final[Mapping[str, Query[Edge]]] = {
    "ABOUT": edges.SUBJECTS,
    "DERIVED_FROM": edges.PREMISES,
    "CONTRADICTS": edges.CONTRADICTS,
    "SUPERSEDED_BY": edges.REPLACED_BY,
    "TRUST_DECAY": edges.DECAYS_FROM,
    "RELATES": edges.RELATIONS,
}
"""The edges that are drawn, each read from its start."""
_INCOMING: Final[tuple[Query[DerivedFrom] | Query[Contradicts] | Query[SupersededBy] | Query[Relates], ...]] = (
    edges.DEPENDENTS,
    edges.CONTRADICTED_BY,
    edges.REPLACES,
    edges.RELATIONS_TO,
)
"""Those that can be read from their end."""


async def memory(graph: Graph, index: ScopeIndex, request: OneMemory) -> Inspection:
    """One memory with its direct relations, whatever its status."""
    row = require(index, request.memory_id)
    scope = index.scope
    return Inspection(
        memory=memory_view(index, row),
        derived_from=_targets(await graph.read_ids(edges.PREMISES, [row.id], scope=scope)),
        derived=_sources(await graph.read_ids(edges.DEPENDENTS, [row.id], scope=scope)),
        contradicts=_targets(await graph.read_ids(edges.CONTRADICTS, [row.id], scope=scope)),
        contradicted_by=_sources(await graph.read_ids(edges.CONTRADICTED_BY, [row.id], scope=scope)),
        supersedes=_sources(await graph.read_ids(edges.REPLACES, [row.id], scope=scope)),
        superseded_by=_targets(await graph.read_ids(edges.REPLACED_BY, [row.id], scope=scope)),
        relations=await _relations(graph, scope, row.id),
        revision=row.revision,
    )


async def _relations(graph: Graph, scope: str, id_: int) -> tuple[RelationView, ...]:
    found = await graph.read_ids(edges.RELATIONS, [id_], scope=scope)
    found += await graph.read_ids(edges.RELATIONS_TO, [id_], scope=scope)
    standing = sorted((each for each in found if not each.withdrawn_at), key=lambda each: (-each.created_at, each.id))
    return tuple(map(relation_view, standing))


def stats(index: ScopeIndex) -> Stats:
    """Counts of the scope; mean trust is over recallable memories, 0 when there is none."""
    counts = Counter(memory.status for memory in index.memories())
    trusts = [memory.trust for memory in index.memories() if memory.recallable]
    return Stats(
        scope=index.scope,
        revision=index.revision,
        memories=len(index),
        active=counts[Status.ACTIVE.value],
        contradicted=counts[Status.CONTRADICTED.value],
        superseded=counts[Status.SUPERSEDED.value],
        forgotten=counts[Status.FORGOTTEN.value],
        entities=sum(1 for _ in index.entities()),
        mean_trust=round(sum(trusts) / len(trusts), 6) if trusts else 0.0,
    )


def held(scopes: Scopes) -> tuple[OpenScopeView, ...]:
    """What this process holds in memory, by name; a revision may be behind what others committed."""
    loaded = [index for scope in scopes.held() if (index := scope.held) is not None]
    return tuple(
        OpenScopeView(
            name=index.scope,
            revision=index.revision,
            memories=len(index),
            entities=sum(1 for _ in index.entities()),
            skipped_days=round(scopes.skipped_ms(index.scope) / DAY_MS, 6),
        )
        for index in sorted(loaded, key=lambda index: index.scope)
    )


def entities(index: ScopeIndex) -> tuple[EntityView, ...]:
    """Entities with a memory that is not forgotten, by recallable links, then name."""
    links: Counter[int] = Counter()
    named: set[int] = set()
    for row in index.memories():
        if row.status != Status.FORGOTTEN:
            named.update(row.entities)
            links.update(row.entities if row.recallable else ())
    views = (entity_view(entity, links[entity.id]) for entity in index.entities() if entity.id in named)
    return tuple(sorted(views, key=lambda view: (-view.memories, view.name, view.id)))


async def drawn(graph: Graph, index: ScopeIndex, limit: int) -> GraphView:
    """The newest `limit` memories that are not forgotten, their entities, and every edge between what is shown."""
    known = [row for row in index.memories() if row.status != Status.FORGOTTEN]
    shown = sorted(known, key=lambda row: (-row.created_at, row.id))[:limit]
    linked = _entities_of(index, shown)
    ids = {row.id for row in shown} | {entity.id for entity in linked}
    found = [edge for edge in await _edges_from(graph, index, [row.id for row in shown]) if int(edge.end) in ids]
    return _view(index, shown, linked, found)


async def changed(graph: Graph, index: ScopeIndex, after: int) -> GraphView:
    """What a drawing of revision `after` lacks: the memories whose rows changed since, newest first and forgotten ones
    with that status, their entities, and the edges that leave them. Each edge is written with the row it leaves, so no
    other is new; those that reach a memory which was forgotten once are told too, because it may be shown again."""
    rows = sorted((row for row in index.memories() if row.revision > after), key=lambda row: (-row.created_at, row.id))
    found = await _edges_from(graph, index, [row.id for row in rows])
    found += await _edges_to(
        graph, index, {row.id for row in rows if row.forgotten_at and row.status != Status.FORGOTTEN}
    )
    edges_once = {edge.id: edge for edge in found}
    return _view(index, rows, _entities_of(index, rows), edges_once.values())


async def _edges_to(graph: Graph, index: ScopeIndex, ids: set[int]) -> list[GraphEdge]:
    """Edges that end in `ids`. A loss of trust reaches a memory from what it rests on, the others say where they start."""
    if not ids:
        return []
    starts: set[int] = set()
    for query in _INCOMING:
        starts |= {edge.source for edge in await graph.read_ids(query, sorted(ids), scope=index.scope)}
    above = ids
    for _ in range(trust.MAX_HOPS):
        above = {edge.target for edge in await graph.read_ids(edges.PREMISES, sorted(above), scope=index.scope)}
        starts |= above
    return [edge for edge in await _edges_from(graph, index, sorted(starts)) if int(edge.end) in ids]


def _entities_of(index: ScopeIndex, rows: Iterable[Memory]) -> list[Entity]:
    named = dict.fromkeys(id_ for row in rows for id_ in row.entities)
    return [entity for id_ in named if (entity := index.entity(id_)) is not None]


async def _edges_from(graph: Graph, index: ScopeIndex, ids: list[int]) -> list[GraphEdge]:
    return [
        _drawn_edge(type_, edge)
        for type_, query in _FAMILIES.items()
        for edge in await graph.read_ids(query, ids, scope=index.scope)
        if not (isinstance(edge, Relates) and edge.withdrawn_at)
    ]


def _drawn_edge(type_: str, edge: Edge) -> GraphEdge:
    relation = edge.relation if isinstance(edge, Relates) else ""
    return GraphEdge(id=str(edge.id), type=type_, start=str(edge.source), end=str(edge.target), relation=relation)


def _view(index: ScopeIndex, rows: Iterable[Memory], linked: Iterable[Entity], found: Iterable[GraphEdge]) -> GraphView:
    entity_nodes = (GraphNode(id=str(entity.id), label="Entity", text=entity.name) for entity in linked)
    return GraphView(
        scope=index.scope,
        revision=index.revision,
        nodes=(*map(_memory_node, rows), *entity_nodes),
        edges=tuple(sorted(found, key=lambda edge: (edge.type, edge.id))),
        total_memories=sum(row.status != Status.FORGOTTEN for row in index.memories()),
    )


def _memory_node(row: Memory) -> GraphNode:
    return GraphNode(id=str(row.id), label="Memory", text=row.content, status=row.status, trust=row.trust)


def _targets(found: Iterable[Edge]) -> tuple[str, ...]:
    return tuple(str(id_) for id_ in sorted({edge.target for edge in found}))


def _sources(found: Iterable[Edge]) -> tuple[str, ...]:
    return tuple(str(id_) for id_ in sorted({edge.source for edge in found}))
