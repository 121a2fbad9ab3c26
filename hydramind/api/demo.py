"""The demo of the dashboard: a scope seeded on one click, its clock, and its removal."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from hydramind import demo
from hydramind.api.bodies import arguments
from hydramind.api.scope_views import reply_json
from hydramind.api.state import state_of
from hydramind.errors import Invalid
from hydramind.models import OneScope, SkipDays


async def seed(request: Request) -> Response:
    """A fresh demo scope: its name, its cast and what to ask it. Takes `{}`."""
    values = await _body(request)
    if values:
        raise Invalid(next(iter(values))[:100], "is not an argument here; a demo takes none")
    return reply_json(await demo.seed(state_of(request).mind))


async def skip(request: Request) -> Response:
    """`{"skip_days": n}` moves the clock of this demo scope; any other scope is refused."""
    asked = SkipDays.parse({**await _body(request), "scope": request.path_params["scope"]})
    return reply_json(state_of(request).mind.shift_demo(asked))


async def remove(request: Request) -> Response:
    """Delete this demo scope for good; any other scope is refused."""
    asked = OneScope.parse({"scope": request.path_params["scope"]})
    return reply_json(await state_of(request).mind.remove_demo(asked))


async def _body(request: Request) -> dict[str, Any]:
    return await arguments(request, state_of(request).max_body_bytes)
