"""Sockets that die between calls cost nobody anything: the next call goes through without the caller's help, once."""

from __future__ import annotations

import asyncio

from hydramind.service import HydraMind
from hydramind.settings import Settings
from tests.api.test_lost_graph import Wire, wired
from tests.conftest import TestClock
from tests.scoped import FACT, Scoped


async def drop(wire: Wire) -> None:
    """End every open connection; new ones are taken."""
    tasks = list(wire._tasks)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_calls_go_through_after_every_socket_died(
    embedded_settings: Settings, clock: TestClock, scope: str
) -> None:
    """B05: recall, then remember, each the first call over dead sockets; what was told then is one row."""
    async with wired(embedded_settings) as (wire, settings), HydraMind.open(settings, clock=clock) as mind:
        one = Scoped(mind, scope)
        await one.keep(FACT, entity_refs=["gateway"])
        await drop(wire)
        assert await one.found("gateway mutual TLS") == [FACT]
        await drop(wire)
        kept = await one.remember("The lift was repaired after the restart")
        await drop(wire)
        again = await one.remember("The lift was repaired after the restart")
        assert (kept.outcome, again.outcome, again.memory.id) == ("created", "duplicate", kept.memory.id)
        await drop(wire)
        assert await one.versions("gateway") == [FACT]
        assert (await one.stats()).memories == 2
