"""bm25s: BM25 (k1 1.5, b 0.75) over English stems without a stop list."""

from __future__ import annotations

from collections.abc import Sequence

import bm25s  # pyright: ignore[reportMissingImports]
import Stemmer  # pyright: ignore[reportMissingImports]

from benchmarks.peer_programs.wire import Item, Setup, serve


class Bm25:
    """One index a scope."""

    def __init__(self, setup: Setup) -> None:
        del setup
        self._stemmer = Stemmer.Stemmer("english")
        self._indexes: dict[str, tuple[bm25s.BM25, list[str]]] = {}

    def add(self, scope: str, items: Sequence[Item]) -> int:
        """Index all items at once; none is refused."""
        index = bm25s.BM25(k1=1.5, b=0.75)
        index.index(self._tokens([item.text for item in items]), show_progress=False)
        self._indexes[scope] = index, [item.id for item in items]
        return 0

    def find(self, scope: str, query: str, limit: int) -> list[str]:
        """Ids with a score above 0."""
        index, ids = self._indexes[scope]
        places, scores = index.retrieve(self._tokens([query]), k=min(limit, len(ids)), show_progress=False)
        return [ids[place] for place, score in zip(places[0], scores[0], strict=True) if score > 0]

    def _tokens(self, texts: list[str]) -> object:
        return bm25s.tokenize(texts, stopwords=None, stemmer=self._stemmer, show_progress=False)


if __name__ == "__main__":
    serve(Bm25, ["bm25s"])
