"""The arguments of `snapshot`, `restore`, `verify`, `rebuild` and `reembed`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

ARCHIVE_COMMANDS: Final = ("snapshot", "restore", "verify", "rebuild", "reembed")


def add_archive_commands(commands: Any) -> None:
    """Add the five commands to the sub-parsers of `hydramind`."""
    _add(
        commands,
        "snapshot",
        "Write scopes into one zip file with checksums.",
        ("file", "The file to write; it must not exist.", None),
        "A scope to take; give it once for each. Default: all scopes.",
    )
    _add(
        commands,
        "restore",
        "Bring the scopes of a snapshot into this graph, all of them or none.",
        ("file", "A file that `hydramind snapshot` wrote.", None),
        "",
    )
    _add(
        commands,
        "verify",
        "Check a snapshot file, or without one a scope of the graph: its log, trust ledger, links and projection.",
        ("file", "A snapshot to check; it is not restored and no graph is opened.", "?"),
        "A scope to check; give it once for each. Default: the name of the current directory.",
    )
    _add(
        commands,
        "rebuild",
        "Build a scope's projection again from the graph and prove that it ranks as before.",
        None,
        "A scope to rebuild; give it once for each. Default: the name of the current directory.",
    )
    _add(
        commands,
        "reembed",
        "Give a scope's memories vectors of the embedder in use, and drop those of any other; may be interrupted and repeated.",
        None,
        "A scope to embed; give it once for each. Default: the name of the current directory.",
    )


def _add(commands: Any, name: str, summary: str, file: Sequence[str | None] | None, scopes: str) -> None:
    parser = commands.add_parser(name, help=summary, description=summary)
    if file is not None:
        dest, text, count = file
        parser.add_argument(dest, type=Path, metavar="FILE", help=text, nargs=count)
    if scopes:
        parser.add_argument("--scope", action="append", dest="scopes", metavar="SCOPE", help=scopes)
    parser.add_argument("--json", action="store_true", help="Print the result as JSON.")
