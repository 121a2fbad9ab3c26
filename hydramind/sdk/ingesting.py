"""Bulk ingest, for the embedded memory and the HTTP client alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import cast

from hydramind.api.verb_table import VERBS
from hydramind.ingest.order import Format, Order
from hydramind.ingest.report import Ingested, Progress
from hydramind.ingest.run import run
from hydramind.models import Remember, Remembered, Stats
from hydramind.sdk.performing import Performing

_REMEMBER = next(verb for verb in VERBS if verb.request is Remember)


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

    async def keep(self, request: Remember) -> Remembered:
        """`remember` with a request model."""
        return cast(Remembered, await self._do(_REMEMBER, request))

    @abstractmethod
    async def stats(self, scope: str) -> Stats:
        """Counts of one scope."""
