"""A snapshot brings back everything: into an empty graph, on each engine and from one to the other."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import pytest

from hydramind.archive import rebuild, restore, runs, snapshot, verify
from hydramind.archive.claim import hidden, take
from hydramind.archive.kinds import BY_NAME, line_of
from hydramind.archive.runs import Sorter
from hydramind.errors import Busy, Conflict, Damaged, NotFound, Refused
from hydramind.graph.commit import op_id
from hydramind.graph.connection import Graph
from hydramind.opening import open_graph
from hydramind.queries import ops
from hydramind.queries.query import Query, nothing
from hydramind.records import About
from hydramind.service import HydraMind
from hydramind.settings import Settings
from hydramind.store.sync import load
from hydramind.verify import verify as verify_scope
from tests.conftest import TestClock
from tests.scoped import DENIAL, FACT, FAR_REST, REST, Scoped, everything

REMOVE = Query("remove a scope", "MATCH (n) WHERE n.scope = $scope OR n.name = $scope DETACH DELETE n", nothing)
STAGED = Query(
    "rows out of sight",
    "MATCH (n) WHERE n.scope = $scope RETURN n.id AS id",
    lambda columns: int(columns["id"]),
)


async def tell(settings: Settings, clock: TestClock, scope: str) -> None:
    """A story with a row of every kind in it."""
    async with HydraMind.open(settings, clock=clock) as mind:
        one = Scoped(mind, scope)
        root = await one.remember(
            FACT, entity_refs=["gateway", "TLS"], idempotency_key="k\u2028 ключ", slot="gateway/tls\u00e9"
        )
        rest = await one.keep(REST, derived_from=[root.memory.id], entity_refs=["gateway"])
        await one.keep(FAR_REST, derived_from=[rest, root.memory.id])
        denial = await one.keep(DENIAL, entity_refs=["gateway"])
        clock.advance(days=1)
        await one.forget(denial)
        await one.keep(DENIAL)
        await one.relate(root.memory.id, rest, relation="led_to", weight=0.25, reason="\u2028 why")
        await one.revise(rest, "The office has no lift.\u2028It has \U0001f6d7 stairs\x85.")


async def found_by(settings: Settings, scope: str) -> list[str]:
    """What a question finds."""
    async with HydraMind.open(settings) as mind:
        return await Scoped(mind, scope).found("gateway mutual TLS")


async def test_a_scope_comes_back_whole(
    each_graph: Graph, engine_settings: Settings, clock: TestClock, scope: str, tmp_path: Path
) -> None:
    """B01: every property, answers, and a second snapshot are equal; the scope is sound."""
    await tell(engine_settings, clock, scope)
    before, answers = await everything(each_graph, scope), await found_by(engine_settings, scope)
    written = await snapshot(each_graph, [scope], tmp_path / "one.zip")
    assert [body.kind for body in written.parts[0].bodies if not body.rows] == []
    await each_graph.read(REMOVE, scope=scope)
    assert (await restore(each_graph, tmp_path / "one.zip")).manifest == written
    assert await everything(each_graph, scope) == before
    assert await found_by(engine_settings, scope) == answers != []
    assert (await verify_scope(each_graph, scope)).findings == ()
    assert await snapshot(each_graph, [scope], tmp_path / "two.zip") == written == verify(tmp_path / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert await each_graph.read(STAGED, scope=hidden(scope)) == []


@pytest.mark.neo4j
async def test_a_scope_moves_between_engines_byte_for_byte(
    mind: HydraMind, embedded_settings: Settings, neo4j_graph: Graph, clock: TestClock, scope: str, tmp_path: Path
) -> None:
    """ArcadeDB to Neo4j: the second snapshot is the first, and rankings are the same after a rebuild."""
    await tell(embedded_settings, clock, scope)
    async with open_graph(embedded_settings, lambda line: None) as graph:
        await snapshot(graph, [scope], tmp_path / "arcadedb.zip")
        rebuilt = await rebuild(graph, scope)
    await restore(neo4j_graph, tmp_path / "arcadedb.zip")
    await snapshot(neo4j_graph, [scope], tmp_path / "neo4j.zip")
    assert (tmp_path / "arcadedb.zip").read_bytes() == (tmp_path / "neo4j.zip").read_bytes()
    assert await rebuild(neo4j_graph, scope) == rebuilt
    assert (rebuilt.memories, rebuilt.entities, rebuilt.rankings) == (6, 2, 6)


async def test_a_scope_that_exists_is_not_touched(
    each_graph: Graph, engine_settings: Settings, clock: TestClock, scope: str, tmp_path: Path
) -> None:
    """Restore adds to no scope and names the one that is there; a snapshot replaces no file."""
    await tell(engine_settings, clock, scope)
    await snapshot(each_graph, [scope], tmp_path / "one.zip")
    before = await everything(each_graph, scope)
    with pytest.raises(Conflict, match=f"'{scope}' exists already"):
        await restore(each_graph, tmp_path / "one.zip")
    assert await everything(each_graph, scope) == before
    with pytest.raises(Refused, match="exists: name another file"):
        await snapshot(each_graph, [scope], tmp_path / "one.zip")
    with pytest.raises(NotFound, match="no scope 'nowhere'"):
        await snapshot(each_graph, ["nowhere"], tmp_path / "two.zip")
    assert os.listdir(tmp_path) == ["one.zip"]


class Killed(BaseException):
    """Ends a restore as a kill does."""


@pytest.mark.parametrize("lines", [1, 3, 10, 11, 12])
async def test_a_restore_that_is_broken_off_leaves_nothing(
    each_graph: Graph, engine_settings: Settings, clock: TestClock, scope: str, tmp_path: Path, lines: int
) -> None:
    """B04: whichever step it ends behind, nothing is there, and it can be done again."""
    await tell(engine_settings, clock, scope)
    await snapshot(each_graph, [scope], tmp_path / "one.zip")
    before = await everything(each_graph, scope)
    await each_graph.read(REMOVE, scope=scope)
    told: list[str] = []

    def report(line: str) -> None:
        told.append(line)
        if len(told) == lines:
            raise Killed

    if lines <= 11:
        with pytest.raises(Killed):
            await restore(each_graph, tmp_path / "one.zip", report)
        assert await everything(each_graph, scope) == ([], [], [])
        assert await each_graph.read(STAGED, scope=hidden(scope)) == []
        assert await found_by(engine_settings, scope) == []
        await restore(each_graph, tmp_path / "one.zip")
    else:
        with pytest.raises(Killed):
            await restore(each_graph, tmp_path / "one.zip", report)
    assert await everything(each_graph, scope) == before


PLANT = Query(
    "plant a memory",
    "CREATE (m:Memory {id: $id, scope: $scope, content: 'left behind'})",
    nothing,
)


async def test_what_a_kill_left_is_out_of_sight_closed_and_replaced(
    each_graph: Graph, engine_settings: Settings, clock: TestClock, scope: str, tmp_path: Path
) -> None:
    """B04: a claim and some rows are found by nothing and joined by nothing, and the next restore starts over."""
    await tell(engine_settings, clock, scope)
    await snapshot(each_graph, [scope], tmp_path / "one.zip")
    before = await everything(each_graph, scope)
    first = (await each_graph.read_ids(ops.BY_ID, [op_id(scope, 1)], scope=scope))[0]
    await each_graph.read(REMOVE, scope=scope)
    await take(each_graph, first, "of a process that was killed")
    await each_graph.read(PLANT, id=4712, scope=scope)
    assert await found_by(engine_settings, scope) == []
    async with HydraMind.open(engine_settings, clock=clock) as mind:
        with pytest.raises(Damaged, match="clash"):
            await Scoped(mind, scope).keep("The cellar is dry.")
    await restore(each_graph, tmp_path / "one.zip")
    assert await everything(each_graph, scope) == before


async def test_an_id_of_another_scope_is_never_taken_over(
    each_graph: Graph, engine_settings: Settings, clock: TestClock, scope: str, tmp_path: Path
) -> None:
    """An archive whose id is somebody's is refused, and that memory stays as it is."""
    await tell(engine_settings, clock, scope)
    written = await snapshot(each_graph, [scope], tmp_path / "one.zip")
    assert written.parts[0].body("memories").rows == 6
    async with HydraMind.open(engine_settings, clock=clock) as mind:
        memory_id = int((await Scoped(mind, scope).recall("gateway mutual TLS")).hits[0].memory.id)
    await each_graph.read(REMOVE, scope=scope)
    await each_graph.read(PLANT, id=memory_id, scope=scope + "-other")
    with pytest.raises(Conflict, match="nothing was restored"):
        await restore(each_graph, tmp_path / "one.zip")
    assert await each_graph.read(STAGED, scope=scope + "-other") == [memory_id]
    assert await everything(each_graph, scope) == ([], [], [])


