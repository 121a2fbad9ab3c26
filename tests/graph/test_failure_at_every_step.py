"""A failure before and after every statement of a write: the store is as before or as after, and a retry completes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from neo4j.exceptions import ServiceUnavailable

from hydramind.graph.connection import Address, Graph
from hydramind.ids import random_id
from hydramind.models import Related
from hydramind.queries.query import Query
from hydramind.service import HydraMind
from hydramind.settings import load
from hydramind.store.scopes import Scopes
from tests.conftest import TestClock
from tests.scoped import DENIAL, FACT, REST, Scoped, state
from tests.watched import Killed, Wire, watched

State = tuple[Counter[str], Counter[str]]
Call = Callable[[Scoped, dict[str, str]], Awaitable[object]]

UNFINISHED = Query(
    "ops that are not done",
    "MATCH (o:Op) WHERE o.scope = $scope AND o.phase <> 'done' RETURN o.key AS key",
    lambda columns: str(columns["key"]),
)
KEYED_DENIAL = {"idempotency_key": "once", "entity_refs": ["gateway"]}
CALLS: dict[str, Call] = {
    "remember": lambda scoped, ids: scoped.remember(DENIAL, **KEYED_DENIAL),
    "revise": lambda scoped, ids: scoped.revise(ids["root"], "The gateway was sold.", reason="sold"),
    "forget": lambda scoped, ids: scoped.forget(ids["denial"]),
    "relate": lambda scoped, ids: scoped.relate(ids["root"], ids["rest"], relation="led_to"),
}


@asynccontextmanager
async def opened(address: Address, wire: Wire, scope: str) -> AsyncGenerator[Scoped]:
    """A cold service on a watched driver of its own, as a process of its own would have."""
    async with watched(address, wire) as graph:
        scopes = Scopes(graph, TestClock(), 8, 8)
        yield Scoped(HydraMind(load({}, embedder="none"), graph, scopes, random_id), scope)
        await scopes.close()


async def prepared(scoped: Scoped, verb: str) -> dict[str, str]:
    """The memories that a call works on: a fact, what rests on it, and for forgetting a denial."""
    ids = {"root": await scoped.keep(FACT, entity_refs=["gateway"])}
    ids["rest"] = await scoped.keep(REST, derived_from=[ids["root"]])
    if verb == "forget":
        ids["denial"] = await scoped.keep(DENIAL)
    return ids


async def undisturbed(graph: Graph, address: Address, wire: Wire, scope: str, verb: str) -> tuple[State, int]:
    """What the call comes to when nothing fails, and how many statements it sends."""
    async with opened(address, wire, scope) as scoped:
        ids = await prepared(scoped, verb)
        wire.arm()
        await CALLS[verb](scoped, ids)
        statements = len(wire.sent)
    return await state(graph, scope), statements


def subject(reply: Any) -> str:
    """The memory that a reply is about."""
    return reply.relation.source if isinstance(reply, Related) else reply.memory.id


async def settled(
    graph: Graph, address: Address, wire: Wire, scope: str, verb: str, ids: dict[str, str]
) -> tuple[State, State]:
    """The state that a fresh process finds, and the one after it retried the call."""
    wire.arm()
    async with opened(address, wire, scope) as scoped:
        await scoped.stats()
        found = await state(graph, scope)
        assert await graph.read(UNFINISHED, scope=scope) == []
        for id_ in ids.values():
            await scoped.trust(id_)
        first: Any = await CALLS[verb](scoped, ids)
        again: Any = await CALLS[verb](scoped, ids)
        assert subject(again) == subject(first)
        for id_ in {*ids.values(), subject(first)}:
            await scoped.trust(id_)
        return found, await state(graph, scope)


async def killed_everywhere(graph: Graph, address: Address, wire: Wire, scope: str, verb: str) -> set[str]:
    """Kill the caller before and after every statement; returns which of the two lawful states were found."""
    after, statements = await undisturbed(graph, address, wire, f"{scope}-whole", verb)
    seen: set[str] = set()
    # To end before a statement is to end after the one ahead of it, so only the first needs both.
    for step, late in [(1, False), *((step, True) for step in range(1, statements + 1))]:
        name = f"{scope}-{step}-{late}"
        async with opened(address, wire, name) as scoped:
            ids = await prepared(scoped, verb)
            before = await state(graph, name)
            wire.arm(step, late, Killed())
            with pytest.raises(Killed):
                await CALLS[verb](scoped, ids)
        found, retried = await settled(graph, address, wire, name, verb, ids)
        assert found in (before, after), f"{verb} killed at statement {step} of {statements}, late {late}"
        assert retried == after, f"{verb} retried after statement {step} of {statements}, late {late}"
        seen.add("before" if found == before else "after")
    return seen


async def lost_everywhere(graph: Graph, address: Address, wire: Wire, scope: str, verb: str) -> None:
    """Lose the connection once at every statement, both ways: the call itself must come through, once."""
    after, statements = await undisturbed(graph, address, wire, f"{scope}-whole", verb)
    for late in (False, True):
        for step in range(1, statements + 1):
            name = f"{scope}-{step}-{late}"
            async with opened(address, wire, name) as scoped:
                ids = await prepared(scoped, verb)
                wire.arm(step, late, ServiceUnavailable("the line was cut"))
                await CALLS[verb](scoped, ids)
                for id_ in ids.values():
                    await scoped.trust(id_)
            assert await state(graph, name) == after, f"{verb} cut at statement {step} of {statements}, late {late}"


@pytest.mark.neo4j
@pytest.mark.parametrize("verb", CALLS)
@pytest.mark.timeout(300)
async def test_a_kill_between_auto_commit_steps(
    neo4j_graph: Graph, neo4j_address: Address, scope: str, verb: str
) -> None:
    """HYD-51, B04: without transactions, a process that ends at any step leaves before or after, and the retry completes."""
    seen = await killed_everywhere(neo4j_graph, neo4j_address, Wire(auto_commit=True), scope, verb)
    assert seen == {"before", "after"}


@pytest.mark.neo4j
@pytest.mark.parametrize("verb", CALLS)
@pytest.mark.timeout(300)
async def test_a_cut_between_auto_commit_steps(
    neo4j_graph: Graph, neo4j_address: Address, scope: str, verb: str
) -> None:
    """HYD-51, B04: without transactions, a connection lost once at any step neither loses nor doubles the call."""
    await lost_everywhere(neo4j_graph, neo4j_address, Wire(auto_commit=True), scope, verb)


@pytest.mark.parametrize("verb", CALLS)
async def test_a_kill_inside_a_transaction(each_graph: Graph, each_address: Address, scope: str, verb: str) -> None:
    """B04: a process that ends at any statement, the commit included, leaves before or after, and the retry completes."""
    seen = await killed_everywhere(each_graph, each_address, Wire(), scope, verb)
    assert seen == {"before", "after"}


@pytest.mark.parametrize("verb", CALLS)
async def test_a_cut_inside_a_transaction(each_graph: Graph, each_address: Address, scope: str, verb: str) -> None:
    """B04: a connection lost once at any statement, also with the answer to the commit, neither loses nor doubles."""
    await lost_everywhere(each_graph, each_address, Wire(), scope, verb)
