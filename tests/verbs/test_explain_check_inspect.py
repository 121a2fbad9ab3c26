"""explain_trust tells the ledger, check_conflict stores nothing, inspect and stats show what is there."""

from __future__ import annotations

import asyncio

import pytest

from hydramind.errors import Damaged
from hydramind.graph.connection import Graph
from hydramind.models import OneScope
from hydramind.queries.query import Query, nothing
from tests.conftest import TestClock
from tests.scoped import DENIAL, FACT, FAR_REST, REST, Scoped, everything

TAMPER = Query(
    "change a ledger entry",
    "MATCH (s:Memory)-[r:CONTRADICTS]->(d:Memory {id: $id}) SET r.after_trust = 0.9",
    nothing,
)


async def test_the_story_is_ordered_and_in_plain_words(each: Scoped, clock: TestClock) -> None:
    """HYD-40: created, contradicted, restored, superseded and forgotten, each with time, both trusts, reason and cause."""
    memory = await each.keep(FACT)
    clock.advance(days=1)
    denial = await each.keep(DENIAL)
    clock.advance(days=1)
    await each.forget(denial)
    clock.advance(days=1)
    new = (await each.revise(memory, REST, reason="rewritten")).memory.id
    story = await each.explain(memory)
    assert [(e.kind, e.at[:10], e.before, e.after, e.by) for e in story.events] == [
        ("created", "2026-03-01", 1.0, 1.0, ""),
        ("contradicted", "2026-03-02", 1.0, 0.6, denial),
        ("restored", "2026-03-03", 0.6, 1.0, denial),
        ("superseded", "2026-03-04", 1.0, 1.0, new),
    ]
    assert story.replayed == story.memory.trust == 1.0
    told = [event.narration for event in story.events]
    assert told[0] == "remembered at full trust (1.00), said by 'mcp'"
    assert told[1].startswith(f"contradicted by memory {denial} (trust 1.00 -> 0.60): ")
    assert told[3] == f"superseded by memory {new}: rewritten"


async def test_a_decay_names_who_caused_it_and_how_far_up(each: Scoped) -> None:
    """HYD-40: the entry of a derived memory names the contradictor, the contradicted premise and the hop."""
    root = await each.keep(FACT)
    first = await each.keep(REST, derived_from=[root])
    second = await each.keep(FAR_REST, derived_from=[first])
    denial = await each.keep(DENIAL)
    for id_, hop, words in ((first, 1, "1 hop up"), (second, 2, "2 hops up")):
        event = (await each.explain(id_)).events[-1]
        assert (event.kind, event.by, event.hop) == ("decayed", denial, hop)
        assert root in event.reason
        assert words in event.narration


async def test_the_story_of_a_forgotten_memory_ends_with_it(one: Scoped, clock: TestClock) -> None:
    """HYD-40, HYD-41: forgotten, at the time it was forgotten."""
    memory = await one.keep(FACT)
    clock.advance(days=1)
    await one.forget(memory)
    assert [(e.kind, e.at[:10]) for e in (await one.explain(memory)).events] == [
        ("created", "2026-03-01"),
        ("forgotten", "2026-03-02"),
    ]


async def test_a_superseded_memory_is_forgotten_when_it_was(one: Scoped, clock: TestClock) -> None:
    """HYD-40: the story keeps the order in which things happened: superseded on the second, forgotten on the third."""
    memory = await one.keep("Retention is 30 days.")
    clock.advance(days=1)
    await one.revise(memory, "Retention is 14 days.")
    clock.advance(days=1)
    await one.forget(memory)
    assert [(e.kind, e.at[:10]) for e in (await one.explain(memory)).events][1:] == [
        ("superseded", "2026-03-02"),
        ("forgotten", "2026-03-03"),
    ]


async def test_a_ledger_that_does_not_join_up_is_reported(one: Scoped, graph: Graph) -> None:
    """SEEDS 6.7: a tampered entry is `Damaged`, never repaired silently."""
    memory = await one.keep(FACT)
    denial = await one.keep(DENIAL)
    await graph.read(TAMPER, id=int(memory))
    await one.forget(denial)
    with pytest.raises(Damaged, match=memory):
        await one.explain(memory)


async def test_a_draft_is_compared_and_not_stored(each: Scoped, each_graph: Graph) -> None:
    """HYD-39: the clash with both quotes and a reason; not a byte moves; the duplicate is named as such."""
    stored = await each.keep(FACT, entity_refs=["gateway"])
    before = await everything(each_graph, each.scope)
    (clash,) = (await each.check(DENIAL, entity_refs=["gateway"])).conflicts
    assert (clash.kind, clash.memory_id, clash.content) == ("contradicts", stored, FACT)
    assert clash.reason
    assert clash.draft_quote in DENIAL
    assert clash.stored_quote in FACT
    assert [c.kind for c in (await each.check(FACT)).conflicts] == ["duplicate"]
    assert (await each.check(REST)).conflicts == ()
    assert await everything(each_graph, each.scope) == before


