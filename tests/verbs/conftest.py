"""The graph behind the open memory, and one scope of it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from hydramind.graph.connection import Graph
from hydramind.opening import open_graph
from hydramind.service import HydraMind
from hydramind.settings import Settings
from tests.scoped import Scoped


def _silent(line: str) -> None:
    del line


@pytest.fixture
async def each_graph(engine_settings: Settings) -> AsyncIterator[Graph]:
    """A connection of the test's own to the engine of `each_mind`, to look at and to plant what no verb writes."""
    async with open_graph(engine_settings, _silent) as graph:
        yield graph


@pytest.fixture
async def graph(embedded_settings: Settings) -> AsyncIterator[Graph]:
    """A connection of the test's own to the embedded node."""
    async with open_graph(embedded_settings, _silent) as graph:
        yield graph


@pytest.fixture
def each(each_mind: HydraMind, scope: str) -> Scoped:
    """An empty scope on each engine."""
    return Scoped(each_mind, scope)


@pytest.fixture
def one(mind: HydraMind, scope: str) -> Scoped:
    """An empty scope on the embedded node."""
    return Scoped(mind, scope)
