"""A slot holds one value at a time: a later fact of it replaces the one before, whatever the words say of each other."""

from __future__ import annotations

import asyncio

import pytest

from hydramind.errors import Conflict, Invalid
from hydramind.models import OneScope, Remember
from hydramind.service import HydraMind
from hydramind.settings import Settings
from tests.conftest import TestClock
from tests.scoped import Scoped

SLOT = "alice/address"
OLD = "Alice gets her post at 4 Oak Lane."
NEW = "Alice gets her post at 7 Elm Street."


async def _sound(one: Scoped) -> None:
    """The scope agrees with its own log, ledger and links."""
    found = await one.mind.verify(OneScope(scope=one.scope))
    assert (found.sound, found.findings) == (True, ())


async def test_a_later_fact_of_a_slot_replaces_the_earlier(each: Scoped, clock: TestClock) -> None:
    """HYB-13: no trust is taken, default recall shows the new value alone, the timeline both."""
    old = await each.keep(OLD, entity_refs=["Alice"], slot=SLOT)
    clock.advance(days=1)
    reply = await each.remember(NEW, entity_refs=["Alice"], slot="  Alice/ADDRESS ")
    assert (reply.outcome, reply.memory.slot, reply.trust_changes) == ("created", SLOT, ())
    assert [(found.kind, found.memory_id, found.reason) for found in reply.conflicts] == [
        ("supersedes", old, "slot 'alice/address' has a new value")
    ]
    assert await each.found("Where does Alice get her post?", gate="off") == [NEW]
    assert [(v.memory.content, v.superseded_by) for v in (await each.timeline("Alice")).versions] == [
        (OLD, reply.memory.id),
        (NEW, ""),
    ]
    before = await each.memory(old)
    assert (before.status, before.trust, before.valid_to) == ("superseded", 1.0, reply.memory.valid_from)
    await _sound(each)


async def test_what_would_contradict_only_changes_inside_a_slot(one: Scoped) -> None:
    """The slot says that the value changed, so the earlier statement was true; others are judged by their words."""
    slotted = await one.keep("Alice lives in Paris.", slot="alice/home")
    plain = await one.keep("Bob lives in Paris.")
    reply = await one.remember("Alice lives in Rome.", slot="alice/home")
    assert (await one.status(slotted), await one.trust(slotted)) == ("superseded", 1.0)
    assert [found.memory_id for found in reply.conflicts] == [slotted]
    denial = await one.keep("Bob lives in Rome.", slot="alice/other")
    assert (await one.status(plain), await one.trust(plain), await one.status(denial)) == (
        "contradicted",
        0.6,
        "active",
    )
    await _sound(one)


@pytest.mark.parametrize("dated", [{}, {"event_time": "2026-03-01"}])
async def test_a_denial_in_its_slot_is_the_new_value(one: Scoped, clock: TestClock, dated: dict[str, str]) -> None:
    """What words would call a contradiction is a change there: one fact is current, the one before it history at full
    trust, shown by the timeline and as of its time alone."""
    held = await one.keep("Alice lives in Paris.", slot="alice/home", entity_refs=["Alice"], event_time="2026-02-01")
    clock.advance(days=1)
    reply = await one.remember("Alice does not live in Paris.", slot="alice/home", entity_refs=["Alice"], **dated)
    denial = reply.memory.id
    assert [(found.kind, found.memory_id) for found in reply.conflicts] == [("supersedes", held)]
    assert (await one.status(held), await one.trust(held), await one.status(denial)) == ("superseded", 1.0, "active")
    assert (await one.stats()).active == 1
    assert await one.found("Alice live Paris") == ["Alice does not live in Paris."]
    assert await one.found("Alice live Paris", as_of="2026-02-15") == []
    told = [(each.memory.id, each.superseded_by) for each in (await one.timeline("Alice")).versions]
    assert told == [(held, denial), (denial, "")]
    await _sound(one)


async def test_a_plain_contradiction_of_a_slotted_fact_costs_trust(one: Scoped) -> None:
    """Without a slot the words decide, as they do between plain facts."""
    slotted = await one.keep("Alice lives in Paris.", slot="alice/home")
    await one.keep("Alice lives in Rome.")
    assert (await one.status(slotted), await one.trust(slotted)) == ("contradicted", 0.6)


