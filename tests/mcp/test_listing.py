"""What a client sees before it calls anything: names, schemas, hints and words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from mcp.client import Client
from mcp.server import MCPServer
from mcp_types import Tool

from hydramind.api.verb_table import VERBS
from hydramind.errors import Unavailable
from hydramind.mcp_server import build_server
from hydramind.settings import load

ARGUMENTS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "remember": (["content", "scope"], {"entity_refs": [], "derived_from": [], "idempotency_key": "", "slot": ""}),
    "recall": (["query", "scope"], {"entity_refs": [], "limit": 10, "budget_tokens": 0}),
    "revise": (["memory_id", "content", "scope"], {"reason": "", "entity_refs": None}),
    "timeline": (["scope", "entity_ref"], {"limit": 20}),
    "trace_memory": (["memory_id", "scope"], {"max_hops": 2, "max_paths": 20, "target_id": ""}),
    "check_conflict": (["content", "scope"], {"entity_refs": []}),
    "explain_trust": (["memory_id", "scope"], {}),
    "forget": (["memory_id", "scope"], {}),
    "relate": (
        ["memory_id", "other_id", "scope"],
        {"relation": "related_to", "weight": 1.0, "reason": "", "withdraw": False},
    ),
    "inspect": (["memory_id", "scope"], {}),
}
"""Each tool's required arguments and its optional ones with their defaults."""


@pytest.fixture(scope="module")
async def tools() -> list[Tool]:
    """The tools as listed by a server that can reach no graph."""
    return await listed(unreachable(), "2026-07-28")


def unreachable() -> MCPServer[Any]:
    """A server whose memory cannot be opened."""

    async def refuse() -> Any:
        raise Unavailable("the graph cannot be reached")

    return build_server(refuse, load({}))


async def listed(server: MCPServer[Any], era: Any) -> list[Tool]:
    """tools/list."""
    async with Client(server, mode=era) as client:
        return (await client.list_tools()).tools


def keywords(schema: Any) -> Iterator[str]:
    """Every key anywhere in a schema."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            yield key
            yield from keywords(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from keywords(item)


async def test_tools_arguments_and_defaults_are_exactly_the_promised_ones(tools: list[Tool]) -> None:
    """A published default is the one that holds; one that means `inherit` is not published."""
    found = {
        tool.name: (
            tool.input_schema["required"],
            {
                name: field.get("default")
                for name, field in tool.input_schema["properties"].items()
                if name not in tool.input_schema["required"]
            },
        )
        for tool in tools
    }
    assert {name: (sorted(required), rest) for name, (required, rest) in found.items()} == {
        name: (sorted(required), rest) for name, (required, rest) in ARGUMENTS.items()
    }


async def test_listing_is_the_same_in_both_eras_and_every_time(tools: list[Tool], era: Any) -> None:
    """A client's prompt cache holds across protocol revisions and restarts."""
    again = await listed(unreachable(), era)
    assert [tool.model_dump() for tool in again] == [tool.model_dump() for tool in tools]


async def test_every_verb_for_agents_is_a_tool(tools: list[Tool]) -> None:
    """But for what people alone decide."""
    assert {tool.name for tool in tools} == {verb.name for verb in VERBS if verb.tool}


async def test_schemas_hold_to_what_every_client_accepts(tools: list[Tool]) -> None:
    """Objects with described properties, lists with items, no unions, references or nulls, nothing else allowed."""
    for tool in tools:
        schema = tool.input_schema
        assert (schema["type"], schema["additionalProperties"]) == ("object", False)
        assert {"anyOf", "oneOf", "allOf", "not", "$ref", "$defs", "prefixItems"}.isdisjoint(keywords(schema))
        for field in schema["properties"].values():
            assert field["type"] in ("string", "integer", "number", "boolean", "array")
            assert field["description"]
            assert field["type"] != "array" or field["items"]["type"] == "string"
            assert field.get("default", "") is not None
        assert tool.output_schema is None


async def test_words_are_short_plain_ascii(tools: list[Tool]) -> None:
    """A cut in the middle of a wide character breaks some clients; names stay under the smallest limit in the field."""
    for tool in tools:
        texts = [tool.name, tool.title or "", tool.description or "", str(tool.input_schema)]
        assert all(text.isascii() and text for text in texts)
        assert len("hydramind" + tool.name) <= 60
        assert 40 < len(tool.description or "") < 1_000


async def test_hints_say_what_a_tool_does(tools: list[Tool]) -> None:
    """Read-only, destructive, idempotent, and never the open world."""
    found = {}
    for tool in tools:
        hints = tool.annotations
        assert hints is not None
        assert hints.open_world_hint is False
        found[tool.name] = (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint)
    reads = dict.fromkeys(ARGUMENTS, (True, False, True))
    assert found == reads | {
        "remember": (False, False, True),
        "relate": (False, False, True),
        "revise": (False, False, False),
        "forget": (False, True, True),
    }


async def test_only_recall_and_remember_ask_to_be_in_view(tools: list[Tool]) -> None:
    """The rest is found when it is searched for."""
    shown = {tool.name for tool in tools if (tool.meta or {}).get("anthropic/alwaysLoad")}
    assert shown == {"recall", "remember"}


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_instructions_open_with_when_to_call(mode: Any) -> None:
    """Some clients show 250 characters, none more than 4,096; both handshake and discovery carry them."""
    async with Client(unreachable(), mode=mode) as client:
        instructions = client.instructions
    assert instructions is not None
    assert instructions.isascii()
    assert len(instructions) < 4_096
    window = instructions[:250]
    assert "Call recall before" in window
    assert "Call remember after" in window
    assert "scope" in window


async def test_missing_graph_is_a_tool_error_that_says_what_to_do(era: Any) -> None:
    """Listing works without it; a call explains itself."""
    async with Client(unreachable(), mode=era) as client:
        result = await client.call_tool("recall", {"query": "x", "scope": "s"})
    assert result.is_error
    assert "the graph cannot be reached. Go on without memory for now" in str(result.content)
