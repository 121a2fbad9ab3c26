"""trace_memory walks native paths, within bounds and within the scope."""

from __future__ import annotations

import pytest

from hydramind.errors import NotFound
from hydramind.graph.connection import Graph
from hydramind.models import TracePath
from hydramind.queries.query import Query, nothing
from tests.scoped import DENIAL, FACT, FAR_REST, REST, Scoped

PLANT_PREMISE = Query(
    "plant a premise",
    "MATCH (s:Memory {id: $source}), (d:Memory {id: $target}) CREATE (s)-[r:DERIVED_FROM {id: $id}]->(d) "
    "SET r.event_id = $id",
    nothing,
)
PLANT_ABOUT = Query(
    "plant an entity link",
    "MATCH (s:Memory {id: $source}), (d:Entity {id: $target}) CREATE (s)-[r:ABOUT {id: $id}]->(d) SET r.event_id = $id",
    nothing,
)


def walked(path: TracePath) -> tuple[str, ...]:
    """What a path says: texts with the relationships between them."""
    words = [path.nodes[0].text]
    for node, step in zip(path.nodes[1:], path.steps, strict=True):
        words += [step.type, node.text]
    return tuple(words)


async def test_paths_are_hydrated_and_shortest_first(each: Scoped) -> None:
    """HYD-36, HYD-37: all four evidence relationships, nodes with text, status and trust, steps as they are stored."""
    premise = await each.keep(REST, entity_refs=["platform"])
    old = await each.keep(FACT, derived_from=[premise])
    denial = await each.keep(DENIAL)
    trace = await each.trace(old)
    assert [walked(path) for path in trace.paths[:2]] == sorted(
        [(FACT, "CONTRADICTS", DENIAL), (FACT, "DERIVED_FROM", REST)],
        key=lambda path: int(denial) if path[1] == "CONTRADICTS" else int(premise),
    )
    assert walked(trace.paths[2]) == (FACT, "DERIVED_FROM", REST, "ABOUT", "platform")
    assert (len(trace.paths), trace.truncated, trace.memory.id) == (3, False, old)
    clash = next(path for path in trace.paths if path.steps[0].type == "CONTRADICTS")
    assert [(node.status, node.trust, node.label) for node in clash.nodes] == [
        ("contradicted", 0.6, "Memory"),
        ("active", 1.0, "Memory"),
    ]
    assert (clash.steps[0].start, clash.steps[0].end) == (denial, old)
    entity = trace.paths[2].nodes[-1]
    assert (entity.label, entity.status, entity.trust) == ("Entity", "", None)


@pytest.mark.parametrize(("asked", "lengths"), [(1, {1}), (2, {1, 2}), (3, {1, 2, 3}), (99, {1, 2, 3}), (None, {1, 2})])
async def test_hops_are_bounded(one: Scoped, asked: int | None, lengths: set[int]) -> None:
    """HYD-38: as many as asked for, 2 by default, never more than 3."""
    memory = await one.keep("Layer zero stands alone.")
    for word in ("granite", "willow", "harbour", "lantern", "meadow"):
        memory = await one.keep(f"The {word} opened in autumn of that year.", derived_from=[memory])
    trace = await one.trace(memory, **({} if asked is None else {"max_hops": asked}))
    assert {len(path.steps) for path in trace.paths} == lengths


async def test_paths_are_bounded_and_the_cut_is_told(each: Scoped) -> None:
    """HYD-38: max_paths rows and `truncated` when more exist; a memory without relations has none."""
    premises = [await each.keep(f"Visitor {n} signed book {n}") for n in range(6)]
    memory = await each.keep(REST, derived_from=premises)
    cut = await each.trace(memory, max_paths=4)
    assert (len(cut.paths), cut.truncated) == (4, True)
    whole = await each.trace(memory, max_paths=6)
    assert (len(whole.paths), whole.truncated) == (6, False)
    assert (await each.trace(await each.keep(FAR_REST))).paths == ()


async def test_a_diamond_gives_both_paths(each: Scoped) -> None:
    """L05: F rests on A by B and by D: two paths, A once on each, no node twice on a path."""
    top = await each.keep(FACT)
    left, right = await each.keep(REST, derived_from=[top]), await each.keep(FAR_REST, derived_from=[top])
    bottom = await each.keep("Lunch is served at noon.", derived_from=[left, right])
    long = [path for path in (await each.trace(bottom)).paths if len(path.steps) == 2]
    assert sorted(path.nodes[1].id for path in long) == sorted((left, right))
    assert [path.nodes[2].id for path in long] == [top, top]


async def test_a_ladder_of_diamonds_stays_bounded(one: Scoped) -> None:
    """L05: twelve layers of diamonds hold 4,096 ways to the top; the answer is bounded and each path is simple."""
    rungs = [await one.keep("Rung zero of the ladder was painted.")]
    for layer in range(12):
        rungs = [
            await one.keep(f"Beam {layer} {side} carries load {layer}", derived_from=rungs)
            for side in ("north", "south")
        ]
    trace = await one.trace(rungs[0], max_hops=3, max_paths=100)
    assert 0 < len(trace.paths) <= 100
    assert all(len({node.id for node in path.nodes}) == len(path.nodes) for path in trace.paths)


async def test_no_path_leaves_the_scope(each: Scoped, each_graph: Graph) -> None:
    """HYD-37, S04: planted relationships into another scope, directly or by an entity, yield no path on either side."""
    other = Scoped(each.mind, each.scope + "-b")
    mine = await each.keep(FACT, entity_refs=["Robin"])
    theirs = await other.keep(REST, entity_refs=["Robin"])
    entity = int((await other.memory(theirs)).entities[0].id)
    await each_graph.read(PLANT_PREMISE, source=int(mine), target=int(theirs), id=int(mine) // 2)
    await each_graph.read(PLANT_ABOUT, source=int(mine), target=entity, id=int(mine) // 3)
    assert [walked(path) for path in (await each.trace(mine, max_hops=3)).paths] == [(FACT, "ABOUT", "Robin")]
    assert [walked(path) for path in (await other.trace(theirs, max_hops=3)).paths] == [(REST, "ABOUT", "Robin")]


async def test_a_forgotten_memory_is_on_no_path(one: Scoped) -> None:
    """HYD-41: neither as a node nor as the start, whose id is then unknown to trace."""
    premise = await one.keep(FACT)
    derived = await one.keep(REST, derived_from=[premise])
    await one.keep(FAR_REST, derived_from=[derived])
    await one.forget(derived)
    assert (await one.trace(premise, max_hops=3)).paths == ()
    with pytest.raises(NotFound, match="forgotten"):
        await one.trace(derived)
