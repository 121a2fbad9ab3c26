"""Vectors behind the writers' backs: made once, found by every process, never waited for by a write."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

import numpy as np
import pytest

from hydramind.embed.opening import open_embedder
from hydramind.embed.protocol import Embedder
from hydramind.errors import BadAnswer, Unavailable
from hydramind.graph.connection import Graph
from hydramind.ids import stable_id
from hydramind.index.scope_index import ScopeIndex
from hydramind.models import Recall, Remember
from hydramind.opening import open_graph
from hydramind.queries import vectors
from hydramind.records import ChangeSet, Memory
from hydramind.service import HydraMind
from hydramind.settings import Settings
from hydramind.store.embedding import (
    LONGEST_REST,
    QUIET_SECONDS,
    SMALL,
    WHOLE,
    Line,
    Pace,
    ScopeVectors,
    pace_of,
    vector_id,
)
from hydramind.store.scope import OpenScope
from hydramind.store.sync import load
from hydramind.store.view import Decision, View
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
        ("time", False, "the question names no time"),
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


class Hands:
    """Seconds that pass only by embedding and resting."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def clock(self) -> float:
        """Seconds from some moment on."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Rest."""
        self.now += seconds
        await asyncio.sleep(0)


class Slow:
    """An embedder that takes a tenth of a second a text and tells what it was given; `meanwhile` happens during each call."""

    identity = "slow"
    dimension = 8

    def __init__(self, hands: Hands, meanwhile: Callable[[], None] = lambda: None) -> None:
        self.hands = hands
        self.meanwhile = meanwhile
        self.given: list[list[str]] = []
        self.seconds = 0.0

    async def embed_passages(self, texts: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        """The same direction for every text."""
        self.given.append(list(texts))
        self.seconds += len(texts) / 10
        self.hands.now += len(texts) / 10
        self.meanwhile()
        return np.full((len(texts), self.dimension), 0.5, np.float32)

    embed_queries = embed_passages

    async def close(self) -> None:
        """Nothing to end."""


def rows(scope: str, kind: str, count: int, first: int = 0) -> list[Memory]:
    """Memories `kind 0`, `kind 1` and so on."""
    numbers = range(first, first + count)
    return [
        Memory(stable_id(scope, kind, number), scope, f"{kind} {number}", "", 1, 1, 1, kind=kind) for number in numbers
    ]


def holding(scope: str, *groups: list[Memory]) -> ScopeIndex:
    """A projection of those rows."""
    index = ScopeIndex(scope, Slow.dimension)
    for group in groups:
        index.put_memories(group)
    return index


def at_work(graph: Graph, hands: Hands, embedder: Slow) -> tuple[Pace, ScopeVectors]:
    """The work of that embedder at a pace that only `hands` move."""
    pace = Pace(hands.clock, hands.sleep)
    return pace, ScopeVectors(graph, embedder, pace)


async def test_with_nobody_writing_vectors_are_made_without_a_rest(embedded_graph: Graph, scope: str) -> None:
    """R02: in whole portions, turns before the facts that came earlier."""
    hands = Hands()
    embedder = Slow(hands)
    _, kept = at_work(embedded_graph, hands, embedder)
    index = holding(scope, rows(scope, "fact", 40), rows(scope, "turn", 40))
    kept.wake(index)
    await kept.settled()
    assert [(texts[0], len(texts)) for texts in embedder.given] == [
        ("turn 0", WHOLE.texts),
        ("turn 32", 8),
        ("fact 0", WHOLE.texts),
        ("fact 32", 8),
    ]
    assert (index.embedded, hands.now - 1_000) == (80, pytest.approx(embedder.seconds))


async def test_beside_writers_vectors_take_a_small_share_of_the_time(embedded_graph: Graph, scope: str) -> None:
    """R02: turns a tenth, facts a fiftieth, in small portions and in the order they came; all are made although the writing
    never ends."""
    hands = Hands()
    embedder = Slow(hands)
    pace, kept = at_work(embedded_graph, hands, embedder)
    index = holding(scope, rows(scope, "fact", 40), rows(scope, "turn", 40))
    with pace.writing():
        kept.wake(index)
        await kept.settled()
    assert index.embedded == 80
    assert {len(texts) for texts in embedder.given} == {SMALL.texts}
    told = [text for texts in embedder.given for text in texts]
    for kind in ("turn", "fact"):
        assert [text for text in told if text.startswith(kind)] == [f"{kind} {number}" for number in range(40)]
    assert told.index("turn 39") < told.index("fact 12")
    seconds = hands.now - 1_000
    assert embedder.seconds / seconds <= 1 / 10 + 1 / 50
    # Ten portions of facts take 0.4 s each; each but the last is followed by a rest 49 times as long.
    assert seconds <= 9 * 0.4 * 50 + 0.4 + 1


async def test_facts_are_reached_although_turns_never_cease(embedded_graph: Graph, scope: str) -> None:
    """R02: with new turns at every step, more than their share can take, each fact still gets its vector in time."""
    hands, index = Hands(), holding(scope, rows(scope, "turn", 8), rows(scope, "fact", 8))

    def more() -> None:
        if index.embedded < 400:
            index.put_memories(rows(scope, "turn", 8, first=len(index)))

    embedder = Slow(hands, more)
    pace, kept = at_work(embedded_graph, hands, embedder)
    facts = rows(scope, "fact", 8)
    with pace.writing():
        kept.wake(index)
        while not all(index.has_vector(fact.id) for fact in facts):
            await asyncio.sleep(0)
            assert kept.busy
        assert index.embedded < len(index)
        assert hands.now - 1_000 <= 2 * LONGEST_REST
        await kept.close()


async def test_scopes_that_embed_share_the_time_beside_writers(embedded_graph: Graph, scope: str) -> None:
    """R02: the share is that of the process: where two scopes make vectors at once, each rests twice as long."""
    hands = Hands()
    pace = Pace(hands.clock, hands.sleep)
    rests: list[float] = []

    def measure() -> None:
        line = Line(rest=9.0)
        pace.rest(line, 0.5)
        rests.append(line.due - hands.now)

    embedder = Slow(hands, measure)
    works = [ScopeVectors(embedded_graph, embedder, pace) for _ in range(2)]
    with pace.writing():
        for number, kept in enumerate(works):
            kept.wake(holding(f"{scope}-{number}", rows(f"{scope}-{number}", "turn", 8)))
        for kept in works:
            await kept.settled()
        works[0].wake(holding(f"{scope}-2", rows(f"{scope}-2", "turn", 4)))
        await works[0].settled()
    assert (rests[0], rests[-1]) == (pytest.approx(9.0), pytest.approx(4.5))


async def test_the_rest_ends_when_the_writers_have_gone(embedded_graph: Graph, scope: str) -> None:
    """R02: whoever waited in a rest goes on at full speed after a quiet moment."""
    hands, begun = Hands(), asyncio.Event()
    embedder = Slow(hands, begun.set)
    pace, kept = at_work(embedded_graph, hands, embedder)
    index = holding(scope, rows(scope, "fact", 36))
    with pace.writing():
        kept.wake(index)
        await begun.wait()
    assert not pace.quiet
    await kept.settled()
    assert [len(texts) for texts in embedder.given] == [SMALL.texts, WHOLE.texts]
    assert hands.now - 1_000 <= embedder.seconds + QUIET_SECONDS + 0.25


async def test_closing_does_not_wait_for_a_rest(embedded_graph: Graph, scope: str) -> None:
    """DESIGN 4: what was made before stays, the rest is left to the next opening."""
    hands, resting = Hands(), asyncio.Event()

    async def forever(seconds: float) -> None:
        resting.set()
        await asyncio.Event().wait()

    embedder = Slow(hands)
    pace = Pace(hands.clock, forever)
    kept = ScopeVectors(embedded_graph, embedder, pace)
    index = holding(scope, rows(scope, "fact", 8))
    with pace.writing():
        kept.wake(index)
        await resting.wait()
        await kept.close()
    assert (kept.busy, index.embedded) == (False, SMALL.texts)
    again = holding(scope, rows(scope, "fact", 8))
    await ScopeVectors(embedded_graph, embedder, pace).load(again)
    assert again.embedded == SMALL.texts


async def test_long_texts_are_taken_fewer_at_a_time(scope: str) -> None:
    """R02: a portion is at least one text, however long, and never takes one that is over its size."""
    texts = [Memory(number, scope, "x" * length, "", 1, 1, 1) for number, length in enumerate((900, 500, 300, 1, 5))]
    taken: list[list[int]] = []
    while texts:
        portion = SMALL.of(texts)
        taken.append([memory.id for memory in portion])
        texts = texts[len(portion) :]
    assert taken == [[0], [1, 2], [3, 4]]


async def test_on_request_vectors_are_made_at_full_speed_whoever_writes(embedded_graph: Graph, scope: str) -> None:
    """R03: `reembed` was asked for, so it does not rest."""
    hands = Hands()
    embedder = Slow(hands)
    pace, kept = at_work(embedded_graph, hands, embedder)
    with pace.writing():
        assert await kept.catch_up(holding(scope, rows(scope, "fact", 40))) == 40
    assert [len(texts) for texts in embedder.given] == [32, 8]
    assert hands.now - 1_000 == pytest.approx(embedder.seconds)


async def test_a_write_of_any_scope_makes_all_of_them_yield(
    embedded_graph: Graph, clock: TestClock, scope: str
) -> None:
    """R02: from the moment it waits; the scopes of one graph have one pace."""
    seen: list[bool] = []

    async def look(view: View) -> Decision[None]:
        seen.append(pace_of(embedded_graph).quiet)
        return Decision(ChangeSet("look"), None)

    await OpenScope(embedded_graph, scope, clock, 8).submit("look", look)
    assert seen == [False]
