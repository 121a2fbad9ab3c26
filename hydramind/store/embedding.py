"""Keeps the vectors of one scope: reads those that are stored, makes those that lack, behind the writers' backs."""

from __future__ import annotations

import asyncio
import base64
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hydramind.embed.protocol import Embedder
from hydramind.errors import HydraMindError
from hydramind.graph.connection import Graph
from hydramind.ids import stable_id
from hydramind.index.scope_index import ScopeIndex
from hydramind.index.vectors import quantised
from hydramind.queries import vectors
from hydramind.records import Memory, Vector

_log = logging.getLogger(__name__)

_BATCH: Final = 32
_LOAD_BATCH: Final = 2_000
_PAUSE_AFTER_FAILURE: Final = 30.0


def vector_id(memory_id: int, identity: str) -> int:
    """Id of the vector that an embedder makes of a memory: the same in every process, so that two write one."""
    return stable_id("vector", memory_id, identity)


class ScopeVectors:
    """The embedder's work on one scope. `stale` names another embedder whose vectors the scope holds while it holds none
    of this one: nothing is embedded then until somebody asks for it (`catch_up`)."""

    def __init__(self, graph: Graph, embedder: Embedder) -> None:
        self.embedder = embedder
        self.stale = ""
        self.failure = ""
        self._graph = graph
        self._worker: asyncio.Task[None] | None = None
        self._rest_until = 0.0

    @property
    def busy(self) -> bool:
        """Whether vectors are being made."""
        return self._worker is not None and not self._worker.done()

    def note(self, scope: str) -> str:
        """Why vectors of the scope lack, empty where nothing stands in the way."""
        if self.stale:
            return f"the scope was embedded by {self.stale}: run `hydramind reembed --scope {scope}`"
        return self.failure

    async def load(self, index: ScopeIndex) -> None:
        """Take over the stored vectors of this embedder."""
        others: set[str] = set()
        async for batch in self._graph.stream(vectors.OF_SCOPE, _LOAD_BATCH, scope=index.scope):
            others.update(row.embedder for row in batch if row.embedder != self.embedder.identity)
            self._take(index, batch)
        if others and not index.embedded:
            self.stale = min(others)

    def wake(self, index: ScopeIndex) -> None:
        """Start making the vectors that lack, unless that runs already, failed a moment ago, or must be asked for."""
        if self.stale or self.busy or index.embedded >= len(index) or time.monotonic() < self._rest_until:
            return
        self._worker = asyncio.create_task(self._work(index))

    async def settled(self) -> None:
        """Wait until the running work ended."""
        if self._worker is not None:
            await asyncio.wait({self._worker})

    async def close(self) -> None:
        """Stop the running work; what it has written stays."""
        if self._worker is not None and not self._worker.done():
            self._worker.cancel()
            await asyncio.wait({self._worker})

    async def catch_up(self, index: ScopeIndex, report: Callable[[int, int], Awaitable[None]] | None = None) -> int:
        """Make every vector that lacks; returns how many were made or found. `report` gets done and total."""
        done = 0
        while missing := index.without_vector(_BATCH):
            await self._fill(index, missing)
            done += len(missing)
            if report is not None:
                await report(index.embedded, len(index))
        self.stale = ""
        return done

    async def _work(self, index: ScopeIndex) -> None:
        try:
            await self.catch_up(index)
        except HydraMindError as error:
            self.failure = str(error)
            self._rest_until = time.monotonic() + _PAUSE_AFTER_FAILURE
            _log.warning(
                "%d memories of scope %r wait for vectors: %s", len(index) - index.embedded, index.scope, error
            )
        else:
            self.failure = ""

    async def _fill(self, index: ScopeIndex, missing: Sequence[Memory]) -> None:
        """Vectors for some memories: those another process has stored meanwhile, and new ones for the rest."""
        ids = [vector_id(memory.id, self.embedder.identity) for memory in missing]
        self._take(index, await self._graph.read_ids(vectors.BY_ID, ids, scope=index.scope))
        rest = [memory for memory in missing if not index.has_vector(memory.id)]
        if not rest:
            return
        made = await self.embedder.embed_passages([memory.text for memory in rest])
        rows = [self._row(memory, vector) for memory, vector in zip(rest, made, strict=True)]
        await self._graph.write(vectors.UPSERT, [asdict(row) for row in rows])
        self._take(index, rows)

    def _row(self, memory: Memory, vector: NDArray[np.float32]) -> Vector:
        numbers, scale = quantised(vector)
        data = base64.b64encode(numbers.tobytes()).decode("ascii")
        identity = self.embedder.identity
        return Vector(vector_id(memory.id, identity), memory.scope, memory.id, identity, scale, data)

    def _take(self, index: ScopeIndex, rows: Sequence[Vector]) -> None:
        for row in rows:
            if row.embedder == self.embedder.identity:
                numbers = np.frombuffer(base64.b64decode(row.data), np.int8)
                index.put_vector(row.memory_id, numbers, row.scale)
