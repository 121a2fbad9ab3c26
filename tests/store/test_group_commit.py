"""Writers of a scope queue, are decided in order and committed in groups; one that fails fails alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from hydramind.errors import Busy, Conflict
from hydramind.graph.commit import op_id
from hydramind.graph.connection import Graph
from hydramind.ids import random_id, stable_id
from hydramind.queries import memories, ops
from hydramind.records import ChangeSet, Memory, ScopeNode
from hydramind.store.scope import QUEUE_PER_WRITER, OpenScope
from hydramind.store.scopes import Scopes
from hydramind.store.view import Decide, Decision, View
from tests.conftest import TestClock


def note(content: str, id_: int | None = None) -> Decide[int]:
    """A decision that keeps one memory and returns the revision it was decided for."""
    memory_id = random_id() if id_ is None else id_

    async def decide(view: View) -> Decision[int]:
        first = (ScopeNode(stable_id("scope", view.scope), view.scope, view.now),) if view.revision == 1 else ()
        row = Memory(memory_id, view.scope, content, content, view.now, view.now, view.now, revision=view.revision)
        return Decision(ChangeSet("note", (*first, row)), view.revision)

    return decide


def refusing() -> Decide[int]:
    """A decision that refuses."""

    async def decide(view: View) -> Decision[int]:
        raise Conflict(f"not at revision {view.revision}")

    return decide


async def contents(graph: Graph, scope: str) -> list[str]:
    """What the graph holds of a scope, in order of commit."""
    rows = await graph.read(memories.OF_SCOPE, scope=scope)
    return [row.content for row in sorted(rows, key=lambda row: row.revision)]


async def test_a_group_keeps_the_order_of_its_callers(each_graph: Graph, scope: str, clock: TestClock) -> None:
    """DESIGN 4: forty writers at once: revisions 1 to 40 in the order they came, one op each, each with its own result."""
    opened = OpenScope(each_graph, scope, clock, 8)
    results = await asyncio.gather(*(opened.submit("note", note(f"n{number}")) for number in range(40)))
    assert results == list(range(1, 41))
    assert await contents(each_graph, scope) == [f"n{number}" for number in range(40)]
    found = await each_graph.read_ids(ops.BY_ID, [op_id(scope, n) for n in range(1, 42)], scope=scope)
    assert sorted((op.revision, op.verb, op.phase) for op in found) == [(n, "note", "done") for n in range(1, 41)]
    assert (await opened.index()).revision == 40


async def test_groups_of_one_do_the_same(each_graph: Graph, scope: str, clock: TestClock) -> None:
    """HYD-60: with one write in flight the outcome is that of any other number."""
    opened = OpenScope(each_graph, scope, clock, 1)
    assert await asyncio.gather(*(opened.submit("note", note(f"n{number}")) for number in range(5))) == [1, 2, 3, 4, 5]
    assert await contents(each_graph, scope) == [f"n{number}" for number in range(5)]


async def test_later_decisions_of_a_group_see_the_earlier(each_graph: Graph, scope: str, clock: TestClock) -> None:
    """DESIGN 4: by the view and by the graph, before anything is committed; neither the index nor another sees it yet."""
    opened, first = OpenScope(each_graph, scope, clock, 8), random_id()
    seen: list[object] = []

    async def look(view: View) -> Decision[None]:
        by_graph = await view.read_ids(memories.BY_ID, [first])
        held = view.memory(first)
        active = view.active_with("amber kite")
        seen.append(
            (
                held is not None,
                active == held,
                [row.id for row in view.related("amber", 5, 0.0)],
                [row.content for row in by_graph],
                view.revision,
            )
        )
        return Decision(ChangeSet("look"), None)

    await asyncio.gather(opened.submit("note", note("amber kite", first)), opened.submit("look", look))
    assert seen[-1] == (True, True, [first], ["amber kite"], 2)


async def test_a_refused_decision_fails_alone(each_graph: Graph, scope: str, clock: TestClock) -> None:
    """A `HydraMindError` goes to its caller; the neighbours of its group are committed without a gap."""
    opened = OpenScope(each_graph, scope, clock, 8)
    decisions = [note("a"), refusing(), note("b"), refusing(), note("c")]
    results = await asyncio.gather(*(opened.submit("x", each) for each in decisions), return_exceptions=True)
    assert [result if isinstance(result, int) else type(result) for result in results] == [1, Conflict, 2, Conflict, 3]
    assert await contents(each_graph, scope) == ["a", "b", "c"]


def poisoned(kind: str) -> Decide[int]:
    """A decision whose change the server or the driver cannot take, or that breaks."""

    async def decide(view: View) -> Decision[int]:
        if kind == "crash":
            raise ZeroDivisionError
        content = "half \ud800" if kind == "text" else "whole"
        id_ = 2**63 if kind == "number" else random_id()
        row = Memory(id_, view.scope, content, "k", view.now, view.now, view.now, revision=view.revision)
        return Decision(ChangeSet("poison", (row,)), view.revision)

    return decide


@pytest.mark.parametrize("kind", ["crash", "text", "number"])
async def test_a_poisoned_decision_fails_alone(each_graph: Graph, scope: str, clock: TestClock, kind: str) -> None:
    """A fault in one decision, or a value that cannot be sent, reaches its caller only; the neighbours are committed."""
    opened = OpenScope(each_graph, scope, clock, 8)
    results = await asyncio.gather(
        *(opened.submit("x", each) for each in (note("a"), poisoned(kind), note("b"))), return_exceptions=True
    )
    assert [isinstance(result, int) for result in results] == [True, False, True]
    assert await contents(each_graph, scope) == ["a", "b"]


async def test_a_full_queue_refuses_at_once(each_graph: Graph, scope: str, clock: TestClock) -> None:
    """HYD-54, HYD-60: 32 writes a writer may wait; one more is `Busy` and retryable, and all that waited get through."""
    opened, started, gate = OpenScope(each_graph, scope, clock, 1), asyncio.Event(), asyncio.Event()

    async def slow(view: View) -> Decision[int]:
        started.set()
        await gate.wait()
        return Decision(ChangeSet("slow"), view.revision)

    running = asyncio.ensure_future(opened.submit("slow", slow))
    await started.wait()
    waiting = [asyncio.ensure_future(opened.submit("note", note(f"n{n}"))) for n in range(QUEUE_PER_WRITER)]
    await asyncio.sleep(0)
    with pytest.raises(Busy, match="32 writes wait") as refusal:
        await opened.submit("note", note("one too many"))
    assert refusal.value.retryable
    gate.set()
    await running
    assert await asyncio.gather(*waiting) == list(range(1, QUEUE_PER_WRITER + 1))
    assert "one too many" not in await contents(each_graph, scope)


async def test_a_rival_between_decision_and_commit_makes_it_decide_again(
    each_graph: Graph, scope: str, clock: TestClock
) -> None:
    """DESIGN 4: another driver commits the revision first; the decision runs again on what the rival left."""
    ours, theirs = OpenScope(each_graph, scope, clock, 8), OpenScope(each_graph, scope, clock, 8)
    await ours.submit("note", note("first"))
    seen: list[tuple[int, bool]] = []
    mine = note("mine")

    async def decide(view: View) -> Decision[int]:
        seen.append((view.revision, view.active_with("rival") is not None))
        if len(seen) == 1:
            await theirs.submit("note", note("rival"))
        return await mine(view)

    assert await ours.submit("note", decide) == 3
    assert seen == [(2, False), (3, True)]
    assert await contents(each_graph, scope) == ["first", "rival", "mine"]
    assert [memory.content for memory in (await theirs.index()).memories()] == ["first", "rival", "mine"]


async def test_a_decision_that_changes_nothing_is_made_on_the_newest_state(
    each_graph: Graph, scope: str, clock: TestClock
) -> None:
    """DESIGN 5: no commit proves it fresh, so a look at the log does; a stale one is made again."""
    ours, theirs = OpenScope(each_graph, scope, clock, 8), OpenScope(each_graph, scope, clock, 8)
    await ours.submit("note", note("first"))
    await theirs.submit("note", note("second"))

    async def count(view: View) -> Decision[bool]:
        return Decision(ChangeSet("count"), view.active_with("second") is not None)

    assert await ours.submit("count", count) is True
    assert (await theirs.index()).revision == 2


async def test_two_services_interleave_without_loss(each_graph: Graph, scope: str, clock: TestClock) -> None:
    """HYD-54: sixty writes of two sides are sixty dense revisions, every one acknowledged with its own."""
    sides = [OpenScope(each_graph, scope, clock, 8) for _ in range(2)]
    results = await asyncio.gather(*(sides[n % 2].submit("note", note(f"n{n}")) for n in range(60)))
    assert sorted(results) == list(range(1, 61))
    assert await contents(each_graph, scope) == [f"n{n}" for _, n in sorted(zip(results, range(60), strict=True))]


async def test_a_caller_that_went_away_does_not_stop_the_others(
    each_graph: Graph, scope: str, clock: TestClock
) -> None:
    """A cancelled caller's write may or may not be kept; those behind it are, and the scope stays usable."""
    opened = OpenScope(each_graph, scope, clock, 2)
    tasks = [asyncio.ensure_future(opened.submit("note", note(f"n{n}"))) for n in range(10)]
    await asyncio.sleep(0)
    tasks[4].cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(results[4], asyncio.CancelledError)
    assert sum(isinstance(result, int) for result in results) == 9
    kept = await contents(each_graph, scope)
    assert [each for each in kept if each != "n4"] == [f"n{n}" for n in range(10) if n != 4]


