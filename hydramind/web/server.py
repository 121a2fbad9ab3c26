"""Runs the application with uvicorn: the port first, then the graph, then calls; and a prompt, clean end."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Final

import uvicorn

from hydramind.api.state import ServerState
from hydramind.errors import Misconfigured
from hydramind.service import HydraMind
from hydramind.settings import Settings
from hydramind.web.addresses import Policy, require_safe
from hydramind.web.app import build_app

Report = Callable[[str], None]
OnReady = Callable[[Policy, HydraMind], None]

_GRACE_SECONDS: Final = 1
"""What is still running then is cancelled, so that the whole end stays under two seconds."""
_ENDS: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


async def serve(settings: Settings, host: str, port: int, report: Report, on_ready: OnReady) -> None:
    """Serve until a signal; port 0 takes a free one. Raises `Misconfigured` for an unsafe or taken address."""
    token = settings.http_token.get_secret_value().strip()
    require_safe(host, token)
    listener = listen(host, port)
    try:
        policy = Policy(host, listener.getsockname()[1], token)
        async with HydraMind.open(settings, report=report) as mind:
            await _run(mind, settings, policy, listener, on_ready)
    finally:
        listener.close()


def listen(host: str, port: int) -> socket.socket:
    """A bound TCP socket; raises `Misconfigured` when the address is taken or is not this machine's."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise Misconfigured(f"cannot listen on host {host!r}: {error.strerror or error}") from None
    try:
        if hasattr(signal, "SIGHUP"):  # Elsewhere the option would let two servers share the port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(512)
    except OSError as error:
        listener.close()
        raise Misconfigured(
            f"cannot listen on {host} port {port}: {(error.strerror or str(error)).lower()}; "
            "choose another with --port, or --port 0 for a free one"
        ) from None
    return listener


class _Server(uvicorn.Server):
    """Uvicorn without its own signal handling, which would kill the process before the graph is closed."""

    def __init__(self, config: uvicorn.Config, on_started: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_started = on_started

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Signals are the caller's."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then tell."""
        await super().startup(sockets)
        self._on_started()


async def _run(mind: HydraMind, settings: Settings, policy: Policy, listener: socket.socket, on_ready: OnReady) -> None:
    state = ServerState(mind, settings.mcp_max_body_bytes)
    config = uvicorn.Config(
        build_app(state, policy),
        lifespan="on",
        http="h11",
        ws="none",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    server = _Server(config, lambda: on_ready(policy, mind))

    def stop() -> None:
        server.force_exit = server.should_exit
        server.should_exit = True
        state.closing.set()

    with _on_end_signals(stop):
        await server.serve([listener])


@contextmanager
def _on_end_signals(stop: Callable[[], None]) -> Generator[None]:
    """Call `stop` in the loop for each signal that asks the process to end; the former handlers come back."""
    loop = asyncio.get_running_loop()
    numbers = [getattr(signal, name) for name in _ENDS if hasattr(signal, name)]

    def wake(_number: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop)

    former = {number: signal.signal(number, wake) for number in numbers}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
