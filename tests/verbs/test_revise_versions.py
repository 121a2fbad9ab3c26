"""revise replaces an active memory by a new version and erases nothing."""

from __future__ import annotations

import pytest

from hydramind.errors import Conflict, Invalid, NotFound
from hydramind.graph.connection import Graph
from tests.conftest import TestClock
from tests.scoped import DENIAL, FACT, FAR_REST, REST, Scoped, everything

OLD = "Retention is 30 days."
NEW = "Retention is 14 days."


async def test_the_old_version_is_closed_and_linked_to_the_new(each: Scoped, clock: TestClock) -> None:
    """HYD-32, HYD-33, HYD-34: superseded, validity closed, the link carries time and reason; new trust 1.0, links inherited."""
    old = await each.keep(OLD, entity_refs=["retention"])
    clock.advance(days=2)
    reply = await each.revise(old, NEW, reason="new policy")
    assert (reply.memory.content, reply.memory.trust, reply.memory.status) == (NEW, 1.0, "active")
    assert (reply.replaced.id, reply.replaced.status) == (old, "superseded")
    assert reply.replaced.valid_to == reply.memory.valid_from == "2026-03-03T10:00:00.000Z"
    assert [entity.name for entity in reply.memory.entities] == ["retention"]
    versions = (await each.timeline("retention")).versions
    assert [(v.memory.content, v.superseded_by, v.reason) for v in versions] == [
        (OLD, reply.memory.id, "new policy"),
        (NEW, "", ""),
    ]


async def test_given_entities_replace_the_inherited_ones(each: Scoped) -> None:
    """HYD-34: replacements are the new version's links; an empty list takes all away; the old version keeps its own."""
    old = await each.keep(OLD, entity_refs=["retention"])
    new = (await each.revise(old, NEW, entity_refs=["policy"])).memory
    assert [entity.name for entity in new.entities] == ["policy"]
    bare = (await each.revise(new.id, "Retention is 7 days.", entity_refs=[])).memory
    assert bare.entities == ()
    assert (await each.versions("retention"), await each.versions("policy")) == ([OLD], [NEW])


async def test_every_view_of_a_version_names_the_other(each: Scoped) -> None:
    """L03: explanation, trace, timeline and inspection of the old name the new and the time; recall shows the new only."""
    old = await each.keep(OLD, entity_refs=["retention"])
    new = (await each.revise(old, NEW)).memory.id
    told = next(event for event in (await each.explain(old)).events if event.kind == "superseded")
    assert (told.by, told.at) == (new, "2026-03-01T10:00:00.000Z")
    steps = {(step.type, step.start, step.end) for path in (await each.trace(old)).paths for step in path.steps}
    assert ("SUPERSEDED_BY", old, new) in steps
    back = {(step.type, step.start, step.end) for path in (await each.trace(new)).paths for step in path.steps}
    assert ("SUPERSEDED_BY", old, new) in back
    assert (await each.inspect(old)).superseded_by == (new,)
    assert (await each.inspect(new)).supersedes == (old,)
    assert await each.found("retention days") == [NEW]


async def test_dependents_of_a_replaced_premise_are_flagged_without_decay(each: Scoped) -> None:
    """SEEDS 1.3: premise_superseded on both hops, trust untouched, old trust untouched, no ledger entry."""
    old = await each.keep(OLD)
    first = await each.keep(REST, derived_from=[old])
    second = await each.keep(FAR_REST, derived_from=[first])
    reply = await each.revise(old, NEW)
    assert reply.flagged == (first, second)
    assert reply.trust_changes == ()
    for id_ in (first, second):
        seen = await each.memory(id_)
        assert (seen.premise_superseded, seen.trust, seen.status) == (True, 1.0, "active")
    assert await each.trust(old) == 1.0


async def test_a_flag_is_explained_at_both_hops(one: Scoped) -> None:
    """HYD-40: whoever is flagged can read in its story which premise was replaced by what."""
    old = await one.keep(OLD)
    first = await one.keep(REST, derived_from=[old])
    second = await one.keep(FAR_REST, derived_from=[first])
    new = (await one.revise(old, NEW)).memory.id
    for id_ in (first, second):
        told = [event for event in (await one.explain(id_)).events if event.kind == "premise_superseded"]
        assert [event.by for event in told] == [new]


