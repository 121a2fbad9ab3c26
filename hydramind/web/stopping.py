"""What a call gets that the end of the server cuts off."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hydramind.api.problems import problem
from hydramind.errors import Unavailable


class Parting:
    """ASGI middleware: a call cancelled before its answer began is told to come back, instead of losing its connection."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on; the server cancels calls only when it stops."""
        begun = False

        async def noting(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, noting)
        except asyncio.CancelledError:
            if begun or scope["type"] != "http":
                raise
            await problem(Unavailable("the server is stopping: call again once it is back"))(scope, receive, send)
