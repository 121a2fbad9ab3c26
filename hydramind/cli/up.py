"""`hydramind up`: everything on one port, and what to open and how to attach, one line a thing, on stderr."""

from __future__ import annotations

import asyncio
import webbrowser
from typing import TYPE_CHECKING

from hydramind import __version__
from hydramind.cli.console import Console
from hydramind.web.addresses import Policy, url_of
from hydramind.web.attach_lines import attach_lines
from hydramind.web.server import serve

if TYPE_CHECKING:
    from hydramind.service import HydraMind
    from hydramind.settings import Settings


async def run_up(settings: Settings, host: str, port: int, console: Console, *, open_page: bool) -> int:
    """Serve until a signal; 0 after a clean end."""
    opening: list[asyncio.Future[bool]] = []

    def ready(policy: Policy, mind: HydraMind) -> None:
        url = url_of(policy.host, policy.port)
        for line in announcement(url, mind.settings.embedded, guarded=bool(policy.token)):
            console.note(line)
        if open_page:
            opening.append(asyncio.get_running_loop().run_in_executor(None, webbrowser.open, url))

    await serve(settings, host, port, console.note, ready)
    return 0


def announcement(url: str, embedded: bool, *, guarded: bool) -> tuple[str, ...]:
    """The lines that `up` prints once it answers."""
    return (
        f"hydramind {__version__} is up; Ctrl+C stops it",
        f"open    {url}/",
        f"mcp     {url}/mcp",
        f"api     {url}/v1/openapi.json",
        f"health  {url}/health",
        f"graph   {'embedded node' if embedded else 'HYDRAMIND_URI'}",
        f"token   {'needed: HYDRAMIND_HTTP_TOKEN, as a bearer token' if guarded else 'none: loopback only'}",
        *(f"attach  {line}" for line in attach_lines(url, guarded=guarded)),
        "attach  hydramind attach codex|claude|gemini|cursor|vscode|desktop",
    )
