"""What a contradiction costs, how far the loss travels, and what the ledger keeps of it."""

from __future__ import annotations

import pytest

from hydramind.errors import Conflict, NotFound
from hydramind.graph.connection import Graph
from hydramind.models import TrustChange
from hydramind.queries.query import Query, nothing
from tests.conftest import TestClock
from tests.scoped import DENIAL, EDGES, FACT, FAR_REST, REST, Scoped

PLANT_LINEAGE = Query(
    "plant a lineage edge",
    "MATCH (s:Memory {id: $source}), (d:Memory {id: $target}) CREATE (s)-[r:DERIVED_FROM {id: $id}]->(d) "
    "SET r.event_id = $id, r.last_decayed_at = 0, r.last_decay_reason = '', r.before_trust = 1.0, "
    "r.after_trust = 1.0, r.decay_hop = 0, r.caused_by = ''",
    nothing,
)


async def lineage_events(graph: Graph, scope: str, type_: str) -> list[dict[str, object]]:
    """The properties of a scope's relationships of one type."""
    found = await graph.read(EDGES, scope=scope)
    return [{"source": str(s), "target": str(d), **row} for kind, s, d, row in found if kind == type_]


async def test_a_new_memory_has_full_trust_and_a_link_an_entity(each: Scoped) -> None:
    """HYD-15, HYD-43: active, trust 1.0, one ABOUT an entity, open validity that starts now."""
    kept = await each.remember(FACT, entity_refs=["gateway", "TLS"])
    memory = kept.memory
    assert kept.outcome == "created"
    assert (memory.status, memory.trust, memory.kind, memory.source) == ("active", 1.0, "fact", "mcp")
    assert (memory.created_at, memory.valid_from, memory.valid_to) == ("2026-03-01T10:00:00.000Z",) * 2 + (None,)
    assert [entity.name for entity in memory.entities] == ["gateway", "TLS"]
    assert await each.versions("gateway") == await each.versions("TLS") == [FACT]


async def test_premises_become_provenance(each: Scoped) -> None:
    """HYD-16: every id of derived_from is a DERIVED_FROM edge."""
    first, second = await each.keep(FACT), await each.keep(REST)
    derived = await each.keep(FAR_REST, derived_from=[first, second])
    assert (await each.inspect(derived)).derived_from == tuple(sorted((first, second), key=int))
    assert (await each.inspect(first)).derived == (derived,)


async def test_a_contradiction_costs_the_old_memory_forty_points(each: Scoped, each_graph: Graph) -> None:
    """HYD-17, HYD-18, HYD-45, HYD-69: 1.0 becomes 0.6 and `contradicted`; the edge keeps time, reason, both trusts."""
    old = await each.keep(FACT)
    reply = await each.remember(DENIAL)
    assert [(c.kind, c.memory_id) for c in reply.conflicts] == [("contradicts", old)]
    assert reply.trust_changes == (TrustChange(memory_id=old, before=1.0, after=0.6, hop=0),)
    assert (reply.memory.status, reply.memory.trust) == ("active", 1.0)
    assert (await each.status(old), await each.trust(old)) == ("contradicted", 0.6)
    (event,) = await lineage_events(each_graph, each.scope, "CONTRADICTS")
    kept = {name: event[name] for name in ("source", "target", "before_trust", "after_trust", "apply_status")}
    assert kept == {
        "source": reply.memory.id,
        "target": old,
        "before_trust": 1.0,
        "after_trust": 0.6,
        "apply_status": "applied",
    }
    assert event["detected_at"] == 1_772_359_200_000
    assert event["reason"] == reply.conflicts[0].reason != ""


async def test_losses_travel_two_hops_and_no_further(each: Scoped, each_graph: Graph) -> None:
    """HYD-19, HYD-21, HYD-46, HYD-47, HYD-69: 0.85 at hop 1, 0.70 at hop 2, nothing at hop 3, each with its event."""
    root = await each.keep(FACT)
    first = await each.keep(REST, derived_from=[root])
    second = await each.keep(FAR_REST, derived_from=[first])
    third = await each.keep("Lunch is served at noon.", derived_from=[second])
    reply = await each.remember(DENIAL)
    assert {change.memory_id: (change.before, change.after, change.hop) for change in reply.trust_changes} == {
        root: (1.0, 0.6, 0),
        first: (1.0, 0.85, 1),
        second: (1.0, 0.7, 2),
    }
    assert [await each.trust(id_) for id_ in (root, first, second, third)] == [0.6, 0.85, 0.7, 1.0]
    assert [await each.status(id_) for id_ in (first, second, third)] == ["active"] * 3
    (cause,) = await lineage_events(each_graph, each.scope, "CONTRADICTS")
    events = await lineage_events(each_graph, each.scope, "TRUST_DECAY")
    found = {(e["source"], e["target"], e["hop"], e["before_trust"], e["after_trust"]) for e in events}
    assert found == {(root, first, 1, 1.0, 0.85), (root, second, 2, 1.0, 0.7)}
    assert {e["caused_by"] for e in events} == {str(cause["event_id"])}
    summaries = await lineage_events(each_graph, each.scope, "DERIVED_FROM")
    assert {(e["source"], e["decay_hop"], e["after_trust"], e["caused_by"]) for e in summaries} == {
        (first, 1, 0.85, str(cause["event_id"])),
        (second, 2, 0.7, str(cause["event_id"])),
        (third, 0, 1.0, ""),
    }


