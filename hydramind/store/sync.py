"""Brings a scope's projection to the newest revision: a cold load, then the deltas of each op."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from hydramind.graph.commit import PENDING, checked, finish, op_id
from hydramind.graph.connection import Graph
from hydramind.index.scope_index import ScopeIndex
from hydramind.index.vectors import unpacked
from hydramind.queries import entities, memories, ops, pages, vectors
from hydramind.queries.query import Capability, Query
from hydramind.records import Op, Vector

_LOOK_AHEAD = 64
_PAGE: Final = 1_000
"""Rows of one statement: no statement of a load takes long, however large the scope is."""

Row = TypeVar("Row")


async def ops_after(graph: Graph, scope: str, revision: int) -> list[Op]:
    """Every op with a greater revision, in order; one point read when there is none. Pending ops are finished first."""
    return await _followed(graph, scope, await _read_ops(graph, scope, [revision + 1]))


async def _followed(graph: Graph, scope: str, found: list[Op]) -> list[Op]:
    """Those found and every op behind them, finished."""
    while found:
        last = found[-1].revision
        more = await _read_ops(graph, scope, range(last + 1, last + 1 + _LOOK_AHEAD))
        if not more:
            break
        found.extend(more)
    for op in found:
        if op.phase == PENDING:
            await finish(graph, op)
    return found


async def _read_ops(graph: Graph, scope: str, revisions: Sequence[int]) -> list[Op]:
    wanted = {op_id(scope, revision): revision for revision in revisions}
    rows = await graph.read_ids(ops.BY_ID, list(wanted), scope=scope)
    found = sorted((checked(op, scope, wanted[op.id]) for op in rows), key=lambda op: op.revision)
    # Revisions are dense, so anything behind a gap was committed between two point reads: the next round sees it.
    return [op for position, op in enumerate(found) if op.revision == revisions[0] + position]


async def newest_revision(graph: Graph, scope: str) -> int:
    """Revision of the newest op, 0 when there is none: a few point reads, because revisions are dense."""
    low, step = 0, 1
    while True:
        probes = [low + step * factor for factor in range(1, _LOOK_AHEAD + 1)]
        wanted = {op_id(scope, revision): revision for revision in probes}
        rows = await graph.read_ids(ops.BY_ID, list(wanted), scope=scope)
        hits = {checked(op, scope, wanted[op.id]).revision for op in rows}
        below = max(hits, default=low)
        if len(hits) == len(probes):
            low, step = below, step * _LOOK_AHEAD
        elif step == 1:
            return below
        else:
            low, step = below, step // _LOOK_AHEAD


async def load(graph: Graph, scope: str, dimension: int = 0) -> ScopeIndex:
    """A projection of the whole scope. Rows read while others write may be newer than the revision noted before the
    read; the deltas after it are applied again, which ends in the same state."""
    index = ScopeIndex(scope, dimension)
    revision = await newest_revision(graph, scope)
    if revision:
        # Only the newest op can be unfinished: whoever took a revision finished the one before it first.
        await ops_after(graph, scope, revision - 1)
        await _take(graph, _ENTITIES, scope, index.put_entities)
        await _take(graph, _MEMORIES, scope, index.put_memories)
    index.revision = revision
    return index


async def load_vectors(graph: Graph, index: ScopeIndex, embedder: str) -> frozenset[str]:
    """Take over the stored vectors of one embedder; returns the others that the scope holds vectors of."""
    others: set[str] = set()

    def put(batch: Sequence[Vector]) -> None:
        own = [row for row in batch if row.embedder == embedder]
        others.update(row.embedder for row in batch if row.embedder != embedder)
        numbers = unpacked([row.data for row in own], index.arrays.vectors.dimension)
        index.put_vectors([row.memory_id for row in own], numbers, [row.scale for row in own])

    await _take(graph, _VECTORS, index.scope, put)
    return frozenset(others)


@dataclass(frozen=True, slots=True)
class _Kind(Generic[Row]):
    """How the rows of a kind are read: all ids, rows by id in one record, or all rows."""

    ids: Query[tuple[int, ...]]
    page: Query[list[Row]]
    of_scope: Query[Row]


_ENTITIES: Final = _Kind(pages.ENTITIES, pages.ENTITY_ROWS, entities.OF_SCOPE)
_MEMORIES: Final = _Kind(pages.MEMORIES, pages.MEMORY_ROWS, memories.OF_SCOPE)
_VECTORS: Final = _Kind(pages.VECTORS, pages.VECTOR_ROWS, vectors.OF_SCOPE)


async def _take(graph: Graph, kind: _Kind[Row], scope: str, put: Callable[[list[Row]], None]) -> None:
    """Hand over every row of a kind, some at a time. An engine that cannot read many by id in one statement streams them."""
    if not graph.engine.can(Capability.BATCH_READS):
        async for batch in graph.stream(kind.of_scope, _PAGE, scope=scope):
            put(batch)
        return
    ids = [id_ for found in await graph.read(kind.ids, scope=scope) for id_ in found]
    coming: asyncio.Task[list[list[Row]]] | None = None
    try:
        for start in range(0, len(ids), _PAGE):
            found = await (coming or _page(graph, kind, scope, ids[:_PAGE]))
            following = ids[start + _PAGE : start + 2 * _PAGE]
            # Asked for before this page is taken in, so that the engine works meanwhile.
            coming = asyncio.create_task(_page(graph, kind, scope, following)) if following else None
            await asyncio.sleep(0)
            for rows in found:
                put(rows)
    finally:
        if coming is not None:
            coming.cancel()
            await asyncio.wait({coming})


async def _page(graph: Graph, kind: _Kind[Row], scope: str, ids: Sequence[int]) -> list[list[Row]]:
    return await graph.read(kind.page, ids=ids, scope=scope)


class LogGone(Exception):
    """The log that a projection was built from is not there any more: the projection holds what was removed."""


@dataclass(slots=True)
class Mark:
    """The newest op that a projection contains, by revision and token; revision 0 before it is known."""

    revision: int = 0
    token: str = ""


async def catch_up(graph: Graph, index: ScopeIndex, mark: Mark | None = None) -> list[Op]:
    """Apply what was committed since the projection's revision; returns those ops in order. With a `mark`, for a scope that
    may be removed, the same look sees whether the marked op is still there; raises `LogGone` when it is not."""
    if mark is None or not index.revision:
        fresh = await ops_after(graph, index.scope, index.revision)
    else:
        fresh = await _ops_behind(graph, index, mark)
    if mark is not None and fresh:
        mark.revision, mark.token = fresh[-1].revision, fresh[-1].token
    if fresh:
        touched = _ids(op.memory_ids for op in fresh)
        index.put_entities(await graph.read_ids(entities.BY_ID, _ids(op.entity_ids for op in fresh), scope=index.scope))
        index.put_memories(await graph.read_ids(memories.BY_ID, touched, scope=index.scope))
        index.revision = fresh[-1].revision
    return fresh


async def _ops_behind(graph: Graph, index: ScopeIndex, mark: Mark) -> list[Op]:
    known = index.revision
    found = await _read_ops(graph, index.scope, [known, known + 1])
    if not found or (mark.revision == known and mark.token != found[0].token):
        raise LogGone(f"revision {known} of scope {index.scope!r} is gone or another one")
    mark.revision, mark.token = known, found[0].token
    return await _followed(graph, index.scope, found[1:])


def _ids(lists: Iterable[str]) -> list[int]:
    joined = (part for text in lists for part in text.split(",") if part)
    return list(dict.fromkeys(int(part) for part in joined))
