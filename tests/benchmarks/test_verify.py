"""The checker finds each kind of fault that is planted in a sound scope, and nothing in a sound one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, LiteralString

import pytest

from hydramind.graph.connection import Graph
from hydramind.models import OneMemory, OneScope, Relate, Remember, Revise
from hydramind.opening import open_graph
from hydramind.queries.query import Query, nothing
from hydramind.service import HydraMind
from hydramind.settings import Settings
from hydramind.verify import verify

pytestmark = pytest.mark.engine

FAULTS: dict[str, tuple[LiteralString, set[str]]] = {
    "an op is gone": (
        "MATCH (o:Op {scope: $scope}) WHERE o.revision = 2 DETACH DELETE o",
        {"revision_missing"},
    ),
    "the newest op is gone": (
        "MATCH (o:Op {scope: $scope}) WHERE o.revision = 12 DETACH DELETE o",
        {"memory_unlogged"},
    ),
    "a memory was written past the log": (
        "MATCH (m:Memory {id: $fresh}) CREATE (n:Memory {id: $stranger}) SET n.scope = m.scope, n.content = m.content, "
        "n.key = m.key, n.created_at = m.created_at, n.event_time = m.event_time, n.valid_from = m.valid_from, "
        "n.kind = m.kind, n.source = m.source, n.dated = m.dated, n.valid_to = m.valid_to, n.status = m.status, "
        "n.trust = m.trust, n.entity_ids = '', n.premise_superseded = false, n.write_phase = 'done', n.revision = 0, "
        "n.forgotten_at = m.forgotten_at",
        {"memory_unlogged"},
    ),
    "a revision was committed twice": (
        "CREATE (:Op {id: 4711, scope: $scope, key: 'x', revision: 2, token: '', verb: 'remember', created_at: 1, "
        "memory_ids: '', entity_ids: '', phase: 'done', payload: '', payload_hash: '', result: ''})",
        {"revision_twice", "op_key"},
    ),
    "an op is not finished": (
        "MATCH (o:Op {scope: $scope}) WHERE o.revision = 2 SET o.phase = 'pending'",
        {"op_unfinished"},
    ),
    "an op names a memory that is not there": (
        "MATCH (o:Op {scope: $scope}) WHERE o.revision = 2 SET o.memory_ids = o.memory_ids + ',4711'",
        {"op_names_unknown"},
    ),
    "an op names an entity that is not there": (
        "MATCH (o:Op {scope: $scope}) WHERE o.revision = 2 SET o.entity_ids = '4711'",
        {"op_names_unknown"},
    ),
    "a keyed op is of another key": (
        "MATCH (o:Op {scope: $scope}) WHERE o.key = $key SET o.key = o.key + 'x'",
        {"op_key"},
    ),
    "a keyed result cannot be read": (
        "MATCH (o:Op {scope: $scope}) WHERE o.key = $key SET o.result = 'torn'",
        {"key_result"},
    ),
    "a keyed memory is gone": (
        "MATCH (m:Memory {id: $keyed}) DETACH DELETE m",
        {"key_result", "op_names_unknown"},
    ),
    "the scope is not listed": ("MATCH (s:Scope {name: $scope}) DETACH DELETE s", {"scope_node"}),
    "a memory is newer than its op": ("MATCH (m:Memory {id: $root}) SET m.revision = 99", {"memory_revision"}),
    "a property is missing": ("MATCH (m:Memory {id: $root}) REMOVE m.source", {"row_incomplete"}),
    "a status is unknown": ("MATCH (m:Memory {id: $fresh}) SET m.status = 'lost'", {"status_unknown"}),
    "trust is out of range": ("MATCH (m:Memory {id: $fresh}) SET m.trust = 0.0", {"trust_range", "trust_differs"}),
    "a memory ends before it starts": ("MATCH (m:Memory {id: $fresh}) SET m.valid_to = m.valid_from - 1", {"validity"}),
    "a superseded memory has no end": (
        "MATCH (m:Memory {id: $old}) SET m.valid_to = 4611686018427387904",
        {"validity"},
    ),
    "a memory is half written": ("MATCH (m:Memory {id: $fresh}) SET m.write_phase = 'pending'", {"memory_unfinished"}),
    "trust moved without a ledger entry": ("MATCH (m:Memory {id: $root}) SET m.trust = 0.7", {"trust_differs"}),
    "a ledger entry was changed": (
        "MATCH (:Memory {id: $root})-[r:TRUST_DECAY]->(:Memory {id: $derived}) SET r.after_trust = 0.8",
        {"trust_differs", "ledger_amount"},
    ),
    "ledger entries do not join": (
        "MATCH (:Memory {id: $root})-[r:TRUST_DECAY]->(:Memory {id: $derived}) SET r.before_trust = 0.9",
        {"ledger_broken", "ledger_amount"},
    ),
    "a ledger entry lacks its amount": (
        "MATCH (:Memory {id: $root})-[r:TRUST_DECAY]->(:Memory {id: $derived}) REMOVE r.after_trust",
        {"row_incomplete", "trust_differs"},
    ),
    "a loss has another size": (
        "MATCH (:Memory)-[r:CONTRADICTS]->(m:Memory {id: $root}) SET r.after_trust = 0.5, m.trust = 0.5",
        {"ledger_amount"},
    ),
    "a loss has a hop out of reach": (
        "MATCH (:Memory {id: $root})-[r:TRUST_DECAY]->(:Memory {id: $derived}) SET r.hop = 3",
        {"ledger_amount"},
    ),
    "a loss has no cause": (
        "MATCH (:Memory {id: $root})-[r:TRUST_DECAY]->(:Memory {id: $derived}) SET r.caused_by = '4711'",
        {"ledger_cause"},
    ),
    "a gain has no cause": (
        "MATCH (:Memory)-[r:TRUST_RESTORE]->(:Memory {id: $restored}) SET r.caused_by = '4711'",
        {"ledger_cause", "withdrawal"},
    ),
    "a gain has another size": (
        "MATCH (:Memory)-[r:TRUST_RESTORE]->(m:Memory {id: $restored}) SET r.after_trust = 0.9, m.trust = 0.9",
        {"ledger_amount"},
    ),
    "a loss was taken twice": (
        "MATCH (s:Memory {id: $root}), (d:Memory {id: $derived}) MATCH (s)-[r:TRUST_DECAY]->(d) "
        "CREATE (s)-[:TRUST_DECAY {id: 4711, event_id: 4711, before_trust: 0.85, after_trust: 0.7, hop: 1, "
        "caused_by: r.caused_by, revision: r.revision, step: 9}]->(d) SET d.trust = 0.7",
        {"moved_twice"},
    ),
    "a withdrawal is not noted": (
        "MATCH (:Memory)-[r:CONTRADICTS]->(:Memory {id: $restored}) SET r.withdrawn_at = 0",
        {"withdrawal", "active_in_doubt", "doubt_of_forgotten"},
    ),
    "a contradicted memory has lost its contradiction": (
        "MATCH (:Memory)-[r:CONTRADICTS]->(m:Memory {id: $root}) DELETE r SET m.trust = 1.0",
        {"contradicted_by_none", "ledger_cause"},
    ),
    "a contradicted memory is active": ("MATCH (m:Memory {id: $root}) SET m.status = 'active'", {"active_in_doubt"}),
    "a superseded memory has no successor": (
        "MATCH (:Memory {id: $old})-[r:SUPERSEDED_BY]->(:Memory) DELETE r",
        {"superseded_by_none"},
    ),
    "a superseded memory has two successors": (
        "MATCH (s:Memory {id: $old}), (d:Memory {id: $fresh}) CREATE (s)-[:SUPERSEDED_BY {event_id: 4711}]->(d)",
        {"two_successors", "link_id"},
    ),
    "a superseded memory is active": (
        "MATCH (m:Memory {id: $old}) SET m.status = 'active', m.valid_to = 4611686018427387904",
        {"current_but_superseded"},
    ),
    "versions replace each other in a circle": (
        "MATCH (s:Memory {id: $current}), (d:Memory {id: $old}) SET s.status = 'superseded', s.valid_to = s.valid_from "
        "CREATE (s)-[:SUPERSEDED_BY {event_id: 4711}]->(d)",
        {"cycle", "link_id"},
    ),
    "premises rest on each other in a circle": (
        "MATCH (s:Memory {id: $root}), (d:Memory {id: $second}) CREATE (s)-[:DERIVED_FROM {event_id: 4711}]->(d)",
        {"cycle", "link_id"},
    ),
    "a link is stored twice": (
        "MATCH (s:Memory {id: $derived})-[r:DERIVED_FROM]->(d:Memory) "
        "CREATE (s)-[:DERIVED_FROM {event_id: r.event_id}]->(d)",
        {"link_twice"},
    ),
    "a relation has another name": (
        "MATCH (:Memory {id: $restored})-[r:RELATES]->(:Memory) SET r.relation = 'depends_on'",
        {"link_id"},
    ),
    "a slot is filled twice": (
        "MATCH (a:Memory {id: $fresh}), (b:Memory {id: $current}) SET a.slot = 'place', b.slot = 'place'",
        {"slot_twice"},
    ),
    "a memory lists an entity without a link": (
        "MATCH (:Memory {id: $root})-[r:ABOUT]->(:Entity) DELETE r",
        {"about_differs"},
    ),
    "a link leaves the scope": (
        "MATCH (d:Memory {id: $fresh}) CREATE (s:Memory {id: $stranger, scope: 'elsewhere'})"
        "-[:DERIVED_FROM {event_id: 4711}]->(d)",
        {"leaves_scope", "link_id"},
    ),
}


@pytest.fixture
async def graph(embedded_settings: Settings) -> AsyncIterator[Graph]:
    """A driver of the test's own."""
    async with open_graph(embedded_settings, lambda line: None) as opened:
        yield opened


