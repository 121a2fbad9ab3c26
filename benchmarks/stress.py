"""How fast is memory under concurrent writers, how far from the floor, and is everything found after a restart?

Writers share one service and one scope; each recall probe asks for one fact and must get exactly that fact first. The floor
is measured in the same run on the same server: for a write the creation of one row with the same content, at the same
concurrency; for a recall one round trip (a point read that finds nothing) and the scoring. One JSON line comes last.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import secrets
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.facts import Fact, facts
from benchmarks.places import ENGINES, Place, place, remove
from hydramind.graph.commit import op_id
from hydramind.graph.connection import Graph
from hydramind.ids import random_id
from hydramind.index.ranking import rank_keywords
from hydramind.index.scope_index import ScopeIndex
from hydramind.mind import text
from hydramind.models import OneScope, Recall, Remember
from hydramind.opening import open_graph
from hydramind.queries import ops
from hydramind.queries.query import Query, nothing
from hydramind.service import HydraMind
from hydramind.store.sync import load

BASELINE = {"writes_per_second": 4.747, "write_p95_ms": 2_910.0, "recall_p50_ms": 40.141}
"""Published figures of the reference implementation, 250 writes by 8 workers and 50 probes."""
BARS = {"rate_at_least": 50.0, "write_p95_at_most": 1 / 50, "recall_p50_at_most": 1 / 8}
WARM_UP_PROBES = 10
LOADERS = 64
_SEED = 20260301
_WARM_UP_ROWS = 50
_LIMIT = 10

CREATE_ROW = Query(
    "create a bare row",
    "",
    nothing,
    dict.fromkeys(
        ops.CREATE.when, "UNWIND $rows AS row CREATE (n:BenchmarkRow {id: row.id}) SET n.content = row.content"
    ),
)
REMOVE_ROWS = Query("remove bare rows", "MATCH (n:BenchmarkRow) DETACH DELETE n", nothing)


@dataclass(frozen=True, slots=True)
class Kept:
    """A fact that was acknowledged under an id."""

    memory_id: str
    fact: Fact


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds of each call, in order of completion, and of all together."""

    seconds: list[float]
    total: float

    @property
    def rate(self) -> float:
        """Calls a second."""
        return len(self.seconds) / self.total if self.total else 0.0

    def figures(self, name: str) -> dict[str, Any]:
        """Percentiles and rate."""
        return report.percentiles(self.seconds) | {f"{name}_per_second": round(self.rate, 3)}


async def timed(items: Sequence[Fact], workers: int, call: Callable[[Fact], Awaitable[None]]) -> Timed:
    """Run `call` once an item with `workers` at a time, each waiting for its call before the next."""
    waiting, seconds = iter(items), list[float]()

    async def work() -> None:
        for item in waiting:
            started = time.perf_counter()
            await call(item)
            seconds.append(time.perf_counter() - started)

    started = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(workers)))
    return Timed(seconds, time.perf_counter() - started)


class Stress:
    """One run: a service, a scope and what was acknowledged in it."""

    def __init__(self, mind: HydraMind, scope: str) -> None:
        self.mind = mind
        self.scope = scope
        self.kept: list[Kept] = []
        self.flagged: Counter[str] = Counter()

    async def keep(self, fact: Fact) -> None:
        """Remember a fact."""
        values = {"content": fact.content, "scope": self.scope, "entity_refs": fact.entities}
        stored = await self.mind.remember(Remember.parse(values))
        self.flagged.update(conflict.kind for conflict in stored.conflicts)
        self.kept.append(Kept(stored.memory.id, fact))

    async def preload(self, wanted: Sequence[Fact]) -> float:
        """Keep many facts; seconds it took. Progress goes to stderr."""
        started = time.perf_counter()
        for chunk in _chunks(wanted, 1_000):
            await timed(chunk, LOADERS, self.keep)
            print(f"preloaded {len(self.kept)} of {len(wanted)}", file=sys.stderr, flush=True)
        return time.perf_counter() - started

    async def probe(self, targets: Sequence[Kept]) -> tuple[Timed, int]:
        """Ask for each target, one after the other; times, and how many came first."""
        seconds, exact = list[float](), 0
        for target in targets:
            started = time.perf_counter()
            found = await self.mind.recall(Recall.parse({"query": target.fact.question, "scope": self.scope}))
            seconds.append(time.perf_counter() - started)
            exact += bool(found.hits) and found.hits[0].memory.id == target.memory_id
        return Timed(seconds, sum(seconds)), exact


def _chunks(items: Sequence[Fact], size: int) -> list[Sequence[Fact]]:
    return [items[start : start + size] for start in range(0, len(items), size)]


async def floor_of_writes(graph: Graph, items: Sequence[Fact], workers: int) -> Timed:
    """One auto-commit CREATE of a bare row for each item."""

    async def create(fact: Fact) -> None:
        await graph.read(CREATE_ROW, rows=[{"id": random_id(), "content": fact.content}])

    await timed(items[:_WARM_UP_ROWS], workers, create)
    floor = await timed(items, workers, create)
    await graph.read(REMOVE_ROWS)
    return floor


async def floor_of_recalls(graph: Graph, index: ScopeIndex, targets: Sequence[Kept]) -> Timed:
    """The point read of an op that is not there, and the scoring of the question."""
    seconds = list[float]()
    absent = op_id(index.scope, index.revision + 1)
    for target in (*targets[:WARM_UP_PROBES], *targets):
        started = time.perf_counter()
        await graph.read_ids(ops.BY_ID, [absent], scope=index.scope)
        rank_keywords(index, text.keywords(target.fact.question), _LIMIT)
        seconds.append(time.perf_counter() - started)
    measured = seconds[-len(targets) :]
    return Timed(measured, sum(measured))


