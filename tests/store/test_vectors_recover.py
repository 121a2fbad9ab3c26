"""An embedder that fails, answers nonsense or is replaced: words find everything at once, meaning as soon as it can."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import numpy as np
import pytest

from hydramind.embed.checked import CheckedEmbedder
from hydramind.embed.opened import Models
from hydramind.errors import Unavailable
from hydramind.graph.connection import Graph
from hydramind.ids import random_id
from hydramind.index.scope_index import ScopeIndex
from hydramind.opening import open_graph
from hydramind.service import HydraMind
from hydramind.settings import Settings
from hydramind.store.scopes import Scopes
from hydramind.verbs import reembed
from tests.conftest import TestClock
from tests.scoped import Scoped

ALIKE = (("pager", "rota", "on-call", "schedule"), ("kestrel", "osprey", "bird"), ("kiln", "oven"), ("drawer", "find"))
"""Words that mean the same to the stub."""
TURN = {"kind": "turn", "session": "s", "source": "Ada"}


class Meanings:
    """A provider whose vectors count words by meaning; `failing` and `odd` make it misbehave as services do."""

    name = "the stub"
    unit = False

    def __init__(self, dimension: int = 8) -> None:
        self.dimension = dimension
        self.identity = f"meanings-{dimension}"
        self.failing = False
        self.left = 10**9
        self.odd: dict[str, float] = {}

    async def embed_queries(self, texts: Sequence[str]) -> object:
        """One vector a text; `left` counts the calls that still succeed."""
        self.left -= 1
        if self.failing or self.left < 0:
            raise Unavailable("the stub is asleep")
        return np.array([self._vector(text) for text in texts])

    embed_passages = embed_queries

    async def close(self) -> None:
        """Nothing to end."""

    def _vector(self, text: str) -> list[float]:
        words = text.lower().replace("?", " ").replace(".", " ").replace("-2", "").replace("-9", "").split()
        for word, number in self.odd.items():
            if word in words:
                return [number] * self.dimension
        counts = [float(sum(word in group for word in words)) for group in ALIKE]
        return [0.1, *counts, *[0.0] * (self.dimension - 1 - len(counts))]


Opening = Callable[[Meanings], AbstractAsyncContextManager[Scoped]]


@pytest.fixture
async def graph(embedded_settings: Settings) -> AsyncIterator[Graph]:
    """A connection of the test's own."""
    async with open_graph(embedded_settings, lambda line: None) as graph:
        yield graph


@pytest.fixture
def opening(embedded_settings: Settings, graph: Graph, clock: TestClock, scope: str) -> Opening:
    """Opens a service of its own, as a restart would, with that provider."""

    @asynccontextmanager
    async def opened(provider: Meanings) -> AsyncIterator[Scoped]:
        embedder = CheckedEmbedder(provider)
        scopes = Scopes(graph, clock, 8, 8, embedder)
        mind = HydraMind(embedded_settings, graph, scopes, random_id, Models(embedder))
        yield Scoped(mind, scope)
        await scopes.close()

    return opened


async def settled(one: Scoped) -> ScopeIndex:
    """The projection, once the work on vectors has ended."""
    held = one.mind._scopes.get(one.scope)
    index = await held.index()
    assert held.vectors is not None
    await held.vectors.settled()
    return index


async def by_meaning(one: Scoped, query: str, limit: int = 1) -> list[str]:
    """What vectors alone put first."""
    return await one.found(query, mode="vector_only", gate="off", limit=limit)


def dense(reply: object) -> tuple[bool, str]:
    """Whether the dense stage ran, and its note."""
    stages = reply.trace.stages  # pyright: ignore[reportAttributeAccessIssue]
    return next((stage.executed, stage.note) for stage in stages if stage.name == "dense")


