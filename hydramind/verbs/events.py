"""events: the ops of a scope as they are committed, by whichever process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from hydramind import clock
from hydramind.graph.connection import Graph
from hydramind.models import Event
from hydramind.records import Op
from hydramind.store.scope import OpenScope
from hydramind.store.sync import ops_after

POLL_SECONDS: Final = 0.5
"""How often the log is looked at for what other processes committed; this process's own commits wake it at once."""


async def run(graph: Graph, scope: OpenScope, after: int) -> AsyncIterator[Event]:
    """Every op with a revision above `after` (-1: from now on), in order, once; never ends by itself."""
    changed = asyncio.Event()
    scope.listen(changed)
    try:
        revision = (await scope.index()).revision if after < 0 else after
        while True:
            changed.clear()
            for op in await ops_after(graph, scope.name, revision):
                revision = op.revision
                yield _event(op)
            try:
                await asyncio.wait_for(changed.wait(), POLL_SECONDS)
            except TimeoutError:
                continue
    finally:
        scope.ignore(changed)


def _event(op: Op) -> Event:
    return Event(
        scope=op.scope,
        revision=op.revision,
        verb=op.verb,
        at=clock.to_iso(op.created_at),
        memory_ids=tuple(part for part in op.memory_ids.split(",") if part),
    )
