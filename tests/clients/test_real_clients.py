"""Real agent hosts, attached as a user would attach them, remember and recall through the installed command."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hydramind.attach import World, run
from hydramind.models import OneMemory, Recall
from hydramind.service import HydraMind
from hydramind.settings import load
from tests.clients.model_api import model_api
from tests.clients.npm import CLAUDE, CODEX, installed, path_variable

pytestmark = [pytest.mark.clients, pytest.mark.timeout(900)]

FACT, SCOPE = "The staging database runs Postgres 16.", "clients"
CALLS = (
    ("remember", {"content": FACT, "scope": SCOPE, "entity_refs": ["staging database"]}),
    ("recall", {"query": "staging database Postgres", "scope": SCOPE}),
)
CODEX_CONFIG = """model = "stub"
model_provider = "stub"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.stub]
name = "stub"
base_url = "{url}/v1"
wire_api = "responses"

# Wait for the server before the first turn.
[mcp_servers.hydramind]
required = true
"""


@dataclass(frozen=True)
class Client:
    """A host: the prefix of our tools in its spelling, how it is set up and started."""

    host: str
    prefix: str
    prepare: Callable[[Path, str], Mapping[str, str]]
    command: Callable[[], list[str]]


def prepare_codex(home: Path, url: str) -> Mapping[str, str]:
    """Its own model provider."""
    config = home / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_text(CODEX_CONFIG.format(url=url))
    return {}


def prepare_claude(_: Path, url: str) -> Mapping[str, str]:
    """The model's address by environment."""
    quiet = (
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
        "DISABLE_AUTOUPDATER",
        "DISABLE_TELEMETRY",
        "DISABLE_ERROR_REPORTING",
    )
    return {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "stub", **dict.fromkeys(quiet, "1")}


PROMPT = "Remember where staging runs."
CLIENTS = (
    Client(
        "codex",
        "mcp__hydramind/",
        prepare_codex,
        lambda: [
            str(installed(CODEX, "codex")),
            "exec",
            "--skip-git-repo-check",
            "--dangerously-bypass-approvals-and-sandbox",
            PROMPT,
        ],
    ),
    Client(
        "claude",
        "mcp__hydramind__",
        prepare_claude,
        lambda: [
            str(installed(CLAUDE, "claude")),
            "-p",
            PROMPT,
            "--allowedTools",
            "mcp__hydramind__remember,mcp__hydramind__recall",
        ],
    ),
)


def results_of(requests: list[dict[str, Any]]) -> list[str]:
    """What the model was shown of each tool call, from the last request."""
    items = [item for item in requests[-1].get("input", ()) if item.get("type") == "function_call_output"]
    for message in requests[-1].get("messages", ()):
        content = message["content"] if isinstance(message["content"], list) else []
        items += [block for block in content if block.get("type") == "tool_result"]
    return [json.dumps(item, ensure_ascii=False) for item in items]


def hosted(command: list[str], folder: Path, environ: Mapping[str, str]) -> subprocess.CompletedProcess[bytes]:
    """The host's run, to its end."""
    return subprocess.run(command, cwd=folder, env=environ, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.host)
async def test_attached_host_remembers_and_recalls_and_the_graph_has_it(client: Client, tmp_path: Path) -> None:
    """Nothing but loopback: any other address goes to a dead proxy."""
    command = client.command()
    project, store = tmp_path / "project", tmp_path / "store"
    project.mkdir()
    settings = {"HYDRAMIND_HOME": str(store), "HYDRAMIND_NODE_IDLE_SECONDS": "20", "HYDRAMIND_EMBEDDER": "none"}
    world = World(tmp_path, "linux", settings, (str(Path(sys.executable).with_name("hydramind")),))
    with model_api([(client.prefix + name, arguments) for name, arguments in CALLS]) as (url, script):
        dead = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), "http://127.0.0.1:9")
        local = {
            "HOME": str(tmp_path),
            "PATH": path_variable(),
            "NO_PROXY": "127.0.0.1,localhost",
            "no_proxy": "127.0.0.1",
        }
        environ = {**dead, **local, **client.prepare(tmp_path, url)}
        run(client.host, world=world)
        done = await asyncio.to_thread(hosted, command, project, environ)
    assert done.returncode == 0, done.stderr.decode()[-2_000:]
    remembered, recalled = results_of(script.requests)[-2:]
    assert "remembered as memory" in remembered
    assert FACT in recalled
    assert "hydramind:begin" in json.dumps(script.requests[0]) or "Long-term memory: the hydramind tools" in json.dumps(
        script.requests[0]
    )
    async with HydraMind.open(load({}, home=store, node_idle_seconds=20, embedder="none")) as mind:
        (hit,) = (await mind.recall(Recall(query="staging Postgres", scope=SCOPE))).hits
        stored = await mind.inspect(OneMemory(memory_id=hit.memory.id, scope=SCOPE))
    assert (stored.memory.content, [entity.name for entity in stored.memory.entities]) == (FACT, ["staging database"])
