"""What an ingest did, and what of the file could not be used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from hydramind.errors import Invalid
from hydramind.models import Reply

Progress = Callable[[int, int], None]
"""Called with how many are done, and of how many."""

LISTED: Final = 1_000
"""Bad lines that are kept by name; further ones are counted."""


class BadLine(Reply):
    """One entry that cannot be kept: `line` counts from 1, `at` says where in it when that holds more than one entry."""

    line: int
    at: str
    field: str
    expected: str

    def text(self, file: str) -> str:
        """`file:line: at: field: expected`."""
        return ": ".join(part for part in (f"{file}:{self.line}", self.at, self.field, self.expected) if part)


class Ingested(Reply):
    """`kept` entries stand in the scope now, whether this run wrote them or an earlier one; `duplicates` of them repeat a
    fact that the scope held already. `skipped` counts what is no statement (system and tool messages, empty turns, records
    of bookkeeping). `bad_total` may exceed the bad lines listed. The scope went from `memories_before` to `memories_after`
    while it ran, by whoever wrote to it."""

    scope: str
    kept: int
    duplicates: int
    skipped: int
    bad_total: int
    bad: tuple[BadLine, ...]
    memories_before: int
    memories_after: int


class BadFile(Invalid):
    """A file with bad entries, of which nothing was written: `bad` lists them, in the file's order."""

    def __init__(self, file: str, bad: Sequence[BadLine], total: int) -> None:
        first = bad[0]
        more = f" (and {total - 1:,} more)" if total > 1 else ""
        where = ": ".join(part for part in (f"{file}:{first.line}", first.at, first.field) if part)
        super().__init__(where, f"{first.expected}{more}; nothing was written")
        self.file = file
        self.bad = tuple(bad)
        self.total = total