async def test_rows_of_no_log_are_neither_joined_nor_removed(
    each_graph: Graph, engine_settings: Settings, clock: TestClock, scope: str, tmp_path: Path
) -> None:
    """A stray row in the scope is somebody's to look at: before a restore, and when it appears in the middle of one."""
    await tell(engine_settings, clock, scope)
    await snapshot(each_graph, [scope], tmp_path / "one.zip")
    await each_graph.read(REMOVE, scope=scope)
    await each_graph.read(PLANT, id=4711, scope=scope)
    with pytest.raises(Conflict, match="holds rows that no log names"):
        await restore(each_graph, tmp_path / "one.zip")
    assert await each_graph.read(STAGED, scope=scope) == [4711]
    await each_graph.read(REMOVE, scope=scope)

    async def plant() -> None:
        async with open_graph(engine_settings, lambda line: None) as graph:
            await graph.read(PLANT, id=4711, scope=scope)

    def report(line: str) -> None:
        if line.endswith(" ops"):
            with ThreadPoolExecutor(1) as pool:
                pool.submit(asyncio.run, plant()).result()

    with pytest.raises(Conflict, match="holds 7 memories, expected 6"):
        await restore(each_graph, tmp_path / "one.zip", report)
    assert await each_graph.read(STAGED, scope=scope) == await each_graph.read(STAGED, scope=hidden(scope)) == []


