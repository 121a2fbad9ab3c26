"""One long mixed session on each engine: every reply, every row and every relationship are the same."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

import pytest
from pydantic import BaseModel

from hydramind.errors import HydraMindError
from hydramind.graph.connection import Graph
from hydramind.ids import stable_id
from hydramind.opening import open_graph
from hydramind.service import HydraMind
from hydramind.settings import Settings
from tests.conftest import TestClock
from tests.scoped import Scoped, everything

LENGTH = 60
TOKEN = re.compile(r"\('token', '[^']*'\)")
SAYINGS = (
    "The {} is enabled",
    "The {} is not enabled",
    "The {} runs in Oslo",
    "The {} now runs in Bergen instead of Oslo",
    "The {} no longer runs in Oslo",
    "Tests rely on the {}",
    "The {} owner is Ines",
    "The {} owner is Omar",
)
THINGS = ("cache", "mirror", "importer", "C++ lib", "Zo\u00eb's \u84dd\u7eff\u90e8\u7f72")


@dataclass(frozen=True)
class Drawn:
    """What a call is made of."""

    one: Scoped
    dice: random.Random
    said: str
    thing: str
    id_: str

    def named(self) -> list[str]:
        """Entities, some in two spellings."""
        return self.dice.choice(([], [self.thing], [self.thing, "team", self.thing.upper()]))


Call = Callable[[Drawn], Awaitable[BaseModel]]
CALLS: tuple[Call, ...] = (
    lambda d: d.one.remember(d.said, entity_refs=d.named()),
    lambda d: d.one.remember(d.said, entity_refs=d.named()),
    lambda d: d.one.remember(d.said, entity_refs=d.named(), derived_from=[d.id_]),
    lambda d: d.one.remember(d.said, idempotency_key=f"k{d.dice.randrange(5)}"),
    lambda d: d.one.remember(d.said, kind="turn", session="s", source=d.dice.choice(("Ada", "Bo"))),
    lambda d: d.one.revise(d.id_, d.said, reason="seen"),
    lambda d: d.one.forget(d.id_),
    lambda d: d.one.reinstate(d.id_),
    lambda d: d.one.recall(d.said, entity_refs=d.named(), gate=d.dice.choice(("auto", "off"))),
    lambda d: d.one.timeline(d.thing),
    lambda d: d.one.trace(d.id_),
    lambda d: d.one.explain(d.id_),
    lambda d: d.one.check(d.said, entity_refs=[d.thing]),
)


async def replies(one: Scoped, clock: TestClock) -> list[str]:
    """What a drawn session is told, call by call: replies, without what a clock of this machine said, and refusals. The same
    replies draw the same calls."""
    dice, ids, told = random.Random(20), ["7"], list[str]()
    for _ in range(LENGTH):
        clock.advance(seconds=dice.choice((0, 0, 1, 3_600)))
        thing = dice.choice(THINGS)
        drawn = Drawn(one, dice, dice.choice(SAYINGS).format(thing), thing, dice.choice(ids))
        try:
            reply = await dice.choice(CALLS)(drawn)
        except HydraMindError as error:
            told.append(f"{type(error).__name__}: {error}")
        else:
            told.append(re.sub(r'"(ms|took)":[0-9.e-]+', "", reply.model_dump_json()))
            ids += re.findall(r'"memory":{"id":"([0-9]+)"', told[-1])[:1]
    return told


async def session(settings: Settings, scope: str) -> tuple[list[str], list[list[str]]]:
    """What it is told, and the scope as it is stored, commit tokens aside."""
    numbers: Iterator[int] = itertools.count()
    clock = TestClock()
    async with HydraMind.open(settings, clock=clock, new_id=lambda: stable_id(scope, next(numbers))) as mind:
        told = await replies(Scoped(mind, scope), clock)
    async with open_graph(settings, lambda line: None) as graph:
        return told, [[TOKEN.sub("", row) for row in part] for part in await everything(graph, scope)]


@pytest.mark.neo4j
@pytest.mark.timeout(300)
async def test_engines_end_alike(
    embedded_settings: Settings, neo4j_graph: Graph, neo4j_settings: Settings, scope: str
) -> None:
    """B07: sixty mixed calls from an empty scope on, refused ones included."""
    here, there = await session(embedded_settings, scope), await session(neo4j_settings, scope)
    for number, (left, right) in enumerate(zip(here[0], there[0], strict=True)):
        assert left == right, f"call {number}"
    assert here[1] == there[1]
    assert len(here[1][0]) > 10
