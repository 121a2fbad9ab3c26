"""recall ranks what is evidence, and says nothing where there is none."""

from __future__ import annotations

import pytest

from hydramind.service import HydraMind
from hydramind.settings import Settings
from tests.conftest import TestClock
from tests.scoped import DENIAL, FACT, REST, Scoped


async def test_rows_carry_content_trust_status_and_creation_time(each: Scoped) -> None:
    """HYD-25, HYD-28, HYD-30: the denial first at 1.0, the contradicted memory behind it at 0.6."""
    await each.keep(FACT)
    await each.keep(DENIAL)
    reply = await each.recall("Which gateway uses mutual TLS?")
    assert [(h.memory.content, h.memory.status, h.memory.trust, h.score, h.coverage) for h in reply.hits] == [
        (DENIAL, "active", 1.0, 1.0, 1.0),
        (FACT, "contradicted", 0.6, 0.6, 1.0),
    ]
    assert {hit.memory.created_at for hit in reply.hits} == {"2026-03-01T10:00:00.000Z"}
    assert (reply.considered, reply.passed) == (2, 2)


async def test_superseded_and_forgotten_memories_are_not_recalled(each: Scoped) -> None:
    """HYD-25, SEEDS 6.7: neither shown nor considered."""
    first = await each.keep("The mirror lives in Oslo.")
    second = await each.revise(first, "The mirror lives in Bergen.")
    assert await each.found("Where does the mirror live?") == ["The mirror lives in Bergen."]
    await each.forget(second.memory.id)
    reply = await each.recall("Where does the mirror live?")
    assert (reply.hits, reply.considered) == ((), 0)


async def test_the_rank_is_trust_times_coverage(one: Scoped) -> None:
    """HYD-28: full coverage at trust 0.6 (0.6) stands behind four fifths at trust 1.0 (0.8)."""
    await one.keep("Copper kettle boils river water fast.")
    await one.keep("Copper kettle does not boil river water fast.")
    await one.keep("Copper kettle near river, fast and cheap, was bought in autumn.")
    reply = await one.recall("copper kettle boils river fast")
    assert [(hit.score, hit.coverage, hit.memory.status) for hit in reply.hits] == [
        (1.0, 1.0, "active"),
        (0.8, 0.8, "active"),
        (0.6, 1.0, "contradicted"),
    ]


async def test_ties_go_to_the_newer_then_to_the_id(one: Scoped, clock: TestClock) -> None:
    """SEEDS 1.3: equal scores are in order of creation, newest first, and of the id within one instant."""
    early = [await one.keep(f"The amber kite number {n}") for n in ("one", "two", "three")]
    clock.advance(seconds=1)
    late = await one.keep("The amber kite number four")
    hits = [hit.memory.id for hit in (await one.recall("amber kite")).hits]
    assert hits == [late, *sorted(early, key=int)]


async def test_an_entity_filter_is_a_filter_by_the_graph(each: Scoped) -> None:
    """HYD-24: only memories ABOUT one of the named entities, whatever their words; unknown entities give nothing."""
    await each.keep("The gateway is fast.", entity_refs=["gateway"])
    await each.keep("The mirror is fast.", entity_refs=["mirror"])
    await each.keep("The importer is fast, says the gateway.")
    assert await each.found("fast", entity_refs=["Gateway"]) == ["The gateway is fast."]
    assert len(await each.found("fast", entity_refs=["gateway", "mirror"])) == 2
    assert await each.found("fast", entity_refs=["nobody"]) == []
    assert len(await each.found("fast")) == 3


@pytest.mark.parametrize(
    "question",
    [
        "Who approved the gateway budget for winter?",
        "Does the gateway cache use mutual exclusion?",
        "gateway TLS certificates renewal date",
        "mutual",
        "What is the capital of Norway?",
    ],
)
async def test_no_evidence_means_no_rows(one: Scoped, question: str) -> None:
    """HYD-27, HYD-29: other topics, and questions that share the topic but not the asked facts, find nothing."""
    await one.keep("The gateway uses TLS between zones.")
    await one.keep(REST)
    reply = await one.recall(question)
    assert (reply.hits, reply.passed, reply.considered) == ((), 0, 2)


async def test_question_words_and_variants_do_not_count(one: Scoped) -> None:
    """HYD-26: `Which ... are ...?` adds nothing to the denominator, `rotating` finds `rotated`."""
    await one.keep(REST)
    reply = await one.recall("Which team is rotating the certificates?")
    assert [hit.coverage for hit in reply.hits] == [1.0]
    assert reply.keywords == ("team", "rotat", "certif")


@pytest.mark.parametrize("query", ["what is the", "?!", "()", "the of and", "*", "\\", "&&"])
async def test_a_query_without_words_finds_nothing(one: Scoped, query: str) -> None:
    """SEEDS 1.3, Q01: an empty normalised query returns []."""
    await one.keep(FACT)
    assert (await one.recall(query)).hits == ()


async def test_a_limit_cuts_after_ranking(one: Scoped, clock: TestClock) -> None:
    """HYD-31, M02: default 10, at most 100, the best of all; 0 gives none and still counts what passed."""
    old = await one.keep("The amber kite flies.")
    for number in range(120):
        clock.advance(seconds=1)
        await one.keep(f"The amber lamp {number} glows over the kite")
    del old
    assert len((await one.recall("amber")).hits) == 10
    assert len((await one.recall("amber", limit=10**9)).hits) == 100
    none = await one.recall("amber", limit=0)
    assert (none.hits, none.passed) == ((), 121)
    assert await one.found("amber flies", limit=1) == ["The amber kite flies."]


async def test_tiny_scopes_answer(one: Scoped) -> None:
    """Q04: an empty scope, a scope of stop words, and equal scores for equal evidence."""
    assert (await one.recall("anything")).hits == ()
    await one.keep("the of and")
    assert await one.found("the") == []
    assert await one.found("deploy") == []
    for text in ("amber kite", "amber oar", "lamp"):
        await one.keep(text)
    hits = (await one.recall("amber", limit=3)).hits
    assert [(hit.memory.content, hit.score) for hit in sorted(hits, key=lambda hit: hit.memory.content)] == [
        ("amber kite", 1.0),
        ("amber oar", 1.0),
    ]
    lamp = (await one.recall("lamp", limit=50)).hits[0].memory.id
    await one.forget(lamp)
    assert await one.found("lamp") == []


async def test_another_process_recalls_what_was_written(
    engine_settings: Settings, scope: str, clock: TestClock
) -> None:
    """HYD-7, HYD-8: two services on two drivers see each other's acknowledged writes at once; so does one opened later."""
    async with (
        HydraMind.open(engine_settings, clock=clock) as left,
        HydraMind.open(engine_settings, clock=clock) as right,
    ):
        here, there = Scoped(left, scope), Scoped(right, scope)
        await here.keep(FACT, entity_refs=["gateway"])
        assert await there.found("gateway mutual TLS") == [FACT]
        await there.keep(DENIAL, entity_refs=["gateway"])
        assert await here.found("gateway mutual TLS") == [DENIAL, FACT]
    async with HydraMind.open(engine_settings, clock=clock) as late:
        assert await Scoped(late, scope).found("gateway mutual TLS", entity_refs=["gateway"]) == [DENIAL, FACT]