async def test_a_diamond_counts_once_at_its_smallest_hop(each: Scoped) -> None:
    """HYD-19, L05: a memory that rests on the cause by two ways loses once, for the shorter way."""
    root = await each.keep(FACT)
    left, right = await each.keep(REST, derived_from=[root]), await each.keep(FAR_REST, derived_from=[root])
    bottom = await each.keep("Lunch is served at noon.", derived_from=[left, right])
    short_and_long = await each.keep("Bicycles are parked in the yard.", derived_from=[left, root])
    reply = await each.remember(DENIAL)
    assert sorted((change.memory_id, change.after, change.hop) for change in reply.trust_changes) == sorted(
        [(root, 0.6, 0), (left, 0.85, 1), (right, 0.85, 1), (bottom, 0.7, 2), (short_and_long, 0.85, 1)]
    )
    assert await each.trust(bottom) == 0.7


async def test_a_lineage_that_runs_in_a_circle_ends(each: Scoped, each_graph: Graph) -> None:
    """HYD-19: a planted cycle decays each memory of it once and never the cause again."""
    root = await each.keep(FACT)
    first = await each.keep(REST, derived_from=[root])
    second = await each.keep(FAR_REST, derived_from=[first])
    await each_graph.read(PLANT_LINEAGE, source=int(root), target=int(second), id=int(root) // 2 + 1)
    await each.remember(DENIAL)
    assert [await each.trust(id_) for id_ in (root, first, second)] == [0.6, 0.85, 0.7]


async def test_what_contradicts_its_own_premise_keeps_full_trust(each: Scoped) -> None:
    """HYD-18: the new memory stays at 1.0 even where it was concluded from the memory that it contradicts."""
    old = await each.keep(FACT)
    reply = await each.remember(DENIAL, derived_from=[old])
    assert (await each.trust(old), await each.trust(reply.memory.id)) == (0.6, 1.0)


async def test_another_cause_decays_a_dependent_again(each: Scoped) -> None:
    """SEEDS 1.3: two contradicted premises take 0.15 each, in two ledger entries; the diamond rule is per cause."""
    first, second = await each.keep(FACT), await each.keep("The cache is enabled.")
    derived = await each.keep(REST, derived_from=[first, second])
    await each.remember(DENIAL)
    await each.remember("The cache is disabled.")
    story = await each.explain(derived)
    assert [(e.before, e.after, e.hop) for e in story.events if e.kind == "decayed"] == [
        (1.0, 0.85, 1),
        (0.85, 0.7, 1),
    ]
    assert await each.trust(derived) == 0.7


async def test_the_same_statement_contradicts_once(each: Scoped) -> None:
    """SEEDS 1.3: repeating the denial is a duplicate; saying it in another way does not hit what is contradicted already."""
    old = await each.keep(FACT)
    denial = await each.keep(DENIAL)
    again = await each.remember(DENIAL)
    assert (again.outcome, again.memory.id, again.trust_changes) == ("duplicate", denial, ())
    other = await each.remember("The gateway never uses mutual TLS.")
    assert other.trust_changes == ()
    assert await each.trust(old) == 0.6
    assert (await each.inspect(old)).contradicted_by == (denial,)


async def test_trust_never_falls_below_the_floor(one: Scoped) -> None:
    """HYD-20: seven contradicted premises would take 1.05 from what rests on them; 0.05 stays, and the ledger joins up."""
    things = ["cache", "mirror", "gateway", "scheduler", "dashboard", "importer", "mailer"]
    premises = [await one.keep(f"The {thing} is enabled.") for thing in things]
    derived = await one.keep(REST, derived_from=premises)
    expected = 1.0
    for thing, premise in zip(things, premises, strict=True):
        await one.remember(f"The {thing} is disabled.")
        expected = max(0.05, round(expected - 0.15, 6))
        assert (await one.trust(premise), await one.trust(derived)) == (0.6, expected)
    assert expected == 0.05
    last = [event for event in (await one.explain(derived)).events if event.kind == "decayed"][-1]
    assert (last.before, last.after) == (0.1, 0.05)


async def test_history_is_never_erased_by_a_refresh(one: Scoped, graph: Graph) -> None:
    """HYD-21: the lineage edge sums up the last decay only, each TRUST_DECAY stays as it was written."""
    first, second = await one.keep(FACT), await one.keep("The cache is enabled.")
    await one.keep(REST, derived_from=[first, second])
    await one.remember(DENIAL)
    before = await lineage_events(graph, one.scope, "TRUST_DECAY")
    await one.remember("The cache is disabled.")
    after = await lineage_events(graph, one.scope, "TRUST_DECAY")
    assert len(after) == 2
    assert before[0] in after


async def test_reading_never_moves_trust(one: Scoped, clock: TestClock) -> None:
    """D03: fifty recalls, traces and explanations leave the trust and the ledger of a contradicted memory as they were."""
    old = await one.keep(FACT)
    await one.keep(DENIAL)
    before = await one.explain(old)
    for _ in range(50):
        clock.advance(days=1)
        await one.recall("gateway mutual TLS")
    await one.trace(old)
    assert await one.explain(old) == before


@pytest.mark.parametrize("bad", ["forgotten", "unknown", "elsewhere"])
async def test_premises_must_be_known_and_not_forgotten(one: Scoped, bad: str) -> None:
    """HYD-42, S05: a forgotten, unknown or foreign premise refuses the whole call and nothing is written."""
    premise = await one.keep(FACT)
    ids = {"forgotten": premise, "unknown": "12345", "elsewhere": premise}
    target = Scoped(one.mind, one.scope + "-other") if bad == "elsewhere" else one
    if bad == "forgotten":
        await one.forget(premise)
    before = await target.stats()
    with pytest.raises(Conflict if bad == "forgotten" else NotFound, match=ids[bad]):
        await target.remember(REST, derived_from=[ids[bad]], entity_refs=["office"])
    assert await target.stats() == before
