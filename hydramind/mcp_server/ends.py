"""How the two ends of a pipe end: input after what was asked is answered, output when nobody reads it any more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, TextIO

import anyio
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

_SETTLE_SECONDS: Final = 0.05
"""Between reading a line and its call having begun, and between its end and the reply being written."""
_DRAIN_SECONDS: Final = 10.0


class CallsInFlight:
    """Middleware that counts tool calls; other requests are answered at once or last as long as the connection."""

    def __init__(self) -> None:
        self._count = 0
        self._idle = asyncio.Event()
        self._idle.set()

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """One inbound message."""
        if ctx.method != "tools/call":
            return await call_next(ctx)
        self._count += 1
        self._idle.clear()
        try:
            return await call_next(ctx)
        finally:
            self._count -= 1
            if not self._count:
                self._idle.set()

    async def settle(self) -> None:
        """Wait until no call is in flight, bounded: the client may be gone."""
        await asyncio.sleep(_SETTLE_SECONDS)
        await asyncio.wait([asyncio.ensure_future(self._idle.wait())], timeout=_DRAIN_SECONDS)
        await asyncio.sleep(_SETTLE_SECONDS)


class DrainedInput(anyio.AsyncFile[str]):
    """Lines of `source`; its end shows only when `calls` have settled, so `printf ... | hydramind` gets its replies."""

    def __init__(self, source: TextIO, calls: CallsInFlight) -> None:
        super().__init__(source)
        self._calls = calls

    async def readline(self) -> str:
        """The next line, empty at the end."""
        line = await super().readline()
        if not line:
            await self._calls.settle()
        return line


class ToldWhenGone(anyio.AsyncFile[str]):
    """Writes to `sink`; `gone` is called when its reader has left: a thread blocked in reading stdin would not notice."""

    def __init__(self, sink: TextIO, gone: Callable[[], None]) -> None:
        super().__init__(sink)
        self._gone = gone

    async def flush(self) -> None:
        """Send what was written; raises `OSError` after telling."""
        try:
            await super().flush()
        except OSError:
            self._gone()
            raise
