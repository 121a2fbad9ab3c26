"""Embedding vectors of a scope's documents, eight bits a number, scored exactly."""

from __future__ import annotations

from binascii import a2b_base64
from collections.abc import Sequence
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

Query = NDArray[np.float32]
Scalar = TypeVar("Scalar", bound=np.generic)

_BLOCK: Final = 1_024
"""Rows turned to floats at a time: a block that stays in the processor's cache, and that BLAS does not share out among
threads, which on a busy machine takes ten times as long as one thread."""
_LARGEST: Final = 127


def quantised(vector: NDArray[np.float32]) -> tuple[NDArray[np.int8], float]:
    """(d,) whole numbers -127..127 and the factor that turns them back; a zero vector keeps factor 0."""
    peak = float(np.abs(vector).max(initial=0.0))
    if not peak:
        return np.zeros(len(vector), np.int8), 0.0
    return np.rint(vector * (_LARGEST / peak)).astype(np.int8), peak / _LARGEST


def unpacked(data: Sequence[str], dimension: int) -> NDArray[np.int8]:
    """(n, dimension) rows of base64 texts; raises `ValueError` where one holds another number of bytes."""
    joined = b"".join(map(a2b_base64, data))
    if len(joined) != len(data) * dimension:
        raise ValueError(f"expected {len(data)} vectors of {dimension} bytes, got {len(joined)} bytes")
    return np.frombuffer(joined, np.int8).reshape(len(data), dimension)


class VectorTable:
    """One row a document ordinal; rows without a vector are masked by `present`."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self._rows = np.zeros((64, dimension), np.int8)
        self._scales = np.zeros(64, np.float32)
        self._present = np.zeros(64, np.bool_)
        self.filled = 0

    def put(self, ordinal: int, row: NDArray[np.int8], scale: float) -> None:
        """Set a document's vector; raises `ValueError` for another length."""
        if row.shape != (self.dimension,):
            raise ValueError(f"expected a vector of {self.dimension} numbers, got shape {row.shape}")
        self._grow(ordinal + 1)
        self.filled += not self._present[ordinal]
        self._rows[ordinal] = row
        self._scales[ordinal] = scale
        self._present[ordinal] = True

    def put_all(self, ordinals: NDArray[np.int32], rows: NDArray[np.int8], scales: NDArray[np.float32]) -> None:
        """Set the vectors of several distinct documents, one row each; raises `ValueError` for another length."""
        if rows.shape != (len(ordinals), self.dimension):
            raise ValueError(f"expected {len(ordinals)} vectors of {self.dimension} numbers, got shape {rows.shape}")
        self._grow(int(ordinals.max(initial=-1)) + 1)
        self.filled += int(np.count_nonzero(~self._present[ordinals]))
        self._rows[ordinals] = rows
        self._scales[ordinals] = scales
        self._present[ordinals] = True

    def present(self, size: int) -> NDArray[np.bool_]:
        """(size,) which of the first `size` documents have a vector."""
        self._grow(size)
        return self._present[:size]

    def scores(self, query: Query, size: int) -> NDArray[np.float32]:
        """(size,) inner products with a normalised query, -1..1; 0 where there is no vector."""
        self._grow(size)
        products = np.empty(size, np.float32)
        for start in range(0, size, _BLOCK):
            stop = min(start + _BLOCK, size)
            np.matmul(self._rows[start:stop].astype(np.float32), query, out=products[start:stop])
        return products * self._scales[:size]

    def _grow(self, size: int) -> None:
        have = len(self._rows)
        if size > have:
            room = max(size, have * 2)
            self._rows = _roomier(self._rows, room)
            self._scales = _roomier(self._scales, room)
            self._present = _roomier(self._present, room)


def _roomier(values: NDArray[Scalar], room: int) -> NDArray[Scalar]:
    # Zeros that nobody wrote take no memory yet, so room for twice as many rows costs addresses only.
    grown = np.zeros((room, *values.shape[1:]), values.dtype)
    grown[: len(values)] = values
    return grown
