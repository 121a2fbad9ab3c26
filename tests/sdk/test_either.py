"""One story by each entrance: what is asked, what is answered and what is refused are the same."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from hydramind.errors import Conflict, Invalid, NotFound
from hydramind.ingest.report import BadFile
from hydramind.models import Recalled, Remembered
from tests.sdk.conftest import Mind


async def test_a_story_through_every_verb(either: Mind, scope: str) -> None:
    """Remember, contradict, explain, trace, revise, forget, undo: replies are the typed models."""
    kept = await either.remember("The staging cache is enabled", scope, entity_refs=["staging cache"], source="ada")
    assert isinstance(kept, Remembered)
    assert (kept.outcome, kept.memory.source, kept.memory.trust) == ("created", "ada", 1.0)
    first = kept.memory.id
    plan = (await either.remember("Load tests rely on the staging cache", scope, derived_from=[first])).memory.id
    found = await either.recall("is the staging cache enabled?", scope, limit=1)
    assert isinstance(found, Recalled)
    assert [hit.memory.id for hit in found.hits] == [first]
    denial = "The staging cache is not enabled"
    draft = await either.check(denial, scope, entity_refs="staging cache")
    assert [conflict.memory_id for conflict in draft.conflicts if conflict.kind == "contradicts"] == [first]
    denied = await either.remember(denial, scope, entity_refs=("staging cache",))
    assert [(change.memory_id, change.after) for change in denied.trust_changes] == [(first, 0.6), (plan, 0.85)]
    assert [event.kind for event in (await either.explain(first, scope)).events] == ["created", "contradicted"]
    assert first in {node.id for path in (await either.trace(plan, scope)).paths for node in path.nodes}
    between = await either.trace(plan, scope, target_id=denied.memory.id)
    assert [[step.type for step in path.steps] for path in between.paths] == [["DERIVED_FROM", "CONTRADICTS"]]
    assert (await either.inspect(plan, scope)).derived_from == (first,)
    related = await either.relate(first, plan, scope, relation="led_to", weight=0.5)
    assert (related.relation.relation, (await either.inspect(plan, scope)).relations) == ("led_to", (related.relation,))
    revised = await either.revise(plan, "Load tests rely on a warm cache", scope, reason="measured")
    assert revised.replaced.id == plan
    assert (await either.timeline(scope, "staging cache")).total == 2
    assert (await either.forget(denied.memory.id, scope)).changed
    assert (await either.inspect(first, scope)).memory.trust == 1.0
    assert (await either.reinstate(denied.memory.id, scope)).changed
    counts = await either.stats(scope)
    assert (counts.memories, counts.superseded) == (4, 1)
    assert [entity.name for entity in await either.entities(scope)] == ["staging cache"]
    assert scope in {each.name for each in await either.scopes()}


async def test_failures_are_the_same_exceptions(either: Mind, scope: str) -> None:
    """By class, field and words, whether they were raised here or by a server."""
    with pytest.raises(NotFound, match="'5'"):
        await either.forget("5", scope)
    with pytest.raises(Invalid) as caught:
        await either.recall("x", scope, limit=-1)
    assert caught.value.field == "limit"
    await either.remember("Port 8080 is open", scope, idempotency_key="k")
    with pytest.raises(Conflict, match="idempotency_key 'k' was used for another call"):
        await either.remember("Port 9090 is open", scope, idempotency_key="k")


async def test_any_scope_name_and_time_travels(either: Mind, scope: str) -> None:
    """A scope with a slash, a question mark and letters beyond ASCII; a time as a value and as text."""
    odd = f"{scope}/höhe?a=b&c#d %2F"
    when = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    as_value = await either.remember("The summit is high", odd, event_time=when)
    as_text = await either.remember("The valley is low", odd, event_time="2026-01-02T03:04:00Z")
    assert as_value.memory.event_time == as_text.memory.event_time == "2026-01-02T03:04:00.000Z"
    assert (await either.stats(odd)).memories == 2
    assert await either.entities(odd) == ()


async def test_ingest_twice_keeps_each_turn_once(either: Mind, scope: str, tmp_path: Path) -> None:
    """The second run changes nothing, a run after one more line adds exactly that line."""
    file = tmp_path / "chat.txt"
    file.write_text("Time: 20260924_20:00\nAda: the kiln is at 900 degrees\nBo: yes\nAda: yes\n", "utf-8")
    assert (await either.ingest(file, scope)).memories_after == 3
    before = (await either.stats(scope)).revision
    again = await either.ingest(file, scope)
    assert (again.kept, again.memories_before, again.memories_after) == (3, 3, 3)
    assert (await either.stats(scope)).revision == before
    with file.open("a") as more:
        more.write("Bo: yes\n")
    assert (await either.ingest(file, scope)).memories_after == 4


async def test_a_bad_line_stops_everything_before_it_starts(either: Mind, scope: str, tmp_path: Path) -> None:
    """It is named; with `keep_going` the good ones are kept and it is listed."""
    file = tmp_path / "facts.jsonl"
    file.write_text('{"content": "Kestrel guards the beta"}\n{"content": "x", "limit": 3}\n', "utf-8")
    with pytest.raises(BadFile, match=r"facts.jsonl:2: limit: is not an argument here.*nothing was written"):
        await either.ingest(file, scope)
    assert (await either.stats(scope)).memories == 0
    done = await either.ingest(file, scope, keep_going=True)
    assert (done.kept, done.bad_total, done.bad[0].line, done.bad[0].field) == (1, 1, 2, "limit")
