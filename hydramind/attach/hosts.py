"""The hosts: where each keeps its list of MCP servers, how an entry reads there, and which file its agent reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from hydramind.attach.world import World
from hydramind.errors import Unsupported

TOKEN: Final = "HYDRAMIND_HTTP_TOKEN"  # noqa: S105

Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Host:
    """`config` and `notes` give a path for the user (project None) or for a project; None: there is no such file.

    `key` is the path of the server list inside the config. `secret` writes a reference to an environment variable.
    """

    name: str
    title: str
    format: Literal["json", "toml"]
    key: tuple[str, ...]
    config: Callable[[World, Path | None], Path | None]
    notes: Callable[[World, Path | None], Path | None]
    stdio: Callable[[World], Entry]
    http: Callable[[str, World], Entry]


def _codex_stdio(world: World) -> Entry:
    entry: Entry = {"command": world.command[0], "args": list(world.command[1:]), "startup_timeout_sec": 60}
    if world.secrets:
        entry["env_vars"] = list(world.secrets)
    return entry | _env(world.settings)


def _codex_http(url: str, world: World) -> Entry:
    return {"url": url} | ({"bearer_token_env_var": TOKEN} if TOKEN in world.secrets else {})


def _json_stdio(reference: str | None, kind: str | None = None) -> Callable[[World], Entry]:
    def entry(world: World) -> Entry:
        secrets = {name: reference.format(name) for name in world.secrets} if reference else {}
        start: Entry = {"command": world.command[0], "args": list(world.command[1:])}
        return ({"type": kind} if kind else {}) | start | _env(world.settings | secrets)

    return entry


def _json_http(key: str, reference: str, kind: str | None = None) -> Callable[[str, World], Entry]:
    def entry(url: str, world: World) -> Entry:
        headers = {"Authorization": f"Bearer {reference.format(TOKEN)}"}
        return ({"type": kind} if kind else {}) | {key: url} | ({"headers": headers} if TOKEN in world.secrets else {})

    return entry


def _desktop_http(_: str, __: World) -> Entry:
    raise Unsupported("Claude Desktop takes servers by URL in Settings > Connectors only; attach it without --http")


def _env(values: Mapping[str, str]) -> Entry:
    return {"env": dict(values)} if values else {}


def _files(user: Callable[[World], Path | None], project: str | None) -> Callable[[World, Path | None], Path | None]:
    def path(world: World, folder: Path | None) -> Path | None:
        if folder is None:
            return user(world)
        return folder / project if project else None

    return path


def _nowhere(_: World) -> Path | None:
    return None


HOSTS: Final[Mapping[str, Host]] = {
    host.name: host
    for host in (
        Host(
            "codex",
            "Codex",
            "toml",
            ("mcp_servers",),
            _files(
                lambda world: world.folder("CODEX_HOME", world.home / ".codex") / "config.toml", ".codex/config.toml"
            ),
            _files(lambda world: world.folder("CODEX_HOME", world.home / ".codex") / "AGENTS.md", "AGENTS.md"),
            _codex_stdio,
            _codex_http,
        ),
        Host(
            "claude",
            "Claude Code",
            "json",
            ("mcpServers",),
            _files(lambda world: world.folder("CLAUDE_CONFIG_DIR", world.home) / ".claude.json", ".mcp.json"),
            _files(lambda world: world.folder("CLAUDE_CONFIG_DIR", world.home / ".claude") / "CLAUDE.md", "CLAUDE.md"),
            _json_stdio("${{{}}}", "stdio"),
            _json_http("url", "${{{}}}", "http"),
        ),
        Host(
            "gemini",
            "Gemini CLI",
            "json",
            ("mcpServers",),
            _files(lambda world: world.home / ".gemini" / "settings.json", ".gemini/settings.json"),
            _files(lambda world: world.home / ".gemini" / "GEMINI.md", "GEMINI.md"),
            _json_stdio("${{{}}}"),
            _json_http("httpUrl", "${{{}}}"),
        ),
        Host(
            "cursor",
            "Cursor",
            "json",
            ("mcpServers",),
            _files(lambda world: world.home / ".cursor" / "mcp.json", ".cursor/mcp.json"),
            _files(_nowhere, "AGENTS.md"),
            _json_stdio("${{env:{}}}"),
            _json_http("url", "${{env:{}}}"),
        ),
        Host(
            "vscode",
            "VS Code",
            "json",
            ("servers",),
            _files(lambda world: world.app_config / "Code" / "User" / "mcp.json", ".vscode/mcp.json"),
            _files(_nowhere, "AGENTS.md"),
            _json_stdio("${{env:{}}}", "stdio"),
            _json_http("url", "${{env:{}}}", "http"),
        ),
        Host(
            "desktop",
            "Claude Desktop",
            "json",
            ("mcpServers",),
            _files(lambda world: world.app_config / "Claude" / "claude_desktop_config.json", None),
            _files(_nowhere, None),
            _json_stdio(None),
            _desktop_http,
        ),
    )
}
