"""How long do snapshot, check and restore take, and is a second snapshot equal byte for byte on the other engine?

A scope of realistic facts, one op each, is filled on ArcadeDB, written, checked, restored into Neo4j and written again;
then the way back. Servers are our own, one at a time. One JSON line comes last; `passed` when every file is the same.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.facts import Fact, facts
from benchmarks.places import place
from hydramind.archive import rebuild, restore, snapshot, verify
from hydramind.graph.commit import Commit, op_id, op_key, write
from hydramind.graph.connection import Graph
from hydramind.ids import stable_id
from hydramind.mind.text import canonical_name
from hydramind.models import Health
from hydramind.opening import open_graph
from hydramind.records import About, ChangeSet, Entity, Memory, Op, ScopeNode
from hydramind.service import HydraMind
from hydramind.settings import Settings

SCOPE = "snapshot-benchmark"
_SEED = 20260301
_START_MS = 1_772_359_200_000
_GROUP = 250


def commits(count: int) -> Iterator[Commit]:
    """One commit a fact, as `remember` writes it."""
    named: set[int] = set()
    for revision, fact in enumerate(islice(facts(_SEED), count), 1):
        yield _commit(revision, fact, named)


def _commit(revision: int, fact: Fact, named: set[int]) -> Commit:
    now = _START_MS + revision
    entities = [
        Entity(stable_id("entity", SCOPE, canonical_name(name)), SCOPE, name, canonical_name(name), now)
        for name in fact.entities
    ]
    about = ",".join(str(entity.id) for entity in entities)
    key = hashlib.sha256(fact.content.encode()).hexdigest()
    memory_id = stable_id("benchmark", revision)
    memory = Memory(memory_id, SCOPE, fact.content, key, now, now, now, entity_ids=about, revision=revision)
    edges = tuple(About(stable_id("about", memory_id, entity.id), memory_id, entity.id) for entity in entities)
    fresh = tuple(entity for entity in entities if entity.id not in named)
    named.update(entity.id for entity in fresh)
    scope = (ScopeNode(stable_id("scope", SCOPE), SCOPE, now),) if revision == 1 else ()
    op = Op(
        op_id(SCOPE, revision), SCOPE, op_key(SCOPE, revision), revision, "t", "remember", now, str(memory_id), about
    )
    return Commit(op, ChangeSet("remember", (*scope, *fresh, memory), edges))


async def fill(graph: Graph, count: int) -> None:
    """Commit the facts in groups, a transaction each."""
    for group in _groups(commits(count)):
        async with graph.session() as session, await session.begin_transaction() as transaction:
            await write(transaction, graph.engine, group)
            await transaction.commit()


def _groups(items: Iterator[Commit]) -> Iterator[list[Commit]]:
    while group := list(islice(items, _GROUP)):
        yield group


class Clock:
    """Seconds by step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    async def timed(self, name: str, work: Any) -> Any:
        """Await and note."""
        started = time.perf_counter()
        result = await work
        self.seconds[name] = round(time.perf_counter() - started, 2)
        print(f"{name}: {self.seconds[name]} s", file=sys.stderr, flush=True)
        return result


async def first(settings: Settings, folder: Path, count: int, clock: Clock) -> tuple[Any, dict[str, Any]]:
    """Fill ArcadeDB, write and check; returns the rebuilt projection's counts and where the figures come from."""
    async with open_graph(settings, _silent) as graph:
        await clock.timed("fill arcadedb", fill(graph, count))
        await clock.timed("snapshot arcadedb", snapshot(graph, [SCOPE], folder / "arcadedb.zip"))
        await clock.timed("verify", asyncio.to_thread(verify, folder / "arcadedb.zip"))
        rebuilt = await clock.timed("rebuild arcadedb", rebuild(graph, SCOPE))
    async with HydraMind.open(settings) as mind:
        health: Health = await mind.health()
    return rebuilt, report.origin(health)


async def there(settings: Settings, folder: Path, names: tuple[str, str], clock: Clock) -> Any:
    """Restore one file into an empty graph and write the other; returns the rebuilt projection's counts."""
    source, target = names
    async with open_graph(settings, _silent) as graph:
        await clock.timed(f"restore {target}", restore(graph, folder / f"{source}.zip", _told))
        await clock.timed(f"snapshot {target}", snapshot(graph, [SCOPE], folder / f"{target}.zip"))
        return await clock.timed(f"rebuild {target}", rebuild(graph, SCOPE))


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of each snapshot."""
    return {path.stem: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.glob("*.zip"))}


async def run(count: int) -> dict[str, Any]:
    """The whole round trip."""
    clock = Clock()
    with tempfile.TemporaryDirectory(prefix="hydramind-snapshot-") as name:
        folder = Path(name)
        async with place("arcadedb") as found:
            rebuilt, origin = await first(found.settings, folder, count, clock)
        async with place("neo4j") as found:
            at_neo4j = await there(found.settings, folder, ("arcadedb", "neo4j"), clock)
        async with place("arcadedb") as found:
            back = await there(found.settings, folder, ("neo4j", "arcadedb-again"), clock)
        files = digests(folder)
        size = (folder / "arcadedb.zip").stat().st_size
        rows = verify(folder / "arcadedb.zip").rows
    equal = len(files) == 3 and len(set(files.values())) == 1
    return {
        "passed": equal and rebuilt == at_neo4j == back,
        "memories": count,
        "rows": rows,
        "bytes": size,
        "bytes_per_memory": round(size / count, 1),
        "equal": equal,
        "sha256": files,
        "rankings_identical": rebuilt.rankings,
        "seconds": clock.seconds,
        "peak_rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024),
        **origin,
    }


def _told(line: str) -> None:
    print(f"  {time.perf_counter():.1f} {line}", file=sys.stderr, flush=True)


def _silent(line: str) -> None:
    del line


def main() -> int:
    """Runs it; the exit code is 1 when any two files differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--output", type=Path, help="also write the result there")
    arguments = parser.parse_args()
    result = asyncio.run(run(arguments.memories))
    report.emit(result, arguments.output)
    return 0 if result["passed"] else 1


if __name__ == "__main__":
    sys.exit(main())
