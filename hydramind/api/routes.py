"""The JSON routes: `/api` for the dashboard and `/v1` for everyone else; both run the same verbs by the same handlers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hydramind.api import demo, health, scope_views
from hydramind.api.bodies import arguments
from hydramind.api.openapi import openapi
from hydramind.api.problems import as_json
from hydramind.api.state import state_of
from hydramind.api.verb_table import VERBS, Verb

Handler = Callable[[Request], Awaitable[Response]]


def api_routes() -> list[Route]:
    """`GET /api/scopes...` and `POST /api/{verb}`. A scope's name may hold slashes, so it is taken as a path."""
    one_scope = "/api/scopes/{scope:path}"
    return [
        Route("/api/scopes", scope_views.scopes, methods=["GET"]),
        Route(f"{one_scope}/graph", scope_views.graph, methods=["GET"]),
        Route(f"{one_scope}/entities", scope_views.entities, methods=["GET"]),
        Route(f"{one_scope}/stats", scope_views.stats, methods=["GET"]),
        Route(f"{one_scope}/events", scope_views.events, methods=["GET"]),
        Route("/api/health", health.system, methods=["GET"]),
        Route("/api/demo", demo.seed, methods=["POST"]),
        Route("/api/demo/{scope:path}/clock", demo.skip, methods=["POST"]),
        Route("/api/demo/{scope:path}", demo.remove, methods=["DELETE"]),
        *(Route(f"/api/{verb.name}", _handler(verb), methods=["POST"]) for verb in VERBS),
    ]


def rest_routes() -> list[Route]:
    """`POST /v1/{verb}` and their description."""
    return [
        Route("/v1/openapi.json", _describe, methods=["GET"]),
        *(Route(f"/v1/{verb.name}", _handler(verb), methods=["POST"]) for verb in VERBS),
    ]


def _handler(verb: Verb[Any, Any]) -> Handler:
    async def handle(request: Request) -> Response:
        state = state_of(request)
        values = await arguments(request, state.max_body_bytes)
        return scope_views.reply_json(await verb(state.mind, values))

    return handle


async def _describe(_: Request) -> Response:
    return as_json(openapi())
