"""What the embedder makes of a question, remembered for the questions asked again."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hydramind.embed.protocol import Embedder
from hydramind.errors import HydraMindError

_KEPT: Final = 1_000


@dataclass(frozen=True, slots=True)
class Sight:
    """A question's unit vector; None where it was not asked for, there is no embedder, or `note` says why it failed."""

    vector: NDArray[np.float32] | None = None
    identity: str = ""
    ms: float = 0.0
    note: str = ""


class QuestionVectors:
    """Vectors of the latest questions; safe beside writes, because a question's vector depends on its text alone."""

    def __init__(self, embedder: Embedder | None) -> None:
        self.embedder = embedder
        self._kept: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    async def see(self, query: str) -> Sight:
        """The question as the embedder sees it; a failing embedder is told in the note, never raised."""
        if self.embedder is None:
            return Sight(note="no embedder")
        started = time.perf_counter()
        try:
            vector = await self._vector(self.embedder, query)
        except HydraMindError as error:
            return Sight(identity=self.embedder.identity, ms=_since(started), note=str(error))
        return Sight(vector, self.embedder.identity, _since(started))

    async def see_all(self, queries: Sequence[str]) -> tuple[Sight, ...]:
        """Each of the questions, in their order."""
        return tuple([await self.see(query) for query in queries])

    async def _vector(self, embedder: Embedder, query: str) -> NDArray[np.float32]:
        vector = self._kept.get(query)
        if vector is None:
            vector = self._kept[query] = (await embedder.embed_queries([query]))[0]
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(query)
        return vector


def _since(started: float) -> float:
    return (time.perf_counter() - started) * 1_000