@pytest.mark.parametrize("status", ["contradicted", "superseded", "forgotten"])
async def test_only_an_active_memory_can_be_revised(one: Scoped, status: str) -> None:
    """HYD-32: any other status refuses, naming the status, and nothing changes."""
    memory = await one.keep(FACT)
    if status == "contradicted":
        await one.keep(DENIAL)
    elif status == "superseded":
        await one.revise(memory, REST)
    else:
        await one.forget(memory)
    before = await one.stats()
    with pytest.raises(Conflict, match=status):
        await one.revise(memory, FAR_REST)
    assert await one.stats() == before


async def test_a_repeated_revision_happens_once(each: Scoped, each_graph: Graph) -> None:
    """HYD-22 in spirit: the same revision again returns the first new version and leaves every byte as it was."""
    old = await each.keep(OLD, entity_refs=["retention"])
    first = await each.revise(old, NEW, reason="policy")
    before = await everything(each_graph, each.scope)
    again = await each.revise(old, NEW, reason="policy")
    assert (again.memory.id, again.replaced.id, again.flagged) == (first.memory.id, old, ())
    assert await everything(each_graph, each.scope) == before


async def test_a_revision_to_the_same_text_is_none(one: Scoped) -> None:
    """C15: identical text and links change nothing and commit nothing."""
    old = await one.keep(OLD)
    before = await one.stats()
    reply = await one.revise(old, "Retention  is 30 days.\n")
    assert (reply.memory.id, reply.replaced.id) == (old, old)
    assert await one.stats() == before


async def test_a_revision_reports_what_it_contradicts(one: Scoped) -> None:
    """C15: the path by revise meets the same conflict detection as remember, once, with both ids."""
    stored = await one.keep(FACT)
    other = await one.keep(REST)
    reply = await one.revise(other, DENIAL)
    assert [(conflict.kind, conflict.memory_id) for conflict in reply.conflicts] == [("contradicts", stored)]
    assert await one.trust(stored) == 0.6
    assert (await one.inspect(stored)).contradicted_by == (reply.memory.id,)
    report = await one.check(FACT)
    assert [(conflict.kind, conflict.memory_id) for conflict in report.conflicts] == [("contradicts", reply.memory.id)]


async def test_revising_the_contradictor_away_gives_back_what_it_took(one: Scoped) -> None:
    """D02: a contradictor replaced by a harmless statement no longer holds; one replaced by another denial does."""
    old = await one.keep(FACT)
    denial = await one.keep(DENIAL)
    harmless = await one.revise(denial, REST)
    assert (await one.trust(old), await one.status(old)) == (1.0, "active")
    assert [change.after for change in harmless.trust_changes] == [1.0]


async def test_forgetting_a_later_version_withdraws_what_an_earlier_one_took(one: Scoped) -> None:
    """D02: the denial was reworded; forgetting the reworded version still restores the memory, exactly."""
    old = await one.keep(FACT)
    denial = await one.keep(DENIAL)
    reworded = (await one.revise(denial, "The gateway never uses mutual TLS.")).memory.id
    assert await one.trust(old) == 0.6
    await one.forget(reworded)
    assert (await one.trust(old), await one.status(old)) == (1.0, "active")


async def test_a_chain_of_five_versions_is_one_line(each: Scoped, clock: TestClock) -> None:
    """L03, HYD-35: five versions in order, each linked to the next, one current."""
    texts = [f"Retention is {days} days." for days in (30, 21, 14, 7, 3)]
    memory = await each.keep(texts[0], entity_refs=["retention"])
    for text in texts[1:]:
        clock.advance(days=1)
        memory = (await each.revise(memory, text)).memory.id
    versions = (await each.timeline("retention")).versions
    assert [version.memory.content for version in versions] == texts
    assert [version.superseded_by for version in versions] == [*(v.memory.id for v in versions[1:]), ""]
    assert [version.memory.valid_to for version in versions[:-1]] == [v.memory.valid_from for v in versions[1:]]
    assert await each.found("retention days") == texts[-1:]


async def test_a_refused_revision_leaves_everything(one: Scoped, graph: Graph) -> None:
    """M11: text over the limit, blank text and an unknown id are refused each by its own code, and nothing moved."""
    memory = await one.keep("x" * 99_999)
    before = await everything(graph, one.scope)
    codes = []
    for id_, text in ((memory, "y" * 100_001), (memory, ""), ("123", "x")):
        with pytest.raises((Invalid, NotFound)) as refusal:
            await one.revise(id_, text)
        codes.append(refusal.value.code)
    assert codes == ["invalid", "invalid", "not_found"]
    assert await everything(graph, one.scope) == before
