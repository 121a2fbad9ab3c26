"""The rows of a scope by ordinal, a column a field: numbers in arrays, recurring words as codes, texts in one arena."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from itertools import accumulate, pairwise
from operator import attrgetter
from typing import Any, Final, get_type_hints

import numpy as np
from numpy.typing import NDArray

from hydramind.index.columns import Column
from hydramind.records import Memory

_NUMBERS: Final = {int: np.int64, float: np.float64, bool: np.bool_}
_RECURRING: Final = frozenset({"scope", "kind", "source", "status", "fact_type", "session", "write_phase"})
"""Text fields with few distinct values, each kept once. Any other text field goes to the arena."""

_TYPES: Final = get_type_hints(Memory)
_NAMES: Final = tuple(field.name for field in fields(Memory))
_TEXTS: Final = tuple(name for name in _NAMES if _TYPES[name] is str and name not in _RECURRING)
_texts_of: Final[Callable[[Memory], tuple[str, ...]]] = attrgetter(*_TEXTS)

_TOGETHER: Final = 128
"""Rows that are read at once by whoever goes through all."""
_SMALLEST: Final = 65_536
"""Bytes of an arena below which nothing is gained by tidying it."""


class RowTable:
    """Rows are numbered in the order they were added. A row comes back equal to the one put in."""

    def __init__(self) -> None:
        self._numbers: dict[str, Column[Any]] = {
            name: Column(_NUMBERS[_TYPES[name]]) for name in _NAMES if _TYPES[name] in _NUMBERS
        }
        self._codes = {name: Column(np.int32) for name in _NAMES if name in _RECURRING}
        self._words: list[str] = []
        self._code_of: dict[str, int] = {}
        self._arena = bytearray()
        self._starts = Column(np.int64)
        self._lengths = [Column(np.int32) for _ in _TEXTS]
        self._dead = 0

    def __len__(self) -> int:
        return len(self._starts)

    @property
    def bytes_of_text(self) -> int:
        """Bytes of the arena, those that no row uses any more included."""
        return len(self._arena)

    def column(self, name: str) -> NDArray[Any]:
        """(n,) the values of a field of numbers; a window that is valid until the next write."""
        return self._numbers[name].view()

    def number(self, name: str, ordinal: int) -> Any:
        """One value of a field of numbers."""
        return self._numbers[name].item(ordinal)

    def extend(self, memories: Sequence[Memory]) -> None:
        """Add rows at the end."""
        for name, column in self._numbers.items():
            column.extend([getattr(memory, name) for memory in memories])
        for name, column in self._codes.items():
            column.extend([self._code(getattr(memory, name)) for memory in memories])
        texts = [[_encoded(text) for text in _texts_of(memory)] for memory in memories]
        for at, lengths in enumerate(self._lengths):
            lengths.extend([len(row[at]) for row in texts])
        joined = [b"".join(row) for row in texts]
        sizes = np.array([len(row) for row in joined], np.int64)
        self._starts.extend(len(self._arena) + np.cumsum(sizes) - sizes)
        self._arena += b"".join(joined)

    def replace(self, ordinal: int, memory: Memory) -> None:
        """Put another row in the place of one; texts that stay the same cost nothing."""
        for name, column in self._numbers.items():
            column[ordinal] = getattr(memory, name)
        for name, column in self._codes.items():
            column[ordinal] = self._code(getattr(memory, name))
        texts = [_encoded(text) for text in _texts_of(memory)]
        if texts == self._parts(ordinal):
            return
        self._dead += sum(lengths.item(ordinal) for lengths in self._lengths)
        self._starts[ordinal] = len(self._arena)
        for lengths, text in zip(self._lengths, texts, strict=True):
            lengths[ordinal] = len(text)
        self._arena += b"".join(texts)
        if len(self._arena) > _SMALLEST and 2 * self._dead > len(self._arena):
            self._tidy()

    def row(self, ordinal: int) -> Memory:
        """The row of an ordinal."""
        values: dict[str, Any] = {name: column.item(ordinal) for name, column in self._numbers.items()}
        for name, column in self._codes.items():
            values[name] = self._words[column.item(ordinal)]
        for name, text in zip(_TEXTS, self._parts(ordinal), strict=True):
            values[name] = _decoded(text)
        return Memory(**values)

    def rows_at(self, ordinals: NDArray[np.integer[Any]]) -> list[Memory]:
        """The rows of some ordinals, in their order; several cost far less than one after the other."""
        return list(self._read(ordinals))

    def rows(self, start: int = 0) -> Iterator[Memory]:
        """Every row from an ordinal on, in order; a row that is replaced meanwhile comes as it was or as it is."""
        while start < len(self):
            stop = min(start + _TOGETHER, len(self))
            yield from self._read(slice(start, stop))
            start = stop

    def _read(self, where: slice | NDArray[np.integer[Any]]) -> Iterator[Memory]:
        columns: dict[str, list[Any]] = {name: column.view()[where].tolist() for name, column in self._numbers.items()}
        for name, column in self._codes.items():
            columns[name] = [self._words[code] for code in column.view()[where].tolist()]
        at = self._starts.view()[where].tolist()
        for name, column in zip(_TEXTS, self._lengths, strict=True):
            ends = [begin + length for begin, length in zip(at, column.view()[where].tolist(), strict=True)]
            columns[name] = [_decoded(self._arena[begin:end]) for begin, end in zip(at, ends, strict=True)]
            at = ends
        return map(Memory, *(columns[name] for name in _NAMES))

    def _parts(self, ordinal: int) -> list[bytearray]:
        """The texts of a row, in the order of `_TEXTS`."""
        ends = list(accumulate((column.item(ordinal) for column in self._lengths), initial=self._starts.item(ordinal)))
        return [self._arena[begin:end] for begin, end in pairwise(ends)]

    def _code(self, word: str) -> int:
        code = self._code_of.get(word)
        if code is None:
            code = self._code_of[word] = len(self._words)
            self._words.append(word)
        return code

    def _tidy(self) -> None:
        """Write the arena anew, without what no row uses."""
        sizes = np.zeros(len(self), np.int64)
        for column in self._lengths:
            sizes += column.view()
        old = bytes(self._arena)
        spans = zip(self._starts.view().tolist(), sizes.tolist(), strict=True)
        self._arena = bytearray(b"".join([old[begin : begin + size] for begin, size in spans]))
        self._starts.view()[:] = np.cumsum(sizes) - sizes
        self._dead = 0


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decoded(text: bytearray) -> str:
    return text.decode("utf-8", "surrogatepass")