async def test_what_was_told_to_a_sleeping_embedder_is_found_by_meaning_later(opening: Opening) -> None:
    """R05: keeping succeeds, words find it at once and the trace says what lacks; after a restart meaning finds it."""
    provider = Meanings()
    provider.failing = True
    async with opening(provider) as one:
        await one.keep("The pager rota is in drawer two.", **TURN)
        await one.keep("The kiln is hot.", **TURN)
        await settled(one)
        reply = await one.recall("pager rota")
        assert [hit.memory.content for hit in reply.hits][:1] == ["The pager rota is in drawer two."]
        assert dense(reply) == (False, "the stub is asleep")
    provider.failing = False
    async with opening(provider) as one:
        assert (await settled(one)).embedded == 2
        assert await by_meaning(one, "where do I find the on-call schedule?") == ["The pager rota is in drawer two."]


@pytest.mark.parametrize("sleeps", [False, True])
async def test_a_vector_belongs_to_the_wording_that_is_current(opening: Opening, sleeps: bool) -> None:
    """R04: after a revision every channel finds the new wording and none the old one, also when the embedder slept
    meanwhile; twice revised and then forgotten, nothing is found."""
    provider = Meanings()
    async with opening(provider) as one:
        first = await one.keep("Ilse's build host is kestrel-2.", **TURN)
        await one.keep("The kiln is hot.", **TURN)
        await settled(one)
        provider.failing = sleeps
        second = (await one.revise(first, "Ilse's build host is the rota.")).memory.id
        third = (await one.revise(second, "Ilse's build host is drawer-9.")).memory.id
        await settled(one)
        assert await one.found("kestrel-2", mode="sparse_only") == []
        assert await one.found("drawer-9", mode="sparse_only") == ["Ilse's build host is drawer-9."]
    provider.failing = False
    async with opening(provider) as one:
        await settled(one)
        assert await by_meaning(one, "drawer") == ["Ilse's build host is drawer-9."]
        assert sorted(await by_meaning(one, "bird", 9)) == ["Ilse's build host is drawer-9.", "The kiln is hot."]
        await one.forget(third)
        assert await by_meaning(one, "drawer", 9) == ["The kiln is hot."]
        assert await one.found("drawer-9") == []


async def test_new_entities_leave_the_vector_as_it_is(opening: Opening) -> None:
    """R04: a revision of links only finds by the same meaning."""
    async with opening(Meanings()) as one:
        first = await one.keep("The pager rota is in drawer two.", **TURN)
        await settled(one)
        second = await one.revise(first, "The pager rota is in drawer two.", entity_refs=["rota"])
        await settled(one)
        reply = await one.recall("on-call schedule", mode="vector_only", gate="off")
        assert [hit.memory.id for hit in reply.hits] == [second.memory.id]


@pytest.mark.parametrize("number", [0.0, float("nan"), float("inf"), 1e-300])
async def test_a_question_without_direction_is_answered_by_words(opening: Opening, number: float) -> None:
    """R01: zeros, NaN, infinity and less than nothing are no vector: the trace says so, and the order is always the same."""
    provider = Meanings()
    async with opening(provider) as one:
        for session, content in enumerate(("The kiln is hot.", "The kiln is red.", "The pager rota is in drawer two.")):
            await one.keep(content, kind="turn", session=session)
        await settled(one)
        provider.odd = {"odd": number}
        replies = [await one.recall("odd kiln hot", gate="off") for _ in range(20)]
        (order,) = {tuple(hit.memory.content for hit in reply.hits) for reply in replies}
        assert (order[0], len(order)) == ("The kiln is hot.", 3)
        assert all(np.isfinite(hit.score) for hit in replies[0].hits)
        ran, _ = dense(replies[0])
        embed = next(stage for stage in replies[0].trace.stages if stage.name == "embed")
        assert (ran, embed.executed) == (False, False)
        assert "the stub answered badly" in embed.note


