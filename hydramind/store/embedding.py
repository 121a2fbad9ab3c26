"""Keeps the vectors of one scope: reads those that are stored, makes those that lack, behind the writers' backs.

While this process writes, making vectors takes about 1/10 of the time for turns and notes and 1/50 for facts, which the
default gate never asks for by meaning. All scopes of a graph share it. Once nobody has written for `QUIET_SECONDS`, vectors
are made at full speed, those of turns and notes first.

Nothing starves, however long the writing goes on: turns and notes on the one side, facts on the other have a share each; a
rest is a multiple of the work before it and at most `LONGEST_REST` for each scope at work, also where that makes the share
larger; what comes later is never taken before what waits in the same line.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import math
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from hydramind.embed.protocol import Embedder
from hydramind.errors import BadAnswer, HydraMindError
from hydramind.graph.connection import Graph
from hydramind.ids import stable_id
from hydramind.index.scope_index import ScopeIndex
from hydramind.index.vectors import quantised, unpacked
from hydramind.queries import vectors
from hydramind.records import Memory, Vector
from hydramind.store.sync import load_vectors

_log = logging.getLogger(__name__)

QUIET_SECONDS: Final = 1.0
"""How long nobody has written before vectors are made at full speed."""
LONGEST_REST: Final = 30.0
"""Seconds between two portions of one line beside writers, for each scope at work."""

_BATCH: Final = 32
_PAUSE_AFTER_FAILURE: Final = 30.0
_LOOK_AGAIN: Final = 0.25
"""Longest sleep, in seconds, until the next look whether the writers have gone or a turn has come."""


def vector_id(memory_id: int, identity: str) -> int:
    """Id of the vector that an embedder makes of a memory: the same in every process, so that two write one."""
    return stable_id("vector", memory_id, identity)


@dataclass(frozen=True, slots=True)
class Portion:
    """How much is embedded in one go: as many texts as fit into `characters`, at least one and at most `texts`."""

    texts: int
    characters: int

    def of(self, waiting: Sequence[Memory]) -> list[Memory]:
        """The first of those that wait."""
        taken, characters = list[Memory](), 0
        for memory in waiting[: self.texts]:
            characters += len(memory.text)
            if taken and characters > self.characters:
                break
            taken.append(memory)
        return taken


WHOLE: Final = Portion(_BATCH, 16_000)
"""With nobody writing: still to be ended soon when somebody begins."""
SMALL: Final = Portion(4, 800)
"""Beside writers: a write waits behind it for some milliseconds only."""


@dataclass(slots=True)
class Line:
    """Rows of equal urgency. After a portion they rest `rest` times as long as it took, until the moment `due`."""

    rest: float
    due: float = -math.inf


class Pace:
    """What the makers of vectors know of the writers of a process. `clock` counts seconds from any moment on."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self.clock = clock
        self.sleep = sleep
        self._writers = 0
        self._makers = 0
        self._written = -math.inf

    @property
    def quiet(self) -> bool:
        """Whether no write waits and none was seen for `QUIET_SECONDS`."""
        return not self._writers and self.clock() - self._written >= QUIET_SECONDS

    def written(self) -> None:
        """A write was seen just now, of whichever process."""
        self._written = self.clock()

    @contextmanager
    def writing(self) -> Generator[None]:
        """While a write waits for its commit."""
        self._writers += 1
        try:
            yield
        finally:
            self._writers -= 1
            self.written()

    @contextmanager
    def making(self) -> Generator[None]:
        """While a scope makes vectors: each rests the longer, the more do."""
        self._makers += 1
        try:
            yield
        finally:
            self._makers -= 1

    def rest(self, line: Line, seconds: float) -> None:
        """Let a line rest after work that took so long."""
        line.due = self.clock() + min(line.rest * seconds, LONGEST_REST) * self._makers


_paces: WeakKeyDictionary[Graph, Pace] = WeakKeyDictionary()


def pace_of(graph: Graph) -> Pace:
    """The pace that all scopes of an open graph share."""
    return _paces.setdefault(graph, Pace())


