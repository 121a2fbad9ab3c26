"""The store against a dict: any short sequence of verbs ends in the state that a plain model says."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from hydramind.errors import Conflict
from hydramind.service import HydraMind
from hydramind.settings import Settings
from tests.conftest import TestClock
from tests.scoped import Scoped

Result = TypeVar("Result")
THINGS = ("cache", "mirror", "importer")


@dataclass
class Row:
    """What the model knows of a memory: about which thing, whether it says `enabled`, and what it went through."""

    thing: str
    enabled: bool
    status: str = "active"
    trust: float = 1.0
    hits: str | None = None

    @property
    def content(self) -> str:
        """The statement."""
        return f"The {self.thing} is {'enabled' if self.enabled else 'disabled'}."


class Signed(Row):
    """A statement that nothing contradicts; `thing` is its text."""

    @property
    def content(self) -> str:
        """The statement."""
        return self.thing


class Loop:
    """One event loop with one open memory on it, for machines that are not asynchronous themselves."""

    def __init__(self, embedded: Settings) -> None:
        self._loop = asyncio.new_event_loop()
        self._stack = AsyncExitStack()
        self.clock = TestClock()
        self.mind = self.run(self._stack.enter_async_context(HydraMind.open(embedded, clock=self.clock)))

    def run(self, call: Coroutine[Any, Any, Result]) -> Result:
        """Wait for a call."""
        return self._loop.run_until_complete(call)

    def close(self) -> None:
        """Close the memory, then the loop."""
        self.run(self._stack.aclose())
        self._loop.close()


class StoreMachine(RuleBasedStateMachine):
    """Statements `X is enabled` and `X is disabled`: saying one contradicts the other while it is active."""

    def __init__(self, loop: Loop, scope: str) -> None:
        super().__init__()
        self.loop = loop
        self.scoped = Scoped(loop.mind, scope)
        self.rows: dict[str, Row] = {}

    def _active(self, thing: str, enabled: bool) -> str | None:
        for id_, row in self.rows.items():
            if (row.thing, row.enabled, row.status) == (thing, enabled, "active"):
                return id_
        return None

    def _said(self, id_: str, thing: str, enabled: bool) -> None:
        """A new statement: the opposite one loses what a contradiction costs."""
        self.rows[id_] = Row(thing, enabled)
        opposite = self._active(thing, not enabled)
        if opposite is not None:
            self.rows[opposite].status, self.rows[opposite].trust = "contradicted", 0.6
            self.rows[id_].hits = opposite

    def _withdrawn(self, row: Row) -> None:
        """What it hit gets its trust back, and is active again unless its text was said anew meanwhile."""
        if row.hits is None:
            return
        hit, row.hits = self.rows[row.hits], None
        hit.trust = 1.0
        if hit.status == "contradicted":
            hit.status = "superseded" if self._active(hit.thing, hit.enabled) else "active"

    @rule(thing=st.sampled_from(THINGS), enabled=st.booleans())
    def remember(self, thing: str, enabled: bool) -> None:
        """Say something: a new row, or the active one that says it already."""
        known = self._active(thing, enabled)
        reply = self.loop.run(self.scoped.remember(Row(thing, enabled).content))
        if known is not None:
            assert (reply.outcome, reply.memory.id) == ("duplicate", known)
        else:
            assert reply.outcome == "created"
            self._said(reply.memory.id, thing, enabled)

    @rule(data=st.data())
    def forget(self, data: st.DataObject) -> None:
        """Forget any memory, forgotten ones too."""
        if not self.rows:
            return
        id_ = data.draw(st.sampled_from(list(self.rows)))
        row = self.rows[id_]
        reply = self.loop.run(self.scoped.forget(id_))
        assert reply.changed is (row.status != "forgotten")
        row.status = "forgotten"
        self._withdrawn(row)

    @rule(data=st.data(), word=st.sampled_from(["amber", "basalt"]))
    def revise(self, data: st.DataObject, word: str) -> None:
        """Replace any memory by a statement about nothing else: only an active one can be."""
        if not self.rows:
            return
        id_ = data.draw(st.sampled_from(list(self.rows)))
        row, number = self.rows[id_], len(self.rows)
        content = f"Visitor {number} signed the {word} book {number}"
        if row.status != "active":
            with pytest.raises(Conflict):
                self.loop.run(self.scoped.revise(id_, content))
            return
        reply = self.loop.run(self.scoped.revise(id_, content))
        row.status = "superseded"
        self._withdrawn(row)
        self.rows[reply.memory.id] = Signed(content, True)

    @rule(thing=st.sampled_from(THINGS))
    def recall(self, thing: str) -> None:
        """Everything recallable about a thing comes, by trust."""
        hits = self.loop.run(self.scoped.recall(thing)).hits
        found = sorted((hit.memory.id, hit.memory.status, hit.score) for hit in hits)
        known = [(id_, row.status, row.trust) for id_, row in self.rows.items() if row.thing == thing]
        assert found == sorted(each for each in known if each[1] in ("active", "contradicted"))
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)

    @rule()
    def wait(self) -> None:
        """Time passes."""
        self.loop.clock.advance(days=1)

    @invariant()
    def state_is_the_models(self) -> None:
        """Status, stored trust and replayed trust of every memory, and the counts, are those of the model."""
        for id_, row in self.rows.items():
            story = self.loop.run(self.scoped.explain(id_))
            seen = (story.memory.content, story.memory.status, story.memory.trust, story.replayed)
            assert seen == (row.content, row.status, row.trust, row.trust)
        assert self.loop.run(self.scoped.stats()).memories == len(self.rows)


@pytest.fixture(scope="module")
def loop(embedded_settings: Settings) -> Iterator[Loop]:
    """A memory on the embedded node."""
    opened = Loop(embedded_settings)
    yield opened
    opened.close()


@pytest.mark.timeout(300)
def test_any_sequence_of_verbs_ends_as_the_model_says(loop: Loop, scope: str) -> None:
    """SEEDS 6.7, D02, X06: remember, forget, revise, recall and time in any order; trust equals the replay after each."""
    names = iter(range(10_000))
    run_state_machine_as_test(
        lambda: StoreMachine(loop, f"{scope}-{next(names)}"),  # pyright: ignore[reportArgumentType]
        settings=settings(
            max_examples=25,
            stateful_step_count=12,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],  # pyright: ignore[reportArgumentType]
        ),
    )
