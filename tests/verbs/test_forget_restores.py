"""forget hides a memory, keeps what it is part of, and gives back what it took from others."""

from __future__ import annotations

from hydramind.graph.connection import Graph
from hydramind.models import TrustChange
from tests.conftest import TestClock
from tests.scoped import DENIAL, FACT, FAR_REST, REST, Scoped, everything


async def test_forgetting_hides_and_keeps_the_node(each: Scoped) -> None:
    """HYD-41: recall and timeline no longer show it; the node, its provenance and its text stay for inspection."""
    premise = await each.keep(FACT, entity_refs=["gateway"])
    derived = await each.keep(REST, derived_from=[premise], entity_refs=["gateway"])
    reply = await each.forget(premise)
    assert (reply.changed, reply.memory.status, reply.memory.id) == (True, "forgotten", premise)
    assert await each.found("gateway TLS") == []
    assert await each.versions("gateway") == [REST]
    seen = await each.inspect(premise)
    assert (seen.memory.status, seen.memory.content, seen.derived) == ("forgotten", FACT, (derived,))
    assert (await each.inspect(derived)).derived_from == (premise,)


async def test_forgetting_twice_changes_nothing_more(each: Scoped, each_graph: Graph) -> None:
    """HYD-41: the second call says that nothing changed and leaves every byte as it was."""
    memory = await each.keep(FACT)
    await each.forget(memory)
    before = await everything(each_graph, each.scope)
    again = await each.forget(memory)
    assert (again.changed, again.memory.status, again.trust_changes) == (False, "forgotten", ())
    assert await everything(each_graph, each.scope) == before


async def test_withdrawing_the_contradictor_gives_back_exactly_what_it_took(each: Scoped) -> None:
    """D02: the contradicted memory and its dependents are as before, the status too, each gain a ledger entry."""
    root = await each.keep(FACT)
    first = await each.keep(REST, derived_from=[root])
    second = await each.keep(FAR_REST, derived_from=[first])
    denial = await each.keep(DENIAL)
    reply = await each.forget(denial)
    assert reply.trust_changes == (
        TrustChange(memory_id=root, before=0.6, after=1.0, hop=0),
        TrustChange(memory_id=first, before=0.85, after=1.0, hop=1),
        TrustChange(memory_id=second, before=0.7, after=1.0, hop=2),
    )
    assert [await each.trust(id_) for id_ in (root, first, second)] == [1.0, 1.0, 1.0]
    assert await each.status(root) == "active"
    assert [event.kind for event in (await each.explain(second)).events] == ["created", "decayed", "restored"]


async def test_ten_rounds_of_contradiction_and_withdrawal_do_not_drift(each: Scoped, clock: TestClock) -> None:
    """D02: after each round trust is exactly 1.0 and 1.0; every round left its entries."""
    root = await each.keep(FACT)
    derived = await each.keep(REST, derived_from=[root])
    for _ in range(10):
        clock.advance(seconds=1)
        denial = await each.keep(DENIAL)
        assert (await each.trust(root), await each.trust(derived)) == (0.6, 0.85)
        await each.forget(denial)
        assert (await each.trust(root), await each.trust(derived)) == (1.0, 1.0)
    kinds = [event.kind for event in (await each.explain(root)).events]
    assert kinds == ["created", *["contradicted", "restored"] * 10]


async def test_what_was_lost_at_the_floor_is_all_that_comes_back(one: Scoped) -> None:
    """D02, HYD-20: the seventh loss took 0.05 only, so withdrawing it gives 0.05, and withdrawing all gives 1.0."""
    things = ["cache", "mirror", "gateway", "scheduler", "dashboard", "importer", "mailer"]
    premises = [await one.keep(f"The {thing} is enabled.") for thing in things]
    derived = await one.keep(REST, derived_from=premises)
    denials = [await one.keep(f"The {thing} is disabled.") for thing in things]
    assert await one.trust(derived) == 0.05
    await one.forget(denials[-1])
    assert await one.trust(derived) == 0.1
    for denial in denials[:-1]:
        await one.forget(denial)
    assert await one.trust(derived) == 1.0


async def test_a_second_denial_keeps_the_memory_contradicted(one: Scoped) -> None:
    """Withdrawing one contradiction of a dependent leaves what another cause took."""
    first, second = await one.keep(FACT), await one.keep("The cache is enabled.")
    derived = await one.keep(REST, derived_from=[first, second])
    denial = await one.keep(DENIAL)
    await one.keep("The cache is disabled.")
    await one.forget(denial)
    assert [await one.trust(id_) for id_ in (first, second, derived)] == [1.0, 0.6, 0.85]
    assert [await one.status(id_) for id_ in (first, second)] == ["active", "contradicted"]


async def test_a_forgotten_contradicted_memory_stays_forgotten(one: Scoped) -> None:
    """Nothing forgotten comes back by itself: its trust is given back, its status is not."""
    old = await one.keep(FACT)
    denial = await one.keep(DENIAL)
    await one.forget(old)
    await one.forget(denial)
    assert (await one.status(old), await one.trust(old)) == ("forgotten", 1.0)
    assert await one.found("gateway mutual TLS") == []


async def test_a_forgotten_statement_can_be_remembered_again(one: Scoped) -> None:
    """X06: each time a live memory with fresh trust, found by recall; the hidden ones stay hidden."""
    text = "The release train leaves on Tuesday."
    ids = []
    for _ in range(3):
        kept = await one.remember(text)
        assert (kept.outcome, kept.memory.trust) == ("created", 1.0)
        assert await one.found("release train") == [text]
        await one.forget(kept.memory.id)
        assert await one.found("release train") == []
        ids.append(kept.memory.id)
    assert len(set(ids)) == 3
    assert (await one.stats()).forgotten == 3


async def test_a_restored_memory_and_its_copy_are_one_row(one: Scoped) -> None:
    """X01, D02: said again while contradicted, then the denial withdrawn: the scope never holds two active copies."""
    await one.keep(FACT)
    denial = await one.keep(DENIAL)
    await one.remember(FACT)
    await one.forget(denial)
    assert await one.found("gateway mutual TLS") == [FACT]
