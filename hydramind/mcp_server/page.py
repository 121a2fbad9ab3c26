"""A text reply: a head line, rows and closing notes, never longer than a client shows in full."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from hydramind.mcp_server.quoting import quote

MOST_CHARACTERS: Final = 20_000
_SMALLEST_ROOM: Final = 200
_RESERVE: Final = 300
"""Characters kept free for the note that rows were left out."""
_CUT_NOTE: Final = 40
"""Characters that the quotes and the note about a cut text take at most."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line: `before`, then stored `text` quoted, then `after`. `before` and `after` hold no unquoted stored text."""

    before: str
    text: str
    after: str = ""

    def line(self, room: int) -> str:
        """The row with at most about `room` characters in all, unless `before` and `after` need more."""
        left = room - len(self.before) - len(self.after) - _CUT_NOTE
        return f"{self.before}{quote(self.text, max(left, _SMALLEST_ROOM))}{self.after}"


@dataclass(frozen=True, slots=True)
class Page:
    """`head` always shows; `rows` share what room is left and are cut off at the end first; `notes` follow them."""

    head: str
    rows: tuple[Row | str, ...] = ()
    notes: tuple[str, ...] = ()

    def with_notes(self, notes: Iterable[str]) -> Page:
        """The same page with more closing notes."""
        return Page(self.head, self.rows, (*self.notes, *notes))

    def text(self, most: int = MOST_CHARACTERS) -> str:
        """The reply, at most `most` characters; rows that do not fit are counted, not dropped silently."""
        free = most - _RESERVE - sum(len(line) + 1 for line in (self.head, *self.notes))
        room = free // max(len(self.rows), 1) - 1
        lines, used = list[str](), 0
        for row in self.rows:
            line = row if isinstance(row, str) else row.line(room)
            used += len(line) + 1
            if used > free:
                break
            lines.append(line)
        left_out = len(self.rows) - len(lines)
        if left_out:
            lines.append(f"[{left_out} of {len(self.rows)} rows left out to keep the reply under {most:,} characters]")
        return "\n".join((self.head, *lines, *self.notes))
