"""What the health page shows: engine, node, the scopes in memory and how fast requests were answered."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from hydramind import __version__, node
from hydramind.api.scope_views import reply_json
from hydramind.api.state import state_of
from hydramind.clock import to_iso
from hydramind.errors import HydraMindError
from hydramind.models import Health, NodeView, SystemHealth
from hydramind.opening import node_options
from hydramind.service import HydraMind
from hydramind.settings import Settings
from hydramind.web.traffic import Traffic

PATIENCE_SECONDS: Final = 3.0
"""How long the graph may take to answer before it counts as down."""


async def system(request: Request) -> Response:
    """Always 200: a graph that is down is what the page is there to show."""
    mind, traffic = state_of(request).mind, request.app.state.traffic
    assert isinstance(traffic, Traffic)  # noqa: S101
    known = mind.described()
    found, reason = await _answer(mind)
    reply = SystemHealth(
        status="ok" if found else "down",
        reason=reason,
        version=__version__,
        engine=known.engine,
        agent=known.agent,
        uri=known.uri,
        embedded=known.embedded,
        latency_ms=found.latency_ms if found else None,
        open_scopes=known.open_scopes,
        in_flight=traffic.in_flight,
        node=await _node(mind.settings) if known.embedded else None,
        scopes=mind.open_scopes(),
        routes=traffic.timings(),
    )
    return reply_json(reply)


async def _answer(mind: HydraMind) -> tuple[Health | None, str]:
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await mind.health(), ""
    except TimeoutError:
        return None, f"the graph did not answer within {PATIENCE_SECONDS:g} s"
    except HydraMindError as error:
        return None, error.message


async def _node(settings: Settings) -> NodeView:
    options = node_options(settings)
    status = await node.status(options)
    return NodeView(
        state=status.state,
        answers=status.answers,
        in_use=status.in_use,
        pid=status.pid,
        started_at=to_iso(int(status.started_at * 1_000)) if status.started_at else None,
        stored_bytes=await asyncio.to_thread(node.stored_bytes, options),
    )
