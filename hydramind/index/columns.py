"""A growing numpy column."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Scalar = TypeVar("Scalar", bound=np.generic)


class Column(Generic[Scalar]):
    """Values by ordinal, amortised O(1) append; `view()` is a window on them without a copy."""

    def __init__(self, dtype: type[Scalar]) -> None:
        self._values: NDArray[Scalar] = np.empty(64, dtype)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def append(self, value: Any) -> None:
        """Add a value at the end."""
        self._make_room(self._size + 1)
        self._values[self._size] = value
        self._size += 1

    def extend(self, values: ArrayLike) -> None:
        """Add (k,) values at the end."""
        added = np.asarray(values, self._values.dtype)
        size = self._size + len(added)
        self._make_room(size)
        self._values[self._size : size] = added
        self._size = size

    def __setitem__(self, ordinal: int, value: Any) -> None:
        self._values[ordinal] = value

    def item(self, ordinal: int) -> Any:
        """One value as Python's own type."""
        return self._values.item(ordinal)

    def view(self) -> NDArray[Scalar]:
        """The values so far."""
        return self._values[: self._size]

    def clear(self) -> None:
        """Drop every value; the room stays."""
        self._size = 0

    def _make_room(self, size: int) -> None:
        if size > len(self._values):
            # Room that nothing was written to takes no memory yet, so doubling costs addresses only.
            grown = np.empty(max(size, 2 * len(self._values)), self._values.dtype)
            grown[: self._size] = self._values[: self._size]
            self._values = grown
