"""A projection is brought to the newest revision, cold or by deltas, and both ways are equal."""

from __future__ import annotations

import asyncio
import dataclasses

import pytest

from hydramind.errors import Damaged
from hydramind.graph.commit import Commit, dump, op_id, op_key
from hydramind.graph.connection import Graph
from hydramind.index.ranking import rank_keywords
from hydramind.index.scope_index import ScopeIndex
from hydramind.queries import ops
from hydramind.queries.query import Query, nothing
from hydramind.records import ChangeSet, Memory, Op
from hydramind.service import HydraMind
from hydramind.settings import Settings
from hydramind.store.scopes import Scopes
from hydramind.store.sync import catch_up, load, newest_revision, ops_after
from tests.conftest import TestClock
from tests.scoped import DENIAL, FACT, REST, Scoped

PLANT = Query(
    "plant ops",
    "UNWIND $rows AS row CREATE (n:Op {id: row.id}) SET n.scope = row.scope, n.key = row.key, n.revision = row.revision, "
    "n.token = 't', n.verb = 'planted', n.created_at = 0, n.memory_ids = '', n.entity_ids = '', n.phase = row.phase, "
    "n.payload = row.payload, n.payload_hash = '', n.result = ''",
    nothing,
)
REMOVE = Query("remove an op", "MATCH (o:Op {id: $id}) DETACH DELETE o", nothing)


async def plant(graph: Graph, scope: str, first: int, last: int) -> None:
    """Ops `first`..`last` that change nothing."""
    rows = [
        {"id": op_id(scope, n), "scope": scope, "key": op_key(scope, n), "revision": n, "phase": "done", "payload": ""}
        for n in range(first, last + 1)
    ]
    for start in range(0, len(rows), 1_000):
        await graph.read(PLANT, rows=rows[start : start + 1_000])


@pytest.mark.parametrize("newest", [0, 1, 63, 64, 65, 127, 128, 129])
async def test_the_newest_revision_is_found(each_graph: Graph, scope: str, newest: int) -> None:
    """DESIGN 5: for counts around the width of a look, and every op after any of them is read in order."""
    await plant(each_graph, scope, 1, newest)
    assert await newest_revision(each_graph, scope) == newest
    for after in {0, 1, 63, 64, newest - 1, newest} & set(range(newest + 1)):
        assert [op.revision for op in await ops_after(each_graph, scope, after)] == list(range(after + 1, newest + 1))


async def test_the_newest_revision_is_found_in_long_logs(each_graph: Graph, scope: str) -> None:
    """DESIGN 5: for every count around 64 x 64 and around the second stride of the search."""
    planted = 4_094
    await plant(each_graph, scope, 1, planted)
    for newest in (*range(4_095, 4_099), *range(4_158, 4_163), 8_255, 8_256, 8_257):
        await plant(each_graph, scope, planted + 1, newest)
        planted = newest
        assert await newest_revision(each_graph, scope) == newest


async def test_a_gap_ends_what_is_read(each_graph: Graph, scope: str) -> None:
    """Revisions are dense; what stands behind a gap is not applied before the gap is filled."""
    await plant(each_graph, scope, 1, 10)
    await each_graph.read(REMOVE, id=op_id(scope, 6))
    assert [op.revision for op in await ops_after(each_graph, scope, 0)] == [1, 2, 3, 4, 5]


async def test_a_foreign_op_under_our_id_is_damage(each_graph: Graph, scope: str) -> None:
    """DESIGN 4: an op that names another revision is reported."""
    row = {
        "id": op_id(scope, 1),
        "scope": scope,
        "key": op_key(scope, 9),
        "revision": 9,
        "phase": "done",
        "payload": "",
    }
    await each_graph.read(PLANT, rows=[row])
    for look in (ops_after(each_graph, scope, 0), newest_revision(each_graph, scope)):
        with pytest.raises(Damaged, match=scope):
            await look


