"""Embedding vectors of a scope's documents, eight bits a number, scored exactly."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Query = NDArray[np.float32]

_BLOCK: Final = 4_096
"""Rows turned to floats at a time: a block that stays in the processor's cache."""
_LARGEST: Final = 127


def quantised(vector: NDArray[np.float32]) -> tuple[NDArray[np.int8], float]:
    """(d,) whole numbers -127..127 and the factor that turns them back; a zero vector keeps factor 0."""
    peak = float(np.abs(vector).max(initial=0.0))
    if not peak:
        return np.zeros(len(vector), np.int8), 0.0
    return np.rint(vector * (_LARGEST / peak)).astype(np.int8), peak / _LARGEST


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
        if size <= have:
            return
        extra = max(size, have * 2) - have
        self._rows = np.concatenate([self._rows, np.zeros((extra, self.dimension), np.int8)])
        self._scales = np.concatenate([self._scales, np.zeros(extra, np.float32)])
        self._present = np.concatenate([self._present, np.zeros(extra, np.bool_)])
