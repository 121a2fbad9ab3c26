"""One open scope: its projection, always brought up to date before use, and the queue of its writers."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Sequence
from typing import Final, TypeVar

from hydramind.clock import Clock
from hydramind.embed.protocol import Embedder
from hydramind.errors import Busy, Damaged
from hydramind.graph.connection import RECOVERY_SECONDS, Graph
from hydramind.graph.failures import CLASH, FAILURES, LOST_CONNECTION, translated
from hydramind.index.scope_index import ScopeIndex
from hydramind.queries.query import Capability
from hydramind.store.embedding import ScopeVectors, pace_of
from hydramind.store.group import Group, LostRace, Outcome, Pending
from hydramind.store.sync import LogGone, Mark, catch_up, load
from hydramind.store.view import Decide

Result = TypeVar("Result")

QUEUE_PER_WRITER: Final = 32
"""Writes that may wait for each one that a group may hold, before a further one is refused."""
REMOVABLE: Final = "demo:"
"""How the name of a scope starts that may be removed while others have it open."""
_LONGEST_PAUSE: Final = 0.25
_CLASHES_WITHOUT_RIVAL: Final = 8


class OpenScope:
    """Reads are at the newest revision; writes are decided one after the other and committed in groups."""

    def __init__(self, graph: Graph, name: str, clock: Clock, group: int, embedder: Embedder | None = None) -> None:
        self.name = name
        self._graph = graph
        self._clock = clock
        # An auto-commit engine has no transaction that could hold more than one op.
        self._group = group if graph.engine.can(Capability.TRANSACTIONS) else 1
        self._queue_limit = group * QUEUE_PER_WRITER
        self._index: ScopeIndex | None = None
        self._mark = Mark() if name.startswith(REMOVABLE) else None
        self._syncing: asyncio.Task[ScopeIndex] | None = None
        self._next_sync: asyncio.Task[ScopeIndex] | None = None
        self._queue: deque[Pending] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._listeners: set[asyncio.Event] = set()
        self._pace = pace_of(graph)
        self._dimension = embedder.dimension if embedder is not None else 0
        self.vectors = ScopeVectors(graph, embedder) if embedder is not None else None

    @property
    def busy(self) -> bool:
        """Whether writers wait, or someone listens for changes."""
        working = self._worker is not None and not self._worker.done()
        embedding = self.vectors is not None and self.vectors.busy
        return working or embedding or bool(self._queue) or bool(self._listeners) or self._next_sync is not None

    @property
    def held(self) -> ScopeIndex | None:
        """The projection as this process last saw it, None before its first use; it may be behind."""
        return self._index

    async def index(self) -> ScopeIndex:
        """The projection with every write acknowledged before this call. Concurrent callers share one look at the log,
        but only one that starts after they asked."""
        if self._next_sync is None:
            self._next_sync = asyncio.create_task(self._sync_after(self._syncing))
        return await asyncio.shield(self._next_sync)

    async def submit(self, verb: str, decide: Decide[Result]) -> Result:
        """Queue a decision; returns its result once committed. Raises `Busy` when too many wait."""
        if len(self._queue) >= self._queue_limit:
            raise Busy(f"{len(self._queue)} writes wait in scope {self.name!r}: retry in a moment")
        pending = Pending(verb, decide, asyncio.get_running_loop().create_future())
        self._queue.append(pending)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        with self._pace.writing():
            return await pending.future

    async def close(self) -> None:
        """Let the writes that wait finish; vectors that lack are made after the next opening."""
        if self._worker is not None:
            await asyncio.wait({self._worker})
        if self.vectors is not None:
            await self.vectors.close()

    def listen(self, changed: asyncio.Event) -> None:
        """Set `changed` whenever this process sees the scope change."""
        self._listeners.add(changed)

    def ignore(self, changed: asyncio.Event) -> None:
        """Stop setting `changed`."""
        self._listeners.discard(changed)

    async def _sync_after(self, running: asyncio.Task[ScopeIndex] | None) -> ScopeIndex:
        if running is not None and not running.done():
            await asyncio.wait({running})
        self._syncing, self._next_sync = self._next_sync, None
        index = self._index or await self._load()
        try:
            fresh = await catch_up(self._graph, index, self._mark)
        except LogGone:
            index = await self._load()
            fresh = await catch_up(self._graph, index, self._mark)
        if fresh:
            self._pace.written()
            self._announce()
        if self.vectors is not None:
            self.vectors.wake(index)
        return index

    async def _load(self) -> ScopeIndex:
        """A projection from the graph alone, in place of what was held before."""
        index = await load(self._graph, self.name, self._dimension)
        if self._mark is not None:
            self._mark = Mark()
        if self.vectors is not None:
            if self._index is not None:
                await self.vectors.close()
                self.vectors = ScopeVectors(self._graph, self.vectors.embedder)
            await self.vectors.load(index)
        self._index = index
        return index

    def _announce(self) -> None:
        for changed in self._listeners:
            changed.set()

    async def _work(self) -> None:
        while self._queue:
            batch = [self._queue.popleft() for _ in range(min(self._group, len(self._queue)))]
            await self._carry_out([pending for pending in batch if not pending.future.done()])

    async def _carry_out(self, batch: Sequence[Pending]) -> None:
        """Decide and commit a batch until it is in; every future is settled at the end."""
        if not batch:
            return
        try:
            outcomes = await self._until_committed(batch)
        except Exception as error:  # noqa: BLE001 - the worker's outermost frame: the callers get the failure
            if len(batch) > 1:
                for pending in batch:  # One of them is to blame: each alone, so that its neighbours get through.
                    await self._carry_out([pending])
                return
            known = translated(error, self._graph.address.uri) if isinstance(error, FAILURES) else error
            outcomes = [Outcome(batch[0], error=known)]
        for outcome in outcomes:
            outcome.settle()

    async def _until_committed(self, batch: Sequence[Pending]) -> list[Outcome]:
        """Retry what another writer or a lost server spoilt, within milliseconds at first, for `RECOVERY_SECONDS`."""
        deadline, pause, alone = time.monotonic() + RECOVERY_SECONDS, 0.001, 0
        while True:
            group = Group(self._graph, await self._to_write_on(), self._clock)
            base = group.index.revision
            try:
                outcomes = await self._attempt(group, batch)
                # A commit proves that the projection was the newest; decisions that change nothing need a look.
                if group.commits or (await self.index()).revision == base:
                    return outcomes
                continue
            except (LostRace, *CLASH) as error:
                alone = alone + 1 if (await self.index()).revision == base else 0
                if alone > _CLASHES_WITHOUT_RIVAL:
                    raise Damaged(
                        f"commits to scope {self.name!r} clash although nobody else writes: {error}"
                    ) from error
                failure = error
            except LOST_CONNECTION as error:
                failure = error
            if time.monotonic() > deadline:
                raise failure
            await asyncio.sleep(random.uniform(0, pause))  # noqa: S311 - jitter
            pause = min(pause * 2, _LONGEST_PAUSE)

    async def _to_write_on(self) -> ScopeIndex:
        """The projection that a group decides on. Behind the newest revision it loses the race for the next one; only the
        log of a removed scope would not tell."""
        return await self.index() if self._index is None or self._mark is not None else self._index

    async def _attempt(self, group: Group, batch: Sequence[Pending]) -> list[Outcome]:
        seen = self._graph.generation
        try:
            await group.carry_out(batch)
        except LOST_CONNECTION:
            await self._graph.recover(seen)
            if not await group.landed():
                raise
        group.take_over()
        if group.commits:
            newest = group.commits[-1].op
            if self._mark is not None:
                self._mark = Mark(newest.revision, newest.token)
            self._announce()
            if self.vectors is not None:
                self.vectors.wake(group.index)
        return group.outcomes
