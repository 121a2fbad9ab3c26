"""Which turn stands before and after which, in which conversation, who speaks, and how a turn speaks."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Collection, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hydramind.index.columns import Column
from hydramind.index.rows import RowTable
from hydramind.index.terms import Terms
from hydramind.mind import text
from hydramind.records import Memory, MemoryKind

NOBODY: Final = -1
Order = tuple[int, int, int]
Ordinals = NDArray[np.int32]
Mask = NDArray[np.bool_]

_ASKS: Final = re.compile("[?\uff1f\u061f]")
_OF_ONESELF: Final = frozenset({"i", "my", "me", "we", "our", "mine", "us", "myself"})


class Conversations:
    """Documents are the rows of a table, taken in the order of their ordinals, whatever the order of their times; only turns
    with a session have neighbours."""

    def __init__(self, rows: RowTable) -> None:
        self._rows = rows
        self._before = Column(np.int32)
        self._after = Column(np.int32)
        self._speaker = Column(np.int32)
        self._session = Column(np.int32)
        self._asks = Column(np.bool_)
        self._of_oneself = Column(np.bool_)
        self._numbers: dict[str, int] = {}
        self._turns: list[array[int]] = []
        self._speakers: dict[tuple[str, ...], int] = {}
        self._by_source: dict[str, int] = {}

    def extend(self, memories: Sequence[Memory], terms: Terms) -> None:
        """Place the next rows of the table, which holds them already: by event time, then by when told, then by id."""
        first = len(self._session)
        turns = [memory.kind == MemoryKind.TURN for memory in memories]
        nobody = np.full(len(memories), NOBODY, np.int32)
        for column in (self._before, self._after, self._session):
            column.extend(nobody)
        told = list(zip(memories, turns, strict=True))
        self._speaker.extend([self._speaker_of(memory.source) if turn else NOBODY for memory, turn in told])
        self._asks.extend([turn and _ASKS.search(memory.content) is not None for memory, turn in told])
        self._of_oneself.extend(
            [turn and not _OF_ONESELF.isdisjoint(terms.words(memory.content)) for memory, turn in told]
        )
        for ordinal, (memory, turn) in enumerate(told, first):
            if turn and memory.session:
                self._place(ordinal, memory.session)

    @property
    def any(self) -> bool:
        """Whether any turn belongs to a conversation."""
        return bool(self._turns)

    def neighbours(self) -> tuple[Ordinals, Ordinals]:
        """(n,) ordinals of the turn before and of the turn after each document, -1 for none."""
        return self._before.view(), self._after.view()

    def sessions(self) -> tuple[Ordinals, int]:
        """(n,) number of the conversation of each document, -1 for none, and how many conversations there are."""
        return self._session.view(), len(self._turns)

    @property
    def asks(self) -> Mask:
        """(n,) whether a turn asks something."""
        return self._asks.view()

    @property
    def of_oneself(self) -> Mask:
        """(n,) whether a turn speaks of its speaker in the first person."""
        return self._of_oneself.view()

    def spoken_by(self, words: Collection[str]) -> Mask:
        """(n,) whether a document is a turn of somebody whose whole name is among the folded `words`."""
        named = [code for name, code in self._speakers.items() if all(part in words for part in name)]
        if not named:
            return np.zeros(len(self._speaker.view()), np.bool_)
        return np.isin(self._speaker.view(), named)

    def spoken(self) -> Mask:
        """(n,) whether a document is a turn of somebody."""
        return self._speaker.view() != NOBODY

    def _speaker_of(self, source: str) -> int:
        code = self._by_source.get(source)
        if code is None:
            name = tuple(text.words(source))
            code = self._speakers.setdefault(name, len(self._speakers)) if name else NOBODY
            self._by_source[source] = code
        return code

    def _place(self, ordinal: int, session: str) -> None:
        number = self._numbers.setdefault(session, len(self._turns))
        if number == len(self._turns):
            self._turns.append(array("i"))
        self._session[ordinal] = number
        turns = self._turns[number]
        order = self._order(ordinal)
        # Turns mostly come in the order they were said.
        late = not turns or self._order(turns[-1]) < order
        at = len(turns) if late else bisect_left(turns, order, key=self._order)
        turns.insert(at, ordinal)
        if at > 0:
            self._join(turns[at - 1], ordinal)
        if at + 1 < len(turns):
            self._join(ordinal, turns[at + 1])

    def _order(self, ordinal: int) -> Order:
        return (
            self._rows.number("event_time", ordinal),
            self._rows.number("created_at", ordinal),
            self._rows.number("id", ordinal),
        )

    def _join(self, earlier: int, later: int) -> None:
        self._after[earlier] = later
        self._before[later] = earlier
