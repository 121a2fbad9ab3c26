"""The node's log: one file and one older one, so at most twice `LIMIT_BYTES` on disk."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

LIMIT_BYTES = 2_000_000


class BoundedLog:
    """Appends lines; safe from several threads. Lines that do not fit on a full disk are counted and told of later."""

    def __init__(self, path: Path, limit_bytes: int = LIMIT_BYTES) -> None:
        self._path = path
        self._limit_bytes = limit_bytes
        self._lost = 0
        self._mutex = threading.Lock()

    def note(self, text: str) -> None:
        """A remark of the keeper's own, with the time in UTC."""
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self.write(f"{stamp} keeper: {text}\n".encode("utf-8", "replace"))

    def write(self, line: bytes) -> None:
        """One line, newline included."""
        with self._mutex:
            try:
                if self._lost:
                    self._append(f"keeper: {self._lost} lines lost, the log could not be written\n".encode())
                    self._lost = 0
                self._append(line)
            except OSError:
                self._lost += 1

    def _append(self, line: bytes) -> None:
        descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(descriptor, line)
            size = os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)
        if size > self._limit_bytes:
            os.replace(self._path, self._path.with_name(self._path.name + ".1"))
