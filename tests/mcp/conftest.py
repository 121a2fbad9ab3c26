"""The MCP server over a real memory, called by the SDK's own client in both protocol eras."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest
from mcp.client import Client
from mcp.server import MCPServer
from mcp_types import TextContent

from hydramind.mcp_server import build_server
from hydramind.service import HydraMind

LEGACY, MODERN = "legacy", "2026-07-28"


@dataclass(frozen=True)
class Answer:
    """What a model sees of a tool call."""

    text: str
    failed: bool
    structured: Any = None


Ask = Callable[..., Awaitable[Answer]]


@pytest.fixture(params=[LEGACY, MODERN])
def era(request: pytest.FixtureRequest) -> Any:
    """The protocol revision that the client speaks."""
    return request.param


@pytest.fixture
def server(mind: HydraMind) -> MCPServer[Any]:
    """The product's server over the test's memory."""
    return server_of(mind)


@pytest.fixture
def ask(server: MCPServer[Any]) -> Ask:
    """Call a tool: `await ask("recall", query=..., scope=...)`."""
    return asker(server)


def server_of(mind: HydraMind, **settings: Any) -> MCPServer[Any]:
    """A server over an open memory, with settings changed."""

    async def opened() -> HydraMind:
        return mind

    return build_server(opened, mind.settings.model_copy(update=settings))


def asker(server: MCPServer[Any], era: Any = MODERN) -> Ask:
    """A function that calls one tool of `server` and gives the answer."""

    async def call(tool: str, **arguments: Any) -> Answer:
        async with Client(server, mode=era) as client:
            result = await client.call_tool(tool, arguments)
        (block,) = result.content
        assert isinstance(block, TextContent)
        return Answer(block.text, bool(result.is_error), result.structured_content)

    return call
