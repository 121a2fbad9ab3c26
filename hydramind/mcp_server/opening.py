"""The service opened on first use: a server answers what it offers before the graph is reached."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hydramind.service import HydraMind

Opener = Callable[[], "AbstractAsyncContextManager[HydraMind]"]


class OnFirstUse:
    """Awaiting a call gives the open service; whoever comes first opens it, the others wait for the same opening.

    A failed opening is raised to everyone who waited for it, and the next call tries again. The service lives in a task of
    its own, so that a cancelled call neither stops the opening nor closes it from a foreign task.
    """

    def __init__(self, opener: Opener) -> None:
        self._opener = opener
        self._closing = asyncio.Event()
        self._owner: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[HydraMind] | None = None

    async def __call__(self) -> HydraMind:
        """The open service; raises what opening it raised."""
        if self._ready is None:
            self._ready = asyncio.get_running_loop().create_future()
            self._owner = asyncio.create_task(self._own(self._ready), name="hydramind")
            self._owner.add_done_callback(self._ended)
        return await asyncio.shield(self._ready)

    async def aclose(self) -> None:
        """Close the service if it was opened; further calls are not expected."""
        self._closing.set()
        if self._owner is not None:
            await asyncio.wait({self._owner})

    async def _own(self, ready: asyncio.Future[HydraMind]) -> None:
        async with self._opener() as mind:
            ready.set_result(mind)
            await self._closing.wait()

    def _ended(self, owner: asyncio.Task[None]) -> None:
        ready, self._ready = self._ready, None
        if ready is None or ready.done():
            return
        error = asyncio.CancelledError() if owner.cancelled() else owner.exception()
        ready.set_exception(error or RuntimeError("the service ended while it was being opened"))
        # Every caller may have given up by now; the failure is theirs to see, not the loop's to report.
        ready.exception()
