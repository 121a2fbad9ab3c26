"""The server a benchmark runs on: one of its own in a temporary folder, or the one that the environment names."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

from pydantic import SecretStr

from hydramind import node
from hydramind.graph.connection import Graph
from hydramind.opening import node_options, open_graph
from hydramind.queries.query import Query, nothing
from hydramind.settings import Settings, load
from scripts import neo4j_server

ENGINES = ("arcadedb", "neo4j")


class Place(Protocol):
    """A server and how to reach it."""

    settings: Settings

    async def restart(self) -> bool:
        """Stop it in good order and start it again; False when it is not ours to stop."""
        ...

    async def kill(self) -> bool:
        """kill -9 of its process; False when there was none to kill. Call `bring_back` afterwards."""
        ...

    async def bring_back(self) -> None:
        """Have it started again after `kill`, unless the next client does that."""
        ...


class Embedded:
    """The embedded node of a home."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    async def restart(self) -> bool:
        """The next client starts it."""
        return await node.stop(node_options(self.settings))

    async def kill(self) -> bool:
        """Kills Java; its keeper stays behind to notice."""
        found = await node.status(node_options(self.settings))
        return found.pid is not None and _killed(found.pid)

    async def bring_back(self) -> None:
        """Nothing: any client revives it."""


class OwnNeo4j:
    """A Neo4j server in a folder of ours."""

    def __init__(self, home: Path, connection: neo4j_server.Connection) -> None:
        self._home = home
        self._pid = connection.pid
        self._port = int(connection.uri.rpartition(":")[2])
        self.settings = load(
            {},
            uri=connection.uri,
            username=connection.username,
            token=SecretStr(connection.password),
            database=connection.database,
            **_embedding(),
        )

    async def restart(self) -> bool:
        """Stopped and started on the same port."""
        await asyncio.to_thread(neo4j_server.stop, self._home)
        await self.bring_back()
        return True

    async def kill(self) -> bool:
        """Kills Java."""
        return _killed(self._pid)

    async def bring_back(self) -> None:
        """Clients cannot start it, so we do."""
        connection = await asyncio.to_thread(neo4j_server.start, self._home, self._port)
        self._pid = connection.pid


class Given:
    """A server that the environment names."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    async def restart(self) -> bool:
        """Not ours."""
        return False

    async def kill(self) -> bool:
        """Not ours."""
        return False

    async def bring_back(self) -> None:
        """Not ours."""


@asynccontextmanager
async def place(engine: str | None) -> AsyncGenerator[Place]:
    """`arcadedb` and `neo4j` are servers of our own; None is what HYDRAMIND_URI or HYDRAMIND_HOME name, else `arcadedb`."""
    if engine is None and os.environ.get("HYDRAMIND_URI"):
        yield Given(load())
    elif engine is None and os.environ.get("HYDRAMIND_HOME"):
        yield Embedded(load())
    else:
        async with _own(engine or ENGINES[0]) as found:
            yield found


@asynccontextmanager
async def _own(engine: str) -> AsyncGenerator[Place]:
    with tempfile.TemporaryDirectory(prefix="hydramind-benchmark-", ignore_cleanup_errors=True) as folder:
        if engine == "neo4j":
            home = Path(folder) / "neo4j"
            connection = await asyncio.to_thread(neo4j_server.start, home)
            try:
                yield OwnNeo4j(home, connection)
            finally:
                await asyncio.to_thread(neo4j_server.stop, home)
            return
        settings = load({}, home=Path(folder), node_idle_seconds=60, **_embedding())
        try:
            yield Embedded(settings)
        finally:
            await node.stop(node_options(settings))


def _embedding() -> dict[str, Any]:
    """All that the environment says of the embedder; a server of our own has no say in it."""
    named = load()
    return {name: getattr(named, name) for name in named.model_fields_set if name.startswith("embedder")}


def _leads_elsewhere(name: str) -> bool:
    return name.startswith("HYDRAMIND_") and not name.startswith("HYDRAMIND_EMBEDDER")


def environment(settings: Settings) -> dict[str, str]:
    """This process's environment with the variables that lead a child to the same server."""
    kept = {name: value for name, value in os.environ.items() if not _leads_elsewhere(name.upper())}
    if settings.embedded:
        named = {"HOME": str(settings.home), "NODE_IDLE_SECONDS": str(settings.node_idle_seconds)}
    else:
        named = {
            "URI": settings.uri,
            "USERNAME": settings.username,
            "TOKEN": settings.secret,
            "DATABASE": settings.database,
            "ENGINE": settings.engine,
        }
    return (
        kept | {f"HYDRAMIND_{name}": value for name, value in named.items()} | {"HYDRAMIND_EMBEDDER": settings.embedder}
    )


_REMOVALS: tuple[Query[Any], ...] = (
    Query("remove memories", "MATCH (n:Memory {scope: $scope}) DETACH DELETE n", nothing),
    Query("remove entities", "MATCH (n:Entity {scope: $scope}) DETACH DELETE n", nothing),
    Query("remove ops", "MATCH (n:Op {scope: $scope}) DETACH DELETE n", nothing),
    Query("remove the scope", "MATCH (n:Scope {name: $scope}) DETACH DELETE n", nothing),
)


async def remove(settings: Settings, scope: str) -> None:
    """Take a benchmark's scope out of the graph again."""
    async with open_graph(settings, lambda line: None) as graph:
        await remove_from(graph, scope)


async def remove_from(graph: Graph, scope: str) -> None:
    """The same through an open graph."""
    for removal in _REMOVALS:
        await graph.read(removal, scope=scope)


def _killed(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True
