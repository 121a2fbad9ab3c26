"""The memory is opened by the first call that needs it, once, and again after a failure."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from hydramind.errors import Unavailable
from hydramind.mcp_server.opening import OnFirstUse
from hydramind.service import HydraMind


async def test_calls_at_once_share_one_opening_and_closing_ends_it(mind: HydraMind) -> None:
    """However many come first."""
    log = list[str]()

    @asynccontextmanager
    async def opener() -> AsyncGenerator[HydraMind]:
        log.append("open")
        yield mind
        log.append("close")

    first_use = OnFirstUse(opener)
    found = await asyncio.gather(*(first_use() for _ in range(5)))
    assert found == [mind] * 5
    await first_use.aclose()
    assert log == ["open", "close"]


async def test_failed_opening_is_told_to_each_and_tried_again(mind: HydraMind) -> None:
    """A database that comes back is used."""
    outcomes = [Unavailable("down"), None]

    @asynccontextmanager
    async def opener() -> AsyncGenerator[HydraMind]:
        if error := outcomes.pop(0):
            raise error
        yield mind

    first_use = OnFirstUse(opener)
    failures = await asyncio.gather(first_use(), first_use(), return_exceptions=True)
    assert [str(failure) for failure in failures] == ["down", "down"]
    assert await first_use() is mind
    await first_use.aclose()


async def test_cancelled_call_does_not_stop_the_opening(mind: HydraMind) -> None:
    """The next caller finds it further on, not at the start."""
    gate, opened = asyncio.Event(), list[int]()

    @asynccontextmanager
    async def opener() -> AsyncGenerator[HydraMind]:
        opened.append(1)
        await gate.wait()
        yield mind

    first_use = OnFirstUse(opener)
    impatient = asyncio.create_task(first_use())
    await asyncio.wait({impatient}, timeout=0)
    impatient.cancel()
    with pytest.raises(asyncio.CancelledError):
        await impatient
    gate.set()
    assert await first_use() is mind
    assert opened == [1]
    await first_use.aclose()


async def test_closing_before_any_call_opens_nothing() -> None:
    """A client that only lists the tools costs no graph."""

    @asynccontextmanager
    async def opener() -> AsyncGenerator[HydraMind]:
        raise AssertionError("opened")
        yield

    await OnFirstUse(opener).aclose()
