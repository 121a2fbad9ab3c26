"""Runs one verb from the command line."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hydramind.cli.console import Console
from hydramind.cli.views import scopes_text, text_of
from hydramind.errors import Invalid
from hydramind.models import OneScope, Reply

if TYPE_CHECKING:
    from hydramind.api.verb_table import Verb
    from hydramind.settings import Settings

_SOURCE = "cli"
_FROM_STDIN = frozenset({"content", "query"})


async def run_verb(args: argparse.Namespace, settings: Settings, console: Console) -> int:
    """Ask the service and print its reply; the arguments are checked before anything is opened."""
    from hydramind.service import HydraMind

    verb: Verb[Any, Any] = args.verb
    request = verb.request.parse(arguments(args, verb, settings))
    async with HydraMind.open(settings, report=console.progress) as mind:
        reply = await verb.perform(mind, request)
    _print(reply, args.json, console)
    return 0


async def run_stats(args: argparse.Namespace, settings: Settings, console: Console) -> int:
    """Counts of one scope."""
    from hydramind.service import HydraMind

    request = OneScope.parse({"scope": scope_of(args)})
    async with HydraMind.open(settings, report=console.progress) as mind:
        reply = await mind.stats(request)
    _print(reply, args.json, console)
    return 0


async def run_scopes(args: argparse.Namespace, settings: Settings, console: Console) -> int:
    """The list of scopes."""
    from hydramind.service import HydraMind

    async with HydraMind.open(settings, report=console.progress) as mind:
        found = await mind.scopes()
    if args.json:
        console.say(json.dumps({"scopes": [each.model_dump(mode="json") for each in found]}, ensure_ascii=False))
    else:
        console.say(scopes_text(found, console.screen))
    return 0


def arguments(args: argparse.Namespace, verb: Verb[Any, Any], settings: Settings) -> dict[str, Any]:
    """The request's raw fields: what was given, `-` read from standard input, the scope of the current directory."""
    given = {name: getattr(args, name, None) for name in verb.request.model_fields}
    values = {name: value for name, value in given.items() if value is not None}
    for name in _FROM_STDIN & values.keys():
        if values[name] == "-":
            values[name] = _standard_input(name)
    values["scope"] = scope_of(args)
    if "source" in verb.request.model_fields and "source" not in settings.model_fields_set:
        values.setdefault("source", _SOURCE)
    return values


def scope_of(args: argparse.Namespace) -> str:
    """`--scope`, or the name of the current directory."""
    return Path.cwd().name if args.scope is None else args.scope


def _standard_input(name: str) -> str:
    try:
        return sys.stdin.buffer.read().decode().removesuffix("\n")
    except UnicodeDecodeError as error:
        raise Invalid(name, f"standard input is not valid UTF-8 at byte {error.start}") from None


def _print(reply: Reply, as_json: bool, console: Console) -> None:
    console.say(reply.model_dump_json() if as_json else text_of(reply, console.screen))
