"""Stored text inside a reply: quoted so that it can neither forge a line nor end its own quote."""

from __future__ import annotations

import json
from typing import Final

from hydramind.mind.text import clean

SHORT: Final = 300
"""Characters shown of a reason, a quote or a name inside a row."""

# Line ends that JSON leaves bare but that many readers break lines at.
_LINE_ENDS: Final = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def quote(text: str, room: int = SHORT) -> str:
    """`text` as one line in double quotes, JSON escapes inside; past `room` escaped characters it is cut and says so."""
    whole = clean(text)
    shown = whole[:room]
    while len(escaped := _escape(shown)) > room:
        shown = shown[: len(shown) * room // len(escaped)]
    cut = "" if shown == whole else f" [cut, {len(whole):,} characters in all]"
    return f'"{escaped}"{cut}'


def quote_some(names: tuple[str, ...], most: int = 8) -> str:
    """Names as a quoted list; past `most` it says how many more there are."""
    listed = ", ".join(quote(name) for name in names[:most])
    return listed if len(names) <= most else f"{listed} and {len(names) - most} more"


def _escape(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1].translate(_LINE_ENDS)