async def test_closing_waits_for_what_was_queued(each_graph: Graph, scope: str, clock: TestClock) -> None:
    """A clean end loses no accepted write."""
    scopes = Scopes(each_graph, clock, 2, 8)
    tasks = [asyncio.ensure_future(scopes.get(scope).submit("note", note(f"n{n}"))) for n in range(7)]
    await asyncio.sleep(0)
    await scopes.close()
    assert all(task.done() for task in tasks)
    assert len(await contents(each_graph, scope)) == 7


async def test_the_least_recently_used_scope_is_dropped(each_graph: Graph, scope: str, clock: TestClock) -> None:
    """DESIGN 5: at most `keep` idle scopes stay; a dropped one comes back from the graph as it was; busy ones stay."""
    scopes = Scopes(each_graph, clock, 8, 2)
    names: list[str] = [f"{scope}-{letter}" for letter in "abc"]
    opened: Callable[[str], OpenScope] = scopes.get
    first = opened(names[0])
    await first.submit("note", note("kept"))
    opened(names[1])
    assert opened(names[0]) is first
    opened(names[2])
    assert len(scopes) == 2
    assert opened(names[0]) is first
    changed = asyncio.Event()
    first.listen(changed)
    opened(names[1])
    opened(names[2])
    assert opened(names[0]) is first
    first.ignore(changed)
    scopes.drop(names[0])
    again = opened(names[0])
    assert again is not first
    assert [row.content for row in (await again.index()).memories()] == ["kept"]
