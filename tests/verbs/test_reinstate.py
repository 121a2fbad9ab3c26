"""reinstate undoes forget: the memory is shown again, and what its forgetting gave back is taken again."""

from __future__ import annotations

import pytest

from hydramind.errors import Conflict, NotFound
from hydramind.models import OneScope, TrustChange
from tests.conftest import TestClock
from tests.scoped import DENIAL, FACT, FAR_REST, REST, Scoped


async def _sound(one: Scoped) -> None:
    """The scope agrees with its own log, ledger and links."""
    found = await one.mind.verify(OneScope(scope=one.scope))
    assert (found.sound, found.findings) == (True, ())


async def test_a_forgotten_memory_comes_back_as_it_was(each: Scoped, clock: TestClock) -> None:
    """Status, open validity, trust, links and text; recall and timeline show it again."""
    memory = await each.keep(FACT, entity_refs=["gateway"])
    before = await each.memory(memory)
    clock.advance(days=2)
    await each.forget(memory)
    clock.advance(days=2)
    reply = await each.reinstate(memory)
    assert (reply.changed, reply.memory, reply.trust_changes) == (True, before, ())
    assert await each.found("gateway TLS") == [FACT]
    assert await each.versions("gateway") == [FACT]
    assert await each.memory(memory) == before
    await _sound(each)


async def test_a_memory_that_had_run_out_comes_back_run_out(one: Scoped, clock: TestClock) -> None:
    """Forgetting it and back does not make it current again; a stated end is sound while it lasts and after it."""
    memory = await one.keep(FACT, valid_until="2026-03-02")
    await _sound(one)
    clock.advance(days=2)
    before = await one.memory(memory)
    await one.forget(memory)
    clock.advance(days=1)
    assert (await one.reinstate(memory)).memory == before
    assert await one.found("gateway TLS") == []
    await _sound(one)


async def test_a_stated_end_ahead_outlives_forgetting(each: Scoped, clock: TestClock) -> None:
    """Forgotten, it is hidden now and as of then from that moment on; back, it runs out when it was said to."""
    memory = await each.keep(FACT, valid_until="2026-03-10T10:00Z")
    before = await each.memory(memory)
    clock.advance(days=2)
    assert (await each.forget(memory)).memory.valid_to == before.valid_to
    clock.advance(days=2)
    assert await each.found("gateway TLS") == []
    assert await each.found("gateway TLS", as_of="2026-03-03T10:00Z") == []
    assert await each.found("gateway TLS", as_of="2026-03-03T09:59:59.999Z") == [FACT]
    await _sound(each)
    assert (await each.reinstate(memory)).memory == before
    assert await each.found("gateway TLS") == [FACT]
    clock.advance(days=5)
    assert await each.found("gateway TLS") == []
    await _sound(each)


async def test_a_reinstated_contradiction_costs_trust_again(each: Scoped, clock: TestClock) -> None:
    """As when it was found, with ledger entries of its own that replay to the stored trust."""
    root = await each.keep(FACT)
    first = await each.keep(REST, derived_from=[root])
    second = await each.keep(FAR_REST, derived_from=[first])
    denial = await each.keep(DENIAL)
    clock.advance(seconds=1)
    await each.forget(denial)
    clock.advance(seconds=1)
    reply = await each.reinstate(denial)
    assert reply.trust_changes == (
        TrustChange(memory_id=root, before=1.0, after=0.6, hop=0),
        TrustChange(memory_id=first, before=1.0, after=0.85, hop=1),
        TrustChange(memory_id=second, before=1.0, after=0.7, hop=2),
    )
    assert [await each.trust(id_) for id_ in (root, first, second)] == [0.6, 0.85, 0.7]
    assert (await each.status(root), await each.status(denial)) == ("contradicted", "active")
    told = [(event.kind, event.by) for event in (await each.explain(root)).events]
    assert told == [("created", ""), ("contradicted", denial), ("restored", denial), ("contradicted", denial)]
    await _sound(each)


async def test_ten_rounds_of_forgetting_and_back_do_not_drift(one: Scoped, clock: TestClock) -> None:
    """Each round leaves its own entries, and the trust is exact each time."""
    root = await one.keep(FACT)
    derived = await one.keep(REST, derived_from=[root])
    denial = await one.keep(DENIAL)
    for _ in range(10):
        clock.advance(seconds=1)
        await one.forget(denial)
        assert (await one.trust(root), await one.trust(derived)) == (1.0, 1.0)
        await one.reinstate(denial)
        assert (await one.trust(root), await one.trust(derived)) == (0.6, 0.85)
    kinds = [event.kind for event in (await one.explain(root)).events]
    assert kinds == ["created", "contradicted", *["restored", "contradicted"] * 10]
    await _sound(one)


