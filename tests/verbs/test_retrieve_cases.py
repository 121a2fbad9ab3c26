"""retrieve on the inputs that break search: hostile queries, tiny scopes, crowds of what may not be found, moments."""

from __future__ import annotations

import asyncio
import math
from datetime import UTC, datetime
from typing import Any

import pytest

from hydramind.models import Remember, Retrieve, Retrieved
from tests.conftest import TestClock
from tests.scoped import Scoped

FUSIONS = ("rrf", "dbsf", "zscore", "minmax", "shares")


async def ask(one: Scoped, query: str, **more: Any) -> Retrieved:
    """Retrieve with the gate that the request names."""
    return await one.mind.retrieve(Retrieve.parse({"query": query, "scope": one.scope, **more}))


async def found(one: Scoped, query: str, **more: Any) -> list[str]:
    """Contents of the hits, best first; every number is finite and every text valid UTF-8."""
    reply = await ask(one, query, **more)
    for hit in reply.hits:
        assert all(map(math.isfinite, (hit.score, hit.relevance, hit.coverage, *(each.score for each in hit.channels))))
    reply.model_dump_json().encode("utf-8")
    return [hit.memory.content for hit in reply.hits]


def at(clock: TestClock, moment: str) -> None:
    """Set the clock."""
    clock.now = int(datetime.fromisoformat(moment).timestamp() * 1_000)


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ("qx-", True),
        ("src/api/v2", True),
        ("C++ (std::move)", True),
        ("why? rollback AND", True),
        ("*rollback", True),
        ("rollback\\", True),
        ("why? AND", False),
        ("NOT", False),
        ('foo"bar', False),
        ("a:b~2^", False),
        ("[1 TO", False),
        ("/", False),
        ("*", False),
        ("\\", False),
        ("&&", False),
        (")", False),
        ("scope:other", False),
        ("(" * 10_000, False),
        ("build \ud83d", False),
    ],
)
async def test_a_query_is_data_to_every_channel(one: Scoped, query: str, holds: bool) -> None:
    """Q01, U05: no sign fails, with and without a gate; what holds a real word finds it, punctuation alone nothing."""
    content = "qx-77 rollback uses src/api/v2 (C++ std::move)"
    await one.keep(content)
    assert await found(one, query, gate="lexical") == ([content] if holds else [])
    assert await found(one, query, gate="off", channels=["sparse", "graph", "time"]) == ([content] if holds else [])


@pytest.mark.parametrize("fusion", FUSIONS)
async def test_tiny_scopes_answer_under_every_fusion(one: Scoped, fusion: str) -> None:
    """Q04: nothing in an empty scope or for stop words, one memory by its own text, equal evidence with equal scores above
    what lacks the word, also where all memories are the same, and nothing of what was forgotten."""
    how = {"fusion": fusion, "gate": "off"}
    assert await found(one, "anything", **how) == []
    await one.keep("the of and")
    assert (await ask(one, "the", fusion=fusion)).hits == ()
    assert (await ask(one, "deploy", fusion=fusion)).hits == ()
    for content in ("amber kite", "amber oar", "lamp"):
        await one.keep(content)
    assert (await found(one, "amber kite", top_k=50, **how))[0] == "amber kite"
    hits = (await ask(one, "amber", top_k=3, channels=["sparse"], **how)).hits
    assert {hit.memory.content for hit in hits[:2]} == {"amber kite", "amber oar"}
    assert hits[0].channels[0].score == hits[1].channels[0].score > 0
    same = Scoped(one.mind, one.scope + " same")
    ids = [await same.keep("amber kite", kind="turn") for _ in range(3)]
    alike = (await ask(same, "amber", channels=["sparse"], **how)).hits
    assert len({hit.channels[0].score for hit in alike}) == 1
    assert len(alike) == 3
    for id_ in ids:
        await same.forget(id_)
    assert await found(same, "amber", **how) == []


@pytest.mark.parametrize("query", ["\u84dd\u7eff\u90e8\u7f72", "\u53d1\u5e03", "svc-q4m", "\ub9ac\uc804", "zephyr"])
async def test_words_of_any_script_come_first(one: Scoped, query: str) -> None:
    """U02: by words alone."""
    contents = (
        "\u5468\u4e94\u7684\u53d1\u5e03\u6539\u6210\u84dd\u7eff\u90e8\u7f72",
        "\u6392\u67e5svc-q4m\u65f6\u8d85\u65f6",
        "\ubd80\uc0b0 \ub9ac\uc804 \uc7a5\uc560 \ub2f4\ub2f9\uc740 \uc18c\ub77c",
        "Zephyr\u2122 needs glibc",
    )
    for content in contents:
        await one.keep(content)
    first = (await found(one, query, channels=["sparse"]))[0]
    assert query.casefold() in first.casefold()


async def crowded(one: Scoped, clock: TestClock) -> str:
    """One note of the first of May and, a day later, 120 turns closer to the query that end with the month; the
    note's id."""
    at(clock, "2026-05-01T00:00Z")
    first = await one.keep("The depot is closed in winter", kind="note", entity_refs=["e"])
    at(clock, "2026-05-02T00:00Z")
    rival = {"kind": "turn", "valid_until": "2026-06-01"}
    await asyncio.gather(*(one.keep(f"parcel depot opens late {n}", **rival) for n in range(120)))
    return first


