"""Which ordinal belongs to a number: a dictionary of whole numbers that stays small with a million of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

ABSENT: Final = -1

_FEWEST: Final = 4_096
_SHARE: Final = 16
"""Recent entries are merged once they are more than a sixteenth of all: so each is moved some sixteen times in its life."""


class Lookup:
    """Signed 64-bit numbers to ordinals; putting a number again replaces its ordinal. Most entries stand in sorted arrays,
    twelve bytes each, the latest in a dict."""

    def __init__(self) -> None:
        self._numbers = np.empty(0, np.int64)
        self._ordinals = np.empty(0, np.int32)
        self._recent: dict[int, int] = {}

    def get(self, number: int) -> int:
        """The ordinal, or `ABSENT`."""
        recent = self._recent.get(number)
        if recent is not None:
            return recent
        if not len(self._numbers):
            return ABSENT
        at = min(int(self._numbers.searchsorted(number)), len(self._numbers) - 1)
        return self._ordinals.item(at) if self._numbers.item(at) == number else ABSENT

    def find(self, numbers: Sequence[int]) -> list[int]:
        """The ordinal of each number, or `ABSENT`."""
        found: list[int] = self._settled(np.array(numbers, np.int64)).tolist()
        return [self._recent.get(number, old) for number, old in zip(numbers, found, strict=True)]

    def put(self, number: int, ordinal: int) -> None:
        """Set the ordinal of a number."""
        self._recent[number] = ordinal
        if len(self._recent) > max(_FEWEST, len(self._numbers) // _SHARE):
            self._settle()

    def _settled(self, numbers: NDArray[np.int64]) -> NDArray[np.int32]:
        if not len(self._numbers):
            return np.full(len(numbers), ABSENT, np.int32)
        at = np.minimum(self._numbers.searchsorted(numbers), len(self._numbers) - 1)
        return np.where(self._numbers[at] == numbers, self._ordinals[at], np.int32(ABSENT))

    def _settle(self) -> None:
        numbers = np.fromiter(self._recent.keys(), np.int64, len(self._recent))
        ordinals = np.fromiter(self._recent.values(), np.int32, len(self._recent))
        order = np.argsort(numbers)
        numbers, ordinals = numbers[order], ordinals[order]
        at = self._numbers.searchsorted(numbers)
        known = self._settled(numbers) != ABSENT
        self._ordinals[at[known]] = ordinals[known]
        fresh = ~known
        self._numbers = np.insert(self._numbers, at[fresh], numbers[fresh])
        self._ordinals = np.insert(self._ordinals, at[fresh], ordinals[fresh])
        self._recent = {}