async def test_paths_show_a_repeated_contradiction_once(each: Scoped) -> None:
    """The withdrawn event and the one that stands join the same two memories: one path, not two."""
    await each.keep(FACT)
    denial = await each.keep(DENIAL)
    await each.forget(denial)
    await each.reinstate(denial)
    paths = [[node.text for node in path.nodes] for path in (await each.trace(denial)).paths]
    assert paths == [[DENIAL, FACT]]


async def test_a_contradicted_memory_comes_back_contradicted(one: Scoped) -> None:
    """What contradicts it still stands, so forgetting it and back changes nothing."""
    root = await one.keep(FACT)
    await one.keep(DENIAL)
    await one.forget(root)
    reply = await one.reinstate(root)
    assert (reply.memory.status, reply.memory.trust, reply.trust_changes) == ("contradicted", 0.6, ())
    await _sound(one)


async def test_both_sides_forgotten_come_back_as_they_stood(one: Scoped) -> None:
    """In the order of undoing: the denial takes the hidden memory's trust again, which then comes back contradicted."""
    root = await one.keep(FACT)
    denial = await one.keep(DENIAL)
    await one.forget(root)
    await one.forget(denial)
    await one.reinstate(denial)
    assert (await one.status(root), await one.trust(root)) == ("forgotten", 0.6)
    assert (await one.reinstate(root)).memory.status == "contradicted"
    await _sound(one)


async def test_what_a_revision_gave_back_stays_given_back(one: Scoped) -> None:
    """Only the forgetting is undone, although the revised version gave trust back as well, at the same moment."""
    root = await one.keep(FACT)
    denial = await one.keep(DENIAL)
    revised = (await one.revise(denial, "The gateway is documented in the handbook.")).memory.id
    await one.forget(revised)
    reply = await one.reinstate(revised)
    assert (reply.memory.status, reply.trust_changes) == ("active", ())
    assert (await one.status(root), await one.trust(root)) == ("active", 1.0)
    await _sound(one)


async def test_a_revised_contradiction_comes_back_with_its_first_source(one: Scoped) -> None:
    """The old version found it; forgetting the new one withdrew it, reinstating the new one brings it back."""
    root = await one.keep(FACT)
    denial = await one.keep(DENIAL)
    revised = (await one.revise(denial, "The gateway does not use mutual TLS today.")).memory.id
    assert await one.trust(root) == 0.6
    await one.forget(revised)
    assert await one.trust(root) == 1.0
    await one.reinstate(revised)
    assert (await one.trust(root), (await one.inspect(root)).contradicted_by) == (0.6, (denial,))
    await _sound(one)


async def test_a_superseded_version_comes_back_superseded(one: Scoped, clock: TestClock) -> None:
    """It has a successor, so it is history again, with the end it had."""
    old = await one.keep("The release train leaves on Tuesday.")
    clock.advance(days=1)
    await one.revise(old, "The release train leaves on Thursday.")
    before = await one.memory(old)
    clock.advance(days=1)
    await one.forget(old)
    assert (await one.reinstate(old)).memory == before
    await _sound(one)


async def test_a_memory_that_something_else_contradicts_by_now_is_not_contradicted_again(one: Scoped) -> None:
    """A contradicted memory is not contradicted twice."""
    root = await one.keep(FACT)
    denial = await one.keep(DENIAL)
    await one.forget(denial)
    await one.keep(DENIAL)
    assert await one.trust(root) == 0.6
    with pytest.raises(Conflict, match="holds the same statement"):
        await one.reinstate(denial)
    assert await one.trust(root) == 0.6
    await _sound(one)


async def test_what_is_not_forgotten_or_not_there_is_refused(one: Scoped) -> None:
    """With the reason; nothing is committed."""
    memory = await one.keep(FACT)
    before = await one.stats()
    with pytest.raises(Conflict, match="is active: only a forgotten memory can be reinstated"):
        await one.reinstate(memory)
    with pytest.raises(NotFound):
        await one.reinstate("12345")
    assert await one.stats() == before


