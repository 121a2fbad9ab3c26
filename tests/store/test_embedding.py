"""Vectors behind the writers' backs: made once, found by every process, never waited for by a write."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from hydramind.embed.opening import open_embedder
from hydramind.embed.protocol import Embedder
from hydramind.errors import BadAnswer, Unavailable
from hydramind.graph.connection import Graph
from hydramind.index.scope_index import ScopeIndex
from hydramind.models import Recall, Remember
from hydramind.opening import open_graph
from hydramind.queries import vectors
from hydramind.service import HydraMind
from hydramind.settings import Settings
from hydramind.store.embedding import ScopeVectors, vector_id
from hydramind.store.sync import load
from hydramind.verbs import reembed
from tests.conftest import TestClock

SAID = ("My sister adopted a kitten", "The bridge was closed for repairs", "We planted tomatoes")


@pytest.fixture
def embedding_settings(embedded_settings: Settings) -> Settings:
    """The embedded node, with the offline embedder."""
    return embedded_settings.model_copy(update={"embedder": "offline"})


@pytest.fixture
async def embedded_graph(embedded_settings: Settings) -> AsyncIterator[Graph]:
    """The embedded node's graph."""
    async with open_graph(embedded_settings, lambda line: None) as graph:
        yield graph


async def talk(mind: HydraMind, scope: str) -> None:
    """Three turns of one conversation."""
    for number, content in enumerate(SAID):
        values = {
            "content": content,
            "scope": scope,
            "kind": "turn",
            "session": "s",
            "source": "Ada",
            "evidence_id": number,
        }
        await mind.remember(Remember.parse(values))


async def until_embedded(mind: HydraMind, scope: str) -> None:
    """Wait for the work that the writes have started."""
    held = mind._scopes.get(scope)
    await held.index()
    assert held.vectors is not None
    await held.vectors.settled()


async def test_a_turn_is_found_by_its_meaning(embedding_settings: Settings, clock: TestClock, scope: str) -> None:
    """HYB-1, HYB-11: no word is shared; the receipt names the channel, the trace what ran. Another service finds the stored
    vectors and makes none."""
    asked = Recall.parse({"query": "Which pet does her sibling have?", "scope": scope, "limit": 1, "gate": "off"})
    async with HydraMind.open(embedding_settings, clock=clock) as mind:
        await talk(mind, scope)
        await until_embedded(mind, scope)
        found = await mind.recall(asked)
    hit = found.hits[0]
    assert (hit.memory.content, hit.memory.evidence_id, hit.memory.session) == (SAID[0], "0", "s")
    assert [(place.channel, place.rank) for place in hit.channels] == [("dense", 1)]
    assert [(stage.name, stage.executed, stage.note) for stage in found.trace.stages] == [
        ("embed", True, ""),
        ("sparse", True, ""),
        ("dense", True, ""),
        ("rank", True, ""),
    ]
    async with HydraMind.open(embedding_settings, clock=clock) as other:
        index = await other._scopes.get(scope).index()
        assert index.embedded == len(SAID)
        assert (await other.recall(asked)).hits == found.hits


async def test_a_mode_that_needs_vectors_says_when_there_are_none(
    embedded_settings: Settings, clock: TestClock, scope: str
) -> None:
    """HYB-36: a stage that was insisted on and cannot run is an error; the default marks it instead."""
    async with HydraMind.open(embedded_settings, clock=clock) as mind:
        await talk(mind, scope)
        with pytest.raises(Unavailable, match="no embedder"):
            await mind.recall(Recall.parse({"query": "kitten", "scope": scope, "mode": "vector_only"}))
        found = await mind.recall(Recall.parse({"query": "kitten", "scope": scope}))
        assert [stage.executed for stage in found.trace.stages if stage.name == "dense"] == [False]
        assert len(found.hits) == 1


class Failing:
    """An embedder that is there and answers badly, as a service may."""

    identity = "failing"
    dimension = 384

    async def embed_queries(self, texts: object) -> object:
        """Raises."""
        raise BadAnswer("the embedder", "vectors", ())

    embed_passages = embed_queries

    async def close(self) -> None:
        """Nothing to end."""


async def test_a_failing_embedder_is_told_and_costs_nothing(
    embedded_settings: Settings, clock: TestClock, scope: str, embedded_graph: Graph
) -> None:
    """R02: the work stops, says why and rests; rows stay findable by words."""
    async with HydraMind.open(embedded_settings, clock=clock) as mind:
        await talk(mind, scope)
    index = await load(embedded_graph, scope, 384)
    kept = ScopeVectors(embedded_graph, Failing())  # pyright: ignore[reportArgumentType]
    kept.wake(index)
    await kept.settled()
    assert "the embedder" in kept.failure
    kept.wake(index)
    assert not kept.busy
    await kept.close()


async def test_another_model_waits_until_it_is_asked_for(
    embedded_settings: Settings, clock: TestClock, scope: str, embedded_graph: Graph
) -> None:
    """R03: vectors of one model are never read as another's; the scope is embedded anew only on request."""
    async with HydraMind.open(embedded_settings, clock=clock) as mind:
        await talk(mind, scope)
    index = await load(embedded_graph, scope, 384)
    memory = next(iter(index.memories()))
    row = {"scope": scope, "memory_id": memory.id, "embedder": "old", "scale": 0.5, "data": "AQI="}
    await embedded_graph.read(vectors.UPSERT, rows=[{"id": vector_id(memory.id, "old"), **row}])
    embedder = offline(embedded_settings)
    kept = ScopeVectors(embedded_graph, embedder)
    await kept.load(index)
    kept.wake(index)
    assert (kept.stale, kept.busy, index.embedded) == ("old", False, 0)
    seen: list[tuple[int, int]] = []

    async def report(done: int, total: int) -> None:
        seen.append((done, total))

    done = await reembed.run(embedded_graph, scope, embedder, report)
    assert (done.vectors, done.made, done.removed, seen) == (3, 3, 1, [(3, 3)])
    assert (await reembed.run(embedded_graph, scope, embedder)).made == 0
    cold: ScopeIndex = await load(embedded_graph, scope, 384)
    again = ScopeVectors(embedded_graph, embedder)
    await again.load(cold)
    assert (again.stale, cold.embedded) == ("", len(SAID))
    await embedder.close()


def offline(settings: Settings) -> Embedder:
    """The offline embedder."""
    embedder = open_embedder(settings.model_copy(update={"embedder": "offline"}))
    assert embedder is not None
    return embedder