@pytest.fixture
async def story(mind: HydraMind, scope: str) -> dict[str, Any]:
    """A sound scope with a bit of everything, and the ids of its memories by role."""

    async def keep(content: str, **more: Any) -> str:
        return (await mind.remember(Remember.parse({"content": content, "scope": scope, **more}))).memory.id

    root = await keep("The billing API uses REST", entity_refs=["billing API"])
    derived = await keep("Clients call billing with JSON", derived_from=[root])
    second = await keep("The mobile app caches billing answers", derived_from=[derived])
    await keep("The billing API does not use REST", entity_refs=["billing API"])
    restored = await keep("The importer runs every night")
    related = {"memory_id": restored, "other_id": derived, "scope": scope, "relation": "led_to"}
    await mind.relate(Relate.parse(related))
    denial = await keep("The importer does not run every night")
    await mind.forget(OneMemory.parse({"memory_id": denial, "scope": scope}))
    old = await keep("The search cluster runs in Dublin")
    revision = {"memory_id": old, "content": "The search cluster runs in Madrid", "scope": scope}
    current = (await mind.revise(Revise.parse(revision))).memory.id
    keyed = await keep("Nadia reviews schema migrations", idempotency_key="once")
    fresh = await keep("Thumbnails are rendered in Lyon")
    ids = {
        "root": root,
        "derived": derived,
        "second": second,
        "restored": restored,
        "denial": denial,
        "old": old,
        "current": current,
        "keyed": keyed,
        "fresh": fresh,
    }
    numbers = {name: int(id_) for name, id_ in ids.items()}
    return {"scope": scope, "key": f"{scope}!once", "stranger": numbers["fresh"] // 2, **numbers}


async def plant(graph: Graph, text: LiteralString, story: dict[str, Any]) -> None:
    """Send raw Cypher with the parameters that it names."""
    named = {name: value for name, value in story.items() if f"${name}" in text}
    await graph.read(Query("plant", text, nothing), **named)


async def test_a_sound_scope_has_no_findings(mind: HydraMind, graph: Graph, story: dict[str, Any]) -> None:
    """What the verbs write is sound, by graph and by projection."""
    found = await mind.verify(OneScope.parse({"scope": story["scope"]}))
    assert (found.sound, found.findings) == (True, ())
    assert (found.revision, found.memories, found.ledger_entries) == (12, 10, 5)
    assert await verify(graph, story["scope"]) == found


async def test_what_is_forgotten_reinstated_and_forgotten_again_stays_sound(
    mind: HydraMind, graph: Graph, story: dict[str, Any]
) -> None:
    """A contradiction that was withdrawn, came back and was withdrawn again is four entries of one ledger."""
    denial = OneMemory.parse({"memory_id": str(story["denial"]), "scope": story["scope"]})
    await mind.reinstate(denial)
    assert (await verify(graph, story["scope"])).findings == ()
    await mind.forget(denial)
    found = await mind.verify(OneScope.parse({"scope": story["scope"]}))
    assert (found.findings, found.ledger_entries) == ((), 7)


async def test_an_unknown_scope_is_sound_and_empty(mind: HydraMind, scope: str) -> None:
    """Nothing stored, nothing wrong."""
    found = await mind.verify(OneScope.parse({"scope": scope}))
    assert (found.sound, found.revision, found.memories) == (True, 0, 0)


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_planted_fault_is_found(graph: Graph, story: dict[str, Any], fault: str) -> None:
    """Each fault gives the findings of its kind and no others."""
    text, expected = FAULTS[fault]
    await plant(graph, text, story)
    found = await verify(graph, story["scope"])
    assert {finding.name for finding in found.findings} == expected, found.findings
    assert not found.sound


async def test_a_projection_that_missed_a_change_is_found(mind: HydraMind, graph: Graph, story: dict[str, Any]) -> None:
    """A row changed behind the log is in the graph and not in the projection, so rankings differ too."""
    await plant(graph, "MATCH (m:Memory {id: $fresh}) SET m.trust = 0.5", story)
    found = await mind.verify(OneScope.parse({"scope": story["scope"]}))
    assert {finding.name for finding in found.findings} == {"trust_differs", "projection_differs", "ranking_differs"}


async def test_a_row_that_vanished_is_found_in_the_projection(
    mind: HydraMind, graph: Graph, story: dict[str, Any]
) -> None:
    """A memory deleted behind the log is still in the projection."""
    await plant(graph, "MATCH (m:Memory {id: $fresh}) DETACH DELETE m", story)
    found = await mind.verify(OneScope.parse({"scope": story["scope"]}))
    assert {finding.name for finding in found.findings} == {"op_names_unknown", "projection_differs", "ranking_differs"}
