"""One size of a scope, measured in a process of its own, so that what another size left behind does not count.

Prints one JSON object: memory a memory, the load, and each recall beside its floor.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import report
from benchmarks.recall_corpus import DIMENSION, Corpus, WordEmbedder
from hydramind.clock import system_clock
from hydramind.embed.opened import Models
from hydramind.graph.commit import op_id
from hydramind.graph.connection import Graph
from hydramind.ids import random_id
from hydramind.index.scope_index import ScopeIndex
from hydramind.index.vectors import quantised
from hydramind.models import Recall, Recalled
from hydramind.opening import open_graph
from hydramind.queries import ops
from hydramind.service import HydraMind
from hydramind.settings import Settings, load
from hydramind.store.scope import OpenScope
from hydramind.store.scopes import Scopes
from hydramind.store.sync import catch_up

WARM_UP: int = 20
_BATCH = 2_000
_SEED = 20260301


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the id it was made of, and its vector."""

    query: str
    target: str
    vector: NDArray[np.float32]


@asynccontextmanager
async def service(settings: Settings, embedder: WordEmbedder) -> AsyncGenerator[tuple[HydraMind, Graph, Scopes]]:
    """The product over the settings' graph, with the benchmark's embedder."""
    async with open_graph(settings, lambda line: None) as graph:
        scopes = Scopes(graph, system_clock, settings.max_inflight_writes, settings.max_open_scopes, embedder)
        try:
            yield HydraMind(settings, graph, scopes, random_id, Models(embedder)), graph, scopes
        finally:
            await scopes.close()


def questions(corpus: Corpus, embedder: WordEmbedder, size: int, count: int) -> list[Asked]:
    """`count` distinct questions about rows spread over the whole scope; the same each time."""
    rows = np.random.default_rng(_SEED).choice(size, count, replace=count > size)
    asked = [corpus.question(int(row)) for row in rows]
    vectors = embedder.vectors([query for query, _ in asked])
    return [Asked(query, str(row.id), vector) for (query, row), vector in zip(asked, vectors, strict=True)]


def resident() -> int:
    """Bytes of this process in memory, after a collection."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def compared(
    asked: Sequence[Asked], ask: Callable[[str], Awaitable[Recalled]], floor: Callable[[Asked], Awaitable[float]]
) -> dict[str, Any]:
    """Recalls and floors in turn, question by question, after `WARM_UP` of each that do not count."""
    recalls, floors, scorings, first = list[float](), list[float](), list[float](), 0
    for number, question in enumerate((*asked[:WARM_UP], *asked)):
        started = time.perf_counter()
        found = await ask(question.query)
        between = time.perf_counter()
        scoring = await floor(question)
        ended = time.perf_counter()
        if number >= min(WARM_UP, len(asked)):
            recalls.append(between - started)
            floors.append(ended - between)
            scorings.append(scoring)
            first += any(hit.memory.id == question.target for hit in found.hits)
    own, least = report.percentiles(recalls), report.percentiles(floors)
    shares = {name: report.ratio(own[name], least[name]) for name in ("p50_ms", "p95_ms", "p99_ms")}
    return {
        "recall": own,
        "floor": least,
        "floor_scoring": report.percentiles(scorings),
        "to_floor": shares,
        "target_in_hits": first,
    }


def floor_of(graph: Graph, index: ScopeIndex) -> Callable[[Asked], Awaitable[float]]:
    """One round trip (the point read of an op that is not there), then the exact score of every vector; returns the
    seconds of the second."""

    async def once(question: Asked) -> float:
        await graph.read_ids(ops.BY_ID, [op_id(index.scope, index.revision + 1)], scope=index.scope)
        started = time.perf_counter()
        index.arrays.vectors.scores(question.vector, len(index))
        return time.perf_counter() - started

    return once


async def stored(settings: Settings, corpus: Corpus, size: int, count: int) -> dict[str, Any]:
    """A scope that the graph holds: loaded cold, then asked."""
    embedder = WordEmbedder()
    asked = questions(corpus, embedder, size, count)
    async with service(settings, embedder) as (mind, graph, scopes):
        before, started, busy = resident(), time.perf_counter(), time.process_time()
        index = await scopes.get(corpus.scope).index()
        seconds, busy = time.perf_counter() - started, time.process_time() - busy
        took = {"load_seconds": round(seconds, 2), "load_processor_seconds": round(busy, 2)}
        figures = _counts(index) | took | {"loaded": _grown(index, resident() - before)}
        figures |= await compared(asked, _asking(mind, corpus.scope), floor_of(graph, index))
        return figures | _grown(index, resident() - before)


async def projected(settings: Settings, corpus: Corpus, size: int, count: int) -> dict[str, Any]:
    """A scope that only this process holds, filled row by row; each recall still asks the graph for newer ops first."""
    embedder = WordEmbedder()
    asked = questions(corpus, embedder, size, count)
    before, started = resident(), time.perf_counter()
    index = built(corpus, embedder, size)
    seconds = time.perf_counter() - started
    took = {"build_seconds": round(seconds, 2)}
    figures = _counts(index) | took | {"loaded": _grown(index, resident() - before)}
    async with open_graph(settings, lambda line: None) as graph:
        mind = HydraMind(settings, graph, _Held(graph, index), random_id, Models(embedder))
        figures |= await compared(asked, _asking(mind, corpus.scope), floor_of(graph, index))
        return figures | _grown(index, resident() - before)


class _Held(Scopes):
    """Scopes of which the one asked for is a projection given."""

    def __init__(self, graph: Graph, index: ScopeIndex) -> None:
        super().__init__(graph, system_clock, 1, 1)
        self._held = _HeldScope(graph, index)

    def get(self, name: str) -> OpenScope:
        """The one scope."""
        return self._held


class _HeldScope(OpenScope):
    def __init__(self, graph: Graph, index: ScopeIndex) -> None:
        super().__init__(graph, index.scope, system_clock, 1)
        self._given = index

    async def index(self) -> ScopeIndex:
        """The given projection, once the graph has said that nothing is newer."""
        await catch_up(self._graph, self._given)
        return self._given


def _asking(mind: HydraMind, scope: str) -> Callable[[str], Awaitable[Recalled]]:
    async def ask(query: str) -> Recalled:
        return await mind.recall(Recall(query=query, scope=scope))

    return ask


def built(corpus: Corpus, embedder: WordEmbedder, size: int) -> ScopeIndex:
    """The projection of the first `size` rows with their vectors."""
    index = ScopeIndex(corpus.scope, DIMENSION)
    index.put_entities(corpus.entities())
    for start in range(0, size, _BATCH):
        rows = list(corpus.memories(min(start + _BATCH, size), start))
        index.put_memories(rows)
        for row, vector in zip(rows, embedder.vectors([row.text for row in rows]), strict=True):
            index.put_vector(row.id, *quantised(vector))
    return index


def _counts(index: ScopeIndex) -> dict[str, Any]:
    return {"memories": len(index), "vectors": index.embedded}


def _grown(index: ScopeIndex, grown: int) -> dict[str, float]:
    return {"resident_bytes_per_memory": round(grown / max(1, len(index)), 1)}


def main() -> int:
    """Measures one size on the graph that the environment names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("scope")
    parser.add_argument("size", type=int)
    parser.add_argument("questions", type=int)
    parser.add_argument("--in-process", action="store_true", help="fill this process's projection, not the graph")
    arguments = parser.parse_args()
    measure = projected if arguments.in_process else stored
    figures = asyncio.run(measure(load(), Corpus(arguments.scope), arguments.size, arguments.questions))
    print(json.dumps(figures), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
