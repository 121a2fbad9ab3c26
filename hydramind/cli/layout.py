"""Aligned text tables: wide characters count double, control characters never reach the terminal, colour only where wanted."""

from __future__ import annotations

import os
import shutil
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TextIO

_GAP: Final = "  "
_NARROWEST: Final = 24
"""The last column is never narrower, whatever the terminal."""
_JOINERS: Final = frozenset("\u200c\u200d")
_COLOURS: Final[Mapping[str, str]] = {"head": "1", "good": "32", "warn": "33", "bad": "31", "dim": "2"}


@dataclass(frozen=True, slots=True)
class Screen:
    """Where text goes: `width` in columns, None for no limit; `colour` whether escape codes are wanted."""

    width: int | None = None
    colour: bool = False

    @classmethod
    def of(cls, stream: TextIO) -> Screen:
        """The terminal behind `stream`; a pipe or file has no width and no colour, NO_COLOR has none either."""
        if not stream.isatty():
            return cls()
        plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        return cls(shutil.get_terminal_size().columns, not plain)

    def paint(self, text: str, colour: str) -> str:
        """`text` in a colour by its meaning: head, good, warn, bad, dim, or "" for none."""
        return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if self.colour and colour and text else text


@dataclass(frozen=True, slots=True)
class Cell:
    """One value of a table and the meaning of its colour."""

    text: str
    colour: str = ""


def number(value: float) -> Cell:
    """A trust or score with two decimals."""
    return Cell(f"{value:.2f}")


def table(heads: Sequence[str], rows: Sequence[Sequence[str | Cell]], screen: Screen, most: int = 4) -> str:
    """Aligned columns under `heads`; the last column takes what is left of the width and runs on for up to `most` lines."""
    if not rows:
        return ""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(columns(cell.text) for cell in column) for column in zip(_heads(heads), *cells, strict=True)]
    if screen.width is not None:
        taken = sum(widths[:-1]) + len(_GAP) * (len(widths) - 1)
        widths[-1] = min(widths[-1], max(_NARROWEST, screen.width - taken))
    return "\n".join(line for row in [_heads(heads), *cells] for line in _lines(row, widths, screen, most))


def plain(text: str) -> str:
    """`text` on one line, safe for a terminal: white space collapsed, what does not print replaced by a space."""
    visible = "".join(char if char.isprintable() or char in _JOINERS else " " for char in text)
    return " ".join(visible.split())


def columns(text: str) -> int:
    """Terminal columns that `text` takes: 2 for wide and full-width characters, 0 for marks and format characters."""
    return sum(_columns(char) for char in text)


def cut(text: str, width: int) -> str:
    """`text` within `width` columns, ended by an ellipsis when something was left out."""
    if columns(text) <= width:
        return text
    return _fitting(text, width - 1).rstrip() + "…"


def wrapped(text: str, width: int, most: int) -> list[str]:
    """`text` in lines of at most `width` columns, broken between words where there are any; the line `most` is cut."""
    lines, rest = list[str](), text
    while len(lines) < most - 1 and columns(rest) > width:
        head = _fitting(rest, width) or rest[0]
        space = head.rfind(" ") if not rest[len(head) :].startswith(" ") else len(head)
        head = head[:space] if space > 0 else head
        lines.append(head.rstrip())
        rest = rest[len(head) :].lstrip()
    return [*lines, cut(rest, width)]


def _fitting(text: str, width: int) -> str:
    """The longest beginning of `text` within `width` columns."""
    room = width
    for index, char in enumerate(text):
        room -= _columns(char)
        if room < 0:
            return text[:index]
    return text


def _columns(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def _cell(value: str | Cell) -> Cell:
    cell = value if isinstance(value, Cell) else Cell(value)
    return Cell(plain(cell.text), cell.colour)


def _heads(heads: Sequence[str]) -> list[Cell]:
    return [Cell(head, "head") for head in heads]


def _lines(row: Sequence[Cell], widths: Sequence[int], screen: Screen, most: int) -> list[str]:
    """One row: its cells padded, and below the last one what did not fit beside the others."""
    first = [_padded(cell, width, screen) for cell, width in zip(row[:-1], widths[:-1], strict=True)]
    indent = " " * sum(width + len(_GAP) for width in widths[:-1])
    last = [screen.paint(text, row[-1].colour) for text in wrapped(row[-1].text, widths[-1], most)]
    return [_GAP.join([*first, last[0]]).rstrip(), *(indent + text for text in last[1:])]


def _padded(cell: Cell, width: int, screen: Screen) -> str:
    return screen.paint(cell.text, cell.colour) + " " * (width - columns(cell.text))