async def test_an_older_fact_that_arrives_late_is_history(one: Scoped) -> None:
    """By event time; what is current stays so, and one dated at the same moment replaces it."""
    current = await one.keep(NEW, slot=SLOT, event_time="2025-06-01")
    late = await one.remember(OLD, slot=SLOT, event_time="2024-06-01")
    assert (late.memory.status, late.memory.valid_to) == ("superseded", "2025-06-01T00:00:00.000Z")
    assert [(found.kind, found.reason) for found in late.conflicts] == [
        ("supersedes", "slot 'alice/address' had a later value already")
    ]
    assert await one.status(current) == "active"
    assert (await one.inspect(late.memory.id)).superseded_by == (current,)
    same_day = await one.keep("Alice gets her post at the office.", slot=SLOT, event_time="2025-06-01")
    assert (await one.status(current), await one.status(same_day)) == ("superseded", "active")
    await _sound(one)


@pytest.mark.parametrize("ahead", [{"event_time": "2026-04-01"}, {"valid_from": "2026-04-01"}])
async def test_a_value_holds_until_the_next_one_starts(each: Scoped, clock: TestClock, ahead: dict[str, str]) -> None:
    """Told ahead, the next value takes nothing from the present one before its time."""
    old = await each.keep(OLD, slot=SLOT)
    clock.advance(days=1)
    moving = await each.remember(NEW, slot=SLOT, **ahead)
    assert (moving.outcome, moving.memory.status) == ("created", "active")
    assert OLD in await each.found("Alice post Oak Lane", gate="off")
    assert (await each.memory(old)).valid_to == "2026-04-01T00:00:00.000Z"
    assert await each.found("Alice post", gate="off", as_of="2026-03-20") != []
    await _sound(each)
    clock.advance(days=60)
    assert await each.found("Alice post", gate="off") == [NEW]
    await _sound(each)


@pytest.mark.parametrize("ahead", [{"event_time": "2026-04-01"}, {"valid_from": "2026-04-01"}])
async def test_a_value_of_now_ends_what_held_and_not_what_is_ahead(
    one: Scoped, clock: TestClock, ahead: dict[str, str]
) -> None:
    """Three values, the last of which was told second: each is found in its own time."""
    between = "Alice gets her post at the office."
    first = await one.keep(OLD, slot=SLOT)
    clock.advance(days=1)
    last = await one.keep(NEW, slot=SLOT, **ahead)
    clock.advance(days=1)
    told = await one.remember(between, slot=SLOT)
    assert [(found.kind, found.memory_id) for found in told.conflicts] == [("supersedes", last)]
    assert [found.memory_id for found in (await one.check(OLD + " Again.", slot=SLOT)).conflicts] == [last]
    assert (await one.memory(first)).valid_to == told.memory.valid_from
    found = await one.found("Alice post", gate="off")
    assert between in found
    assert OLD not in found
    await _sound(one)
    clock.advance(days=60)
    assert await one.found("Alice post", gate="off") == [NEW]


async def test_what_was_believed_before_is_found_at_its_time(one: Scoped, clock: TestClock) -> None:
    """The old value ends where the new one starts."""
    await one.keep(OLD, slot=SLOT)
    clock.advance(days=10)
    await one.keep(NEW, slot=SLOT)
    assert await one.found("Alice post", as_of="2026-03-05", gate="off") == [OLD]
    assert await one.found("Alice post", gate="off") == [NEW]


async def test_a_value_that_had_run_out_keeps_its_end(one: Scoped, clock: TestClock) -> None:
    """Being replaced later does not make it true for longer."""
    old = await one.keep(OLD, slot=SLOT, valid_until="2026-03-02")
    clock.advance(days=30)
    await one.keep(NEW, slot=SLOT)
    assert (await one.memory(old)).valid_to == "2026-03-03T00:00:00.000Z"


async def test_the_same_statement_again_is_a_duplicate(one: Scoped) -> None:
    """Also in other words, and under a slot that it lacked, which it then fills."""
    first = await one.keep("Alice lives in Paris.")
    again = await one.remember("Alice lives in Paris.", slot="alice/home")
    assert (again.outcome, again.memory.id, again.memory.slot, again.conflicts) == (
        "duplicate",
        first,
        "alice/home",
        (),
    )
    once_more = await one.remember("Alice lives  in Paris.", slot="alice/home")
    assert (once_more.outcome, once_more.memory.id) == ("duplicate", first)
    worded = await one.remember("Alice lives in Paris!", slot="alice/home")
    assert (worded.outcome, worded.memory.id) == ("duplicate", first)
    await one.keep("Alice lives in Rome.", slot="alice/home")
    assert await one.status(first) == "superseded"
    await _sound(one)


