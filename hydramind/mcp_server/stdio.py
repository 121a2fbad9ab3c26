"""MCP over stdin and stdout: what a host launches, ended by the end of input, by a signal or by the death of its parent."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager, suppress
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, TextIO

import anyio
from mcp.server import MCPServer
from mcp.server.stdio import stdio_server

from hydramind.mcp_server.ends import CallsInFlight, DrainedInput, ToldWhenGone
from hydramind.mcp_server.opening import OnFirstUse
from hydramind.mcp_server.server import build_server
from hydramind.mcp_server.wire import protocol_streams
from hydramind.settings import Settings

if TYPE_CHECKING:
    from hydramind.service import HydraMind

log = logging.getLogger(__name__)

_PARENT_CHECK_SECONDS: Final = 2.0
_CANCEL_SECONDS: Final = 0.05
_CLOSE_SECONDS: Final = 1.0


async def serve_stdio(settings: Settings) -> None:
    """Serve until the input ends and its calls are answered, then return; on SIGINT, SIGTERM, SIGHUP, a lost parent or a
    client that reads no more the process ends with code 0.

    The graph is opened by the first call that needs it. Hosts send a second signal after 100 ms, and a thread blocked
    in reading stdin cannot be joined, so after a signal open calls are cancelled and the process does not linger.
    """
    logging.basicConfig(stream=sys.stderr, level=settings.log_level, format="hydramind: %(levelname)s %(message)s")
    mind = OnFirstUse(lambda: _open(settings))
    server, stop = build_server(mind, settings), asyncio.Event()
    _on_signals(asyncio.get_running_loop(), stop.set)
    with protocol_streams() as (source, sink):
        ended = await _until_ended(_serve(server, source, ToldWhenGone(sink, stop.set)), stop)
        with suppress(TimeoutError):
            await asyncio.wait_for(mind.aclose(), _CLOSE_SECONDS)
        if not ended:
            sys.stderr.flush()
            os._exit(0)


def _open(settings: Settings) -> AbstractAsyncContextManager[HydraMind]:
    # Imported by the first call: clients count the time until a server answers, and some start without its tools.
    from hydramind.service import HydraMind

    return HydraMind.open(settings, report=log.info)


async def _serve(server: MCPServer[Any], source: TextIO, sink: anyio.AsyncFile[str]) -> None:
    calls = CallsInFlight()
    server.middleware.append(calls)
    # The public run_stdio_async takes no streams; ours are already private and repaired.
    lowlevel = server._lowlevel_server  # pyright: ignore[reportPrivateUsage]
    async with stdio_server(DrainedInput(source, calls), sink) as (incoming, outgoing):
        await lowlevel.run(incoming, outgoing, lowlevel.create_initialization_options())


async def _until_ended(serving: Coroutine[Any, Any, None], stop: asyncio.Event) -> bool:
    """Whether `serving` ended by itself; `stop` or the loss of the parent cancels it."""
    parent = os.getppid()
    served, stopped = asyncio.create_task(serving), asyncio.create_task(stop.wait())
    ended = False
    while not ended and not _orphaned(parent):
        done, _ = await asyncio.wait(
            {served, stopped}, timeout=_PARENT_CHECK_SECONDS, return_when=asyncio.FIRST_COMPLETED
        )
        ended = bool(done)
    if served.done() and not stop.is_set():
        stopped.cancel()
        served.result()
        return True
    served.cancel()
    await asyncio.wait({served}, timeout=_CANCEL_SECONDS)
    if served.done() and not served.cancelled():
        log.debug("while stopping", exc_info=served.exception())
    return False


def _orphaned(parent: int) -> bool:
    """Whether the process that started this one is gone: a wrapper may keep stdin open for ever."""
    return parent != 1 and os.getppid() != parent


def _on_signals(loop: asyncio.AbstractEventLoop, stop: Callable[[], None]) -> None:
    def stop_from_any_thread(_number: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop)

    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    for number in (getattr(signal, name) for name in names if hasattr(signal, name)):
        try:
            loop.add_signal_handler(number, stop)
        except NotImplementedError:
            signal.signal(number, stop_from_any_thread)
