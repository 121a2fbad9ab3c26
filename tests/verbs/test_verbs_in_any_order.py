"""Statements that clash, slots, relations, forgetting and back, in any order: the scope stays sound."""

from __future__ import annotations

from random import Random

import pytest

from hydramind.errors import Conflict, Invalid, NotFound
from hydramind.models import OneScope
from tests.conftest import TestClock
from tests.scoped import Scoped

WORDINGS = ["lives in", "does not live in", "no longer lives in", "is at home in", "moved to"]
CITIES = ["Paris", "Rome", "Oslo", "Bonn"]
VERBS = ["remember"] * 6 + ["forget", "reinstate", "revise", "relate", "relate"]


async def step(one: Scoped, draw: Random, ids: list[str]) -> None:
    """One call with whatever arguments; what the scope refuses changes nothing."""
    verb = draw.choice(VERBS) if len(ids) > 1 else "remember"
    content = f"Alice {draw.choice(WORDINGS)} {draw.choice(CITIES)}."
    if verb == "remember":
        more: dict[str, object] = {"slot": draw.choice(["", "a", "a", "b"])}
        if draw.random() < 0.4:
            more["event_time"] = f"20{draw.randint(20, 27)}-01-01"
        if draw.random() < 0.2:
            more["valid_until"] = f"20{draw.randint(28, 30)}-01-01"
        if ids and draw.random() < 0.2:
            more["derived_from"] = [draw.choice(ids)]
        ids.append(await one.keep(content, **more))
    elif verb == "revise":
        ids.append((await one.revise(draw.choice(ids), content)).memory.id)
    elif verb == "relate":
        named = draw.choice(["supports", "related_to"])
        await one.relate(draw.choice(ids), draw.choice(ids), relation=named, withdraw=draw.random() < 0.3)
    else:
        await (one.forget if verb == "forget" else one.reinstate)(draw.choice(ids))


@pytest.mark.parametrize("seed", [1, 2])
async def test_a_scope_stays_sound(one: Scoped, clock: TestClock, seed: int) -> None:
    """Ledger, links and log agree, and no slot has two values: what verify checks."""
    draw, ids, refused = Random(seed), list[str](), 0
    for number in range(1, 41):
        clock.advance(seconds=draw.choice([0, 1, 100_000]))
        try:
            await step(one, draw, ids)
        except (Conflict, Invalid, NotFound):
            refused += 1
        if number % 20 == 0:
            found = await one.mind.verify(OneScope(scope=one.scope))
            assert found.findings == ()
    for id_ in set(ids):
        await one.trust(id_)
    assert 0 < refused < 30
