"""Finds where the elements of a JSON list end, a piece of the file at a time, so that a large list is never held whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_OUTSIDE: Final = re.compile(rb'["\[\]{},]')
_INSIDE: Final = re.compile(rb'["\\]')
_BLANK: Final = b" \t\r\n"


class Splitter:
    """Goes by brackets, strings and commas alone; whether an element is JSON is for its decoder to say. `line` is where
    the element being read starts, `closed` whether the list has ended, `rest` what is not given out yet."""

    def __init__(self, largest: int) -> None:
        self._largest = largest
        self._depth = 0
        self._in_text = False
        self._skip = 0
        self._given = 0
        self.rest = bytearray()
        self.line = 1
        self.closed = False

    @property
    def oversized(self) -> bool:
        """Whether the element being read is larger than it may be."""
        return len(self.rest) > self._largest

    def feed(self, chunk: bytes) -> Iterator[tuple[int, bytes]]:
        """The elements that end in this piece, each with the line it starts on."""
        at, start = self._skip, 0
        while not self.closed and (match := (_INSIDE if self._in_text else _OUTSIDE).search(chunk, at)):
            at, mark = match.end(), match.group()
            if mark == b"\\":
                at += 1
            elif mark == b'"':
                self._in_text = not self._in_text
            elif mark in b"[{":
                self._depth += 1
                start = at if self._depth == 1 else start
            elif mark != b"," or self._depth == 1:
                self._depth -= mark != b","
                if self._depth == 0 or mark == b",":
                    yield from self._element(chunk[start : at - 1])
                    start = at
        self._skip = max(0, at - len(chunk))
        self.rest += chunk[start:]

    def _element(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """One element, or nothing where an empty list closes."""
        self.rest += data
        whole = bytes(self.rest)
        blank = len(whole) - len(whole.lstrip(_BLANK))
        self.closed = self._depth == 0
        if blank < len(whole) or self._given or not self.closed:
            yield self.line + whole[:blank].count(b"\n"), whole
        self._given += 1
        self.line += whole.count(b"\n")
        self.rest.clear()
