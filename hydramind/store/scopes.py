"""The scopes this process has open, the least recently used dropped first; a demo scope has a clock of its own."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Final

from hydramind.clock import Clock
from hydramind.embed.protocol import Embedder
from hydramind.graph.connection import Graph
from hydramind.store.scope import REMOVABLE, OpenScope

DEMO_PREFIX: Final = REMOVABLE
"""Scopes whose name starts so may be removed for good and moved in time."""
DAY_MS: Final = 86_400_000


class Scopes:
    """Open scopes by name; at most `keep` idle ones stay in memory."""

    def __init__(self, graph: Graph, clock: Clock, group: int, keep: int, embedder: Embedder | None = None) -> None:
        self._graph = graph
        self._clock = clock
        self._group = group
        self._keep = keep
        self._embedder = embedder
        self._open: OrderedDict[str, OpenScope] = OrderedDict()
        self._skipped: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._open)

    def get(self, name: str) -> OpenScope:
        """The scope of that name, opened on first use; nothing is read yet."""
        scope = self._open.get(name)
        if scope is None:
            clock = (lambda: self.now(name)) if name.startswith(DEMO_PREFIX) else self._clock
            scope = self._open[name] = OpenScope(self._graph, name, clock, self._group, self._embedder)
        self._open.move_to_end(name)
        self._drop_idle()
        return scope

    def drop(self, name: str) -> None:
        """Forget a projection; the next use rebuilds it from the graph."""
        scope = self._open.get(name)
        if scope is not None and not scope.busy:
            del self._open[name]

    def now(self, name: str) -> int:
        """Epoch milliseconds on the clock of a scope."""
        return self._clock() + self.skipped_ms(name)

    def skipped_ms(self, name: str) -> int:
        """How far a scope's clock is from the real one; 0 for any scope that was not moved."""
        return self._skipped.get(name, 0)

    def skip(self, name: str, ms: int) -> None:
        """Move the clock of a demo scope, in this process only; raises `ValueError` for any other."""
        if not name.startswith(DEMO_PREFIX):
            raise ValueError(f"{name!r} is not a demo scope")
        self._skipped[name] = self.skipped_ms(name) + ms

    def held(self) -> Iterator[OpenScope]:
        """The open scopes, in no order."""
        return iter(tuple(self._open.values()))

    async def retire(self, name: str) -> None:
        """Forget a scope with its projection and its clock, after the writes that wait in it."""
        scope = self._open.pop(name, None)
        if scope is not None:
            await scope.close()
        self._skipped.pop(name, None)

    async def close(self) -> None:
        """Let every waiting write finish."""
        for scope in self._open.values():
            await scope.close()

    def _drop_idle(self) -> None:
        excess = len(self._open) - self._keep
        for name in [name for name, scope in self._open.items() if not scope.busy][: max(0, excess)]:
            del self._open[name]
