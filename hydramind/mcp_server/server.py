"""The MCP server over the service object: one tool a verb, arguments checked by the verb's own request model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from mcp.server import CacheHint, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, FuncMetadata
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent

from hydramind import __version__
from hydramind.api.verb_table import VERBS, Verb
from hydramind.errors import HydraMindError, Invalid
from hydramind.mcp_server.problems import tool_error
from hydramind.mcp_server.schema import input_schema
from hydramind.mcp_server.tools import CARDS, INSTRUCTIONS, ToolCard
from hydramind.mind.text import clean
from hydramind.models import Reply, Request
from hydramind.settings import Settings

if TYPE_CHECKING:
    from hydramind.service import HydraMind

MindProvider = Callable[[], "Awaitable[HydraMind]"]
"""Gives the open service; may raise any `HydraMindError`, and may be asked again after that."""

_DAY_MS: Final = 86_400_000


def build_server(mind: MindProvider, settings: Settings) -> MCPServer[Any]:
    """The server with its tools; it opens nothing by itself, so listing them never waits for the graph."""
    verbs = {verb.name: verb for verb in VERBS}
    lasting = CacheHint(ttl_ms=_DAY_MS, scope="public")
    return MCPServer(
        "hydramind",
        title="HydraMind",
        description="Persistent memory that knows when it may be wrong.",
        instructions=INSTRUCTIONS,
        version=__version__,
        tools=[_tool(card, verbs[card.verb], mind, settings.mcp_structured) for card in CARDS],
        log_level=settings.log_level,
        cache_hints={"tools/list": lasting, "server/discover": lasting},
    )


class _VerbTool(Tool):
    """A tool whose arguments go to its verb as they came: the SDK would guess at JSON inside text and drop unknown names."""

    async def run(self, arguments: dict[str, Any], context: Any, convert_result: bool = False) -> CallToolResult:
        """The result; `ToolError` is text for the model, anything unforeseen stays in the log."""
        try:
            return await self.fn(arguments)
        except (ToolError, MCPError):
            raise
        except Exception as error:
            raise UnexpectedToolError(f"{self.name} failed inside the server; its log has the details") from error


def _tool(card: ToolCard, verb: Verb[Any, Any], mind: MindProvider, structured: bool) -> Tool:
    return _VerbTool(
        fn=partial(_call, card, verb, mind, structured),
        name=card.verb,
        title=card.title,
        description=card.description,
        parameters=input_schema(verb.request, card.arguments, card.describe),
        fn_metadata=FuncMetadata(arg_model=ArgModelBase),
        is_async=True,
        context_kwarg=None,
        annotations=card.hints,
        meta={"anthropic/alwaysLoad": True} if card.in_view else None,
    )


async def _call(
    card: ToolCard, verb: Verb[Any, Any], mind: MindProvider, structured: bool, arguments: Mapping[str, Any]
) -> CallToolResult:
    try:
        request: Request = _parsed(card, verb, arguments)
        reply: Reply = await verb.perform(await mind(), request)
    except HydraMindError as error:
        raise tool_error(card.verb, error) from error
    page = card.say(reply, request).with_notes(_cut(card.arguments, arguments, request))
    data = _cleaned(reply.model_dump(mode="json")) if structured else None
    return CallToolResult(content=[TextContent(type="text", text=clean(page.text()))], structured_content=data)


def _parsed(card: ToolCard, verb: Verb[Any, Any], arguments: Mapping[str, Any]) -> Request:
    for name in arguments:
        if name not in card.arguments:
            raise Invalid(name, f"is not an argument of {card.verb}; it takes {', '.join(card.arguments)}")
    return verb.request.parse(dict(arguments))


def _cut(names: Sequence[str], given: Mapping[str, Any], request: Request) -> list[str]:
    """Notes on numbers above their bound, which the request cut to it."""
    notes = list[str]()
    for name in names:
        used = getattr(request, name)
        if isinstance(used, int) and given.get(name) is not None and float(given[name]) > used:
            notes.append(f"{name} was cut to {used}, the most there is.")
    return notes


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {key: _cleaned(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list):
        return [_cleaned(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value