async def restarted(found: Place, stress: Stress, targets: Sequence[Kept]) -> dict[str, Any]:
    """Everything anew: server where it is ours, driver and projection; then the same probes."""
    server = await found.restart()
    started = time.perf_counter()
    async with HydraMind.open(found.settings) as mind:
        opened = time.perf_counter() - started
        again = Stress(mind, stress.scope)
        times, exact = await again.probe(targets)
        verification = await mind.verify(OneScope.parse({"scope": stress.scope}))
    return {
        "server_restarted": server,
        "exact": exact,
        "of": len(targets),
        "open_ms": round(opened * 1_000, 1),
        "first_recall_ms": round(times.seconds[0] * 1_000, 1),
        "memories": verification.memories,
        "findings": [finding.model_dump() for finding in verification.findings],
    }


async def measure(found: Place, arguments: argparse.Namespace) -> dict[str, Any]:
    """The whole run on one server, in a scope that is removed afterwards."""
    scope = f"stress-{secrets.token_hex(4)}"
    wanted = list(itertools.islice(facts(_SEED), arguments.memories + arguments.warm_up + arguments.writes))
    ahead, measured = wanted[: arguments.memories + arguments.warm_up], wanted[arguments.memories + arguments.warm_up :]
    async with HydraMind.open(found.settings) as mind:
        origin = report.origin(await mind.health())
        stress = Stress(mind, scope)
        preload_seconds = await stress.preload(ahead)
        writes = await timed(measured, arguments.workers, stress.keep)
        targets = random.Random(_SEED).choices(stress.kept, k=arguments.recall_probes)
        await stress.probe(stress.kept[:WARM_UP_PROBES])
        recalls, exact = await stress.probe(targets)
    async with open_graph(found.settings, lambda line: None) as graph:
        write_floor = await floor_of_writes(graph, measured, arguments.workers)
        recall_floor = await floor_of_recalls(graph, await load(graph, scope), targets)
    after = await restarted(found, stress, targets)
    await remove(found.settings, scope)
    figures = {
        "preload": {
            "memories": len(ahead),
            "seconds": round(preload_seconds, 1),
            "writes_per_second": round(len(ahead) / preload_seconds, 1),
        },
        "write": writes.figures("writes"),
        "recall": recalls.figures("recalls"),
        "exact": exact,
        "flagged": dict(stress.flagged),
        "floor": {"write": write_floor.figures("writes"), "recall": recall_floor.figures("recalls")},
        "restart": after,
    }
    return figures | _ratios(figures) | origin


def _ratios(figures: dict[str, Any]) -> dict[str, Any]:
    """Against the floor of this run and against the reference, and whether the bars hold."""
    write, recall, floor = figures["write"], figures["recall"], figures["floor"]
    reference = {
        "rate": report.ratio(write["writes_per_second"], BASELINE["writes_per_second"]),
        "write_p95": report.ratio(write["p95_ms"], BASELINE["write_p95_ms"]),
        "recall_p50": report.ratio(recall["p50_ms"], BASELINE["recall_p50_ms"]),
    }
    bars = {
        "rate": reference["rate"] >= BARS["rate_at_least"],
        "write_p95": reference["write_p95"] <= BARS["write_p95_at_most"],
        "recall_p50": reference["recall_p50"] <= BARS["recall_p50_at_most"],
        "exact": figures["exact"] == recall["n"] and figures["restart"]["exact"] == recall["n"],
        "sound": not figures["restart"]["findings"],
    }
    to_floor = {
        "write_rate": report.ratio(write["writes_per_second"], floor["write"]["writes_per_second"]),
        "write_p50": report.ratio(write["p50_ms"], floor["write"]["p50_ms"]),
        "write_p95": report.ratio(write["p95_ms"], floor["write"]["p95_ms"]),
        "recall_p50": report.ratio(recall["p50_ms"], floor["recall"]["p50_ms"]),
        "recall_p95": report.ratio(recall["p95_ms"], floor["recall"]["p95_ms"]),
    }
    return {"to_floor": to_floor, "to_reference": reference, "bars": bars, "bars_met": all(bars.values())}


async def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Measure, and state the shape of the run."""
    async with place(arguments.engine) as found:
        figures = await measure(found, arguments)
    shape = {name: getattr(arguments, name) for name in ("writes", "workers", "recall_probes", "memories")}
    warm_up = {"writes": arguments.warm_up, "probes": WARM_UP_PROBES, "counted": False}
    return {**shape, "warm_up": warm_up, **figures}


def arguments_of(given: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--writes", type=int, default=250)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--recall-probes", type=int, default=50)
    parser.add_argument("--memories", type=int, default=0, help="in the scope before anything is measured")
    parser.add_argument(
        "--warm-up", type=int, default=1_000, help="further writes before: a new server is slow at first"
    )
    parser.add_argument(
        "--engine", choices=ENGINES, help="a server of its own; default: the environment's, else arcadedb"
    )
    parser.add_argument("--output", type=Path)
    return parser.parse_args(given)


def main() -> int:
    """Measures; the exit code is 1 when a fact was not found or the scope is not sound, whatever the speed."""
    arguments = arguments_of()
    result = asyncio.run(run(arguments))
    report.emit(result, arguments.output)
    return 0 if result["bars"]["exact"] and result["bars"]["sound"] else 1


if __name__ == "__main__":
    sys.exit(main())
