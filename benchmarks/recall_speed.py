"""How long does a recall take in a scope of a thousand to a million memories, and how far is that from the least it could?

The question's vector is given. The floor is one round trip to the graph and the exact score of every vector, in the same
process, in turn with the recalls. Each size is a process of its own; up to `--stored` memories the scope is filled through
the graph and loaded cold, beyond that the projection is filled in the process. Then callers ask one server by HTTP at once,
and two processes write and recall on one graph in turn: every acknowledged write must be in the other's next recall.
One JSON line comes last.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.places import ENGINES, Place, environment, place
from benchmarks.recall_corpus import Corpus, WordEmbedder
from benchmarks.recall_fill import empty, fill
from benchmarks.recall_measures import WARM_UP, Asked, questions, service
from hydramind.graph.connection import Graph
from hydramind.opening import open_graph
from hydramind.sdk.client import HydraMindClient
from hydramind.sdk.embedded import HydraMind
from hydramind.settings import Settings

SIZES = (1_000, 10_000, 100_000, 1_000_000)
BARS = {"to_floor": 3.0, "recalls_per_second": 200.0, "bytes_per_memory": 1_200.0, "load_seconds": 10.0}
_FROM, _LOADED, _LARGEST = 10_000, 100_000, 1_000_000
"""Sizes at which the bars hold: the floor from the first on, the load at the second, memory at the last."""


async def sizes(found: Place, arguments: argparse.Namespace) -> dict[str, Any]:
    """The figures of each size by its number, each measured in a process of its own."""
    figures: dict[str, Any] = {}
    for size in arguments.sizes:
        scope = f"recall-{size}-{secrets.token_hex(4)}"
        more: dict[str, Any] = {}
        async with open_graph(found.settings, _silent) as graph:
            if size <= arguments.stored:
                more["fill_seconds"] = round(await fill(graph, Corpus(scope), size), 1)
            figures[str(size)] = await _measured(found.settings, scope, size, arguments) | more
            await empty(graph, scope)
        print(f"{size}: {figures[str(size)]}", file=sys.stderr, flush=True)
    return figures


async def _measured(settings: Settings, scope: str, size: int, arguments: argparse.Namespace) -> dict[str, Any]:
    asked = [str(arguments.questions), *([] if size <= arguments.stored else ["--in-process"])]
    command = [sys.executable, "-m", "benchmarks.recall_measures", scope, str(size), *asked]
    process = await asyncio.create_subprocess_exec(
        *command, cwd=report.ROOT, env=environment(settings), stdout=PIPE, limit=2**20
    )
    printed, _ = await process.communicate()
    if process.returncode:
        raise SystemExit(f"measuring {size} memories ended with {process.returncode}")
    return json.loads(printed.splitlines()[-1])


@dataclass(frozen=True, slots=True)
class Server:
    """Where it answers, and its process."""

    url: str
    pid: int

    def busy_seconds(self) -> float:
        """Processor time that it has used so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def server(settings: Settings) -> AsyncGenerator[Server]:
    """A server in another process."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "benchmarks.recall_server",
        cwd=report.ROOT,
        env=environment(settings),
        stdin=PIPE,
        stdout=PIPE,
    )
    try:
        assert process.stdout is not None
        yield Server((await process.stdout.readline()).decode().strip(), process.pid)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()


async def together(found: Server, scope: str, asked: Sequence[Asked], callers: int) -> dict[str, Any]:
    """Recalls a second when `callers` ask one server, each waiting for its answer before its next question."""
    clients = [HydraMindClient(found.url) for _ in range(callers)]
    waiting, seconds, first = iter(asked), list[float](), 0

    async def call(client: HydraMindClient) -> None:
        nonlocal first
        for question in waiting:
            started = time.perf_counter()
            answer = await client.recall(question.query, scope)
            seconds.append(time.perf_counter() - started)
            first += any(hit.memory.id == question.target for hit in answer.hits)

    try:
        for client in clients:
            for question in asked[:WARM_UP]:
                await client.recall(question.query, scope)
        started, busy, own = time.perf_counter(), found.busy_seconds(), time.process_time()
        await asyncio.gather(*map(call, clients))
        total, busy, own = time.perf_counter() - started, found.busy_seconds() - busy, time.process_time() - own
    finally:
        for client in clients:
            await client.close()
    processor = {"server": round(1_000 * busy / len(seconds), 3), "clients": round(1_000 * own / len(seconds), 3)}
    rate = {"clients": callers, "recalls_per_second": round(len(seconds) / total, 1), "target_in_hits": first}
    return report.percentiles(seconds) | rate | {"processor_ms_per_recall": processor}


async def crowd(graph: Graph, found: Server, arguments: argparse.Namespace) -> dict[str, Any]:
    """`together` on a scope of its own."""
    corpus = Corpus(f"recall-crowd-{secrets.token_hex(4)}")
    asked = questions(corpus, WordEmbedder(), arguments.crowded, arguments.questions * arguments.clients)
    await fill(graph, corpus, arguments.crowded)
    figures = await together(found, corpus.scope, asked, arguments.clients)
    await empty(graph, corpus.scope)
    return {"memories": arguments.crowded} | figures


async def seen_elsewhere(settings: Settings, url: str, rounds: int) -> dict[str, Any]:
    """This process and a server take turns: each recalls what the other has just been told was kept."""
    scope, seconds, missed = f"recall-seen-{secrets.token_hex(4)}", list[float](), 0
    async with service(settings, WordEmbedder()) as (mind, graph, _), HydraMindClient(url) as client:
        here = HydraMind(mind)
        for number in range(rounds):
            writer, reader = (here, client) if number % 2 else (client, here)
            mark = f"q{secrets.token_hex(6)}"
            kept = await writer.remember(f"Ledger entry {number} was signed under mark {mark}", scope)
            started = time.perf_counter()
            answer = await reader.recall(mark, scope)
            seconds.append(time.perf_counter() - started)
            missed += kept.memory.id not in [hit.memory.id for hit in answer.hits]
        await empty(graph, scope)
    return report.percentiles(seconds) | {"writes": rounds, "missed": missed}


async def beside(settings: Settings, arguments: argparse.Namespace) -> dict[str, Any]:
    """What needs a server in another process."""
    async with open_graph(settings, _silent) as graph, server(settings) as found:
        return {
            "crowd": await crowd(graph, found, arguments),
            "seen_elsewhere": await seen_elsewhere(settings, found.url, arguments.rounds),
        }


def judged(figures: dict[str, Any]) -> dict[str, bool]:
    """Which bars hold; one that was not measured does not stand here."""
    by_size = {int(size): row for size, row in figures["sizes"].items()}
    bars = {"seen_elsewhere": not figures["seen_elsewhere"]["missed"]}
    for size, row in by_size.items():
        if size >= _FROM:
            bars[f"to_floor_{size}"] = row["to_floor"]["p50_ms"] <= BARS["to_floor"]
    if _LOADED in by_size and "load_seconds" in by_size[_LOADED]:
        bars["load_seconds"] = by_size[_LOADED]["load_seconds"] <= BARS["load_seconds"]
    if _LARGEST in by_size:
        bars["bytes_per_memory"] = by_size[_LARGEST]["resident_bytes_per_memory"] <= BARS["bytes_per_memory"]
    if figures["crowd"]["memories"] == _FROM:
        bars["recalls_per_second"] = figures["crowd"]["recalls_per_second"] >= BARS["recalls_per_second"]
    return bars


async def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Measure, and state the shape of the run."""
    async with place(arguments.engine) as found:
        async with service(found.settings, WordEmbedder()) as (mind, _, _):
            origin = report.origin(await mind.health())
        measured = await sizes(found, arguments)
        figures = {"sizes": measured} | await beside(found.settings, arguments)
    bars = judged(figures)
    return {**figures, "bars": bars, "bars_met": all(bars.values()), "conditions": _conditions(arguments), **origin}


