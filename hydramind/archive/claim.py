"""Keeps a scope for one restore: its first op exists under a scope that nobody can name, so no writer can commit to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from hydramind.archive.writing import send
from hydramind.errors import Conflict
from hydramind.graph.commit import row_of
from hydramind.graph.connection import Graph, Runner, run
from hydramind.queries import archive as queries
from hydramind.queries import ops, removal
from hydramind.records import Op
from hydramind.store.sync import newest_revision

_BATCH: Final = 1_000


def hidden(scope: str) -> str:
    """The scope of the claim on `scope`: no caller can name it, because a scope's name is one line."""
    return f"restoring\n{scope}"


@dataclass(frozen=True, slots=True)
class Claim:
    """`op` is the first op of the log to come, `token` tells whose restore it is."""

    graph: Graph
    op: Op
    token: str

    async def reveal(self, runner: Runner) -> None:
        """Make it the first op of its scope, which is then there; raises `Conflict` when another restore took over."""
        op = self.op
        values = {"id": op.id, "claim": self.token, "scope": op.scope, "token": op.token}
        await run(runner, self.graph.engine, queries.REVEAL, values)
        engine = self.graph.engine
        parameters = {"id": op.id, "rows": [{"id": op.id}], "scope": op.scope}
        shown = await run(runner, engine, ops.BY_ID, parameters)
        if [each.token for each in shown] != [op.token]:
            raise Conflict(f"nothing was restored: another restore of scope {op.scope!r} took over")

    async def give_up(self) -> None:
        """Remove everything this restore wrote, unless another one took over."""
        if [op.token for op in await _held(self.graph, self.op)] == [self.token]:
            await _remove(self.graph, self.op)


async def take(graph: Graph, op: Op, token: str) -> Claim:
    """Claim the scope of `op`, after removing what a restore that was killed left of it.

    Raises `Conflict` when the scope holds rows that no log names, or when somebody was faster.
    """
    if await _held(graph, op):
        await _remove(graph, op)
    for query in (queries.MEMORY_IDS, queries.ENTITY_IDS):
        if await graph.read(query, scope=op.scope):
            raise Conflict(f"scope {op.scope!r} holds rows that no log names: remove them before a restore")
    await send(graph, ops.CREATE, [row_of(replace(op, scope=hidden(op.scope), token=token))])
    if [each.token for each in await _held(graph, op)] != [token]:
        raise Conflict(f"nothing was restored: somebody else writes to scope {op.scope!r}")
    return Claim(graph, op, token)


async def _held(graph: Graph, op: Op) -> list[Op]:
    return await graph.read_ids(ops.BY_ID, [op.id], scope=hidden(op.scope))


async def _remove(graph: Graph, op: Op) -> None:
    """Remove every row of a scope that a claim keeps, the claim last, so that it can be done again."""
    if await newest_revision(graph, op.scope):
        raise Conflict(f"scope {op.scope!r} exists already: a restore adds to no scope")
    steps = (
        (queries.MEMORY_IDS, removal.MEMORIES),
        (queries.ENTITY_IDS, removal.ENTITIES),
        (queries.OP_IDS, removal.OPS),
    )
    for ids, remove in steps:
        found = await graph.read(ids, scope=op.scope)
        for start in range(0, len(found), _BATCH):
            await send(graph, remove, [{"id": id_} for id_ in found[start : start + _BATCH]])
    await send(graph, removal.OPS, [{"id": op.id}])
