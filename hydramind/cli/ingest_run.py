"""`hydramind ingest FILE`: a summary on stdout; the bar, and the lines that could not be kept, on stderr."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Final

from hydramind.cli.bar import Bar
from hydramind.cli.console import Console
from hydramind.cli.failures import OTHER
from hydramind.cli.layout import plain
from hydramind.cli.verb_run import scope_of
from hydramind.ingest.report import BadFile, BadLine, Ingested
from hydramind.sdk.embedded import HydraMind
from hydramind.service import HydraMind as Service
from hydramind.settings import Settings

_SHOWN: Final = 20


async def run_ingest(args: argparse.Namespace, settings: Settings, console: Console) -> int:
    """Ingest the file; 1 when some of it could not be kept."""
    bar = Bar(console.stderr)
    try:
        async with Service.open(settings, report=console.progress) as service:
            done = await HydraMind(service).ingest(
                args.file,
                scope_of(args),
                format=args.format,
                session=args.session or "",
                keep_going=args.keep_going,
                progress=bar,
            )
    except BadFile as error:
        _list(error.file, error.bad, error.total, console)
        raise
    finally:
        bar.clear()
    _list(args.file.name, done.bad, done.bad_total, console)
    console.say(done.model_dump_json() if args.json else _summary(done))
    return OTHER if done.bad_total else 0


def _list(file: str, bad: Iterable[BadLine], total: int, console: Console) -> None:
    for number, each in enumerate(bad):
        if number == _SHOWN:
            console.note(f"... and {total - _SHOWN:,} more")
            break
        console.note(plain(each.text(file)))


def _summary(done: Ingested) -> str:
    parts = [f"kept {done.kept:,}"]
    parts += [f"{done.duplicates:,} of them known before"] if done.duplicates else []
    parts += [f"passed over {done.skipped:,} that nobody said"] if done.skipped else []
    parts += [f"{done.bad_total:,} could not be kept"] if done.bad_total else []
    return f"{', '.join(parts)}; {done.scope} has {done.memories_after:,} memories, {done.memories_before:,} before"
