"""What a server says when its graph is gone: the way to the node is cut in between, on a real connection."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import httpx2
from pydantic import SecretStr

from hydramind import node
from hydramind.api.state import ServerState
from hydramind.opening import node_options
from hydramind.service import HydraMind
from hydramind.settings import Settings, load
from hydramind.web.addresses import Policy
from hydramind.web.app import build_app


class Wire:
    """A TCP forwarder that can be cut."""

    def __init__(self, host: str, port: int) -> None:
        self._target = host, port
        self._tasks = set[asyncio.Task[None]]()
        self._server: asyncio.Server | None = None

    async def open(self) -> int:
        """Listen on a free port and give it."""
        self._server = await asyncio.start_server(self._join, "127.0.0.1", 0)
        return self._server.sockets[0].getsockname()[1]

    async def cut(self) -> None:
        """Refuse new connections and end those that are open."""
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _join(self, near: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
        far, onward = await asyncio.open_connection(*self._target)
        pumps = [asyncio.create_task(_pump(near, onward)), asyncio.create_task(_pump(far, out))]
        self._tasks.update(pumps)
        await asyncio.gather(*pumps, return_exceptions=True)


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(65_536):
            sink.write(data)
            await sink.drain()
    finally:
        sink.close()


@contextlib.asynccontextmanager
async def wired(settings: Settings) -> AsyncIterator[tuple[Wire, Settings]]:
    """The embedded node behind a wire, as an engine of its own address."""
    lease = await node.acquire(node_options(settings), lambda _: None)
    try:
        found = urlsplit(lease.address.uri)
        wire = Wire(found.hostname or "", found.port or 0)
        uri = f"bolt://127.0.0.1:{await wire.open()}"
        address = lease.address
        token = SecretStr(address.password)
        names = {"username": address.username, "token": token, "database": address.database}
        yield wire, load({}, uri=uri, **names, embedder="none")
        await wire.cut()
    finally:
        await lease.release()


async def test_a_lost_graph_is_down_on_every_probe(embedded_settings: Settings) -> None:
    """503 from health and ready, 0 in the metrics; the process itself goes on answering."""
    async with wired(embedded_settings) as (wire, settings), HydraMind.open(settings) as mind:
        transport = httpx2.ASGITransport(build_app(ServerState(mind, 1_000), Policy("127.0.0.1", 80)))
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            assert (await client.get("/health")).status_code == 200
            await wire.cut()
            health, ready, metrics = await asyncio.gather(*map(client.get, ("/health", "/ready", "/metrics")))
            assert (health.status_code, health.json()["status"]) == (503, "down")
            assert health.json()["components"]["server"] == {"status": "ok"}
            assert (ready.status_code, ready.json()["ready"]) == (503, False)
            assert "hydramind_graph_up 0.0" in metrics.text
