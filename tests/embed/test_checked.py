"""What a provider answers is used whole or not at all."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hydramind.embed.checked import CheckedEmbedder, CheckedReranker
from hydramind.errors import BadAnswer


class Probe:
    """A provider that answers what it was given."""

    name = "the probe"
    identity = "probe-1"
    dimension = 3

    def __init__(self, answer: object, *, unit: bool = False) -> None:
        self.answer = answer
        self.unit = unit
        self.closed = False

    async def embed_queries(self, texts: Sequence[str]) -> object:
        """The answer."""
        del texts
        return self.answer

    embed_passages = embed_queries

    async def scores(self, query: str, texts: Sequence[str]) -> object:
        """The answer."""
        del query, texts
        return self.answer

    async def close(self) -> None:
        """Remember that it was closed."""
        self.closed = True


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ([[1.0, 2.0, math.nan]], r"finite numbers \(wrong at 0\)"),
        ([[1.0, -math.inf, 3.0]], "finite numbers"),
        ([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], "1 vectors of 3 numbers"),
        ([[1.0, 2.0]], "1 vectors of 3 numbers"),
        ([[1.0, 2.0, 3.0, 4.0]], "1 vectors of 3 numbers"),
        ([1.0, 2.0, 3.0], "1 vectors of 3 numbers"),
        ([[[1.0, 2.0, 3.0]]], "1 vectors of 3 numbers"),
        ([], "1 vectors of 3 numbers"),
        ([[0.0, 0.0, 0.0]], r"vectors that are not zero \(wrong at 0\)"),
        ([[1e-200, 0.0, 0.0]], "vectors that are not zero"),
        ([["a", "b", "c"]], "a rectangular list of numbers"),
        ([["1", "2", "3"]], "a rectangular list of numbers"),
        ([[True, False, True]], "a rectangular list of numbers"),
        ([[1.0, None, 2.0]], "a rectangular list of numbers"),
        ([[1.0, 2.0], [1.0]], "a rectangular list of numbers"),
        (None, "a rectangular list of numbers"),
        ({"data": []}, "a rectangular list of numbers"),
    ],
)
async def test_a_bad_answer_is_an_error(answer: object, said: str) -> None:
    """HYB-19, HYB-20: the message names the provider and what was expected of it; nothing is padded or converted."""
    embedder = CheckedEmbedder(Probe(answer))
    for call in (embedder.embed_queries, embedder.embed_passages):
        with pytest.raises(BadAnswer, match=f"^the probe answered badly: expected {said}"):
            await call(["one text"])


async def test_the_rows_at_fault_are_named() -> None:
    """HYB-20: one bad row spoils the batch, and the error says which."""
    answer = [[1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [1.0, 2.0, 3.0]]
    with pytest.raises(BadAnswer) as caught:
        await CheckedEmbedder(Probe(answer)).embed_passages(["a", "b", "c"])
    assert caught.value.rows == (1,)


async def test_a_promised_length_is_held() -> None:
    """A provider of unit vectors that answers with another length has answered with something else."""
    assert (await CheckedEmbedder(Probe([[0.6, 0.8, 0.0003]], unit=True)).embed_queries(["a"])).shape == (1, 3)
    with pytest.raises(BadAnswer, match="vectors of length 1"):
        await CheckedEmbedder(Probe([[0.6, 0.9, 0.0]], unit=True)).embed_queries(["a"])


@given(arrays(np.float64, st.tuples(st.integers(1, 4), st.just(3)), elements=st.floats(1e-9, 1e308)))
async def test_good_rows_become_unit_rows(rows: np.ndarray) -> None:
    """Direction is kept, length is 1, and the type is float32, up to the largest double."""
    units = await CheckedEmbedder(Probe(rows)).embed_passages(["text"] * len(rows))
    assert (units.dtype, units.shape) == (np.dtype(np.float32), rows.shape)
    assert np.allclose(np.linalg.norm(units, axis=1), 1.0, atol=1e-6)
    assert np.allclose(units / units.max(axis=1, keepdims=True), rows / rows.max(axis=1, keepdims=True), atol=1e-6)


async def test_no_texts_need_no_provider() -> None:
    """An empty list has the shape (0, d), and nobody is asked."""
    assert (await CheckedEmbedder(Probe(None)).embed_passages([])).shape == (0, 3)
    assert (await CheckedReranker(Probe(None)).scores("q", [])).shape == (0,)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ([0.5], "2 scores"),
        ([0.5, 0.4, 0.3], "2 scores"),
        ([[0.5, 0.4]], "2 scores"),
        ([0.5, math.nan], r"finite scores \(wrong at 1\)"),
        ([0.5, "x"], "a rectangular list of numbers"),
    ],
)
async def test_bad_scores_are_an_error(answer: object, said: str) -> None:
    """HYB-9, HYB-20: a reranker that answers for other texts than those asked did not run."""
    with pytest.raises(BadAnswer, match=f"^the probe answered badly: expected {said}"):
        await CheckedReranker(Probe(answer)).scores("q", ["a", "b"])


async def test_what_is_checked_is_also_closed_and_named() -> None:
    """The wrapper passes on identity and the end of use."""
    probe = Probe([0.5, -1])
    embedder, reranker = CheckedEmbedder(probe), CheckedReranker(probe)
    assert (embedder.identity, embedder.dimension, reranker.identity) == ("probe-1", 3, "probe-1")
    assert (await reranker.scores("q", ["a", "b"])).tolist() == [0.5, -1.0]
    await embedder.close()
    assert probe.closed
    probe.closed = False
    await reranker.close()
    assert probe.closed
