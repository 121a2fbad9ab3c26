"""Bounds of validity: a day without a time is the whole day, and a beginning ahead holds as an end does."""

from __future__ import annotations

from datetime import datetime

import pytest

from hydramind.errors import Invalid
from hydramind.models import Recall, Remember
from tests.conftest import TestClock
from tests.scoped import Scoped


async def test_a_day_is_whole_as_a_bound(one: Scoped, clock: TestClock) -> None:
    """T03: as of a day is as of its last instant; until a day includes that day."""
    for moment in ("2026-05-04T09:00Z", "2026-05-04T23:59:59.750Z", "2026-05-05T00:00Z"):
        clock.now = int(datetime.fromisoformat(moment).timestamp() * 1_000)
        await one.keep(f"amber note of {moment[8:-1]}")
    clock.advance(days=4)
    for day in ("2026-05-04", "20260504", " 2026-05-04 "):
        assert await one.found("amber note", as_of=day) == ["amber note of 04T23:59:59.750", "amber note of 04T09:00"]
    kept = await one.remember("gate code is 7", valid_until="2026-05-10")
    assert kept.memory.valid_to == "2026-05-11T00:00:00.000Z"


def test_the_last_day_of_the_calendar_is_no_bound() -> None:
    """Its end lies outside what a time can be."""
    with pytest.raises(Invalid, match="valid_until: must be within the years 1 to 9999"):
        Remember.parse({"content": "x", "scope": "s", "valid_until": "9999-12-31"})
    assert Recall.parse({"query": "x", "scope": "s", "as_of": "9999-12-31"}).as_of is not None
    assert Recall.parse({"query": "x", "scope": "s", "as_of": None}).as_of is None


async def test_what_becomes_true_later_is_not_recalled_before(one: Scoped, clock: TestClock) -> None:
    """T08: a stated beginning holds as a stated end does, also for a moment asked for; an appointment is known before it
    happens."""
    clock.now = int(datetime.fromisoformat("2026-05-04T09:00Z").timestamp() * 1_000)
    await one.keep("The new quota is 9", valid_from="2026-06-01")
    await one.keep("The dentist expects Ada", event_time="2026-06-01")
    assert await one.found("new quota") == []
    assert await one.found("dentist expects Ada") == ["The dentist expects Ada"]
    clock.advance(days=40)
    assert await one.found("new quota") == ["The new quota is 9"]
    assert await one.found("new quota", as_of="2026-05-20") == []
    assert await one.found("new quota", as_of="2026-06-02") == ["The new quota is 9"]
