"""Which turn stands before and after which, in which conversation, who speaks, and how a turn speaks."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hydramind.index.columns import Column
from hydramind.mind import text
from hydramind.records import Memory, MemoryKind

NOBODY: Final = -1
Order = tuple[int, int, int]
Ordinals = NDArray[np.int32]
Mask = NDArray[np.bool_]

_ASKS: Final = re.compile("[?\uff1f\u061f]")
_OF_ONESELF: Final = frozenset({"i", "my", "me", "we", "our", "mine", "us", "myself"})


class Conversations:
    """Documents are added in any order, each with the next ordinal; only turns with a session have neighbours."""

    def __init__(self) -> None:
        self._before = Column(np.int32)
        self._after = Column(np.int32)
        self._speaker = Column(np.int32)
        self._session = Column(np.int32)
        self._asks = Column(np.bool_)
        self._of_oneself = Column(np.bool_)
        self._sessions: dict[str, tuple[int, list[Order], list[int]]] = {}
        self._speakers: dict[tuple[str, ...], int] = {}

    def add(self, memory: Memory) -> None:
        """Place the next document: by event time, then by when it was told, then by id."""
        ordinal = len(self._before.view())
        turn = memory.kind == MemoryKind.TURN
        self._before.append(NOBODY)
        self._after.append(NOBODY)
        self._speaker.append(self._speaker_of(memory.source) if turn else NOBODY)
        self._session.append(NOBODY)
        self._asks.append(turn and _ASKS.search(memory.content) is not None)
        self._of_oneself.append(turn and not _OF_ONESELF.isdisjoint(text.words(memory.content)))
        if turn and memory.session:
            self._place(ordinal, memory)

    @property
    def any(self) -> bool:
        """Whether any turn belongs to a conversation."""
        return bool(self._sessions)

    def neighbours(self) -> tuple[Ordinals, Ordinals]:
        """(n,) ordinals of the turn before and of the turn after each document, -1 for none."""
        return self._before.view(), self._after.view()

    def sessions(self) -> tuple[Ordinals, int]:
        """(n,) number of the conversation of each document, -1 for none, and how many conversations there are."""
        return self._session.view(), len(self._sessions)

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
        name = tuple(text.words(source))
        return self._speakers.setdefault(name, len(self._speakers)) if name else NOBODY

    def _place(self, ordinal: int, memory: Memory) -> None:
        order: Order = (memory.event_time, memory.created_at, memory.id)
        number, orders, ordinals = self._sessions.setdefault(memory.session, (len(self._sessions), [], []))
        self._session[ordinal] = number
        at = bisect_left(orders, order)
        orders.insert(at, order)
        ordinals.insert(at, ordinal)
        if at > 0:
            self._join(ordinals[at - 1], ordinal)
        if at + 1 < len(ordinals):
            self._join(ordinal, ordinals[at + 1])

    def _join(self, earlier: int, later: int) -> None:
        self._after[earlier] = later
        self._before[later] = earlier
