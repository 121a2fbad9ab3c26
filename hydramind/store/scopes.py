"""The scopes this process has open, the least recently used dropped first."""

from __future__ import annotations

from collections import OrderedDict

from hydramind.clock import Clock
from hydramind.graph.connection import Graph
from hydramind.store.scope import OpenScope


class Scopes:
    """Open scopes by name; at most `keep` idle ones stay in memory."""

    def __init__(self, graph: Graph, clock: Clock, group: int, keep: int) -> None:
        self._graph = graph
        self._clock = clock
        self._group = group
        self._keep = keep
        self._open: OrderedDict[str, OpenScope] = OrderedDict()

    def __len__(self) -> int:
        return len(self._open)

    def get(self, name: str) -> OpenScope:
        """The scope of that name, opened on first use; nothing is read yet."""
        scope = self._open.get(name)
        if scope is None:
            scope = self._open[name] = OpenScope(self._graph, name, self._clock, self._group)
        self._open.move_to_end(name)
        self._drop_idle()
        return scope

    def drop(self, name: str) -> None:
        """Forget a projection; the next use rebuilds it from the graph."""
        scope = self._open.get(name)
        if scope is not None and not scope.busy:
            del self._open[name]

    async def close(self) -> None:
        """Let every waiting write finish."""
        for scope in self._open.values():
            await scope.close()

    def _drop_idle(self) -> None:
        excess = len(self._open) - self._keep
        for name in [name for name, scope in self._open.items() if not scope.busy][: max(0, excess)]:
            del self._open[name]
