"""Writes checked entries, a bounded number at a time, and in order where order means something."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Final, Protocol

from hydramind.errors import Busy, Conflict, NotFound, Refused
from hydramind.ingest.entries import Entry
from hydramind.ingest.report import LISTED, BadLine, Progress
from hydramind.models import Remember, Remembered, Stats

_FIRST_PAUSE: Final = 0.02
_LONGEST_PAUSE: Final = 1.0
_PATIENCE_SECONDS: Final = 60.0


class Memory(Protocol):
    """Where statements go."""

    async def keep(self, request: Remember) -> Remembered:
        """Remember one; raises `HydraMindError`."""
        ...

    async def stats(self, scope: str) -> Stats:
        """Counts of a scope."""
        ...


class Writing:
    """One run's writes: `kept` and `duplicates` count, `refused` lists what the memory would not take."""

    def __init__(self, memory: Memory, in_flight: int, total: int, progress: Progress | None) -> None:
        self._memory = memory
        self._in_flight = in_flight
        self._total = total
        self._progress = progress
        self._under_way = set[asyncio.Task[None]]()
        self.kept = 0
        self.duplicates = 0
        self.refused: list[BadLine] = []
        self.refused_total = 0

    async def put(self, entry: Entry, request: Remember) -> None:
        """Write one entry, or start to. Facts are written one after the other, because a later one may contradict an
        earlier one, and so is what has no time, because only its arrival orders it. Raises what an earlier one met."""
        ordered = request.kind == "fact" or request.event_time is None
        await self._room(0 if ordered else self._in_flight - 1)
        if ordered:
            await self._write(entry, request)
        else:
            self._under_way.add(asyncio.create_task(self._write(entry, request)))

    async def finish(self) -> None:
        """Wait for everything that was started; raises what it met."""
        await self._room(0)

    async def abandon(self) -> None:
        """Let what was started come to its end, whatever that is."""
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def _room(self, most: int) -> None:
        while len(self._under_way) > most:
            done, self._under_way = await asyncio.wait(self._under_way, return_when=asyncio.FIRST_COMPLETED)
            # Gathered, so that the failure of each is seen although only the first is raised.
            await asyncio.gather(*done)

    async def _write(self, entry: Entry, request: Remember) -> None:
        try:
            reply = await self._patiently(request)
        except (Conflict, NotFound, Refused) as error:
            self.refused_total += 1
            if len(self.refused) < LISTED:
                self.refused.append(BadLine(line=entry.line, at=entry.at, field="", expected=error.message))
        else:
            self.kept += 1
            self.duplicates += reply.outcome == "duplicate"
        if self._progress is not None:
            self._progress(self.kept + self.refused_total, self._total)

    async def _patiently(self, request: Remember) -> Remembered:
        """Try again while the service is busy with others, for `_PATIENCE_SECONDS`."""
        deadline, pause = time.monotonic() + _PATIENCE_SECONDS, _FIRST_PAUSE
        while True:
            try:
                return await self._memory.keep(request)
            except Busy:
                if time.monotonic() > deadline:
                    raise
            await asyncio.sleep(random.uniform(pause / 2, pause))  # noqa: S311 - jitter
            pause = min(pause * 2, _LONGEST_PAUSE)
