"""timeline lists every version of what is known about an entity, oldest first."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydramind import HydraMind as Embedded
from hydramind.models import OneScope
from hydramind.service import HydraMind
from hydramind.settings import Settings
from tests.conftest import TestClock
from tests.scoped import DENIAL, FACT, REST, Scoped


async def test_versions_come_in_order_of_event_time(each: Scoped, clock: TestClock) -> None:
    """HYD-35, T01: by the instant they speak of, not by arrival; contradicted and superseded ones are shown."""
    await each.keep("The gateway was installed.", entity_refs=["gateway"], event_time="2026-02-01")
    clock.advance(days=1)
    await each.keep("The gateway was ordered.", entity_refs=["gateway"], event_time="2026-01-05T12:00:00+02:00")
    await each.keep(FACT, entity_refs=["gateway"])
    clock.advance(days=1)
    await each.keep(DENIAL, entity_refs=["gateway"])
    timeline = await each.timeline("gateway")
    assert [(v.memory.content, v.memory.event_time[:16], v.memory.status) for v in timeline.versions] == [
        ("The gateway was ordered.", "2026-01-05T10:00", "active"),
        ("The gateway was installed.", "2026-02-01T00:00", "active"),
        (FACT, "2026-03-02T10:00", "contradicted"),
        (DENIAL, "2026-03-03T10:00", "active"),
    ]
    assert (timeline.total, timeline.entity.name, timeline.entity.memories) == (4, "gateway", 4)


async def test_a_limit_keeps_the_newest_versions(one: Scoped, clock: TestClock) -> None:
    """HYD-35, M02: the default is 20; the reply says how many there are; 0 gives none."""
    for number in range(22):
        clock.advance(seconds=1)
        await one.keep(f"Visitor {number} signed the book {number}", entity_refs=["book"])
    assert await one.versions("book", limit=2) == [
        "Visitor 20 signed the book 20",
        "Visitor 21 signed the book 21",
    ]
    assert (await one.timeline("book", limit=0)).versions == ()
    default = await one.timeline("book")
    assert (len(default.versions), default.total) == (20, 22)


async def test_an_unknown_entity_has_no_versions(one: Scoped) -> None:
    """HYD-35: an empty timeline with the name asked for, and no entity comes to be."""
    await one.keep(REST)
    timeline = await one.timeline("ghost")
    assert (timeline.versions, timeline.total, timeline.entity.name) == ((), 0, "ghost")
    assert (await one.stats()).entities == 0


async def test_naive_times_are_utc(one: Scoped) -> None:
    """T01: 10:00 without zone is 10:00Z and later than 10:30+02:00, so Ines is current and Omar is history before her."""
    await one.keep("gateway owner is Ines", entity_refs=["gateway"], event_time="2026-03-01T10:00:00")
    late = await one.remember("gateway owner is Omar", entity_refs=["gateway"], event_time="2026-03-01T10:30:00+02:00")
    assert late.memory.event_time == "2026-03-01T08:30:00.000Z"
    assert [(v.memory.content, v.memory.status, v.memory.trust) for v in (await one.timeline("gateway")).versions] == [
        ("gateway owner is Omar", "superseded", 1.0),
        ("gateway owner is Ines", "active", 1.0),
    ]
    assert await one.found("gateway owner") == ["gateway owner is Ines"]
    assert [conflict.kind for conflict in (await one.check("gateway owner is Ines")).conflicts] == ["duplicate"]


async def test_late_history_harms_nobody(one: Scoped) -> None:
    """T10: an older statement that arrives late is filed before what is current, which keeps its trust."""
    ines = await one.keep("billing service owner is Ines", entity_refs=["billing service"], event_time="2026-02-01")
    omar = await one.remember("billing service owner is Omar", entity_refs=["billing service"], event_time="2024-01-10")
    assert (await one.trust(ines), await one.status(ines)) == (1.0, "active")
    versions = (await one.timeline("billing service")).versions
    assert [(v.memory.content, v.superseded_by) for v in versions] == [
        ("billing service owner is Omar", ines),
        ("billing service owner is Ines", ""),
    ]
    assert omar.memory.valid_to == "2026-02-01T00:00:00.000Z"
    assert omar.trust_changes == ()


OWNERS = {"Omar": "2024-01-10", "Kai": "2025-03-05", "Ines": "2026-02-01"}


async def _sound(one: Scoped) -> None:
    """The scope agrees with its own log, ledger and links."""
    found = await one.mind.verify(OneScope(scope=one.scope))
    assert (found.sound, found.findings) == (True, ())


@pytest.mark.parametrize("order", list(itertools.permutations(OWNERS)))
async def test_any_order_of_arrival_ends_with_the_latest(one: Scoped, order: tuple[str, ...]) -> None:
    """T10: whoever came last by event time is current; nobody lost trust, and each is history in its place, up to the
    start of the next one."""
    for name in order:
        await one.keep(f"billing service owner is {name}", entity_refs=["billing"], event_time=OWNERS[name])
    versions = [version.memory for version in (await one.timeline("billing")).versions]
    assert [(memory.content.split()[-1], memory.status, memory.trust, memory.valid_to) for memory in versions] == [
        ("Omar", "superseded", 1.0, "2025-03-05T00:00:00.000Z"),
        ("Kai", "superseded", 1.0, "2026-02-01T00:00:00.000Z"),
        ("Ines", "active", 1.0, None),
    ]
    assert await one.found("billing service owner") == ["billing service owner is Ines"]
    assert await one.found("who owns billing", gate="off") == ["billing service owner is Ines"]
    assert await one.found("billing service owner", as_of="2025-01-01") == []
    await _sound(one)


@pytest.mark.parametrize("slot", ["", "billing/owner"])
@pytest.mark.parametrize("order", list(itertools.permutations(OWNERS)))
async def test_each_version_names_the_one_that_follows_it(one: Scoped, order: tuple[str, ...], slot: str) -> None:
    """T10: whatever came late, with the reason of those two."""
    ids: dict[str, str] = {}
    for name in order:
        said = f"billing service owner is {name}"
        ids[name] = await one.keep(said, entity_refs=["billing"], event_time=OWNERS[name], slot=slot)
    versions = (await one.timeline("billing")).versions
    assert [version.superseded_by for version in versions] == [ids["Kai"], ids["Ines"], ""]
    if not slot:
        assert [("Omar" in v.reason, "Kai" in v.reason, "Ines" in v.reason) for v in versions] == [
            (True, True, False),
            (False, True, True),
            (False, False, False),
        ]
    else:
        assert all("'billing/owner' ha" in version.reason for version in versions[:2])


async def test_facts_that_one_statement_replaced_do_not_replace_one_another(one: Scoped, clock: TestClock) -> None:
    """Even where the second starts after the first ran out: each names what replaced it."""
    first = await one.keep(
        "The office is in Rome.", entity_refs=["office"], slot="office/place", valid_until="2026-03-01T12:00Z"
    )
    clock.advance(days=1)
    second = await one.keep("The office closes at nine.", entity_refs=["office"])
    clock.advance(days=1)
    last = await one.keep("The office is gone.", entity_refs=["office"])
    await one.revise(first, "The office is gone.")
    await one.revise(second, "The office is gone.")
    versions = (await one.timeline("office")).versions
    assert [version.superseded_by for version in versions] == [last, last, ""]


NOW = "2026-03-01T10:00:00.000Z"
"""Where the test clock stands: what is told without a date speaks of this time."""
DATES = {
    "Ada": "2019-07-01",
    "Bo": "2022-01-31",
    "Cy": "2024-05-05",
    "Di": "",
    "Eva": "2026-04-01",
    "Flo": "2031-12-24",
}
Row = tuple[str, str, str | None, str, float]


def _lawful(names: Sequence[str], slot: str) -> list[Row]:
    """Content, start, end, status and trust of each version, by the rule: the next one's start is the end; in a slot the
    last one alone is active."""
    told = sorted((f"{DATES[name]}T00:00:00.000Z" if DATES[name] else NOW, name) for name in names)
    ends = [start for start, _ in told[1:]]
    return [
        (name, start, end, "superseded" if end is not None and (slot or end <= NOW) else "active", 1.0)
        for (start, name), end in zip(told, [*ends, None], strict=True)
    ]


async def _versions(one: Scoped, names: Sequence[str], slot: str) -> list[Row]:
    for name in names:
        dated = {"event_time": DATES[name]} if DATES[name] else {}
        await one.keep(f"billing service owner is {name}", entity_refs=["billing"], slot=slot, **dated)
    await _sound(one)
    memories = [version.memory for version in (await one.timeline("billing")).versions]
    return [(m.content.split()[-1], m.valid_from, m.valid_to, m.status, m.trust) for m in memories]


def test_any_order_of_arrival_gives_one_history(embedded_settings: Settings, scope: str) -> None:
    """T10: dated, dated ahead and told without a date, in any order of arrival: one final state; in a slot as well."""
    counter = itertools.count()
    with asyncio.Runner() as runner:
        opened = HydraMind.open(embedded_settings, clock=TestClock())
        mind = runner.run(opened.__aenter__())

        @settings(max_examples=25)
        @given(st.lists(st.sampled_from(sorted(DATES)), min_size=2, max_size=5, unique=True), st.booleans())
        def check(names: list[str], slotted: bool) -> None:
            slot = "billing/owner" if slotted else ""
            one = Scoped(mind, f"{scope}-{next(counter)}")
            assert runner.run(_versions(one, names, slot)) == _lawful(names, slot)

        check()
        runner.run(opened.__aexit__(None, None, None))


@pytest.mark.parametrize("order", list(itertools.permutations(["Omar", "Kai", "Ines"])))
async def test_of_one_event_time_the_one_told_later_is_current(one: Scoped, order: tuple[str, ...]) -> None:
    """T10: two that speak of the same time contradict one another, and what was before them is history all the same."""
    dates = {"Omar": "2024-01-10", "Kai": "2026-02-01", "Ines": "2026-02-01"}
    ids = {
        name: await one.keep(f"billing service owner is {name}", entity_refs=["billing"], event_time=dates[name])
        for name in order
    }
    first, second = (name for name in order if name != "Omar")
    assert [(await one.status(ids[name]), await one.trust(ids[name])) for name in ("Omar", first, second)] == [
        ("superseded", 1.0),
        ("contradicted", 0.6),
        ("active", 1.0),
    ]
    assert (await one.memory(ids["Omar"])).valid_to == "2026-02-01T00:00:00.000Z"
    await _sound(one)


@pytest.mark.parametrize("order", list(itertools.permutations(["old", "new"])))
async def test_no_event_time_on_one_side_gives_one_history(one: Scoped, order: tuple[str, ...]) -> None:
    """T10: what has no date speaks of the time at which it was told, so an older statement takes no trust from it, nor
    does it take any from the older one."""
    told = {"old": {"event_time": "2024-01-10"}, "new": dict[str, str]()}
    for name in order:
        await one.keep(f"billing service owner is {name}", entity_refs=["billing"], **told[name])
    versions = [version.memory for version in (await one.timeline("billing")).versions]
    assert [(memory.content.split()[-1], memory.status, memory.trust, memory.valid_to) for memory in versions] == [
        ("old", "superseded", 1.0, NOW),
        ("new", "active", 1.0, None),
    ]
    await _sound(one)


async def test_an_old_transcript_changes_no_fact(mind: HydraMind, one: Scoped, tmp_path: Path) -> None:
    """T10: what was said long ago is kept with its time beside the fact, which keeps its trust and stays the answer (the gate
    is off, for neither holds the word "owns")."""
    ines = await one.keep("billing service owner is Ines", entity_refs=["billing service"], event_time="2026-02-01")
    file = tmp_path / "talk.txt"
    file.write_text("[2024-01-10 09:00] Ada: billing service owner is Omar\n", "utf-8")
    assert (await Embedded(mind).ingest(file, one.scope)).kept == 1
    assert (await one.trust(ines), await one.status(ines)) == (1.0, "active")
    told = {hit.memory.content: hit.memory.event_time for hit in (await one.recall("billing service owner")).hits}
    assert told == {
        "billing service owner is Ines": "2026-02-01T00:00:00.000Z",
        "billing service owner is Omar": "2024-01-10T09:00:00.000Z",
    }
    assert await one.versions("billing service") == ["billing service owner is Ines"]


async def test_a_change_of_mind_is_history_not_a_lie(one: Scoped, clock: TestClock) -> None:
    """C13: the new statement is current, the old is superseded history linked to it, at its old trust."""
    old = await one.keep("Noor prefers tabs", entity_refs=["Noor"])
    clock.advance(seconds=1)
    new = await one.remember("Noor now hates tabs and uses spaces", entity_refs=["Noor"])
    assert (await one.status(old), await one.trust(old)) == ("superseded", 1.0)
    assert (await one.found("Noor tabs"))[0] == "Noor now hates tabs and uses spaces"
    assert [v.superseded_by for v in (await one.timeline("Noor")).versions] == [new.memory.id, ""]
    steps = {(s.type, s.start, s.end) for path in (await one.trace(new.memory.id)).paths for s in path.steps}
    assert ("SUPERSEDED_BY", old, new.memory.id) in steps


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Kofi works on Atlas", "Kofi switched from Atlas to Borealis"),
        ("sessions are stored in MySQL", "sessions now go to Postgres instead of MySQL"),
        ("cache TTL is 60 s", "we went back to a cache TTL of 30 s"),
    ],
)
async def test_a_switch_supersedes(one: Scoped, before: str, after: str) -> None:
    """C16: the usual ways of reporting a change close the old statement without a loss of trust."""
    old = await one.keep(before)
    new = await one.remember(after)
    assert (await one.status(old), await one.trust(old)) == ("superseded", 1.0)
    assert (new.memory.status, new.trust_changes) == ("active", ())


async def test_advice_is_no_switch(one: Scoped) -> None:
    """C16: `instead of` in an instruction harms no statement about the thing left behind."""
    await one.keep("use ripgrep instead of grep for speed")
    assert (await one.check("grep is installed on CI")).conflicts == ()


async def test_what_was_replaced_in_the_same_instant_comes_first(one: Scoped) -> None:
    """HYD-35: the order does not hang on random ids when the clock stands still."""
    for number in range(8):
        old = await one.keep(f"Shelf {number} holds 30 jars", entity_refs=[f"shelf {number}"])
        await one.revise(old, f"Shelf {number} holds 14 jars")
        assert await one.versions(f"shelf {number}") == [
            f"Shelf {number} holds 30 jars",
            f"Shelf {number} holds 14 jars",
        ]
