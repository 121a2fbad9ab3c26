"""MCP over stateless Streamable HTTP, as routes for the web face and as an application of its own."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp

from hydramind.mcp_server.intake import Intake
from hydramind.mcp_server.server import MindProvider, build_server
from hydramind.settings import Settings
from hydramind.web.addresses import Policy
from hydramind.web.guard import Guard

PATH = "/mcp"


def mcp_routes(server: MCPServer[Any], settings: Settings) -> list[Route]:
    """`/mcp` and `/mcp/`, answering alike: a redirect would lose the Authorization header.

    They work inside `mcp_lifespan(server)` only, and behind `web.guard.Guard`, which checks Host, Origin and token.
    """
    server.streamable_http_app(
        json_response=True,
        stateless_http=True,
        max_request_body_size=settings.mcp_max_body_bytes,
        # The guard in front checks more than these would.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    endpoint = Intake(server.session_manager.handle_request, settings.mcp_max_body_bytes)
    return [Route(path, endpoint=endpoint) for path in (PATH, f"{PATH}/")]


def mcp_lifespan(server: MCPServer[Any]) -> AbstractAsyncContextManager[None]:
    """What must be open while the routes of `server` serve; once a server."""
    return server.session_manager.run()


def http_app(mind: MindProvider, settings: Settings, policy: Policy) -> ASGIApp:
    """An ASGI application that serves MCP alone, behind the same guard as everything else."""
    return guarded(build_server(mind, settings), settings, policy)


def guarded(server: MCPServer[Any], settings: Settings, policy: Policy) -> ASGIApp:
    """`server` over HTTP, admitting whom `policy` admits."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        async with mcp_lifespan(server):
            yield

    return Guard(Starlette(routes=mcp_routes(server, settings), lifespan=lifespan), policy)