async def test_a_draft_about_other_entities_is_no_conflict(one: Scoped) -> None:
    """HYD-39: where both name entities they must share one; where one side names none, the words decide."""
    await one.keep(FACT, entity_refs=["gateway"])
    assert (await one.check(DENIAL, entity_refs=["mirror"])).conflicts == ()
    assert len((await one.check(DENIAL)).conflicts) == 1
    assert len((await one.check(DENIAL, entity_refs=["Gateway", "mirror"])).conflicts) == 1


async def test_only_active_memories_are_compared(one: Scoped) -> None:
    """HYD-39: contradicted, superseded and forgotten memories are not hit by a draft."""
    memory = await one.keep(FACT)
    await one.forget(memory)
    assert (await one.check(DENIAL)).compared == 0


async def test_inspection_shows_every_relation(one: Scoped) -> None:
    """HYD-43: both directions of provenance, contradiction and replacement, ids in order."""
    premise = await one.keep(REST)
    memory = await one.keep(FACT, derived_from=[premise])
    derived = await one.keep(FAR_REST, derived_from=[memory])
    denial = await one.keep(DENIAL)
    seen = await one.inspect(memory)
    assert (seen.derived_from, seen.derived, seen.contradicted_by) == ((premise,), (derived,), (denial,))
    assert (seen.contradicts, seen.supersedes, seen.superseded_by) == ((), (), ())
    assert (await one.inspect(denial)).contradicts == (memory,)
    assert seen.revision == 4


async def test_counts_entities_and_drawing_agree(each: Scoped) -> None:
    """stats, entities and graph of a scope tell the same: what is forgotten is counted, not drawn."""
    old = await each.keep(FACT, entity_refs=["gateway", "TLS"])
    denial = await each.keep(DENIAL, entity_refs=["gateway"])
    hidden = await each.keep(REST, derived_from=[denial], entity_refs=["team"])
    await each.forget(hidden)
    stats = await each.stats()
    assert (stats.memories, stats.active, stats.contradicted, stats.superseded, stats.forgotten) == (3, 1, 1, 0, 1)
    assert (stats.entities, stats.mean_trust, stats.revision) == (3, 0.8, 4)
    entities = await each.mind.entities(OneScope(scope=each.scope))
    assert [(entity.name, entity.memories) for entity in entities] == [("gateway", 2), ("TLS", 1)]
    drawn = await each.mind.graph(OneScope(scope=each.scope))
    assert {node.text for node in drawn.nodes} == {FACT, DENIAL, "gateway", "TLS"}
    assert sorted(edge.type for edge in drawn.edges) == ["ABOUT", "ABOUT", "ABOUT", "CONTRADICTS"]
    assert (drawn.total_memories, drawn.revision) == (2, 4)
    assert [edge.end for edge in drawn.edges if edge.type == "CONTRADICTS"] == [old]
    assert [scope.name for scope in await each.mind.scopes() if scope.name == each.scope] == [each.scope]


async def test_drawing_takes_the_newest(one: Scoped, clock: TestClock) -> None:
    """A limit draws the newest memories only, and no edge to what is not drawn."""
    premise = await one.keep(FACT)
    clock.advance(seconds=1)
    await one.keep(REST, derived_from=[premise])
    drawn = await one.mind.graph(OneScope(scope=one.scope), 1)
    assert ([node.text for node in drawn.nodes], drawn.edges, drawn.total_memories) == ([REST], (), 2)


async def test_events_come_in_order_and_then_live(each: Scoped) -> None:
    """Every op above the revision asked for, once and in order, then what is committed next."""
    first = await each.keep(FACT)
    second = await each.keep(DENIAL)
    stream = aiter(each.mind.events(each.scope, 0))
    seen = [await anext(stream), await anext(stream)]
    waiting = asyncio.ensure_future(anext(stream))
    await each.forget(second)
    seen.append(await asyncio.wait_for(waiting, 20))
    await stream.aclose()  # pyright: ignore[reportAttributeAccessIssue]
    assert [(event.revision, event.verb) for event in seen] == [(1, "remember"), (2, "remember"), (3, "forget")]
    assert seen[0].memory_ids == (first,)
    assert set(seen[1].memory_ids) == {first, second}
    assert set(seen[2].memory_ids) == {first, second}


async def test_events_from_now_on_skip_the_past(one: Scoped) -> None:
    """-1 starts behind the newest op that the stream sees when it starts; what comes later arrives."""
    past = await one.keep(FACT)
    stream = aiter(one.mind.events(one.scope, -1))
    waiting = asyncio.ensure_future(anext(stream))
    later = [await one.keep(f"Visitor {number} signed book {number}") for number in range(20)]
    event = await asyncio.wait_for(waiting, 20)
    await stream.aclose()  # pyright: ignore[reportAttributeAccessIssue]
    assert event.revision > 1
    assert event.memory_ids == (later[event.revision - 2],) != (past,)


async def test_health_names_the_engine(each: Scoped) -> None:
    """HYD-10: the answer of the engine as it is now."""
    health = await each.mind.health()
    assert (health.status, health.engine in {"arcadedb", "neo4j"}) == ("ok", True)
    assert health.latency_ms > 0
