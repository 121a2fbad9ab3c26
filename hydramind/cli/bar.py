"""A progress bar on stderr, drawn in place a few times a second; nothing where nobody watches."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from typing import Final, TextIO

_EVERY_SECONDS: Final = 0.1
_CELLS: Final = 24


class Bar:
    """Call it with how many are done, and of how many; `clear` wipes it."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._wanted = stream.isatty()
        self._start = clock()
        self._drawn_at = float("-inf")

    def __call__(self, done: int, total: int) -> None:
        """Draw, unless it was drawn just now; the last one is always drawn."""
        now = self._clock()
        if self._wanted and (done == total or now - self._drawn_at >= _EVERY_SECONDS):
            self._drawn_at = now
            self._stream.write(f"\r{self._line(done, total, now - self._start)}\x1b[K")
            self._stream.flush()

    def clear(self) -> None:
        """Leave the line empty for what is printed next."""
        if self._wanted:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _line(self, done: int, total: int, seconds: float) -> str:
        filled = _CELLS * done // max(total, 1)
        rate = f"{done / seconds:,.0f}/s" if seconds > 0 else ""
        line = f"[{'#' * filled}{'.' * (_CELLS - filled)}] {done:,} of {total:,} {rate}"
        return line[: shutil.get_terminal_size().columns - 1]