async def test_what_may_not_be_found_takes_no_place(one: Scoped, clock: TestClock) -> None:
    """R07: with five places a channel, under every fusion, the one row of that kind, about that entity, known then, or still
    valid is found behind 120 closer ones; none is found when none may be."""
    first = await crowded(one, clock)

    async def each(**more: Any) -> list[list[str]]:
        """What each fusion finds, without repeats."""
        how = {"gate": "off", "top_k": 5, "channel_k": 5, **more}
        replies = [await found(one, "parcel depot opens late", fusion=fusion, **how) for fusion in FUSIONS]
        return [reply for at, reply in enumerate(replies) if reply not in replies[:at]]

    only = [["The depot is closed in winter"]]
    assert {len(contents) for contents in await each()} == {5}
    assert await each(where={"kind": "note"}) == only
    assert await each(entity_refs=["e"]) == only
    assert await each(as_of="2026-05-01T12:00Z") == only
    at(clock, "2026-07-01T00:00Z")
    assert await each() == only
    assert await each(where={"kind": "note"}, entity_refs=["ghost"]) == [[]]
    assert await each(where={"kind": "note", "source": "nobody"}) == [[]]
    await one.forget(first)
    assert await each() == [[]]


async def test_channels_follow_a_revision(one: Scoped) -> None:
    """R04: by words and by entity the new wording finds the current row, the old wording nothing."""
    first = await one.keep("Ilse's build host is kestrel-2", entity_refs=["Ilse"])
    await one.revise(first, "Ilse's build host is osprey-9")
    current = ["Ilse's build host is osprey-9"]
    assert await found(one, "kestrel-2", gate="lexical") == []
    assert await found(one, "osprey-9", gate="lexical") == current
    assert await found(one, "where does Ilse build", channels=["graph"], gate="off") == current
    assert await found(one, "kestrel-2", channels=["sparse"], gate="off") == []


async def test_history_stays_what_it_was(one: Scoped, clock: TestClock) -> None:
    """T09: between, before, and exactly at the change, which belongs to the new version."""
    at(clock, "2026-01-01T00:00Z")
    old = await one.keep("api base path is /v1")
    at(clock, "2026-02-01T00:00Z")
    await one.revise(old, "api base path is /v2")
    at(clock, "2026-03-01T00:00Z")
    asked = {
        moment: await found(one, "api base path", as_of=moment)
        for moment in (None, "2026-02-15T00:00Z", "2026-01-15T00:00Z", "2026-02-01T00:00Z", "2026-02-01T00:59:59+01:00")
    }
    assert [content[0][-2:] for content in asked.values()] == ["v2", "v2", "v1", "v2", "v1"]


ROWS = ("2026-03-07T23:30-05:00", "2026-05-04T09:00Z", "2026-05-04T23:59:59.750Z", "2026-05-05T00:00Z")


@pytest.mark.parametrize(
    ("query", "inside"),
    [
        ("until 2026-05-04", ROWS[:3]),
        ("on 2026-05-04", ROWS[1:3]),
        ("from 2026-05-04 to 2026-05-04", ROWS[1:3]),
        ("yesterday", ROWS[1:3]),
        ("since 2026-05-05", ROWS[3:]),
        ("before 2026-05-04", ROWS[:1]),
    ],
)
async def test_a_day_in_the_question_is_the_whole_day(
    one: Scoped, clock: TestClock, query: str, inside: tuple[str, ...]
) -> None:
    """T03, T05: its last instant belongs to it and midnight to the next one; a time without zone is UTC."""
    for moment in ROWS:
        at(clock, moment)
        await one.keep(f"note of {moment}", kind="note")
    at(clock, "2026-05-05T08:00Z")
    reply = await ask(one, f"what happened {query}", channels=["time"], gate="off")
    whole = [hit.memory.content for hit in reply.hits for place in hit.channels if place.rank == 1]
    assert sorted(whole) == sorted(f"note of {moment}" for moment in inside)


async def test_ties_are_broken_alike_every_time(one: Scoped) -> None:
    """R09: of 25 memories of one instant each comes once, in one order, and a shorter answer is the beginning of it."""
    same = datetime(2026, 1, 1, tzinfo=UTC)
    for number in range(25):
        values = {"content": f"amber kite {number}", "scope": one.scope, "kind": "turn", "event_time": same}
        await one.mind.remember(Remember.parse(values))
    whole = await found(one, "amber kite", top_k=200)
    assert (len(whole), len(set(whole))) == (25, 25)
    for size in (1, 7, 24):
        assert await found(one, "amber kite", top_k=size) == whole[:size]
    for fusion in FUSIONS:
        asked = [await found(one, "amber kite", fusion=fusion, gate="off", top_k=25) for _ in range(2)]
        assert asked[0] == asked[1]
        assert set(asked[0]) == set(whole)


async def test_the_graph_is_asked_for_the_query_alone(one: Scoped) -> None:
    """BDH-14: a second wording ranks by its own words, and what the graph knows comes from the first one."""
    await one.keep("Clara met Omar Calder", kind="note")
    await one.keep("The harbour of Bergen", kind="note")
    asked = {"variants": ["Tell me about Bergen"], "gate": "off"}
    by_graph = await ask(one, "Tell me about Omar Calder", channels=["graph"], **asked)
    assert [(hit.memory.content, hit.wordings) for hit in by_graph.hits] == [("Clara met Omar Calder", (0,))]
    by_words = await ask(one, "Tell me about Omar Calder", channels=["sparse"], **asked)
    assert {hit.memory.content: hit.wordings for hit in by_words.hits} == {
        "Clara met Omar Calder": (0,),
        "The harbour of Bergen": (1,),
    }
    assert by_words.trace.schema_version == 1
