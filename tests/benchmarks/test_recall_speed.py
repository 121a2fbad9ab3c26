"""The speed benchmark's made-up memories, what it calls a floor, and a small run of everything it promises."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from benchmarks import recall_measures, recall_speed
from benchmarks.recall_corpus import BLOCK, Corpus, WordEmbedder
from benchmarks.recall_fill import empty, fill
from benchmarks.recall_measures import questions
from hydramind.models import Recall
from hydramind.opening import open_graph
from hydramind.service import HydraMind
from hydramind.settings import Settings


def test_a_row_is_the_same_however_many_there_are() -> None:
    """Rows of a part are those of the whole; half are turns of two people, half are facts."""
    rows = list(Corpus("s").memories(3 * BLOCK))
    assert list(Corpus("s").memories(2 * BLOCK + 7, BLOCK)) == rows[BLOCK : 2 * BLOCK + 7]
    assert len({row.id for row in rows}) == len({row.content for row in rows}) == 3 * BLOCK
    turns = [row for row in rows if row.kind == "turn"]
    assert (len(turns), len({row.session for row in turns})) == (3 * BLOCK // 2, 3)
    assert {len(list(group)) for _, group in itertools.groupby(turns, key=lambda row: row.session)} == {BLOCK // 2}


def test_a_question_is_nearest_to_the_row_it_was_made_of() -> None:
    """By meaning and by words, and its vector has length 1."""
    corpus, embedder = Corpus("s"), WordEmbedder()
    rows = list(corpus.memories(500))
    vectors = embedder.vectors([row.text for row in rows])
    for asked in questions(corpus, embedder, len(rows), 40):
        assert rows[int(np.argmax(vectors @ asked.vector))].id == int(asked.target)
        assert float(np.linalg.norm(asked.vector)) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.engine
async def test_a_small_run_finds_every_target_and_sees_every_write(embedded_settings: Settings) -> None:
    """Sizes through the graph and in the process, callers at once, another process; and the scopes are gone afterwards."""
    given = "--questions 10 --crowded 150 --clients 2 --rounds 6".split()
    arguments, corpus = recall_speed.arguments_of(given), Corpus("recall-small")
    async with open_graph(embedded_settings, lambda line: None) as graph:
        await fill(graph, corpus, 150)
        loaded = await recall_measures.stored(embedded_settings, corpus, 150, 10)
        built = await recall_measures.projected(embedded_settings, corpus, 300, 10)
        await empty(graph, corpus.scope)
    figures = {"sizes": {"150": loaded, "300": built}} | await recall_speed.beside(embedded_settings, arguments)
    for size, row in figures["sizes"].items():
        assert (row["memories"], row["vectors"], row["target_in_hits"]) == (int(size), int(size), 10)
        assert (row["recall"]["n"], row["floor"]["n"]) == (10, 10)
    assert ("load_seconds" in loaded, "load_seconds" in built) == (True, False)
    assert (figures["crowd"]["n"], figures["crowd"]["target_in_hits"]) == (20, 20)
    assert recall_speed.judged(figures) == {"seen_elsewhere": True}
    async with HydraMind.open(embedded_settings) as mind:
        assert not [scope for scope in await mind.scopes() if scope.name.startswith("recall-")]


def test_a_bar_is_judged_only_where_it_was_measured() -> None:
    """A ratio above three, a slow load, too much memory and too few recalls each fail their bar."""
    row = {"to_floor": {"p50_ms": 3.1}, "load_seconds": 10.1, "resident_bytes_per_memory": 1_200.1}
    figures = {
        "sizes": {"1000": row, "10000": row, "100000": row, "1000000": row},
        "crowd": {"memories": 10_000, "recalls_per_second": 199.9},
        "seen_elsewhere": {"missed": 1},
    }
    bars = recall_speed.judged(figures)
    assert set(bars.values()) == {False}
    assert bars.keys() == {
        "to_floor_10000",
        "to_floor_100000",
        "to_floor_1000000",
        "load_seconds",
        "bytes_per_memory",
        "recalls_per_second",
        "seen_elsewhere",
    }


def test_questions_are_recalls() -> None:
    """Every question is one that recall takes."""
    for asked in questions(Corpus("s"), WordEmbedder(), 200, 20):
        assert Recall(query=asked.query, scope="s").query == asked.query
