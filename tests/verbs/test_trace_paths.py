"""trace_memory walks native paths, within bounds and within the scope."""

from __future__ import annotations

import pytest

from hydramind.errors import Invalid, NotFound
from hydramind.graph.connection import Graph
from hydramind.graph.engines import ENGINES
from hydramind.models import TracePath
from hydramind.queries.paths import BETWEEN, OUT_OF
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


async def test_paths_between_two_memories_and_no_others(each: Scoped) -> None:
    """HYB-42: evidence, an entity that both name and a declared relation lead from one to the other, from either end."""
    near = await each.keep(REST, entity_refs=["platform"])
    far = await each.keep(FAR_REST, entity_refs=["platform"])
    middle = await each.keep(FACT, derived_from=[near])
    await each.keep("Lunch is served at noon.", derived_from=[near, far])
    await each.relate(middle, far, relation="depends_on")
    found = await each.trace(near, target_id=far)
    assert [(len(path.nodes), path.nodes[0].id, path.nodes[-1].id) for path in found.paths] == [(3, near, far)] * 3
    assert sorted(walked(path) for path in found.paths) == [
        (REST, "ABOUT", "platform", "ABOUT", FAR_REST),
        (REST, "DERIVED_FROM", "Lunch is served at noon.", "DERIVED_FROM", FAR_REST),
        (REST, "DERIVED_FROM", FACT, "RELATES", FAR_REST),
    ]
    assert (found.memory.id, found.truncated) == (near, False)
    back = await each.trace(far, target_id=near)
    assert sorted(walked(path)[::-1] for path in back.paths) == sorted(walked(path) for path in found.paths)
    cut = await each.trace(near, target_id=far, max_paths=1)
    assert (len(cut.paths), cut.truncated) == (1, True)
    assert (await each.trace(near, target_id=far, max_hops=1)).paths == ()


async def test_every_path_to_a_memory_is_one_of_all_paths(each: Scoped) -> None:
    """HYB-42: what a target shows is what the paths of the start show, filtered by where they end."""
    top = await each.keep(FACT, entity_refs=["gateway"])
    left, right = await each.keep(REST, derived_from=[top]), await each.keep(FAR_REST, derived_from=[top])
    bottom = await each.keep("Lunch is served at noon.", derived_from=[left, right], entity_refs=["gateway"])
    whole = await each.trace(top, max_hops=3, max_paths=100)
    for target in (left, right, bottom):
        found = await each.trace(top, target_id=target, max_hops=3, max_paths=100)
        assert found.paths == tuple(path for path in whole.paths if path.nodes[-1].id == target)
        assert {len(path.steps) for path in found.paths} == ({2} if target == bottom else {1, 3})


async def test_a_target_must_be_another_memory_of_the_scope(one: Scoped) -> None:
    """HYB-42: an unknown, foreign or forgotten one is not found as a start would be; none means every path."""
    start, gone = await one.keep(FACT), await one.keep(REST)
    foreign = await Scoped(one.mind, one.scope + "-b").keep(FAR_REST)
    await one.forget(gone)
    for target in ("7", foreign, gone):
        with pytest.raises(NotFound, match=repr(target)):
            await one.trace(start, target_id=target)
    for target in ("x", "-1", start, f" {start} ", True):
        with pytest.raises(Invalid) as caught:
            await one.trace(start, target_id=target)
        assert caught.value.field == "target_id"
    assert (await one.trace(start, target_id=None)) == (await one.trace(start, target_id=" ")) == await one.trace(start)


def test_hydradb_is_asked_by_its_own_procedures() -> None:
    """HYB-42: one statement for all paths up to a length, with one end given or both; the types walked are the same."""
    hydradb = next(engine for engine in ENGINES if engine.name == "hydradb")
    whole, between = (walk.up_to.form(hydradb.capabilities) for walk in (OUT_OF, BETWEEN))
    assert "algo.SSpaths({sourceNode: $id, relTypes:" in whole
    assert "algo.SPpaths({sourceNode: $id, targetNode: $target, relTypes:" in between
    assert whole.partition("relTypes")[2] == between.partition("relTypes")[2]