async def test_a_known_fact_that_is_told_to_fill_a_slot_replaces_its_value(one: Scoped, clock: TestClock) -> None:
    """The value before ends when that was told, not when the known fact was first stored."""
    known = await one.keep(OLD)
    clock.advance(days=1)
    held = await one.keep(NEW, slot=SLOT)
    clock.advance(days=1)
    reply = await one.remember(OLD, slot=SLOT)
    assert (reply.outcome, reply.memory.id) == ("duplicate", known)
    assert [(found.kind, found.memory_id) for found in reply.conflicts] == [("supersedes", held)]
    replaced = await one.memory(held)
    assert (replaced.status, replaced.valid_to) == ("superseded", "2026-03-03T10:00:00.000Z")
    assert await one.found("Alice post", gate="off") == [OLD]
    await _sound(one)


async def test_a_known_fact_told_to_have_filled_a_slot_before_is_history(one: Scoped) -> None:
    """Its date is before that of the value that is current."""
    known = await one.keep(OLD)
    held = await one.keep(NEW, slot=SLOT)
    reply = await one.remember(OLD, slot=SLOT, event_time="2020-01-01")
    assert (reply.outcome, reply.memory.id, reply.memory.status) == ("duplicate", known, "superseded")
    assert (await one.status(held), (await one.inspect(known)).superseded_by) == ("active", (held,))
    await _sound(one)


async def test_one_statement_does_not_fill_two_slots(one: Scoped) -> None:
    """The error says which slot it fills and changes nothing."""
    first = await one.keep(OLD, slot=SLOT)
    with pytest.raises(Conflict, match=f"memory {first} holds this statement and fills slot 'alice/address'"):
        await one.remember(OLD, slot="alice/office")
    assert (await one.memory(first)).slot == SLOT


async def test_a_value_may_come_back(one: Scoped, clock: TestClock) -> None:
    """Back and forth: each time told is a memory of its own, and one is current."""
    for content in (OLD, NEW, OLD):
        clock.advance(days=1)
        await one.keep(content, slot=SLOT, entity_refs=["Alice"])
    assert await one.versions("Alice") == [OLD, NEW, OLD]
    assert await one.found("Alice post", gate="off") == [OLD]
    assert (await one.stats()).active == 1


async def test_a_revised_fact_keeps_its_slot(one: Scoped) -> None:
    """And gives way to the next one of it; revising into a fact that is known hands the slot over."""
    first = await one.keep(OLD, slot=SLOT)
    known = await one.keep("The office handles parcels.")
    revised = (await one.revise(first, NEW)).memory
    assert revised.slot == SLOT
    handed = (await one.revise(revised.id, "The office handles parcels.")).memory
    assert (handed.id, handed.slot) == (known, SLOT)
    await one.keep(OLD, slot=SLOT)
    assert await one.status(known) == "superseded"
    await _sound(one)


async def test_a_forgotten_fact_comes_back_into_a_free_slot_only(one: Scoped) -> None:
    """The refusal says what to do, and doing it works."""
    old = await one.keep(OLD, slot=SLOT)
    await one.forget(old)
    new = await one.keep(NEW, slot=SLOT)
    with pytest.raises(Conflict, match=f"active memory {new} fills its slot 'alice/address' by now; forget that one"):
        await one.reinstate(old)
    assert await one.status(old) == "forgotten"
    await one.forget(new)
    assert (await one.reinstate(old)).memory.slot == SLOT
    assert await one.found("Alice post", gate="off") == [OLD]
    await _sound(one)


@pytest.mark.parametrize(("dated", "ends"), [("2024-01-01", "superseded"), ("2027-01-01", "active")])
async def test_a_fact_given_back_meets_what_fills_its_slot(one: Scoped, dated: str, ends: str) -> None:
    """When what contradicted it is forgotten, the later of the two by event time is the current one."""
    first = await one.keep("Alice lives in Paris.", slot="alice/home", event_time=dated)
    denial = await one.keep("Alice does not live in Paris.", event_time=dated)
    second = await one.keep("Alice is at home in Rome.", slot="alice/home")
    assert await one.status(first) == "contradicted"
    await one.forget(denial)
    other = {"superseded": "active", "active": "superseded"}[ends]
    assert (await one.status(first), await one.status(second)) == (ends, other)
    await _sound(one)


