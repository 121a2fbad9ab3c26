"""A growing numpy column."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Scalar = TypeVar("Scalar", bound=np.generic)


class Column(Generic[Scalar]):
    """Values by ordinal, amortised O(1) append; `view()` is a window on them without a copy."""

    def __init__(self, dtype: type[Scalar]) -> None:
        self._values: NDArray[Scalar] = np.empty(64, dtype)
        self._size = 0

    def append(self, value: Any) -> None:
        """Add a value at the end."""
        if self._size == len(self._values):
            self._values = np.resize(self._values, self._size * 2)
        self._values[self._size] = value
        self._size += 1

    def __setitem__(self, ordinal: int, value: Any) -> None:
        self._values[ordinal] = value

    def view(self) -> NDArray[Scalar]:
        """The values so far."""
        return self._values[: self._size]
