"""The application: every route of the one port, behind the guard."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import ASGIApp

from hydramind.api.problems import on_crash, on_http_error, on_hydramind_error
from hydramind.api.routes import api_routes, rest_routes
from hydramind.api.state import ServerState
from hydramind.errors import HydraMindError
from hydramind.mcp_server import build_server, mcp_lifespan, mcp_routes
from hydramind.web import probes
from hydramind.web.addresses import Policy
from hydramind.web.guard import Guard
from hydramind.web.pages import page_routes
from hydramind.web.stopping import Parting
from hydramind.web.traffic import Measured, Traffic

if TYPE_CHECKING:
    from hydramind.service import HydraMind


def build_app(state: ServerState, policy: Policy) -> ASGIApp:
    """The ASGI application over an open service. `state.closing`, once set, ends every event stream."""

    async def mind() -> HydraMind:
        return state.mind

    mcp = build_server(mind, state.mind.settings)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        async with mcp_lifespan(mcp):
            yield

    app = Starlette(
        routes=[
            *page_routes(policy),
            *_plain_routes(),
            *api_routes(),
            *rest_routes(),
            *mcp_routes(mcp, state.mind.settings),
        ],
        lifespan=lifespan,
        exception_handlers={
            HydraMindError: on_hydramind_error,
            HTTPException: on_http_error,
            Exception: on_crash,
        },
    )
    app.router.redirect_slashes = False
    app.state.server = state
    app.state.traffic = Traffic()
    return Measured(Guard(Parting(app), policy), app.state.traffic)


def _plain_routes() -> list[Route]:
    return [
        Route("/health", probes.health, methods=["GET"]),
        Route("/ready", probes.ready, methods=["GET"]),
        Route("/metrics", probes.metrics, methods=["GET"]),
    ]
