"""Aligned text tables: wide characters count double, control characters never reach the terminal, colour only where wanted."""

from __future__ import annotations

import os
import shutil
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TextIO

_GAP: Final = "  "
_NARROWEST: Final = 16
"""The last column is never cut to less, whatever the terminal."""
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


def table(heads: Sequence[str], rows: Sequence[Sequence[str | Cell]], screen: Screen) -> str:
    """Aligned columns under `heads`, a line each; the last column takes what is left of the width and is cut with an ellipsis."""
    if not rows:
        return ""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(columns(cell.text) for cell in column) for column in zip(_heads(heads), *cells, strict=True)]
    if screen.width is not None:
        taken = sum(widths[:-1]) + len(_GAP) * (len(widths) - 1)
        widths[-1] = min(widths[-1], max(_NARROWEST, screen.width - taken))
    lines = [_line(row, widths, screen) for row in [_heads(heads), *cells]]
    return "\n".join(lines)


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
    kept, room = list[str](), width - 1
    for char in text:
        room -= _columns(char)
        if room < 0:
            break
        kept.append(char)
    return "".join(kept).rstrip() + "…"


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


def _line(row: Sequence[Cell], widths: Sequence[int], screen: Screen) -> str:
    texts = [cut(cell.text, width) for cell, width in zip(row, widths, strict=True)]
    padding = [" " * (width - columns(text)) for text, width in zip(texts, widths, strict=True)]
    padding[-1] = ""
    painted = (screen.paint(text, cell.colour) for text, cell in zip(texts, row, strict=True))
    return _GAP.join(text + pad for text, pad in zip(painted, padding, strict=True)).rstrip()
