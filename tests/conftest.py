"""Real engines for every test: the embedded node, and the assembled Neo4j server where a test asks for both."""

from __future__ import annotations

import itertools
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from pydantic import SecretStr

from hydramind.graph.connection import Address, Graph
from hydramind.opening import open_graph
from hydramind.service import HydraMind
from hydramind.settings import Settings, load
from scripts.neo4j_server import serve

os.environ["HYDRAMIND_EMBEDDER"] = "none"
"""Child processes that inherit the environment embed nothing either; see `embedded_settings`."""

settings.register_profile("shared machine", deadline=None)
settings.load_profile("shared machine")

START_MS = 1_772_359_200_000
"""2026-03-01T10:00:00Z: where the test clock starts."""


class TestClock:
    """A clock that moves only when it is told to; call it for epoch milliseconds."""

    __test__ = False

    def __init__(self, now: int = START_MS) -> None:
        self.now = now

    def __call__(self) -> int:
        """Epoch milliseconds."""
        return self.now

    def advance(self, *, days: float = 0.0, seconds: float = 0.0) -> None:
        """Move forward."""
        self.now += int((days * 86_400 + seconds) * 1_000)


_names = itertools.count()
_skipped: list[str] = []


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Note skipped tests that needed an engine or a browser."""
    outcome = yield
    report = outcome.get_result()  # type: ignore[attr-defined]
    needs = ("engine", "neo4j", "browser")
    if report.skipped and not hasattr(report, "wasxfail") and any(map(item.get_closest_marker, needs)):
        _skipped.append(item.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """On CI a skipped engine or browser test is a failure."""
    if _skipped and os.environ.get("CI") and session.exitstatus == 0:
        print(f"\nskipped on CI, which counts as failed: {', '.join(_skipped)}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture
def scope() -> str:
    """A scope of the test's own."""
    return f"test-{os.getpid()}-{next(_names)}"


@pytest.fixture
def clock() -> TestClock:
    """A clock that the test moves."""
    return TestClock()


@pytest.fixture(scope="session")
def embedded_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The embedded node of this test run, in a home of its own; it stops by itself soon after the run."""
    return load({}, home=tmp_path_factory.mktemp("home"), node_idle_seconds=20, embedder="none")


@pytest.fixture(scope="session")
def neo4j_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """The assembled Neo4j server of this test run."""
    with serve(Path(tmp_path_factory.mktemp("neo4j"))) as server:
        yield load(
            {},
            uri=server.uri,
            username=server.username,
            token=SecretStr(server.password),
            database=server.database,
            embedder="none",
        )


@pytest.fixture(scope="session", params=["arcadedb", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def engine_settings(request: pytest.FixtureRequest) -> Settings:
    """Each claimed engine that can be run here, in turn; HYDRAMIND_TEST_URI (and _TEST_TOKEN) name one more instead."""
    if uri := os.environ.get("HYDRAMIND_TEST_URI"):
        return load({}, uri=uri, token=SecretStr(os.environ.get("HYDRAMIND_TEST_TOKEN", "")), embedder="none")
    name = "embedded_settings" if request.param == "arcadedb" else "neo4j_settings"
    settings: Settings = request.getfixturevalue(name)
    return settings


@pytest.fixture
async def mind(embedded_settings: Settings, clock: TestClock) -> AsyncIterator[HydraMind]:
    """An open memory on the embedded node, with the test's clock."""
    async with HydraMind.open(embedded_settings, clock=clock) as opened:
        yield opened


@pytest.fixture
async def each_mind(engine_settings: Settings, clock: TestClock) -> AsyncIterator[HydraMind]:
    """An open memory on each engine in turn, with the test's clock."""
    async with HydraMind.open(engine_settings, clock=clock) as opened:
        yield opened


def _silent(line: str) -> None:
    del line


@pytest.fixture
async def each_graph(engine_settings: Settings) -> AsyncIterator[Graph]:
    """A connection to each engine in turn."""
    async with open_graph(engine_settings, _silent) as graph:
        yield graph


@pytest.fixture
async def neo4j_graph(neo4j_settings: Settings) -> AsyncIterator[Graph]:
    """A connection to the Neo4j server."""
    async with open_graph(neo4j_settings, _silent) as graph:
        yield graph


@pytest.fixture
def each_address(each_graph: Graph) -> Address:
    """Where `each_graph` is."""
    return each_graph.address


@pytest.fixture
def neo4j_address(neo4j_graph: Graph) -> Address:
    """Where `neo4j_graph` is."""
    return neo4j_graph.address