async def test_a_draft_is_checked_against_its_slot(one: Scoped) -> None:
    """check_conflict tells what remember would do, and stores nothing."""
    held = await one.keep("Alice lives in Paris.", slot="alice/home")
    report = await one.check("Alice lives in Rome.", slot="Alice/Home")
    assert [(found.kind, found.memory_id) for found in report.conflicts] == [("supersedes", held)]
    assert [found.kind for found in (await one.check("Alice lives in Rome.")).conflicts] == ["contradicts"]
    assert [found.kind for found in (await one.check("Alice lives in Paris!", slot="alice/home")).conflicts] == [
        "duplicate"
    ]
    assert (await one.check("Something else.", slot="alice/car")).conflicts == ()
    assert (await one.stats()).memories == 1


async def test_another_value_of_a_plain_statement_is_a_suggestion(one: Scoped) -> None:
    """Without a named slot nothing is replaced and no trust is taken: the reply says what to revise."""
    old = await one.keep("Bob's address is 4 Oak Lane.")
    said = f"both give bob/address: revise memory {old} if the value has changed"
    checked = await one.check("Bob's address is 7 Elm Street.")
    assert [(found.kind, found.memory_id, found.reason) for found in checked.conflicts] == [("uncertain", old, said)]
    reply = await one.remember("Bob's address is 7 Elm Street.")
    assert (reply.conflicts, reply.trust_changes) == (checked.conflicts, ())
    assert (await one.status(old), await one.trust(old)) == ("active", 1.0)
    clear = await one.check("Alice lives in Rome.")
    await one.keep("Alice lives in Paris.")
    assert clear.conflicts == ()
    assert [found.kind for found in (await one.check("Alice lives in Rome.")).conflicts] == ["contradicts"]


async def test_dependents_of_a_replaced_value_are_flagged(one: Scoped) -> None:
    """As when it is revised: what was concluded from it needs a look."""
    held = await one.keep(OLD, slot=SLOT)
    derived = await one.keep("Parcels go to Oak Lane.", derived_from=[held])
    await one.keep(NEW, slot=SLOT)
    assert (await one.memory(derived)).premise_superseded
    await _sound(one)


async def test_a_retried_call_changes_nothing_and_another_slot_is_another_call(one: Scoped) -> None:
    """The slot belongs to what a key stands for."""
    first = await one.remember(OLD, slot=SLOT, idempotency_key="k")
    await one.keep(NEW, slot=SLOT)
    assert await one.remember(OLD, slot=SLOT, idempotency_key="k") == first
    assert await one.found("Alice post", gate="off") == [NEW]
    with pytest.raises(Conflict, match="'k' was used for another call"):
        await one.remember(OLD, slot="alice/office", idempotency_key="k")


async def test_many_writers_of_one_slot_leave_one_value(
    one: Scoped, embedded_settings: Settings, clock: TestClock
) -> None:
    """From two processes' worth of services at once: each replaced the one before it, whichever came first."""
    async with HydraMind.open(embedded_settings, clock=clock) as other:
        minds = [one, Scoped(other, one.scope)]
        told = [minds[n % 2].keep(f"Alice gets her post at door {n}.", slot=SLOT) for n in range(12)]
        ids = await asyncio.gather(*told)
        found = await minds[1].found("Alice post", gate="off")
    assert len(set(ids)) == 12
    counts = await one.stats()
    assert (counts.active, counts.superseded, len(found)) == (1, 11, 1)
    assert await one.found("Alice post", gate="off") == found
    await _sound(one)


@pytest.mark.parametrize("kind", ["turn", "note"])
def test_only_a_fact_fills_a_slot(kind: str) -> None:
    """Turns and notes are kept as they were said; the error names the field."""
    with pytest.raises(Invalid, match=f"slot: only a fact fills a slot, a {kind} is kept as it was said"):
        Remember.parse({"content": "x", "scope": "s", "kind": kind, "slot": "a"})
    assert Remember.parse({"content": "x", "scope": "s", "kind": kind, "slot": " "}).slot == ""


def test_spellings_of_a_slot_are_one() -> None:
    """NFC, case-folded, white space collapsed."""
    spelled = [" Zoe\u0308 /  HOME ", "zo\u00eb / home", "ZO\u00cb / Home"]
    slots = {Remember.parse({"content": "x", "scope": "s", "slot": slot}).slot for slot in spelled}
    assert slots == {"zo\u00eb / home"}
