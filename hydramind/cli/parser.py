"""The command line's grammar; a verb's arguments are derived from its request model, so that they cannot drift apart."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from hydramind import __version__
from hydramind.api.verb_table import VERBS, Verb
from hydramind.cli.archive_grammar import add_archive_commands

HOSTS: Final = ("codex", "claude", "gemini", "cursor", "vscode", "desktop")
_SHORT_FLAGS: Final = {"entity_refs": "--entity", "idempotency_key": "--key", "derived_from": "--from"}
_EPILOG: Final = (
    "Without a command it serves MCP over stdio: that is what agent hosts start. "
    "Settings are HYDRAMIND_* environment variables. "
    "Exit codes: 2 invalid, 3 not found, conflict or refused, 4 unavailable or misconfigured, 1 anything else."
)


class Grammar(argparse.ArgumentParser):
    """A parser without abbreviations: a mistyped flag is an error, never another flag."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"allow_abbrev": False, **options})


def grammar() -> argparse.ArgumentParser:
    """The whole command line; `command` names what was chosen, `verb` holds the verb where it is one."""
    parser = Grammar(
        "hydramind", description="Persistent memory for agents that knows when it may be wrong.", epilog=_EPILOG
    )
    parser.add_argument("--version", action="version", version=f"hydramind {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="command", required=True, parser_class=Grammar)
    _add_servers(commands)
    for verb in VERBS:
        _add_verb(commands, verb)
    _add_scoped(commands, "stats", "Count what a scope holds.")
    _add_json(commands.add_parser("scopes", help="List the scopes.", description="List the scopes."))
    _add_ingest(commands)
    add_archive_commands(commands)
    _add_doctor(commands)
    return parser


def is_list(field: FieldInfo) -> bool:
    """Whether a request field takes several values."""
    kinds = (field.annotation, *get_args(field.annotation))
    return any(get_origin(kind) is tuple for kind in kinds)


def positionals(verb: Verb[Any, Any]) -> tuple[str, ...]:
    """The required fields but the scope, in the model's order."""
    fields = verb.request.model_fields.items()
    return tuple(name for name, field in fields if field.is_required() and name != "scope")


def _add_servers(commands: Any) -> None:
    up = commands.add_parser(
        "up", help="Serve everything on one port.", description="Serve the API, MCP and health on one port."
    )
    _add_bind(up)
    commands.add_parser("mcp", help="Serve MCP over stdio (the default).", description="Serve MCP over stdio.")
    node = commands.add_parser(
        "node", help="Run the embedded graph node.", description="Control the embedded graph node."
    )
    node.add_argument("action", choices=("start", "status", "stop", "logs"))
    node.add_argument("--json", action="store_true", help="Print JSON.")
    attach = commands.add_parser(
        "attach", help="Attach an agent host.", description="Write or print a host's settings."
    )
    attach.add_argument("host", choices=HOSTS)
    attach.add_argument("--print", dest="print_only", action="store_true", help="Print what would be written.")
    attach.add_argument("--remove", action="store_true", help="Take the entry out again.")
    attach.add_argument("--http", metavar="URL", help="Attach to a running server, such as http://127.0.0.1:8788/mcp.")
    attach.add_argument(
        "--project", type=Path, metavar="FOLDER", help="Write into that project instead of the user's settings."
    )


def _add_bind(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host", help="Address to listen on; one that other machines reach needs HYDRAMIND_HTTP_TOKEN."
    )
    parser.add_argument("--port", type=_port, help="Port to listen on; 0 takes a free one.")
    parser.add_argument("--open", action="store_true", help="Open the page in the browser.")


def bind_grammar(name: str) -> argparse.ArgumentParser:
    """The grammar of `hydramind-http` and `hydramind-ui`."""
    parser = Grammar(name, description="Serve the API, MCP and health on one port; the same as `hydramind up`.")
    _add_bind(parser)
    return parser


def _add_verb(commands: Any, verb: Verb[Any, Any]) -> None:
    aliases = [verb.name] if verb.name != verb.command else []
    parser = commands.add_parser(verb.command, aliases=aliases, help=verb.summary, description=verb.summary)
    for name in positionals(verb):
        suffix = " '-' reads it from standard input." if name in ("content", "query") else ""
        parser.add_argument(name, help=f"{verb.request.model_fields[name].description or ''}{suffix}".strip() or None)
    for name, field in verb.request.model_fields.items():
        if not field.is_required():
            _add_option(parser, name, field)
    _add_scope(parser)
    _add_json(parser)
    parser.set_defaults(verb=verb)


def _add_option(parser: argparse.ArgumentParser, name: str, field: FieldInfo) -> None:
    flags = [f"--{name.replace('_', '-')}", *([_SHORT_FLAGS[name]] if name in _SHORT_FLAGS else [])]
    if field.annotation is bool:
        parser.add_argument(*flags, dest=name, action="store_true", default=None, help=_plain(field.description))
        return
    action = "append" if is_list(field) else "store"
    note = " Give it once for each." if is_list(field) else _choice(field)
    metavar = name.removesuffix("_refs").upper()
    parser.add_argument(*flags, dest=name, action=action, metavar=metavar, help=f"{_plain(field.description)}{note}")


def _choice(field: FieldInfo) -> str:
    """The words that a field takes, where it takes only those; the model checks them."""
    words = get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
    return f" One of: {', '.join(word for word in words if word)}." if words else ""


def _add_scoped(commands: Any, name: str, summary: str) -> None:
    parser = commands.add_parser(name, help=summary, description=summary)
    _add_scope(parser)
    _add_json(parser)


def _add_ingest(commands: Any) -> None:
    summary = "Keep every line or turn of a file; what an earlier run kept is not kept twice."
    parser = commands.add_parser("ingest", help=summary, description=summary)
    parser.add_argument("file", type=Path, metavar="FILE", help="JSON lines, a chat export or a transcript.")
    parser.add_argument(
        "--format",
        choices=("auto", "jsonl", "chat"),
        default="auto",
        help="jsonl: the arguments of remember on each line; chat: conversations. Default: by what the file holds.",
    )
    parser.add_argument("--session", help="The conversation, where the file names none. Default: the file's name.")
    parser.add_argument(
        "--keep-going", action="store_true", help="Keep the good lines although others are bad; exit code 1 then."
    )
    _add_scope(parser)
    _add_json(parser)


def _add_doctor(commands: Any) -> None:
    summary = "Show settings and engine, and prove the engine in a throwaway scope."
    parser = commands.add_parser("doctor", help=summary, description=summary)
    parser.add_argument("--uri", help="A Bolt engine to check instead of the configured one.")
    _add_json(parser)


def _add_scope(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--scope", help="The partition to use; default: the name of the current directory.")


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="Print the reply as JSON.")


def _plain(description: str | None) -> str:
    return (description or "").replace("%", "%%")


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"must be a number from 0 to 65535, got {text!r}")
    return int(text)
