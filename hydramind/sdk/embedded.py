"""`HydraMind` for programs: a memory opened in this process, with the verbs as methods."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

from hydramind.api.verb_table import Verb
from hydramind.errors import Misconfigured
from hydramind.models import EntityView, OneScope, Reply, Request, ScopeView, Stats
from hydramind.sdk.ingesting import Ingesting
from hydramind.sdk.reading import Reading
from hydramind.sdk.tooling import Tooling
from hydramind.sdk.writing import Writing
from hydramind.service import HydraMind as Service
from hydramind.settings import load

_SOURCE: Final = "sdk"


def _silent(line: str) -> None:
    del line


class HydraMind(Writing, Reading, Ingesting, Tooling):
    """An open memory. Open it with `async with HydraMind.open() as mind`, or wrap a service that is open already."""

    def __init__(self, service: Service) -> None:
        self._service = service
        # Twice as many as are committed together, so that a group is always full.
        self.in_flight = 2 * service.settings.max_inflight_writes

    @classmethod
    @asynccontextmanager
    async def open(
        cls, uri: str | None = None, *, report: Callable[[str], None] = _silent, **settings: Any
    ) -> AsyncGenerator[HydraMind]:
        """Open the embedded graph, or the Bolt server at `uri`; waiting writes finish before it closes.

        `settings` are those of `hydramind.settings.Settings` by name (`home=`, `token=`, `database=`, ...) and go before the
        environment's `HYDRAMIND_*`. `report` gets lines about slow steps. Raises `Misconfigured`, `Unauthorized` or
        `Unavailable`.
        """
        if uri is not None:
            _require_bolt(uri)
            settings = {**settings, "uri": uri}
        chosen = load(**settings)
        if "source" not in chosen.model_fields_set:
            chosen = chosen.model_copy(update={"source": _SOURCE})
        async with Service.open(chosen, report=report) as service:
            yield cls(service)

    async def scopes(self) -> tuple[ScopeView, ...]:
        """Every scope, by name."""
        return await self._service.scopes()

    async def stats(self, scope: str) -> Stats:
        """Counts of one scope."""
        return await self._service.stats(OneScope.parse({"scope": scope}))

    async def entities(self, scope: str) -> tuple[EntityView, ...]:
        """The entities of a scope, the most linked first."""
        return await self._service.entities(OneScope.parse({"scope": scope}))

    async def _do(self, verb: Verb[Any, Any], request: Request) -> Reply:
        return await verb.perform(self._service, request)


def _require_bolt(uri: str) -> None:
    if uri.partition("://")[0].lower() in ("http", "https"):
        raise Misconfigured(f"{uri!r} is a HydraMind server: use HydraMindClient; open() takes a Bolt URI")
