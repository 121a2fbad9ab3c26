"""Duplicates and idempotency keys: what is said twice is kept once, what is retried happens once."""

from __future__ import annotations

import pytest

from hydramind.errors import Conflict
from hydramind.graph.connection import Graph
from hydramind.service import HydraMind
from hydramind.settings import Settings
from tests.conftest import TestClock
from tests.scoped import DENIAL, FACT, REST, Scoped, everything


@pytest.mark.parametrize("again", [FACT, FACT + "\n", "  The gateway\tuses  mutual TLS. "])
async def test_identical_text_is_one_row(each: Scoped, each_graph: Graph, again: str) -> None:
    """X01: the same text in a scope, white space aside, is a duplicate of the first and leaves the graph as it was."""
    first = await each.remember(FACT)
    before = await everything(each_graph, each.scope)
    second = await each.remember(again)
    assert (second.outcome, second.memory.id, second.memory.content) == ("duplicate", first.memory.id, FACT)
    assert await everything(each_graph, each.scope) == before


async def test_composed_and_decomposed_text_is_one_row(one: Scoped) -> None:
    """U01: canonically equal contents are one memory; compatibility-equal ones are two; stored text is as first given."""
    first = await one.remember("The cafe\u0301 opens at nine")
    second = await one.remember("The caf\u00e9 opens at nine")
    assert (second.outcome, second.memory.content) == ("duplicate", "The cafe\u0301 opens at nine")
    assert second.memory.id == first.memory.id
    squares = [await one.remember(text) for text in ("Module x2 is fast", "Module x\u00b2 is fast")]
    assert [reply.outcome for reply in squares] == ["created", "created"]


async def test_a_duplicate_brings_only_the_links_it_adds(each: Scoped) -> None:
    """X01: entities and premises that the first lacked are added to it; what it has stays."""
    premise = await each.keep(REST)
    first = await each.keep(FACT, entity_refs=["gateway"])
    again = await each.remember(FACT, entity_refs=["Gateway", "TLS"], derived_from=[premise])
    assert (again.outcome, again.memory.id) == ("duplicate", first)
    assert [entity.name for entity in again.memory.entities] == ["gateway", "TLS"]
    assert await each.versions("TLS") == await each.versions("gateway") == [FACT]
    assert (await each.inspect(first)).derived_from == (premise,)
    assert (await each.remember(FACT, derived_from=[premise])).outcome == "duplicate"
    assert (await each.inspect(premise)).derived == (first,)


async def test_a_duplicate_cannot_rest_on_itself(each: Scoped, each_graph: Graph) -> None:
    """Bad input: a premise list that leads back to the memory itself is refused, at one step and at two, and nothing moves."""
    first = await each.keep(FACT)
    second = await each.keep(REST, derived_from=[first])
    before = await everything(each_graph, each.scope)
    for premise in (first, second):
        with pytest.raises(Conflict, match="cannot rest on itself"):
            await each.remember(FACT, derived_from=[premise], entity_refs=["loop"])
    assert await everything(each_graph, each.scope) == before


async def test_near_duplicates_drop_no_fact(one: Scoped) -> None:
    """C09: a changed day, number, adjective or version is no duplicate; a changed preposition and full stop are one."""
    launch = await one.remember("Launch freeze starts 3 November")
    assert (await one.remember("Launch freeze starts on 3 November.")).memory.id == launch.memory.id
    moved = await one.remember("Launch freeze starts 4 November")
    assert moved.outcome == "created"
    assert launch.memory.id in [conflict.memory_id for conflict in moved.conflicts]
    tickets = [await one.remember(text) for text in ("Ticket OPS-31 is fixed", "Ticket OPS-3 is fixed")]
    assert [(reply.outcome, reply.conflicts) for reply in tickets] == [("created", ()), ("created", ())]
    for first, second in (
        ("use the provisional schema", "use the approved schema"),
        ("api pinned to 1.10", "api pinned to 1.1"),
    ):
        kept = await one.keep(first)
        reply = await one.remember(second)
        assert reply.outcome == "created"
        assert kept in [conflict.memory_id for conflict in reply.conflicts], second


