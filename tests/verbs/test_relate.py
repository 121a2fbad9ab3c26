"""relate declares how one memory stands to another; inspect, trace and the drawing show it, and it moves no trust."""

from __future__ import annotations

import pytest

from hydramind.errors import Conflict, Invalid, NotFound
from hydramind.graph.connection import Graph
from hydramind.models import OneScope, Relate
from tests.conftest import TestClock
from tests.scoped import FACT, FAR_REST, REST, Scoped, everything

TAXONOMY = [
    "led_to",
    "supports",
    "caused_by",
    "retrieved_during",
    "refined_by",
    "depends_on",
    "analogous_to",
    "invalidated_by",
]


async def _sound(one: Scoped) -> None:
    """The scope agrees with its own log, ledger and links."""
    found = await one.mind.verify(OneScope(scope=one.scope))
    assert (found.sound, found.findings) == (True, ())


async def _declared(one: Scoped, memory_id: str) -> list[tuple[str, str, str]]:
    """What stands of a memory, the newest first."""
    return [(each.source, each.relation, each.target) for each in (await one.inspect(memory_id)).relations]


async def test_a_relation_is_stored_and_shown_from_both_ends(each: Scoped, clock: TestClock) -> None:
    """HYB-24, HYB-39: with weight, reason and time; newest first; nobody's trust or status changes."""
    first, second, third = [await each.keep(text) for text in (FACT, REST, FAR_REST)]
    before = [await each.memory(id_) for id_ in (first, second)]
    reply = await each.relate(first, second, relation="led_to", weight=0.25, reason="the audit")
    relation = reply.relation
    assert reply.changed
    assert (relation.source, relation.target, relation.relation) == (first, second, "led_to")
    assert (relation.weight, relation.reason, relation.withdrawn_at) == (0.25, "the audit", None)
    assert relation.created_at == "2026-03-01T10:00:00.000Z"
    assert (await each.inspect(first)).relations == (await each.inspect(second)).relations == (relation,)
    clock.advance(seconds=1)
    await each.relate(third, second, relation="supports")
    assert await _declared(each, second) == [(third, "supports", second), (first, "led_to", second)]
    assert [await each.memory(id_) for id_ in (first, second)] == before
    await _sound(each)


@pytest.mark.parametrize("relation", TAXONOMY)
async def test_every_relation_of_the_taxonomy_can_be_declared(one: Scoped, relation: str) -> None:
    """HYB-40: those that are declared; several stand beside each other between the same two."""
    first, second = await one.keep(FACT), await one.keep(REST)
    assert (await one.relate(first, second, relation=relation)).relation.relation == relation
    other = "supports" if relation == "led_to" else "led_to"
    await one.relate(first, second, relation=other)
    assert {name for _, name, _ in await _declared(one, first)} == {relation, other}


@pytest.mark.parametrize(
    ("relation", "said"),
    [
        ("contradicts", "remember the statement that contradicts it"),
        ("derived_from", "pass derived_from there"),
        ("supersedes", "is declared by revise"),
        ("likes", "Input should be 'related_to'"),
    ],
)
def test_what_is_declared_elsewhere_is_refused(relation: str, said: str) -> None:
    """The error names the field and says where."""
    with pytest.raises(Invalid, match=rf"^relation: .*{said}"):
        Relate.parse({"memory_id": "1", "other_id": "2", "scope": "s", "relation": relation})


@pytest.mark.parametrize("weight", [0, -0.5, 1.5, "nan", "inf"])
def test_a_weight_is_above_zero_up_to_one(weight: object) -> None:
    """HYB-39: finite, so that what reads it can multiply by it."""
    with pytest.raises(Invalid, match=r"^weight: "):
        Relate.parse({"memory_id": "1", "other_id": "2", "scope": "s", "weight": weight})
    assert Relate.parse({"memory_id": "1", "other_id": "2", "scope": "s", "weight": None}).weight == 1.0


def test_nothing_relates_to_itself() -> None:
    """The error names the field."""
    with pytest.raises(Invalid, match=r"^other_id: must be another memory than memory_id"):
        Relate.parse({"memory_id": "7", "other_id": " 7 ", "scope": "s"})


async def test_declared_again_it_gets_the_new_weight(each: Scoped, each_graph: Graph, clock: TestClock) -> None:
    """HYB-24: one relation a pair, direction and name; the same again is no op."""
    first, second = await each.keep(FACT), await each.keep(REST)
    declared = (await each.relate(first, second, relation="supports", weight=0.5)).relation
    before = await everything(each_graph, each.scope)
    again = await each.relate(first, second, relation="supports", weight=0.5)
    assert (again.changed, again.relation) == (False, declared)
    assert await everything(each_graph, each.scope) == before
    clock.advance(days=1)
    changed = await each.relate(first, second, relation="supports", weight=0.75, reason="measured")
    assert changed.relation == declared.model_copy(update={"weight": 0.75, "reason": "measured"})
    back = await each.relate(second, first, relation="supports")
    assert back.relation.id != declared.id
    assert len((await each.inspect(first)).relations) == 2
    await _sound(each)


