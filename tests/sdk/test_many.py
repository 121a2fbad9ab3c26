"""Many statements by one call: in order, each with its own end, and nothing twice."""

from __future__ import annotations

import asyncio
from typing import Any

from hydramind import HydraMindClient
from hydramind.errors import Conflict, Invalid, NotFound, Unauthorized
from hydramind.models import Remember, Remembered
from hydramind.sdk.ingesting import Ingesting
from tests.sdk.conftest import Mind

AT = "2026-01-02T03:04:00Z"


def kept(done: object) -> Remembered:
    """The reply, where there is one."""
    assert isinstance(done, Remembered), done
    return done


async def test_each_has_its_reply_in_its_place(either: Mind, scope: str) -> None:
    """Requests and mappings, facts and turns: the later fact contradicts the earlier one, not the other way round."""
    denial = "The staging cache is not enabled"
    turns = [
        {"content": f"turn {n}", "scope": scope, "kind": "turn", "session": "a", "event_time": AT} for n in range(40)
    ]
    done = await either.remember_many(
        [
            *turns,
            Remember.parse({"content": "The staging cache is enabled", "scope": scope, "entity_refs": ["cache"]}),
            {"content": denial, "scope": scope, "entity_refs": ["cache"]},
        ]
    )
    assert [kept(each).memory.content for each in done] == [
        *(turn["content"] for turn in turns),
        "The staging cache is enabled",
        denial,
    ]
    assert [change.memory_id for change in kept(done[-1]).trust_changes] == [kept(done[-2]).memory.id]
    assert (await either.stats(scope)).memories == 42
    assert await either.remember_many([]) == ()


async def test_a_failure_stands_in_its_place_and_stops_nothing(either: Mind, scope: str) -> None:
    """A bad argument, an unknown premise and a key of other words; what is good around them is kept."""
    done = await either.remember_many(
        [
            {"content": "Port 8080 is open", "scope": scope, "idempotency_key": "k"},
            {"content": "x", "scope": scope, "limit": 3},
            {"content": "Port 25 is closed", "scope": scope, "derived_from": ["5"]},
            {"content": "Port 9090 is open", "scope": scope, "idempotency_key": "k"},
            {"content": "Lunch is served at noon", "scope": scope},
        ]
    )
    assert [type(each) for each in done] == [Remembered, Invalid, NotFound, Conflict, Remembered]
    assert (await either.stats(scope)).memories == 2


async def test_the_same_call_again_keeps_nothing_twice(either: Mind, scope: str) -> None:
    """With a key each, also for turns, which are kept as often as they are said."""
    turn = {"content": "yes", "scope": scope, "kind": "turn", "event_time": AT}
    said = [{**turn, "idempotency_key": f"turn {n}"} for n in range(3)]
    first = [kept(each).memory.id for each in await either.remember_many(said)]
    assert [kept(each).memory.id for each in await either.remember_many(said)] == first
    assert (len(set(first)), (await either.stats(scope)).memories) == (3, 3)


async def test_a_memory_out_of_reach_is_told_of_every_item_and_asked_once(url: str, scope: str) -> None:
    """What was not begun has the failure of what was; nothing is raised."""
    async with HydraMindClient(url, "wrong") as client:
        done = await client.remember_many([{"content": f"Locker {n} is red", "scope": scope} for n in range(5)])
    assert [type(each) for each in done] == [Unauthorized] * 5
    assert len({id(each) for each in done}) == 1


class Watched(Ingesting):
    """Counts what is under way at once; answers nothing, so that every item fails as not found."""

    in_flight = 4

    def __init__(self) -> None:
        self.now = 0
        self.most: dict[str, int] = {}

    async def _do(self, verb: Any, request: Any) -> Any:
        self.now += 1
        self.most[request.kind] = max(self.most.get(request.kind, 0), self.now)
        await asyncio.sleep(0)
        self.now -= 1
        raise NotFound(f"nothing takes {request.content!r}")

    async def stats(self, scope: str) -> Any:
        """Of nothing."""
        raise NotFound(f"no scope {scope!r}")


async def test_what_is_written_at_once_is_bounded_and_facts_go_alone() -> None:
    """At most `in_flight` turns of a known time together; a fact, or a note without a time, waits for all before it."""
    watched = Watched()
    turn, note = {"kind": "turn", "event_time": AT}, {"kind": "note"}
    done = await watched.remember_many(
        [
            {"content": f"said {n}", "scope": "s", **how}
            for n, how in enumerate([*[turn] * 10, {}, turn, note, note, {}])
        ]
    )
    assert [str(each) for each in done] == [f"nothing takes 'said {n}'" for n in range(15)]
    assert watched.most == {"turn": 4, "fact": 1, "note": 1}
