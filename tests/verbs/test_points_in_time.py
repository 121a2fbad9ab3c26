"""What is recalled now, and what is recalled as of a moment: validity is half-open and history stays what it was."""

from __future__ import annotations

from datetime import datetime

import pytest

from hydramind.errors import Conflict, Invalid
from hydramind.models import Draft, OneScope, Recall, Remember, Request, Retrieve
from tests.conftest import TestClock
from tests.scoped import Scoped

LOCK = "deploy lock held by Kai"


def at(clock: TestClock, moment: str) -> None:
    """Set the clock."""
    clock.now = int(datetime.fromisoformat(moment).timestamp() * 1_000)


async def test_what_has_run_out_is_not_recalled_and_what_held_then_is(one: Scoped, clock: TestClock) -> None:
    """T08: present before its end, absent from its end on, present as of a moment before it, with its interval."""
    at(clock, "2026-03-10T21:40Z")
    await one.keep(LOCK, valid_until="2026-03-10T22:25Z")
    at(clock, "2026-03-10T21:50Z")
    assert await one.found("deploy lock") == [LOCK]
    at(clock, "2026-03-10T22:24:59.999Z")
    assert await one.found("deploy lock") == [LOCK]
    at(clock, "2026-03-10T22:25Z")
    assert await one.found("deploy lock") == []
    at(clock, "2026-03-11T00:40Z")
    then = await one.recall("deploy lock", as_of="2026-03-10T21:50Z")
    assert [(hit.memory.content, hit.memory.valid_from, hit.memory.valid_to) for hit in then.hits] == [
        (LOCK, "2026-03-10T21:40:00.000Z", "2026-03-10T22:25:00.000Z")
    ]


async def test_what_ran_out_long_ago_is_history_from_the_start(one: Scoped) -> None:
    """T08: a closed interval of the past is kept with its instants and never recalled as current."""
    kept = await one.remember(
        "old quota is 5", valid_from="2019-06-01T00:00Z", valid_until="2020-06-01T00:00Z", entity_refs=["quota"]
    )
    assert (kept.memory.valid_from, kept.memory.valid_to) == ("2019-06-01T00:00:00.000Z", "2020-06-01T00:00:00.000Z")
    assert await one.found("old quota") == []
    assert await one.found("old quota", gate="off") == []
    assert await one.versions("quota") == ["old quota is 5"]


async def test_an_end_may_be_as_late_as_the_calendar(one: Scoped) -> None:
    """T08: the last instant of the last year is an end like any other."""
    await one.keep(LOCK, valid_until="9999-12-31T23:59:59Z")
    assert await one.found("deploy lock") == [LOCK]


async def test_history_does_not_change_because_somebody_touched_a_row(one: Scoped, clock: TestClock) -> None:
    """T09: as of a moment between, before, and at the change, which belongs to the new version; links that are refused and
    questions about the old row move nothing."""
    at(clock, "2026-01-01T00:00Z")
    old = await one.keep("api base path is /v1", entity_refs=["api"])
    garden = await one.keep("the garden gate opens at nine", valid_until="2026-06-01")
    at(clock, "2026-02-01T00:00Z")
    new = (await one.revise(old, "api base path is /v2")).memory.id
    at(clock, "2026-03-01T00:00Z")
    with pytest.raises(Conflict, match="superseded"):
        await one.revise(old, "api base path is /v1", entity_refs=["api", "old"])
    await one.explain(old)
    asked = {moment: await one.found("api base path", as_of=moment) for moment in (None, "2026-02-15", "2026-01-15")}
    assert asked == {
        None: ["api base path is /v2"],
        "2026-02-15": ["api base path is /v2"],
        "2026-01-15": ["api base path is /v1"],
    }
    assert await one.found("api base path", as_of="2026-01-31T23:59:59.999Z") == ["api base path is /v1"]
    assert await one.found("api base path", as_of="2026-02-01T00:00Z") == ["api base path is /v2"]
    assert await one.found("api base path", as_of="2025-12-31T23:59:59.999Z") == []
    at(clock, "2026-07-01T00:00Z")
    assert await one.found("garden gate") == []
    assert await one.found("garden gate", as_of="2026-03-01") == ["the garden gate opens at nine"]
    await one.forget(new)
    await one.forget(garden)
    assert await one.found("api base path") == []
    assert await one.found("api base path", as_of="2026-02-15") == ["api base path is /v2"]
    assert await one.found("api base path", as_of="2026-01-15") == ["api base path is /v1"]


async def test_an_instant_is_one_however_it_is_written(one: Scoped, clock: TestClock) -> None:
    """T01, T03: the last instant of a day holds what was told in it and nothing of the next day."""
    for moment in ("2026-05-04T09:00Z", "2026-05-04T23:59:59.750Z", "2026-05-05T00:00Z"):
        at(clock, moment)
        await one.keep(f"amber note of {moment[8:-1]}")
    at(clock, "2026-05-09T00:00Z")
    for moment in (
        "2026-05-04T23:59:59.999Z",
        "2026-05-04T23:59:59.999",
        "20260504T235959.999Z",
        "2026-05-05T01:59:59.999+02:00",
        "2026-05-04T23:59:59.999+00:00",
    ):
        assert await one.found("amber note", as_of=moment) == [
            "amber note of 04T23:59:59.750",
            "amber note of 04T09:00",
        ]
    assert len(await one.found("amber note", as_of="2026-05-05T00:00Z")) == 3


