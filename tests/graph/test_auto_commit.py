"""Writing without transactions, as on HydraDB: who is first wins a revision, and a slow writer harms nothing newer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from hydramind.errors import Conflict
from hydramind.graph.commit import PENDING, finish, load, op_id
from hydramind.graph.connection import Address, Graph
from hydramind.ids import random_id
from hydramind.models import Revised
from hydramind.queries import ops
from hydramind.records import Op
from hydramind.service import HydraMind
from hydramind.settings import load as load_settings
from hydramind.store.scopes import Scopes
from tests.conftest import TestClock
from tests.scoped import DENIAL, FACT, REST, Scoped, everything
from tests.watched import Wire, watched

pytestmark = pytest.mark.neo4j


@asynccontextmanager
async def opened(graph: Graph, scope: str) -> AsyncGenerator[Scoped]:
    """A service of its own on a graph without transactions."""
    scopes = Scopes(graph, TestClock(), 8, 8)
    yield Scoped(HydraMind(load_settings({}), graph, scopes, random_id), scope)
    await scopes.close()


@pytest.fixture
async def portable(neo4j_address: Address) -> AsyncIterator[tuple[Graph, Graph]]:
    """Two drivers to one server that refuses transactions; the guard of upserts holds across both."""
    wire = Wire(auto_commit=True)
    async with AsyncExitStack() as stack:
        yield (
            await stack.enter_async_context(watched(neo4j_address, wire)),
            await stack.enter_async_context(watched(neo4j_address, wire)),
        )


async def test_two_services_interleave_without_loss(portable: tuple[Graph, Graph], scope: str) -> None:
    """HYD-54: every acknowledged write is there once, revisions are dense, nothing stays pending."""
    async with opened(portable[0], scope) as left, opened(portable[1], scope) as right:
        sides = (left, right)
        replies = await asyncio.gather(
            *(sides[n % 2].remember(f"Visitor {n} signed book {n}", entity_refs=["book"]) for n in range(16))
        )
        assert len({reply.memory.id for reply in replies}) == 16
        stats = await left.stats()
        assert stats == await right.stats()
        assert (stats.memories, stats.entities, stats.revision) == (16, 1, 16)
        assert (await right.timeline("book")).total == 16
    found = await portable[0].read_ids(ops.BY_ID, [op_id(scope, n) for n in range(1, 17)], scope=scope)
    assert {(op.phase, op.payload) for op in found} == {("done", "")}


async def test_racing_revisions_leave_one_successor(portable: tuple[Graph, Graph], scope: str) -> None:
    """X02: one of six wins, the others are told what the memory is by now."""
    async with opened(portable[0], scope) as left, opened(portable[1], scope) as right:
        old = await left.keep("The quota is 40")
        replies = await asyncio.gather(
            *((left, right)[n % 2].revise(old, f"The quota is {n + 100}") for n in range(6)), return_exceptions=True
        )
        won = [reply for reply in replies if isinstance(reply, Revised)]
        assert len(won) == 1
        assert all(isinstance(reply, Revised | Conflict) for reply in replies)
        assert (await right.inspect(old)).superseded_by == (won[0].memory.id,)


async def test_a_slow_writer_of_an_older_op_changes_nothing(
    portable: tuple[Graph, Graph], neo4j_graph: Graph, scope: str
) -> None:
    """DESIGN 4: finishing an op again after newer ones were done leaves rows, ledger and summaries as the newer left them."""
    pending: list[Op] = []
    async with opened(portable[0], scope) as scoped:
        root = await scoped.keep(FACT)
        derived = await scoped.keep(REST, derived_from=[root])
        denial = await kept_pending(portable[0], scoped, pending)
        assert await scoped.trust(derived) == 0.85
        await scoped.forget(denial)
        before = await everything(neo4j_graph, scope)
        await finish(portable[0], pending[0])
        assert await everything(neo4j_graph, scope) == before
        assert [await scoped.trust(id_) for id_ in (root, derived)] == [1.0, 1.0]
        assert (await scoped.inspect(root)).contradicted_by == (denial,)


async def kept_pending(graph: Graph, scoped: Scoped, pending: list[Op]) -> str:
    """Remember the denial while another reader takes a copy of its op as long as it is unfinished."""
    revision = (await scoped.stats()).revision + 1
    task = asyncio.ensure_future(scoped.keep(DENIAL))
    while not pending and not task.done():
        found = await graph.read_ids(ops.BY_ID, [op_id(scoped.scope, revision)], scope=scoped.scope)
        pending += [op for op in found if op.phase == PENDING]
    kept = await task
    assert pending, "the op was never seen unfinished"
    assert load(pending[0]).changes
    return kept