async def test_an_analogy_goes_both_ways(each: Scoped) -> None:
    """HYB-40: related_to is a name of it; whichever end is named first, it is one relation."""
    first, second = await each.keep(FACT), await each.keep(REST)
    low, high = sorted((first, second), key=int)
    one = await each.relate(high, low)
    assert (one.relation.source, one.relation.relation, one.relation.target) == (low, "analogous_to", high)
    assert (await each.relate(low, high, relation="analogous_to")).changed is False
    assert (await each.relate(first, second, relation="related_to", withdraw=True)).changed
    assert (await each.inspect(first)).relations == ()
    await _sound(each)


async def test_a_withdrawn_relation_leaves_every_view_and_its_row_stays(
    each: Scoped, each_graph: Graph, clock: TestClock
) -> None:
    """HYB-24: as a contradiction does; declared anew it is the same row with a new time."""
    first, second = await each.keep(FACT), await each.keep(REST)
    declared = (await each.relate(first, second, relation="supports", reason="a test")).relation
    clock.advance(days=1)
    taken = await each.relate(first, second, relation="supports", withdraw=True)
    assert taken.relation == declared.model_copy(update={"withdrawn_at": "2026-03-02T10:00:00.000Z"})
    assert (await each.relate(first, second, relation="supports", withdraw=True)).changed is False
    assert await _declared(each, first) == await _declared(each, second) == []
    assert (await each.trace(first)).paths == ()
    assert (await each.mind.graph(OneScope(scope=each.scope))).edges == ()
    edges = (await everything(each_graph, each.scope))[2]
    assert [("RELATES" in edge, "a test" in edge) for edge in edges] == [(True, True)]
    back = await each.relate(first, second, relation="supports")
    assert (back.relation.id, back.relation.created_at) == (declared.id, "2026-03-02T10:00:00.000Z")
    assert (await each.inspect(first)).relations == (back.relation,)
    await _sound(each)


async def test_what_was_never_declared_cannot_be_withdrawn(one: Scoped) -> None:
    """Another name or the other direction is another relation."""
    first, second = await one.keep(FACT), await one.keep(REST)
    await one.relate(first, second, relation="supports")
    with pytest.raises(NotFound, match=f"memory '{second}' was never declared 'supports' of '{first}'"):
        await one.relate(second, first, relation="supports", withdraw=True)
    assert len(await _declared(one, first)) == 1


async def test_both_ends_belong_to_the_scope_and_are_shown(one: Scoped) -> None:
    """A foreign or unknown id is not found; a forgotten memory is refused, but what was said of it can be withdrawn."""
    theirs = await Scoped(one.mind, one.scope + "-b").keep(FACT)
    first, second = await one.keep(FACT), await one.keep(REST)
    for other in (theirs, "8"):
        with pytest.raises(NotFound, match=f"no memory '{other}'"):
            await one.relate(first, other)
    await one.relate(first, second)
    await one.forget(second)
    for ends in ((first, second), (second, first)):
        with pytest.raises(Conflict, match=f"memory '{second}' is forgotten: reinstate it"):
            await one.relate(*ends, relation="supports")
    assert (await one.relate(second, first, withdraw=True)).changed
    await _sound(one)


async def test_relations_are_on_the_paths_out_of_a_memory(each: Scoped) -> None:
    """HYB-28: walked in both directions, named as declared, once for a pair however many stand between it."""
    first, second, third = [await each.keep(text) for text in (FACT, REST, FAR_REST)]
    await each.relate(first, second, relation="led_to")
    await each.relate(first, second, relation="caused_by")
    await each.relate(third, second, relation="supports")
    paths = (await each.trace(first)).paths
    assert [[node.id for node in path.nodes] for path in paths] == [[first, second], [first, second, third]]
    (near,), (_, far) = (path.steps for path in paths)
    assert (near.type, near.relation, near.start, near.end) == ("RELATES", "caused_by, led_to", first, second)
    assert (far.relation, far.start, far.end) == ("supports", third, second)
    await each.relate(third, second, relation="supports", withdraw=True)
    assert len((await each.trace(first)).paths) == 1


async def test_relations_are_drawn(one: Scoped) -> None:
    """Between memories that are shown, with what was declared; a drawing brought up to date has them too."""
    first = await one.keep(FACT)
    second = await one.keep(REST, derived_from=[first])
    revision = (await one.stats()).revision
    relation = (await one.relate(second, first, relation="supports")).relation
    drawn = await one.mind.graph(OneScope(scope=one.scope))
    assert [(edge.type, edge.relation) for edge in drawn.edges] == [("DERIVED_FROM", ""), ("RELATES", "supports")]
    assert drawn.edges[1].id == relation.id
    assert (await one.mind.graph_changed(OneScope(scope=one.scope), revision)).edges == drawn.edges
    assert (await one.mind.graph(OneScope(scope=one.scope), limit=1)).edges == ()
