"""Opens the graph that the settings name: the embedded node, or any Bolt server."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from hydramind import node
from hydramind.graph.connection import Address, Graph, external
from hydramind.graph.schema import set_up
from hydramind.node import NodeAddress, NodeOptions
from hydramind.settings import Settings


@asynccontextmanager
async def open_graph(settings: Settings, report: Callable[[str], None]) -> AsyncGenerator[Graph]:
    """A connected graph with its schema; the embedded node's lease is held as long as the graph is open."""
    if not settings.embedded:
        address = Address(settings.uri, settings.username, settings.secret, settings.database)
        async with _ready(await Graph.connect(address, external(address), settings.engine)) as graph:
            yield graph
        return
    lease = await node.acquire(node_options(settings), report)

    async def revive() -> Address:
        return _address(await lease.revive())

    try:
        async with _ready(await Graph.connect(_address(lease.address), revive, settings.engine)) as graph:
            yield graph
    finally:
        await lease.release()


def node_options(settings: Settings) -> NodeOptions:
    """How the embedded node is run."""
    return NodeOptions(home=settings.home, heap_mb=settings.node_heap_mb, idle_seconds=settings.node_idle_seconds)


@asynccontextmanager
async def _ready(graph: Graph) -> AsyncGenerator[Graph]:
    try:
        await set_up(graph)
        yield graph
    finally:
        await graph.close()


def _address(found: NodeAddress) -> Address:
    return Address(found.uri, found.username, found.password, found.database)