class ScopeVectors:
    """The embedder's work on one scope. `stale` names another embedder whose vectors the scope holds while it holds none
    of this one: nothing is embedded then until somebody asks for it (`catch_up`). What the embedder answers nonsense to is
    put aside, so that its neighbours get theirs; the next opening of the scope tries it again."""

    def __init__(self, graph: Graph, embedder: Embedder, pace: Pace | None = None) -> None:
        """Beside the writers of that pace; by default of those of the graph."""
        self.embedder = embedder
        self.stale = ""
        self.failure = ""
        self._aside: set[int] = set()
        self._graph = graph
        self._pace = pace if pace is not None else pace_of(graph)
        self._talk = Line(rest=9.0)
        self._facts = Line(rest=49.0)
        self._worker: asyncio.Task[None] | None = None
        self._rest_until = -math.inf

    @property
    def busy(self) -> bool:
        """Whether vectors are being made."""
        return self._worker is not None and not self._worker.done()

    def note(self, scope: str) -> str:
        """Why vectors of the scope lack, empty where nothing stands in the way."""
        if self.stale:
            return f"the scope was embedded by {self.stale}: run `hydramind reembed --scope {scope}`"
        if self._aside and not self.failure:
            return f"{len(self._aside)} memories have no vector: the embedder answers nonsense to them"
        return self.failure

    async def load(self, index: ScopeIndex) -> None:
        """Take over the stored vectors of this embedder."""
        others = await load_vectors(self._graph, index, self.embedder.identity)
        if others and not index.embedded:
            self.stale = min(others)

    def wake(self, index: ScopeIndex) -> None:
        """Start making the vectors that lack, unless that runs already, failed a moment ago, or must be asked for."""
        made = index.embedded + len(self._aside) >= len(index)
        if self.stale or self.busy or made or self._pace.clock() < self._rest_until:
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
        """Make every vector that lacks, at full speed whoever writes; returns how many were made or found. `report` gets
        done and total."""
        done = 0
        self._aside.clear()
        while missing := self._lacking(index, _BATCH):
            await self._fill(index, missing)
            done += len(missing)
            if report is not None:
                await report(index.embedded, len(index))
        self.stale = ""
        return done

    async def _work(self, index: ScopeIndex) -> None:
        try:
            with self._pace.making():
                await self._make(index)
        except HydraMindError as error:
            self.failure = str(error)
            self._rest_until = self._pace.clock() + _PAUSE_AFTER_FAILURE
            _log.warning(
                "%d memories of scope %r wait for vectors: %s", len(index) - index.embedded, index.scope, error
            )
        else:
            self.failure = ""

    async def _make(self, index: ScopeIndex) -> None:
        """Make every vector that lacks, a portion at a time, and rest in between where others write."""
        while lines := self._waiting(index):
            quiet, now = self._pace.quiet, self._pace.clock()
            ready = next(((line, rows) for line, rows in lines if quiet or line.due <= now), None)
            if ready is None:
                await self._pace.sleep(min(_LOOK_AGAIN, min(line.due for line, _ in lines) - now))
                continue
            line, rows = ready
            await self._fill(index, (WHOLE if quiet else SMALL).of(rows))
            self._pace.rest(line, self._pace.clock() - now)

    async def _fill(self, index: ScopeIndex, missing: Sequence[Memory]) -> None:
        """Vectors for some memories: those another process has stored meanwhile, and new ones for the rest."""
        ids = [vector_id(memory.id, self.embedder.identity) for memory in missing]
        self._take(index, await self._graph.read_ids(vectors.BY_ID, ids, scope=index.scope))
        rest = [memory for memory in missing if not index.has_vector(memory.id)]
        if not rest:
            return
        rows = await self._made(rest)
        await self._graph.write(vectors.UPSERT, [asdict(row) for row in rows])
        self._take(index, rows)

    def _waiting(self, index: ScopeIndex) -> list[tuple[Line, list[Memory]]]:
        """The lines in which somebody waits, the more urgent first, with as many as are taken at once."""
        lines = ((self._talk, True), (self._facts, False))
        return [(line, rows) for line, said in lines if (rows := self._lacking(index, _BATCH, said))]

    def _lacking(self, index: ScopeIndex, most: int, said: bool | None = None) -> list[Memory]:
        """Rows that lack a vector and are not put aside, at most so many; turns and notes or facts alone where told."""
        lacking = index.without_vector(most + len(self._aside), said=said)
        return [memory for memory in lacking if memory.id not in self._aside][:most]

    async def _made(self, waiting: Sequence[Memory]) -> list[Vector]:
        """New vectors; what the embedder answers nonsense to is put aside and the others are asked for again."""
        rest = list(waiting)
        while rest:
            try:
                made = await self.embedder.embed_passages([memory.text for memory in rest])
            except BadAnswer as error:
                if not error.rows:
                    raise
                odd = {rest[at].id for at in error.rows}
                self._aside |= odd
                _log.warning("%d memories of scope %r get no vector: %s", len(odd), rest[0].scope, error)
                rest = [memory for memory in rest if memory.id not in odd]
            else:
                return [self._row(memory, vector) for memory, vector in zip(rest, made, strict=True)]
        return []

    def _row(self, memory: Memory, vector: NDArray[np.float32]) -> Vector:
        numbers, scale = quantised(vector)
        data = base64.b64encode(numbers.tobytes()).decode("ascii")
        identity = self.embedder.identity
        return Vector(vector_id(memory.id, identity), memory.scope, memory.id, identity, scale, data)

    def _take(self, index: ScopeIndex, rows: Sequence[Vector]) -> None:
        own = [row for row in rows if row.embedder == self.embedder.identity]
        numbers = unpacked([row.data for row in own], self.embedder.dimension)
        index.put_vectors([row.memory_id for row in own], numbers, [row.scale for row in own])