QUEUE = "queue depth cap"
FIFTY, EIGHTY = f"{QUEUE} is 50", f"{QUEUE} is 80"


async def _sound(one: Scoped) -> None:
    """The scope agrees with its own log, ledger and links."""
    found = await one.mind.verify(OneScope(scope=one.scope))
    assert (found.sound, found.findings) == (True, ())


@pytest.mark.parametrize("dated", [{"event_time": "2026-05-04T10:00Z"}, {}])
async def test_a_correction_of_what_is_dated_ahead_holds_until_then(
    one: Scoped, clock: TestClock, dated: dict[str, str]
) -> None:
    """T07: it is not buried as history, the conflict is reported, nobody loses trust, and both say which rule decides."""
    at(clock, "2026-05-04T10:00Z")
    ahead = await one.keep(FIFTY, event_time="2026-05-07T10:00Z", source="Ada")
    fixed = await one.remember(EIGHTY, **dated, source="Ada")
    assert [(conflict.kind, conflict.memory_id) for conflict in fixed.conflicts] == [("supersedes", ahead)]
    assert (fixed.memory.status, fixed.memory.valid_to) == ("active", "2026-05-07T10:00:00.000Z")
    assert EIGHTY in await one.found(QUEUE)
    assert [await one.trust(id_) for id_ in (ahead, fixed.memory.id)] == [1.0, 1.0]
    told = [(await one.explain(id_)).events[0].narration for id_ in (ahead, fixed.memory.id)]
    assert told == [
        "remembered at full trust (1.00), said by 'Ada'; dated ahead: holds from 2026-05-07T10:00:00.000Z, until then memory "
        f"{fixed.memory.id}, because the later event time decides",
        "remembered at full trust (1.00), said by 'Ada'; holds until 2026-05-07T10:00:00.000Z, from then on memory "
        f"{ahead}, dated ahead, because the later event time decides",
    ]
    at(clock, "2026-05-08T10:00Z")
    assert await one.found(QUEUE) == [FIFTY]
    assert EIGHTY in await one.found(QUEUE, as_of="2026-05-05T00:00Z")
    await _sound(one)


async def test_what_is_current_holds_until_what_is_dated_ahead(one: Scoped, clock: TestClock) -> None:
    """T07: told in the order of time it comes to the same, and both are history once somebody says the next value."""
    at(clock, "2026-05-04T10:00Z")
    now = await one.keep(EIGHTY)
    await one.keep(FIFTY, event_time="2026-05-07T10:00Z")
    assert (await one.status(now), (await one.memory(now)).valid_to) == ("active", "2026-05-07T10:00:00.000Z")
    assert EIGHTY in await one.found(QUEUE)
    at(clock, "2026-05-08T10:00Z")
    assert await one.found(QUEUE) == [FIFTY]
    await one.keep(f"{QUEUE} is 90", event_time="2026-05-08T10:00Z")
    assert await one.found(QUEUE) == [f"{QUEUE} is 90"]
    assert (await one.stats()).active == 1
    await _sound(one)


async def test_what_had_run_out_is_kept_anew_when_it_is_told_again(one: Scoped, clock: TestClock) -> None:
    """T07, T08: a statement that is true once more is found; one of the time before is the one that is held."""
    at(clock, "2026-05-04T10:00Z")
    first = await one.keep(LOCK, valid_until="2026-05-04T11:00Z")
    at(clock, "2026-05-04T12:00Z")
    assert (await one.remember(LOCK, event_time="2026-05-04T10:30Z")).outcome == "duplicate"
    again = await one.remember(LOCK)
    assert (again.outcome, again.memory.valid_to) == ("created", None)
    assert (await one.status(first), (await one.memory(first)).valid_to) == ("superseded", "2026-05-04T11:00:00.000Z")
    assert await one.found("deploy lock") == [LOCK]
    assert (await one.remember(LOCK)).memory.id == again.memory.id
    await _sound(one)


@pytest.mark.parametrize("value", [1777888800, 1777888800000, 1777888800.25, "1777888800", 1777888800000000, -5, True])
@pytest.mark.parametrize(
    ("model", "field"),
    [
        (Remember, "event_time"),
        (Remember, "valid_from"),
        (Remember, "valid_until"),
        (Draft, "event_time"),
        (Recall, "as_of"),
        (Retrieve, "as_of"),
    ],
)
def test_a_number_is_no_moment(model: type[Request], field: str, value: object) -> None:
    """T06: seconds, milliseconds and more are refused by every verb alike, so none becomes 1970 or the year 58000."""
    rest = {"scope": "s", "query" if "query" in model.model_fields else "content": "x"}
    with pytest.raises(Invalid, match=f"{field}: must be ISO 8601 text"):
        model.parse({**rest, field: value})
