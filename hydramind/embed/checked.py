"""Fails closed on what a provider answers: finite, complete, of the right size, not zero; nothing is padded or guessed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hydramind.embed.protocol import Provider, Scorer, Shaped, Vectors
from hydramind.errors import BadAnswer

UNIT_TOLERANCE: Final = 1e-3
"""How far from 1 the length of a vector may be that was promised to be of length 1."""

SMALLEST: Final = 1e-12
"""Below this length a vector has no direction worth keeping and counts as zero."""


class CheckedEmbedder:
    """An `Embedder` over a provider; every answer passes `vectors` first, and no texts means no call."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    @property
    def identity(self) -> str:
        """What the vectors depend on beside the text."""
        return self._provider.identity

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        return self._provider.dimension

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors to search with, shape (n, dimension), length 1; raises `BadAnswer`."""
        return self._accept(await self._provider.embed_queries(texts) if texts else None, len(texts))

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors to be found, shape (n, dimension), length 1; raises `BadAnswer`."""
        return self._accept(await self._provider.embed_passages(texts) if texts else None, len(texts))

    async def close(self) -> None:
        """Close the provider."""
        await self._provider.close()

    def _accept(self, answer: object, count: int) -> Vectors:
        if not count:
            return np.empty((0, self.dimension), np.float32)
        return vectors(self._provider, answer, count)


class CheckedReranker:
    """A `Reranker` over a scorer: exactly one finite number a text, or `BadAnswer`."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer

    @property
    def identity(self) -> str:
        """Model and provider."""
        return self._scorer.identity

    async def scores(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """One finite score a text, in the order of the texts; raises `BadAnswer`."""
        if not texts:
            return np.empty(0, np.float32)
        found = numbers(self._scorer.name, await self._scorer.scores(query, texts))
        if found.shape != (len(texts),):
            raise BadAnswer(self._scorer.name, f"{len(texts)} scores, not shape {found.shape}")
        _refuse(self._scorer.name, ~np.isfinite(found), "finite scores")
        return found.astype(np.float32)

    async def close(self) -> None:
        """Close the scorer."""
        await self._scorer.close()


def vectors(provider: Shaped, answer: object, count: int) -> Vectors:
    """The answer as `count` unit vectors of the provider's dimension.

    Refused with `BadAnswer`: another number of vectors or of numbers, anything that is not a number or not finite, a
    vector shorter than `SMALLEST`, and, where the provider promises length 1, one further from it than `UNIT_TOLERANCE`.
    Every accepted vector is then divided by its length, computed in double precision.
    """
    found = numbers(provider.name, answer)
    if found.shape != (count, provider.dimension):
        raise BadAnswer(provider.name, f"{count} vectors of {provider.dimension} numbers, not shape {found.shape}")
    _refuse(provider.name, np.count_nonzero(~np.isfinite(found), axis=1) > 0, "finite numbers")
    largest = np.abs(found).max(axis=1, keepdims=True)
    _refuse(provider.name, largest[:, 0] < SMALLEST, "vectors that are not zero")
    # Scaled first, so that numbers near the largest double do not overflow when squared.
    lengths = np.linalg.norm(found / largest, axis=1, keepdims=True) * largest
    if provider.unit:
        _refuse(provider.name, np.abs(lengths[:, 0] - 1.0) > UNIT_TOLERANCE, "vectors of length 1")
    return (found / largest / (lengths / largest)).astype(np.float32)


def numbers(name: str, answer: object) -> NDArray[np.float64]:
    """The answer as an array of doubles; text, booleans, nulls and ragged lists are refused, never converted."""
    try:
        found = np.asarray(answer)
    except (ValueError, TypeError, OverflowError):
        raise BadAnswer(name, "a rectangular list of numbers") from None
    if found.dtype.kind not in "fiu" or found.dtype.itemsize > 8:
        raise BadAnswer(name, "a rectangular list of numbers")
    return found.astype(np.float64)


def _refuse(name: str, bad: NDArray[np.bool_], expected: str) -> None:
    rows = tuple(int(row) for row in np.flatnonzero(bad))
    if rows:
        raise BadAnswer(name, expected, rows)