async def test_the_same_key_returns_the_first_result(each: Scoped, each_graph: Graph) -> None:
    """X01, HYD-22: same id, same effects in the reply, no second decay, every byte as it was."""
    root = await each.keep(FACT)
    derived = await each.keep(REST, derived_from=[root])
    first = await each.remember(DENIAL, idempotency_key="k1", entity_refs=["gateway"])
    before = await everything(each_graph, each.scope)
    again = await each.remember(DENIAL, idempotency_key="k1", entity_refs=["gateway"])
    assert again == first
    assert await everything(each_graph, each.scope) == before
    assert (await each.trust(root), await each.trust(derived)) == (0.6, 0.85)


@pytest.mark.parametrize(
    "other",
    [
        {"content": REST},
        {"entity_refs": ["gateway"]},
        {"event_time": "2026-01-01"},
        {"derived_from": "premise"},
    ],
)
async def test_the_same_key_with_another_payload_is_refused(one: Scoped, graph: Graph, other: dict[str, str]) -> None:
    """X01, HYD-23: another text, entity, time or premise under the key is a conflict and changes nothing."""
    premise = await one.keep("Audits happen in spring.")
    arguments: dict[str, object] = {"content": FACT, "idempotency_key": "k1"}
    await one.remember(**arguments)  # pyright: ignore[reportArgumentType]
    before = await everything(graph, one.scope)
    changed = {**arguments, **other}
    if "derived_from" in other:
        changed["derived_from"] = [premise]
    with pytest.raises(Conflict, match="'k1'"):
        await one.remember(**changed)  # pyright: ignore[reportArgumentType]
    assert await everything(graph, one.scope) == before


async def test_a_key_belongs_to_its_scope(one: Scoped) -> None:
    """X01: the same key in another scope is another call with its own memory."""
    other = Scoped(one.mind, one.scope + "-2")
    first = await one.remember(FACT, idempotency_key="k1")
    second = await other.remember(FACT, idempotency_key="k1")
    third = await other.remember(REST, idempotency_key="k2")
    assert (first.outcome, second.outcome, third.outcome) == ("created",) * 3
    assert first.memory.id != second.memory.id


async def test_a_key_holds_after_reopening(engine_settings: Settings, scope: str, clock: TestClock) -> None:
    """HYD-22, HYD-8: another process with a cold projection knows what the key returned, and refuses other payloads."""
    async with HydraMind.open(engine_settings, clock=clock) as mind:
        first = await Scoped(mind, scope).remember(FACT, idempotency_key="k\u00e9y '1'`")
    clock.advance(days=1)
    async with HydraMind.open(engine_settings, clock=clock) as mind:
        again = Scoped(mind, scope)
        assert await again.remember(FACT, idempotency_key="k\u00e9y '1'`") == first
        with pytest.raises(Conflict, match="was used for another call"):
            await again.remember(REST, idempotency_key="k\u00e9y '1'`")
        assert (await again.stats()).memories == 1


async def test_a_key_holds_after_its_memory_was_forgotten(one: Scoped) -> None:
    """X01, X06: a late retry does not bring a forgotten memory back; without the key the text can be kept anew."""
    first = await one.remember(FACT, idempotency_key="k1")
    await one.forget(first.memory.id)
    assert await one.remember(FACT, idempotency_key="k1") == first
    assert await one.status(first.memory.id) == "forgotten"
    assert (await one.remember(FACT, idempotency_key="k2")).outcome == "created"


async def test_a_keyed_duplicate_keeps_its_key(one: Scoped) -> None:
    """HYD-22: a keyed call that found a duplicate returns just that when retried, whatever happened in between."""
    first = await one.keep(FACT)
    keyed = await one.remember(FACT, idempotency_key="k1")
    assert (keyed.outcome, keyed.memory.id) == ("duplicate", first)
    await one.forget(first)
    assert await one.remember(FACT, idempotency_key="k1") == keyed


async def test_a_blank_key_is_no_key(one: Scoped) -> None:
    """M01: an empty or null key means none."""
    outcomes = [(await one.remember(text, idempotency_key=key)).outcome for text, key in ((FACT, ""), (REST, None))]
    assert outcomes == ["created", "created"]