def _conditions(arguments: argparse.Namespace) -> dict[str, Any]:
    return {
        "questions": arguments.questions,
        "warm_up": {"recalls": WARM_UP, "counted": False},
        "filled_in_process": [size for size in arguments.sizes if size > arguments.stored],
        "dimension": WordEmbedder.dimension,
        "load_average_at_end": round(os.getloadavg()[0], 1),
        "memory": "resident set of the process less that before the load: loaded, and once all questions were asked",
        "floor": "one point read, then the exact score of every vector, in turn with the recalls",
    }


def _silent(line: str) -> None:
    del line


def arguments_of(given: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--stored", type=int, default=_LOADED, help="largest size that is filled through the graph")
    parser.add_argument("--questions", type=int, default=200, help="of each size; times the clients of the crowd")
    parser.add_argument("--crowded", type=int, default=_FROM, help="memories of the scope that many ask at once")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=200, help="writes that another process must see")
    parser.add_argument(
        "--engine", choices=ENGINES, help="a server of its own; default: the environment's, else arcadedb"
    )
    parser.add_argument("--output", type=Path, help="also write the result there")
    return parser.parse_args(given)


def main() -> int:
    """Measures; the exit code is 1 when a write was not seen, whatever the speed."""
    arguments = arguments_of()
    result = asyncio.run(run(arguments))
    report.emit(result, arguments.output)
    return 1 if result["seen_elsewhere"]["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
