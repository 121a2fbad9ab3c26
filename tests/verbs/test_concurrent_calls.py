"""Many callers at once, in one process and in two: nothing is lost, nothing happens twice."""

from __future__ import annotations

import asyncio

import pytest

from hydramind.errors import Conflict
from hydramind.models import OneScope, Revised
from hydramind.service import HydraMind
from hydramind.settings import Settings
from tests.conftest import TestClock
from tests.scoped import DENIAL, FACT, REST, Scoped


@pytest.fixture
async def pair(engine_settings: Settings, clock: TestClock, scope: str):
    """One scope as two services with a driver each see it."""
    async with (
        HydraMind.open(engine_settings, clock=clock) as left,
        HydraMind.open(engine_settings, clock=clock) as right,
    ):
        yield Scoped(left, scope), Scoped(right, scope)


async def test_twenty_callers_remember_one_fact_once(pair: tuple[Scoped, Scoped]) -> None:
    """X02: one row, one created, nineteen duplicates of it."""
    replies = await asyncio.gather(*(pair[n % 2].remember("The quota is 40") for n in range(20)))
    assert len({reply.memory.id for reply in replies}) == 1
    assert sorted(reply.outcome for reply in replies) == ["created", *["duplicate"] * 19]
    assert [(await side.stats()).memories for side in pair] == [1, 1]


async def test_twenty_revisions_leave_one_line(pair: tuple[Scoped, Scoped]) -> None:
    """X02: one wins, nineteen get a conflict that names the status; one successor, one current row."""
    old = await pair[0].keep("The quota is 40", entity_refs=["quota"])
    replies = await asyncio.gather(
        *(pair[n % 2].revise(old, f"The quota is {n + 100}") for n in range(20)), return_exceptions=True
    )
    won = [reply for reply in replies if isinstance(reply, Revised)]
    assert len(won) == 1
    assert {(type(r), "superseded" in str(r)) for r in replies if not isinstance(r, Revised)} == {(Conflict, True)}
    assert (await pair[1].inspect(old)).superseded_by == (won[0].memory.id,)
    stats = await pair[0].stats()
    assert (stats.memories, stats.active, stats.superseded) == (2, 1, 1)


async def test_twenty_texts_share_one_entity(pair: tuple[Scoped, Scoped]) -> None:
    """X02: the hub exists once with twenty links, on both sides."""
    await asyncio.gather(
        *(pair[n % 2].remember(f"Spoke {n} was fitted to wheel {n}", entity_refs=["hub"]) for n in range(20))
    )
    for side in pair:
        (hub,) = await side.mind.entities(OneScope(scope=side.scope))
        assert (hub.name, hub.memories) == ("hub", 20)
        assert (await side.timeline("hub")).total == 20


async def test_one_key_used_at_once_happens_once(pair: tuple[Scoped, Scoped]) -> None:
    """HYD-22, X01: ten callers of one keyed contradiction get one result; trust falls once."""
    root = await pair[0].keep(FACT)
    derived = await pair[0].keep(REST, derived_from=[root])
    replies = await asyncio.gather(*(pair[n % 2].remember(DENIAL, idempotency_key="k1") for n in range(10)))
    assert all(reply == replies[0] for reply in replies)
    assert [await pair[1].trust(id_) for id_ in (root, derived)] == [0.6, 0.85]


async def test_opposite_statements_at_once_end_in_one_order(pair: tuple[Scoped, Scoped]) -> None:
    """HYD-17: two processes say the opposite at once; one was first and is contradicted, on every look."""
    left, right = await asyncio.gather(pair[0].remember(FACT), pair[1].remember(DENIAL))
    ids = (left.memory.id, right.memory.id)
    seen = [[(await side.status(id_), await side.trust(id_)) for id_ in ids] for side in pair]
    assert seen[0] == seen[1]
    assert sorted(seen[0]) == [("active", 1.0), ("contradicted", 0.6)]


async def test_forgetting_races_revising(pair: tuple[Scoped, Scoped]) -> None:
    """X02: whichever is first, the memory ends forgotten or superseded with one successor at most, and replays."""
    old = await pair[0].keep("The quota is 40")
    outcome = await asyncio.gather(pair[0].forget(old), pair[1].revise(old, "The quota is 41"), return_exceptions=True)
    refused = [each for each in outcome if isinstance(each, BaseException)]
    assert all(isinstance(each, Conflict) for each in refused)
    seen = await pair[0].inspect(old)
    assert seen.memory.status == "forgotten"
    assert len(seen.superseded_by) == 1 - len(refused)
    assert await pair[1].trust(old) == 1.0


async def test_mixed_work_of_two_services_is_not_lost(pair: tuple[Scoped, Scoped]) -> None:
    """HYD-8, HYD-54: interleaved writes of both sides are all there, revisions are dense, both projections agree."""

    async def work(side: Scoped, name: str) -> None:
        for number in range(8):
            kept = await side.remember(f"Crate {name}{number} went to dock {name}{number}", entity_refs=["dock"])
            if number % 4 == 3:
                await side.forget(kept.memory.id)

    await asyncio.gather(work(pair[0], "a"), work(pair[1], "b"), work(pair[0], "c"), work(pair[1], "d"))
    left, right = await pair[0].stats(), await pair[1].stats()
    assert left == right
    assert (left.memories, left.active, left.forgotten, left.revision) == (32, 24, 8, 40)
