"""What the handlers of one server share."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from starlette.requests import Request

if TYPE_CHECKING:
    from hydramind.service import HydraMind


@dataclass(frozen=True, slots=True)
class ServerState:
    """The open service, the largest body in bytes, and `closing`: set when the server stops, so that streams end."""

    mind: HydraMind
    max_body_bytes: int
    closing: asyncio.Event = field(default_factory=asyncio.Event)


def state_of(request: Request) -> ServerState:
    """The state that the application was built with."""
    return cast(ServerState, request.app.state.server)