async def test_another_size_of_vectors_is_named_and_read_by_nobody(opening: Opening, graph: Graph, scope: str) -> None:
    """R02: words find old and new rows, the reply names what the scope was embedded by; embedding anew may break off, is
    taken up where it stopped, and only then drops the old ones. Going back is the same."""
    contents = [f"The kiln number {number} is hot." for number in range(40)]
    async with opening(Meanings(8)) as one:
        for content in contents:
            await one.keep(content, **TURN)
        assert (await settled(one)).embedded == 40
    wide = Meanings(16)
    async with opening(wide) as one:
        reply = await one.recall("kiln number 7")
        assert "The kiln number 7 is hot." in [hit.memory.content for hit in reply.hits]
        assert dense(reply) == (False, f"the scope was embedded by meanings-8: run `hydramind reembed --scope {scope}`")
        await one.keep("The pager rota is in drawer two.", **TURN)
        assert await one.found("pager rota") == ["The pager rota is in drawer two."]
        assert (await settled(one)).embedded == 0
    wide.left = 1
    with pytest.raises(Unavailable):
        await reembed.run(graph, scope, CheckedEmbedder(wide))
    async with opening(Meanings(8)) as one:
        assert (await settled(one)).embedded == 41
    wide.left = 10**9
    done = await reembed.run(graph, scope, CheckedEmbedder(wide))
    assert (done.vectors, done.made, done.removed) == (41, 9, 41)
    async with opening(wide) as one:
        await settled(one)
        assert await by_meaning(one, "where is the on-call schedule?") == ["The pager rota is in drawer two."]
    back = await reembed.run(graph, scope, CheckedEmbedder(Meanings(8)))
    assert (back.made, back.removed) == (41, 41)


@pytest.mark.parametrize(
    ("mode", "channels"),
    [
        ("sparse_only", {"sparse"}),
        ("vector_only", {"dense"}),
        ("vector_sparse", {"sparse", "dense"}),
        ("graph_only", {"graph"}),
        ("hybrid", {"sparse", "dense", "time"}),
    ],
)
async def test_a_mode_runs_its_channels_and_no_other(opening: Opening, mode: str, channels: set[str]) -> None:
    """HYB-3: what ran is what the mode names, each channel finds by its own means, and no receipt tells of another."""
    async with opening(Meanings()) as one:
        for session, (content, when) in enumerate(
            (("The pager rota hangs in Oslo.", "2025-05-04"), ("The kiln is hot.", "2024-01-01"))
        ):
            await one.keep(content, kind="turn", session=session, event_time=when)
        await settled(one)
        reply = await one.recall("Who has the pager schedule for Oslo in May 2025?", mode=mode, gate="off", limit=1)
    (hit,) = reply.hits
    assert hit.memory.content == "The pager rota hangs in Oslo."
    assert {place.channel for place in hit.channels} == channels
    ranking = {stage.name for stage in reply.trace.stages if stage.executed} - {"embed", "rank"}
    assert ranking == channels


async def test_a_question_is_embedded_once(opening: Opening) -> None:
    """HYP-28: asked again, after a write too, it costs the embedder nothing; another question does."""
    provider = Meanings()
    async with opening(provider) as one:
        await one.keep("The kiln is hot.", **TURN)
        await settled(one)
        provider.left = before = 1_000
        for _ in range(3):
            assert await by_meaning(one, "oven") == ["The kiln is hot."]
        assert before - provider.left == 1
        await one.keep("The pager rota is in drawer two.", **TURN)
        await settled(one)
        spent = before - provider.left
        assert await by_meaning(one, "oven") == ["The kiln is hot."]
        assert before - provider.left == spent
        assert await by_meaning(one, "on-call") == ["The pager rota is in drawer two."]
        assert before - provider.left == spent + 1


async def test_one_row_that_cannot_be_embedded_costs_the_others_nothing(opening: Opening) -> None:
    """R01, R05: a row whose vector is nonsense stays findable by its words, its neighbours by their meaning, and the trace
    says how many lack; the next opening tries again."""
    provider = Meanings()
    provider.odd = {"nanrow": float("nan"), "infrow": float("inf"), "blank": 0.0}
    async with opening(provider) as one:
        for content in ("A blank page.", "The nanrow text.", "The pager rota.", "The infrow text.", "The kiln is hot."):
            await one.keep(content, **TURN)
        assert (await settled(one)).embedded == 2
        assert await by_meaning(one, "on-call") == ["The pager rota."]
        assert await one.found("nanrow text", mode="sparse_only", limit=1) == ["The nanrow text."]
        _, note = dense(await one.recall("kiln", gate="off"))
        assert note == "3 memories have no vector: the embedder answers nonsense to them"
    provider.odd = {}
    async with opening(provider) as one:
        assert (await settled(one)).embedded == 5
