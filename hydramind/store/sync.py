"""Brings a scope's projection to the newest revision: a cold load, then the deltas of each op."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from hydramind.graph.commit import PENDING, checked, finish, op_id
from hydramind.graph.connection import Graph
from hydramind.index.scope_index import ScopeIndex
from hydramind.queries import entities, memories, ops, pages
from hydramind.queries.query import Capability, Query
from hydramind.records import Op

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
        async for batch in _pages(graph, _ENTITIES, scope):
            index.put_entities(batch)
        async for batch in _pages(graph, _MEMORIES, scope):
            index.put_memories(batch)
    index.revision = revision
    return index


@dataclass(frozen=True, slots=True)
class _Kind(Generic[Row]):
    """How the rows of a kind are read: all ids, rows by id, or all rows."""

    ids: Query[tuple[int, ...]]
    by_id: Query[Row]
    of_scope: Query[Row]


_ENTITIES: Final = _Kind(pages.ENTITIES, entities.BY_ID, entities.OF_SCOPE)
_MEMORIES: Final = _Kind(pages.MEMORIES, memories.BY_ID, memories.OF_SCOPE)


async def _pages(graph: Graph, kind: _Kind[Row], scope: str) -> AsyncIterator[list[Row]]:
    """Every row of a kind. An engine that cannot read many by id in one statement streams them."""
    if not graph.engine.can(Capability.BATCH_READS):
        async for batch in graph.stream(kind.of_scope, _PAGE, scope=scope):
            yield batch
        return
    for ids in await graph.read(kind.ids, scope=scope):
        for start in range(0, len(ids), _PAGE):
            yield await graph.read_ids(kind.by_id, ids[start : start + _PAGE], scope=scope)


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
