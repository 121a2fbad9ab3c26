"""Other tools write to the same graph: properties that HydraMind did not write change no answer and break none."""

from __future__ import annotations

from hydramind.graph.connection import Graph
from hydramind.models import OneScope
from hydramind.queries.query import Query, nothing
from tests.scoped import DENIAL, FACT, REST, Scoped

VALUES = (
    "n.a_date = date('2026-05-04'), n.a_moment = datetime('2026-05-04T10:00:00.123456789+02:00'), "
    "n.a_local = localdatetime('2026-05-04T10:00:00'), n.a_time = localtime('10:00:00'), n.a_span = duration('P1DT2H'), "
    "n.a_list = [1, 2, 3]"
)
ON_NODES = Query("values on nodes", "MATCH (n) WHERE n.scope = $scope SET " + VALUES, nothing)
ON_EDGES = Query(
    "values on relationships",
    "MATCH (m:Memory)-[n]->() WHERE m.scope = $scope SET n.a_date = date('2026-05-04'), n.a_span = duration('P1DT2H')",
    nothing,
)
ON_MEMORIES = Query(
    "points on memories", "MATCH (n:Memory) WHERE n.scope = $scope SET n.a_point = point({x: 1.5, y: 2.5})", nothing
)


async def story(one: Scoped) -> list[str]:
    """A few memories with every kind of relationship; their ids."""
    first = await one.keep(FACT, entity_refs=["gateway"])
    second = await one.keep(REST, derived_from=[first], entity_refs=["gateway"])
    denial = await one.keep(DENIAL, entity_refs=["gateway"])
    third = (await one.revise(second, "Certificates are rotated by hand.")).memory.id
    return [first, second, denial, third]


async def told(one: Scoped, ids: list[str]) -> list[str]:
    """What every reading verb says, as strict JSON."""
    replies = [
        await one.recall("gateway mutual TLS", entity_refs=["gateway"]),
        await one.timeline("gateway"),
        await one.check(FACT, entity_refs=["gateway"]),
        await one.stats(),
        await one.mind.graph(OneScope(scope=one.scope)),
        await one.mind.verify(OneScope(scope=one.scope)),
        *(await one.mind.entities(OneScope(scope=one.scope))),
    ]
    for id_ in ids:
        replies += [await one.trace(id_), await one.explain(id_), await one.inspect(id_)]
    return [reply.model_copy(update={"trace": None}).model_dump_json() for reply in replies]


async def test_values_of_other_tools_change_no_answer(each: Scoped, each_graph: Graph) -> None:
    """B06: dates, moments with nanoseconds, local times, durations, lists and points on memories, entities and edges; for
    who has the scope open, who opens it, and who writes to it."""
    ids = await story(each)
    before = await told(each, ids)
    await each_graph.read(ON_NODES, scope=each.scope)
    await each_graph.read(ON_EDGES, scope=each.scope)
    await each_graph.read(ON_MEMORIES, scope=each.scope)
    assert await told(each, ids) == before
    each.mind._scopes.drop(each.scope)
    assert await told(each, ids) == before
    assert (await each.revise(ids[3], "Certificates are rotated by a robot.")).memory.status == "active"