@pytest.mark.parametrize("cold", [True, False])
async def test_a_pending_op_is_finished_by_whoever_reads_first(each_graph: Graph, scope: str, cold: bool) -> None:
    """HYD-51, DESIGN 4: its rows appear, it is marked done and its payload is dropped, on a cold load and on a delta."""
    index = ScopeIndex(scope)
    op = Op(op_id(scope, 1), scope, op_key(scope, 1), 1, "t", "remember", 0)
    row = Memory(op_id(scope, 77), scope, "amber kite", "k", 1, 1, 1, revision=1)
    payload = dump(Commit(op, ChangeSet("remember", (row,))))
    values = {"id": op.id, "scope": scope, "key": op.key, "revision": 1, "phase": "pending", "payload": payload}
    await each_graph.read(PLANT, rows=[values])
    index = await load(each_graph, scope) if cold else index
    await catch_up(each_graph, index)
    (done,) = await each_graph.read_ids(ops.BY_ID, [op.id], scope=scope)
    assert (done.phase, done.payload, done.revision) == ("done", "", 1)
    assert (await load(each_graph, scope)).memory(row.id) == row


async def test_cold_and_incremental_projections_are_equal(
    each_graph: Graph, engine_settings: Settings, scope: str, clock: TestClock
) -> None:
    """SEEDS 6.7: rows, entities, revision, ranking and candidates are the same whichever way they came."""
    follower = Scopes(each_graph, clock, 8, 8).get(scope)
    await follower.index()
    async with HydraMind.open(engine_settings, clock=clock) as mind:
        scoped = Scoped(mind, scope)
        root = await scoped.keep(FACT, entity_refs=["gateway", "TLS"])
        derived = await scoped.keep(REST, derived_from=[root])
        await follower.index()
        clock.advance(seconds=1)
        denial = await scoped.keep(DENIAL, entity_refs=["gateway"])
        await scoped.forget(denial)
        clock.advance(seconds=1)
        await scoped.revise(derived, "The gateway was sold.", entity_refs=["gateway"])
        for number in range(70):
            await scoped.keep(f"Visitor {number} signed the gateway book {number}", entity_refs=["book"])
        warm = await scoped.stats()
    followed, cold = await follower.index(), await load(each_graph, scope)
    assert {row.id: row for row in followed.memories()} == {row.id: row for row in cold.memories()}
    assert {each.id: each for each in followed.entities()} == {each.id: each for each in cold.entities()}
    assert followed.revision == cold.revision == warm.revision == 75
    for keywords in (("gateway",), ("visitor", "book"), ("mutual", "tls")):
        assert rank_keywords(followed, keywords, 100) == rank_keywords(cold, keywords, 100)
    assert followed.related(FACT, 20, 0.1) == cold.related(FACT, 20, 0.1)


async def test_concurrent_readers_share_a_look_and_miss_nothing(
    each_graph: Graph, engine_settings: Settings, scope: str, clock: TestClock
) -> None:
    """DESIGN 5: whoever asks after a write was acknowledged gets it, also while another look is under way."""
    follower = Scopes(each_graph, clock, 8, 8).get(scope)
    async with HydraMind.open(engine_settings, clock=clock) as mind:
        scoped = Scoped(mind, scope)
        for number in range(10):
            early = asyncio.ensure_future(follower.index())
            await asyncio.sleep(0)
            kept = await scoped.keep(f"Visitor {number} signed book {number}")
            looks = await asyncio.gather(*(follower.index() for _ in range(5)))
            assert all(index.memory(int(kept)) is not None for index in looks)
            await early


async def test_rows_read_twice_are_applied_once(
    each_graph: Graph, engine_settings: Settings, scope: str, clock: TestClock
) -> None:
    """A projection whose revision lags its rows ends in the same state after the deltas."""
    async with HydraMind.open(engine_settings, clock=clock) as mind:
        scoped = Scoped(mind, scope)
        await scoped.keep(FACT)
        await scoped.keep(DENIAL)
    index = await load(each_graph, scope)
    index.revision = 0
    assert [op.verb for op in await catch_up(each_graph, index)] == ["remember", "remember"]
    cold = await load(each_graph, scope)
    assert [dataclasses.astuple(row) for row in index.memories()] == [
        dataclasses.astuple(row) for row in cold.memories()
    ]
    assert rank_keywords(index, ("gateway",), 10) == rank_keywords(cold, ("gateway",), 10)
    assert await catch_up(each_graph, index) == []
