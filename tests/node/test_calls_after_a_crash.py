"""A memory that is open while its node dies goes on as if nothing had been."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from hydramind.node import status
from hydramind.opening import node_options
from hydramind.service import HydraMind
from hydramind.settings import load
from tests.scoped import FACT, Scoped

pytestmark = pytest.mark.engine


async def test_an_open_memory_outlives_its_node(home: Path) -> None:
    """B05: after kill -9 of the node the next recall and the next remember succeed, and each statement is one row."""
    settings = load({}, home=home, embedder="none")
    async with HydraMind.open(settings) as mind:
        one = Scoped(mind, "crash")
        await one.keep(FACT)
        java = (await status(node_options(settings))).pid
        assert java is not None
        os.kill(java, signal.SIGKILL)
        assert await one.found("gateway mutual TLS") == [FACT]
        kept = await one.remember("The lift was repaired after the restart")
        assert (await one.remember("The lift was repaired after the restart")).memory.id == kept.memory.id
        assert (await one.stats()).memories == 2
