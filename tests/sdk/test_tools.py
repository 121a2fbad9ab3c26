"""The MCP tools as functions: the same list, and calls that answer with the same text."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from mcp.client import Client

from hydramind import HydraMind, HydraMindClient
from hydramind.errors import Invalid, NotFound, Unavailable
from hydramind.mcp_server import build_server
from hydramind.settings import load
from tests.sdk.conftest import Mind

ROOT = Path(__file__).parents[2]


async def test_the_tools_are_those_of_the_mcp_server() -> None:
    """Name, description and parameters of each, in its order; they are JSON."""

    async def closed() -> object:
        raise Unavailable("the graph cannot be reached")

    async with Client(build_server(closed, load({}))) as client:  # type: ignore[arg-type]
        listed = [
            {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
            for tool in (await client.list_tools()).tools
        ]
    for face in (HydraMind, HydraMindClient):
        assert json.loads(json.dumps(face.tool_schemas())) == listed


async def test_a_call_answers_with_text(either: Mind, scope: str) -> None:
    """What is remembered by one tool is recalled by another; stored words are quoted."""
    kept = await either.call_tool("remember", {"content": "The kiln is at 900 degrees", "scope": scope})
    assert kept.startswith("remembered")
    found = await either.call_tool("recall", {"query": "kiln degrees", "scope": scope, "limit": None})
    assert '"The kiln is at 900 degrees"' in found


@pytest.mark.parametrize(
    ("name", "arguments", "field"),
    [
        ("reinstate", {}, "name"),
        ("stats", {}, "name"),
        ("recall", {"query": "x", "as_of": "2026-01-01T00:00:00Z"}, "as_of"),
        ("recall", {"query": ""}, "query"),
    ],
)
async def test_what_is_not_listed_is_refused(either: Mind, name: str, arguments: dict[str, str], field: str) -> None:
    """A name or an argument that no tool has, and a value that the verb does not take."""
    with pytest.raises(Invalid) as caught:
        await either.call_tool(name, {"scope": "s", **arguments})
    assert caught.value.field == field


async def test_a_failure_is_raised_as_by_the_method(either: Mind, scope: str) -> None:
    """An unknown memory is not found."""
    with pytest.raises(NotFound, match="'5'"):
        await either.call_tool("forget", {"memory_id": "5", "scope": scope})


def test_the_mcp_sdk_comes_with_the_first_look_at_the_tools_only() -> None:
    """Who asks for no tools does not wait for it."""
    code = (
        "import sys\nfrom hydramind import HydraMindClient\nbefore = 'mcp' in sys.modules\n"
        "HydraMindClient.tool_schemas()\nsys.exit(before or 'mcp' not in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