async def test_a_forgotten_contradicted_memory_whose_doubt_is_gone_comes_back_active(one: Scoped) -> None:
    """The status that now holds, not the one it had."""
    root = await one.keep(FACT)
    denial = await one.keep(DENIAL)
    await one.forget(root)
    await one.forget(denial)
    reply = await one.reinstate(root)
    assert (reply.memory.status, reply.memory.trust) == ("active", 1.0)
    await _sound(one)


async def test_a_contradiction_remembered_meanwhile_meets_it_when_it_is_back(each: Scoped, clock: TestClock) -> None:
    """As if it had not been hidden: the newer statement costs it and what rests on it trust, with ledger entries."""
    root = await each.keep(FACT)
    derived = await each.keep(REST, derived_from=[root])
    await each.forget(root)
    clock.advance(days=1)
    denial = await each.remember(DENIAL)
    assert denial.trust_changes == ()
    reply = await each.reinstate(root)
    assert reply.trust_changes == (
        TrustChange(memory_id=root, before=1.0, after=0.6, hop=0),
        TrustChange(memory_id=derived, before=1.0, after=0.85, hop=1),
    )
    assert (reply.memory.status, reply.memory.trust) == ("contradicted", 0.6)
    assert ((await each.memory(denial.memory.id)).trust, await each.status(denial.memory.id)) == (1.0, "active")
    assert (await each.inspect(root)).contradicted_by == (denial.memory.id,)
    assert (await each.explain(root)).replayed == 0.6
    await _sound(each)


async def test_that_contradiction_is_withdrawn_and_comes_back_like_any_other(one: Scoped, clock: TestClock) -> None:
    """Forgetting the newer one gives the trust back, reinstating it takes it again, each exactly once."""
    root = await one.keep(FACT)
    await one.forget(root)
    clock.advance(days=1)
    denial = await one.keep(DENIAL)
    await one.reinstate(root)
    await one.forget(denial)
    assert (await one.trust(root), await one.status(root)) == (1.0, "active")
    await one.reinstate(denial)
    assert (await one.trust(root), await one.status(root)) == (0.6, "contradicted")
    await _sound(one)


async def test_a_change_remembered_meanwhile_replaces_it(one: Scoped, clock: TestClock) -> None:
    """It comes back as history, at the trust it had."""
    old = await one.keep("The mailer uses SQS.", entity_refs=["mailer"])
    await one.forget(old)
    clock.advance(days=30)
    new = await one.keep("The mailer no longer uses SQS.", entity_refs=["mailer"])
    reply = await one.reinstate(old)
    assert (reply.memory.status, reply.memory.trust, reply.trust_changes) == ("superseded", 1.0, ())
    assert (await one.inspect(old)).superseded_by == (new,)
    await _sound(one)


async def test_what_it_was_compared_with_before_is_left_alone(one: Scoped, clock: TestClock) -> None:
    """Only what came while it was hidden is compared: a round of forgetting changes nothing else."""
    await one.keep("The importer is enabled.")
    root = await one.keep(FACT)
    clock.advance(days=1)
    await one.forget(root)
    await one.keep("The gateway is documented in the handbook.")
    reply = await one.reinstate(root)
    assert (reply.memory.status, reply.trust_changes) == ("active", ())
    await _sound(one)


async def test_the_story_tells_each_round_of_forgetting(each: Scoped, clock: TestClock) -> None:
    """Forgotten and reinstated in the order of the log, at the trust it had, and what happened while it was hidden."""
    root = await each.keep(FACT)
    clock.advance(days=1)
    await each.forget(root)
    clock.advance(days=1)
    denial = await each.keep(DENIAL)
    clock.advance(days=1)
    await each.reinstate(root)
    clock.advance(days=1)
    await each.forget(root)
    await each.reinstate(root)
    story = await each.explain(root)
    assert [(event.kind, event.at[:10], event.before, event.after, event.by) for event in story.events] == [
        ("created", "2026-03-01", 1.0, 1.0, ""),
        ("forgotten", "2026-03-02", 1.0, 1.0, ""),
        ("reinstated", "2026-03-04", 1.0, 1.0, ""),
        ("contradicted", "2026-03-04", 1.0, 0.6, denial),
        ("forgotten", "2026-03-05", 0.6, 0.6, ""),
        ("reinstated", "2026-03-05", 0.6, 0.6, ""),
    ]
    assert [event.narration for event in story.events[1:3]] == [
        "forgotten: hidden from recall",
        "reinstated: shown again",
    ]
    assert story.replayed == story.memory.trust == 0.6
