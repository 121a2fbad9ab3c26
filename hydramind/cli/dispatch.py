"""From the words of a command line to the one function that does it; heavy imports wait until they are needed."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from hydramind.cli.archive_grammar import ARCHIVE_COMMANDS
from hydramind.cli.console import Console, log_to_stderr
from hydramind.cli.parser import bind_grammar, grammar
from hydramind.cli.verb_run import run_scopes, run_stats, run_verb
from hydramind.settings import Settings, load

Command = Callable[[argparse.Namespace, Settings, Console], Awaitable[int]]


def dispatch(argv: Sequence[str], console: Console) -> int:
    """Run `hydramind` with these words; returns the exit code and raises what it cannot explain by one."""
    if not argv:
        return _serve_stdio()
    args = grammar().parse_args(argv)
    if args.command == "mcp":
        return _serve_stdio()
    if args.command == "attach":
        return _attach(args, console)
    settings = _settings()
    command = _COMMANDS.get(args.command, run_verb)
    return asyncio.run(_awaited(command(args, settings, console)))


def dispatch_up(name: str, argv: Sequence[str], console: Console) -> int:
    """Run `hydramind-http` or `hydramind-ui`."""
    args = bind_grammar(name).parse_args(argv)
    settings = _settings()
    ui = name == "hydramind-ui"
    host = args.host or (settings.ui_host if ui else settings.mcp_host)
    port = args.port if args.port is not None else (settings.ui_port if ui else settings.mcp_port)
    return asyncio.run(_serve(settings, host, port, args.open, console))


def _serve_stdio() -> int:
    settings = _settings()
    from hydramind.mcp_server import serve_stdio

    asyncio.run(serve_stdio(settings))
    return 0


def _attach(args: argparse.Namespace, console: Console) -> int:
    from hydramind.attach import Options, run

    options = Options(args.print_only, args.remove, args.http or "", args.project)
    console.say(run(args.host, options))
    return 0


def _settings() -> Settings:
    settings = load()
    log_to_stderr(settings.log_level)
    return settings


async def _awaited(work: Awaitable[int]) -> int:
    return await work


async def _up(args: argparse.Namespace, settings: Settings, console: Console) -> int:
    port = settings.mcp_port if args.port is None else args.port
    return await _serve(settings, args.host or settings.host, port, args.open, console)


async def _serve(settings: Settings, host: str, port: int, open_page: bool, console: Console) -> int:
    from hydramind.cli.up import run_up

    return await run_up(settings, host, port, console, open_page=open_page)


async def _node(args: argparse.Namespace, settings: Settings, console: Console) -> int:
    from hydramind.cli.node_run import run_node

    return await run_node(args, settings, console)


async def _doctor(args: argparse.Namespace, settings: Settings, console: Console) -> int:
    from hydramind.cli.doctor_run import run_doctor

    return await run_doctor(args, settings, console)


async def _ingest(args: argparse.Namespace, settings: Settings, console: Console) -> int:
    from hydramind.cli.ingest_run import run_ingest

    return await run_ingest(args, settings, console)


async def _archive(args: argparse.Namespace, settings: Settings, console: Console) -> int:
    from hydramind.cli.archive_run import run_archive

    return await run_archive(args, settings, console)


_COMMANDS: Final[Mapping[str, Command]] = {
    "up": _up,
    "node": _node,
    "doctor": _doctor,
    "stats": run_stats,
    "scopes": run_scopes,
    "ingest": _ingest,
    **dict.fromkeys(ARCHIVE_COMMANDS, _archive),
}
