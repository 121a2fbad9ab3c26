"""Bulk ingest, for the embedded memory and the HTTP client alike."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from hydramind.api.verb_table import VERBS
from hydramind.errors import HydraMindError, Unauthorized, Unavailable
from hydramind.ingest.order import Format, Order
from hydramind.ingest.report import Ingested, Progress
from hydramind.ingest.run import run
from hydramind.models import Remember, Remembered, Stats
from hydramind.sdk.performing import Performing

_REMEMBER = next(verb for verb in VERBS if verb.request is Remember)

Given = Remember | Mapping[str, Any]
"""One statement: a request, or the arguments of `remember` by name."""
Kept = Remembered | HydraMindError
"""What became of it."""


class Ingesting(Performing, ABC):
    """Keeps what a file holds."""

    in_flight: int
    """Writes under way at once; what the service commits together is the measure."""

    async def ingest(  # noqa: PLR0913 - callers name them
        self,
        path: str | Path,
        scope: str,
        *,
        format: Format = "auto",
        session: str = "",
        keep_going: bool = False,
        progress: Progress | None = None,
    ) -> Ingested:
        """Keep every line or turn of a file; doing it again, or after it was broken off, keeps nothing twice.

        format: jsonl has the arguments of `remember` on each line; chat is an export or transcript of conversations; auto
            looks.
        session: the conversation, where the file names none. Default: the file's name.
        keep_going: keep the good lines although others are bad. Otherwise the whole file is checked first, and a bad line
            raises `BadFile` with nothing written.
        progress: called with (done, total) after each write.
        """
        return await run(self, Order.of(path, scope, format, session, keep_going), self.in_flight, progress)

    async def remember_many(self, requests: Sequence[Given]) -> tuple[Kept, ...]:
        """Keep statements in their order; the reply or failure of each stands in its place, none is raised.

        Facts, and what has no `event_time`, are written one after the other, because a later one may contradict an earlier
        one; what was said at a time is written several at once. With an `idempotency_key` each, a call may be repeated.
        Once the memory cannot be reached, what was not yet begun is not tried and has that failure too. For what is in a
        file, or too much to hold, there is `ingest`.
        """
        kept = list[Kept]()
        lost: HydraMindError | None = None
        for together in _together(requests, self.in_flight):
            done = [lost] * len(together) if lost else await asyncio.gather(*map(self._kept, together))
            lost = next((each for each in done if isinstance(each, Unauthorized | Unavailable)), None)
            kept += done
        return tuple(kept)

    async def _kept(self, given: Given) -> Kept:
        try:
            return await self.keep(given if isinstance(given, Remember) else Remember.parse(dict(given)))
        except HydraMindError as failure:
            return failure

    async def keep(self, request: Remember) -> Remembered:
        """`remember` with a request model."""
        return cast(Remembered, await self._do(_REMEMBER, request))

    @abstractmethod
    async def stats(self, scope: str) -> Stats:
        """Counts of one scope."""


def _together(requests: Sequence[Given], most: int) -> Iterator[list[Given]]:
    """The requests in their order, in groups that may be written at once, each of at most `most`."""
    group = list[Given]()
    for given in requests:
        at_once = _timed(given)
        if group and (len(group) == most or not at_once):
            yield group
            group = []
        group.append(given)
        if not at_once:
            yield group
            group = []
    if group:
        yield group


def _timed(given: Given) -> bool:
    """Whether its place in the order means nothing: no fact, and of a known time."""
    values = given.model_dump(include={"kind", "event_time"}) if isinstance(given, Remember) else given
    return values.get("kind", "fact") not in ("fact", None) and bool(values.get("event_time"))
