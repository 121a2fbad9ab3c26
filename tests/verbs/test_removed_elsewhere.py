"""A demo scope that one process removes is gone for every other that has it open."""

from __future__ import annotations

import pytest

from hydramind.models import OneScope
from hydramind.service import HydraMind
from hydramind.settings import Settings
from hydramind.store.scope import REMOVABLE
from hydramind.store.scopes import DEMO_PREFIX
from tests.conftest import TestClock
from tests.scoped import Scoped


@pytest.mark.parametrize("anew", [0, 1, 3, 4])
async def test_a_removed_demo_is_gone_everywhere(
    embedded_settings: Settings, clock: TestClock, scope: str, anew: int
) -> None:
    """R06: nothing of it is recalled, also when it was begun anew since and has as many revisions; writes go on."""
    assert REMOVABLE == DEMO_PREFIX
    name = f"{DEMO_PREFIX}{scope}"
    async with (
        HydraMind.open(embedded_settings, clock=clock) as left,
        HydraMind.open(embedded_settings, clock=clock) as r,
    ):
        one, other = Scoped(left, name), Scoped(r, name)
        for number in range(3):
            await one.keep(f"amber kite {number}")
        assert len(await other.found("amber kite")) == 3
        await left.remove_demo(OneScope(scope=name))
        for number in range(anew):
            await one.keep(f"blue oar {number}")
        await other.keep("green bell")
        assert await other.found("amber kite") == []
        assert (len(await other.found("blue oar")), await one.found("green bell")) == (anew, ["green bell"])
        found = await r.verify(OneScope(scope=name))
        assert (found.sound, found.findings) == (True, ())
