"""reembed: give every memory of a scope a vector of the embedder in use, then drop those of any other."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from hydramind.embed.protocol import Embedder
from hydramind.graph.connection import Graph
from hydramind.queries import removal, vectors
from hydramind.store.embedding import ScopeVectors
from hydramind.store.sync import load


@dataclass(frozen=True, slots=True)
class Reembedded:
    """Memories that have a vector now, how many were made in this run, and how many of other embedders were removed."""

    scope: str
    embedder: str
    vectors: int
    made: int
    removed: int


async def run(
    graph: Graph, scope: str, embedder: Embedder, report: Callable[[int, int], Awaitable[None]] | None = None
) -> Reembedded:
    """Resumable: what an earlier run stored is not made again. Until all are made, the vectors of the earlier embedder stay
    and processes that use it find by them; `report` gets how many of how many memories have one."""
    index = await load(graph, scope, embedder.dimension)
    work = ScopeVectors(graph, embedder)
    await work.load(index)
    made = await work.catch_up(index, report)
    stored = await graph.read(vectors.IDS_OF_SCOPE, scope=scope)
    others = [{"id": id_} for id_, identity in stored if identity != embedder.identity]
    await graph.write(removal.VECTORS, others)
    return Reembedded(scope, embedder.identity, index.embedded, made, len(others))
