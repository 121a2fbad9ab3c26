"""What supervisors ask: `/health`, `/ready`, `/metrics`."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from hydramind import __version__
from hydramind.api.problems import as_json
from hydramind.api.state import ServerState, state_of
from hydramind.errors import HydraMindError
from hydramind.models import Health
from hydramind.web.traffic import Traffic

PATIENCE_SECONDS: Final = 3.0
"""How long the graph may take to answer before it counts as down."""


async def health(request: Request) -> Response:
    """200 when every component works, else 503; says nothing about where the graph is, for it needs no token."""
    graph = await _graph(state_of(request))
    healthy = graph["status"] == "ok"
    body = {
        "status": "ok" if healthy else "down",
        "version": __version__,
        "components": {"server": {"status": "ok"}, "graph": graph},
    }
    return as_json(body, 200 if healthy else 503)


async def ready(request: Request) -> Response:
    """200 when calls will be answered: the graph is up and the server is not stopping."""
    state = state_of(request)
    if state.closing.is_set():
        return as_json({"ready": False, "reason": "the server is stopping"}, 503)
    graph = await _graph(state)
    if graph["status"] != "ok":
        return as_json({"ready": False, "reason": "the graph does not answer"}, 503)
    return as_json({"ready": True})


async def metrics(request: Request) -> Response:
    """Counters of this process, and whether the graph answers."""
    traffic: Traffic = request.app.state.traffic
    graph = await _graph(state_of(request))
    gauges = {"hydramind_graph_up": float(graph["status"] == "ok")}
    for name in ("latency_ms", "open_scopes"):
        value = graph.get(name)
        if isinstance(value, int | float):
            gauges[f"hydramind_{'graph_' if name == 'latency_ms' else ''}{name}"] = value
    return PlainTextResponse(traffic.text(gauges), media_type="text/plain; version=0.0.4")


async def _graph(state: ServerState) -> dict[str, object]:
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            found: Health = await state.mind.health()
    except TimeoutError:
        return {"status": "down", "reason": f"no answer within {PATIENCE_SECONDS:g} s"}
    except HydraMindError as error:
        return {"status": "down", "reason": error.code}
    return found.model_dump(mode="json", include={"status", "engine", "latency_ms", "open_scopes"})
