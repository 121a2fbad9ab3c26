"""The same memory by both entrances: in this process, and over HTTP from a server of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from hydramind import HydraMind, HydraMindClient
from hydramind.settings import Settings
from tests.api.running import RunningServer, running

Mind = HydraMind | HydraMindClient
TOKEN = "tok-probe-sdk"


@pytest.fixture(scope="session")
def server(embedded_settings: Settings) -> Iterator[RunningServer]:
    """`hydramind up` on the test run's node, guarded by a token."""
    with running(embedded_settings, HYDRAMIND_HTTP_TOKEN=TOKEN) as started:
        yield started


@pytest.fixture
def url(server: RunningServer) -> str:
    """Where the server is."""
    return f"http://127.0.0.1:{server.port}"


@pytest.fixture(params=["embedded", "http"])
async def either(request: pytest.FixtureRequest, embedded_settings: Settings) -> AsyncIterator[Mind]:
    """Each entrance in turn."""
    if request.param == "http":
        async with HydraMindClient(request.getfixturevalue("url"), TOKEN) as client:
            yield client
    else:
        async with HydraMind.open(home=embedded_settings.home, node_idle_seconds=20) as mind:
            yield mind
