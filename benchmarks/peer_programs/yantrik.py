"""YantrikDB with the embedder that its package brings, one namespace a scope."""

from __future__ import annotations

from collections.abc import Sequence

from yantrikdb import YantrikDB  # pyright: ignore[reportMissingImports]

from benchmarks.peer_programs.wire import Item, Setup, serve

_NOTES = ("offline it opens with its bundled 64-dimension model; the 256-dimension one is a download from a hub",)


class Yantrik:
    """One database for all scopes."""

    def __init__(self, setup: Setup) -> None:
        self._database = YantrikDB.with_default(str(setup.folder / "memory.db"))

    def add(self, scope: str, items: Sequence[Item]) -> int:
        """One record an item at the time it was said; none is refused."""
        for item in items:
            self._database.record(item.text, metadata={"item": item.id}, namespace=scope, created_at=item.at)
        return 0

    def find(self, scope: str, query: str, limit: int) -> list[str]:
        """Its recall with defaults, except that a question changes nothing for the next one."""
        found = self._database.recall(query=query, top_k=limit, namespace=scope, skip_reinforce=True)
        return [row["metadata"]["item"] for row in found]


if __name__ == "__main__":
    serve(Yantrik, ["yantrikdb"], _NOTES)
