"""Nothing crosses scopes: ids, texts, entities, counts, conflicts and errors; and reads leave no trace."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from hydramind.errors import Invalid, NotFound
from hydramind.graph.connection import Graph
from hydramind.models import OneScope, Recall
from tests.scoped import FACT, REST, Scoped, counts, everything

BY_ID: dict[str, Callable[[Scoped, str], Awaitable[object]]] = {
    "revise": lambda scoped, id_: scoped.revise(id_, REST),
    "forget": lambda scoped, id_: scoped.forget(id_),
    "reinstate": lambda scoped, id_: scoped.reinstate(id_),
    "relate": lambda scoped, id_: scoped.relate(id_, "8"),
    "trace_memory": lambda scoped, id_: scoped.trace(id_),
    "explain_trust": lambda scoped, id_: scoped.explain(id_),
    "inspect": lambda scoped, id_: scoped.inspect(id_),
    "remember": lambda scoped, id_: scoped.remember(REST, derived_from=[id_]),
}


@pytest.mark.parametrize("verb", BY_ID)
async def test_an_id_of_another_scope_is_unknown(each: Scoped, each_graph: Graph, verb: str) -> None:
    """HYD-42, S05, SEEDS 6.7: every verb that takes an id says of a foreign one what it says of one that never was."""
    theirs = Scoped(each.mind, each.scope + "-theirs")
    foreign = await theirs.keep(FACT)
    await each.keep("Lunch is served at noon.")
    before = await everything(each_graph, each.scope), await everything(each_graph, theirs.scope)
    with pytest.raises(NotFound) as refusal:
        await BY_ID[verb](each, foreign)
    with pytest.raises(NotFound) as never:
        await BY_ID[verb](each, "7")
    assert str(refusal.value) == str(never.value).replace("'7'", repr(foreign))
    assert FACT not in str(refusal.value)
    assert (await everything(each_graph, each.scope), await everything(each_graph, theirs.scope)) == before


async def test_an_entity_of_the_same_name_bridges_nothing(each: Scoped) -> None:
    """S04, HYD-50: the other scope's Robin has another id; no recall, timeline, trace, conflict, list or count shows it."""
    theirs = Scoped(each.mind, each.scope + "-u1")
    await theirs.keep("Robin likes sailing; pin hint heron", entity_refs=["Robin"])
    chess = await each.keep("Robin likes chess", entity_refs=["Robin"])
    assert await each.found("Robin") == ["Robin likes chess"]
    assert await each.found("sailing") == await each.found("heron", entity_refs=["Robin"]) == []
    assert await each.versions("Robin") == ["Robin likes chess"]
    assert {node.text for path in (await each.trace(chess, max_hops=3)).paths for node in path.nodes} == {
        "Robin likes chess",
        "Robin",
    }
    assert (await each.check("Robin hates sailing", entity_refs=["Robin"])).conflicts == ()
    (robin,) = await each.mind.entities(OneScope(scope=each.scope))
    (other,) = await each.mind.entities(OneScope(scope=theirs.scope))
    assert (robin.name, robin.memories, other.memories) == ("Robin", 1, 1)
    assert robin.id != other.id
    assert len((await each.mind.graph(OneScope(scope=each.scope))).nodes) == 2
    assert (await each.stats()).memories == 1
    await theirs.keep("Robin does not like chess", entity_refs=["Robin"])
    assert await each.trust(chess) == 1.0


async def test_the_same_text_lives_in_two_scopes(each: Scoped) -> None:
    """X05: two ids, neither reply names the other; forgetting one leaves the other in every view."""
    theirs = Scoped(each.mind, each.scope + "-p2")
    first = await each.remember("CI runs on arm64", entity_refs=["CI"])
    second = await theirs.remember("CI runs on arm64", entity_refs=["CI"])
    assert (first.outcome, second.outcome) == ("created", "created")
    assert first.memory.id not in second.model_dump_json()
    await each.forget(first.memory.id)
    assert await each.found("arm64") == await each.versions("CI") == []
    assert await theirs.found("arm64") == await theirs.versions("CI") == ["CI runs on arm64"]


async def test_reads_leave_no_trace(each: Scoped, each_graph: Graph) -> None:
    """S08: on ghosts and on real memories: counts of the whole graph and every property of the scope stay as they were."""
    memory = await each.keep(FACT, entity_refs=["gateway"])
    ghost = Scoped(each.mind, each.scope + "-ghost")
    before = await counts(each_graph), await everything(each_graph, each.scope)
    for scoped in (ghost, each):
        await scoped.recall("gateway", entity_refs=["gateway", "ghost"])
        await scoped.timeline("ghost")
        await scoped.check("ghost claim about the gateway", entity_refs=["ghost"])
        await scoped.stats()
        await scoped.mind.entities(OneScope(scope=scoped.scope))
        await scoped.mind.graph(OneScope(scope=scoped.scope))
        for verb in ("trace_memory", "explain_trust", "inspect", "forget", "reinstate", "relate", "revise", "remember"):
            with pytest.raises(NotFound):
                await BY_ID[verb](scoped, "424242")
    await each.trace(memory)
    await each.explain(memory)
    await each.mind.scopes()
    await each.mind.health()
    assert (await counts(each_graph), await everything(each_graph, each.scope)) == before


async def test_a_scope_is_mandatory_and_never_blank() -> None:
    """HYD-24, M01: a missing or blank scope is refused and is no new scope."""
    for values in ({"query": "x"}, {"query": "x", "scope": "  "}, {"query": "x", "scope": None}):
        with pytest.raises(Invalid, match="scope"):
            Recall.parse(values)


async def test_scope_names_are_one_by_canonical_equality_only(one: Scoped) -> None:
    """U01: composed and decomposed spellings name one scope, another case is another scope, white space is one blank."""
    composed, decomposed = Scoped(one.mind, one.scope + " caf\u00e9"), Scoped(one.mind, one.scope + "  cafe\u0301 ")
    await composed.keep(FACT)
    assert await decomposed.found("gateway mutual TLS") == [FACT]
    assert await Scoped(one.mind, one.scope + " CAF\u00c9").found("gateway mutual TLS") == []
