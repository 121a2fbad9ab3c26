"""Where each engine is, for graphs that a test builds itself."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from hydramind.graph.connection import Address, Graph
from hydramind.opening import open_graph
from hydramind.settings import Settings


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
