"""The web application over a real service, in this process and as a server of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import httpx2
import pytest

from hydramind.api.state import ServerState
from hydramind.service import HydraMind
from hydramind.settings import Settings
from hydramind.web.addresses import Policy
from hydramind.web.app import build_app
from tests.api.running import RunningServer, running

PORT = 8788
BODY_LIMIT = 100_000


@pytest.fixture
def state(mind: HydraMind) -> ServerState:
    """What the handlers share: a service on the embedded node."""
    return ServerState(mind, BODY_LIMIT)


@pytest.fixture
async def client(state: ServerState) -> AsyncIterator[httpx2.AsyncClient]:
    """Calls the application without a socket."""
    transport = httpx2.ASGITransport(build_app(state, Policy("127.0.0.1", PORT)))
    async with httpx2.AsyncClient(transport=transport, base_url=f"http://127.0.0.1:{PORT}") as opened:
        yield opened


@pytest.fixture(scope="session")
def open_server(embedded_settings: Settings) -> Iterator[RunningServer]:
    """A server without a token."""
    with running(embedded_settings) as server:
        yield server


@pytest.fixture(scope="session")
def guarded_server(embedded_settings: Settings) -> Iterator[RunningServer]:
    """A server with a token."""
    with running(embedded_settings, HYDRAMIND_HTTP_TOKEN="tok-probe-1") as server:
        yield server
