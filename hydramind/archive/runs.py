"""Sorts more lines than memory should hold: sorted runs in temporary files, merged as they are read."""

from __future__ import annotations

import heapq
import struct
import tempfile
from collections.abc import Iterator
from typing import IO, Final

from hydramind.archive.kinds import Kind, Record, line_of

_RUN_BYTES: Final = 16_000_000
"""Lines held in memory by one sorter, in bytes of their text."""
_HEAD: Final = struct.Struct(">qI")
Line = tuple[int, bytes]


class Sorter:
    """Takes rows of one kind in any order and gives their lines back in the kind's order. Close it to free its files."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self._held: list[Line] = []
        self._size = 0
        self._runs: list[IO[bytes]] = []

    def add(self, record: Record) -> None:
        """Take one row; raises `Damaged` when it cannot be a line."""
        line = line_of(record)
        self._held.append((getattr(record, self.kind.order), line))
        self._size += len(line)
        if self._size >= _RUN_BYTES:
            self._spill()

    def lines(self) -> Iterator[bytes]:
        """Every line in order; may be asked for again."""
        self._held.sort()
        for _, line in heapq.merge(self._held, *map(_read, self._runs)):
            yield line

    def close(self) -> None:
        """Remove the temporary files."""
        for run in self._runs:
            run.close()

    def _spill(self) -> None:
        self._held.sort()
        run = tempfile.TemporaryFile(prefix="hydramind-run-")  # noqa: SIM115 - lives until `close`
        for key, line in self._held:
            run.write(_HEAD.pack(key, len(line)) + line)
        self._runs.append(run)
        self._held, self._size = [], 0


def _read(run: IO[bytes]) -> Iterator[Line]:
    run.seek(0)
    while head := run.read(_HEAD.size):
        key, length = _HEAD.unpack(head)
        yield key, run.read(length)