async def test_a_long_log_is_seen_at_once(
    each_graph: Graph,
    engine_settings: Settings,
    clock: TestClock,
    scope: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Later ops are written with the rows, and the scope stays empty until the first ones are."""
    async with HydraMind.open(engine_settings, clock=clock) as mind:
        for number in range(70):
            await Scoped(mind, scope).keep(f"Locker {number} belongs to team {number * 7}.")
    await snapshot(each_graph, [scope], tmp_path / "one.zip")
    before = await everything(each_graph, scope)
    await each_graph.read(REMOVE, scope=scope)
    monkeypatch.setattr(import_module("hydramind.archive.restore"), "_HEAD", 64)
    seen: list[int] = []

    async def look() -> None:
        async with open_graph(engine_settings, lambda line: None) as graph:
            seen.extend([len(await graph.read(STAGED, scope=scope)), len(await load(graph, scope))])

    def report(line: str) -> None:
        if line.endswith(" ops"):
            with ThreadPoolExecutor(1) as pool:
                pool.submit(asyncio.run, look()).result()

    await restore(each_graph, tmp_path / "one.zip", report)
    assert seen == [76, 0]
    assert await everything(each_graph, scope) == before


async def test_a_scope_that_is_written_to_is_read_again(
    each_graph: Graph, engine_settings: Settings, clock: TestClock, scope: str, tmp_path: Path
) -> None:
    """A write between the two looks makes the snapshot start over, at the newer revision; endless writing is `Busy`."""
    await tell(engine_settings, clock, scope)
    before = await snapshot(each_graph, [scope], tmp_path / "before.zip")
    writes, told = 0, list[str]()

    async def write() -> None:
        async with HydraMind.open(engine_settings, clock=clock) as mind:
            await Scoped(mind, scope).keep(f"Cellar {len(told)} is dry.")

    def report(line: str) -> None:
        nonlocal writes
        told.append(line)
        if writes and " entities" in line:
            writes -= 1
            # In a thread of its own, while the snapshot waits: in the middle of its reading, every time.
            with ThreadPoolExecutor(1) as pool:
                pool.submit(asyncio.run, write()).result()

    writes = 1
    after = await snapshot(each_graph, [scope], tmp_path / "after.zip", report)
    assert after.parts[0].revision == before.parts[0].revision + 1
    assert after.parts[0].body("memories").rows == before.parts[0].body("memories").rows + 1
    assert [line for line in told if "again" in line] == [f"{scope}: written to meanwhile, reading it again"]
    writes = 100
    with pytest.raises(Busy, match="was written to while it was read"):
        await snapshot(each_graph, [scope], tmp_path / "never.zip", report)
    assert sorted(os.listdir(tmp_path)) == ["after.zip", "before.zip"]


def test_lines_beyond_memory_are_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs in files merge to the order that one sort gives."""
    monkeypatch.setattr(runs, "_RUN_BYTES", 100)
    rows = [About(id=n * 7919 % 1_000, source=n, target=n) for n in range(100)]
    sorter = Sorter(BY_NAME["about"])
    for row in rows:
        sorter.add(row)
    expected = [line_of(row) for row in sorted(rows, key=lambda row: row.id)]
    assert list(sorter.lines()) == list(sorter.lines()) == expected
    sorter.close()
