"""trace_memory: native evidence paths out of one memory, or between two (HYD-36..38, HYB-42)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from hydramind.errors import NotFound
from hydramind.graph.connection import Graph
from hydramind.index.scope_index import ScopeIndex
from hydramind.models import PathNode, PathStep, Trace, TraceFrom, TracePath
from hydramind.queries import edges, paths
from hydramind.queries.paths import RawPath
from hydramind.queries.query import Capability
from hydramind.records import Memory, Status
from hydramind.verbs.views import memory_view, require

_OVER_FETCH: Final = 4
"""Paths asked of the engine for each one wanted, because the scope guard discards some."""

_DECLARED: Final = "RELATES"

Pair = tuple[int, int]
"""Start and end of a relationship as stored."""


async def run(graph: Graph, index: ScopeIndex, request: TraceFrom) -> Trace:
    """Paths in order of length, then of the ids walked. A path that leaves the scope, touches a forgotten memory or
    walks a relation that was withdrawn is dropped; a forgotten start or target is unknown."""
    start = _end(index, request.memory_id)
    ends = {"id": start.id}
    if request.target_id:
        ends["target"] = _end(index, request.target_id).id
    wanted = request.max_paths
    raw, capped = await _walk(graph, ends, request.max_hops, wanted * _OVER_FETCH)
    declared = await _declared(graph, index.scope, raw)
    # A contradiction that was withdrawn and came back is a second relationship between the same two memories.
    inside = list(dict.fromkeys(path for path in raw if _shown(index, path) and _stands(path, declared)))
    inside.sort(key=lambda path: (len(path.steps), [node.id for node in path.nodes], path.steps))
    return Trace(
        max_hops=request.max_hops,
        max_paths=wanted,
        memory=memory_view(index, start),
        paths=tuple(_hydrated(index, path, declared) for path in inside[:wanted]),
        truncated=capped or len(inside) > wanted,
    )


def _end(index: ScopeIndex, memory_id: str) -> Memory:
    memory = require(index, memory_id)
    if memory.status == Status.FORGOTTEN:
        raise NotFound(f"memory {memory_id!r} is forgotten: no paths are shown")
    return memory


async def _walk(graph: Graph, ends: Mapping[str, int], hops: int, limit: int) -> tuple[list[RawPath], bool]:
    """Simple paths, shortest first, and whether the engine may hold more; `ends` are the parameters of the query."""
    walk = paths.BETWEEN if "target" in ends else paths.OUT_OF
    if graph.engine.can(Capability.PROCEDURE_PATHS):
        found = await graph.read(walk.up_to, **ends, hops=hops, limit=limit)
        return found, len(found) >= limit
    found: list[RawPath] = []
    for length in range(1, hops + 1):
        rest = limit - len(found)
        if rest <= 0:
            return found, True
        of_length = await graph.read(walk.of_length[length], **ends, limit=rest)
        found.extend(path for path in of_length if len({node.id for node in path.nodes}) == len(path.nodes))
        if len(of_length) >= rest:
            return found, True
    return found, False


async def _declared(graph: Graph, scope: str, raw: Sequence[RawPath]) -> Mapping[Pair, str]:
    """What stands declared between the ends of the relations walked; nothing is read where none was."""
    starts = {start for path in raw for type_, start, _ in path.steps if type_ == _DECLARED}
    names: dict[Pair, set[str]] = defaultdict(set)
    for relation in await graph.read_ids(edges.RELATIONS, sorted(starts), scope=scope) if starts else ():
        if not relation.withdrawn_at:
            names[relation.source, relation.target].add(relation.relation)
    return {pair: ", ".join(sorted(found)) for pair, found in names.items()}


def _stands(path: RawPath, declared: Mapping[Pair, str]) -> bool:
    return all(type_ != _DECLARED or (start, end) in declared for type_, start, end in path.steps)


def _shown(index: ScopeIndex, path: RawPath) -> bool:
    """Every node is one that this scope holds and shows."""
    for node in path.nodes:
        if node.label == "Memory":
            memory = index.memory(node.id)
            if memory is None or memory.status == Status.FORGOTTEN or node.scope != index.scope:
                return False
        elif index.entity(node.id) is None:
            return False
    return True


def _hydrated(index: ScopeIndex, path: RawPath, declared: Mapping[Pair, str]) -> TracePath:
    nodes: list[PathNode] = []
    for node in path.nodes:
        memory, entity = index.memory(node.id), index.entity(node.id)
        if memory is not None:
            nodes.append(
                PathNode(id=str(node.id), label="Memory", text=memory.content, status=memory.status, trust=memory.trust)
            )
        elif entity is not None:
            nodes.append(PathNode(id=str(node.id), label="Entity", text=entity.name))
    return TracePath(nodes=tuple(nodes), steps=tuple(_step(*step, declared) for step in path.steps))


def _step(type_: str, start: int, end: int, declared: Mapping[Pair, str]) -> PathStep:
    relation = declared[start, end] if type_ == _DECLARED else ""
    return PathStep(type=type_, start=str(start), end=str(end), relation=relation)
