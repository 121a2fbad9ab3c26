"""What an embedder and a reranker are to the rest of HydraMind, and what a provider must offer to become one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""One row a text, in the order of the texts."""


class Embedder(Protocol):
    """Turns texts into unit vectors.

    `identity` names the model, the hash or fingerprint of its weights, its prefixes and its limits: it changes whenever the
    vector of one text may change, so vectors of different identities are never compared. An empty list of texts gives
    shape (0, dimension). Both calls raise `BadAnswer` for an answer that cannot be trusted and `Unavailable`, `Busy` or
    `Refused` when there is none.
    """

    @property
    def identity(self) -> str:
        """What the vectors depend on beside the text; at most 300 characters."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        ...

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors to search with, shape (n, dimension), length 1."""
        ...

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors to be found, shape (n, dimension), length 1."""
        ...

    async def close(self) -> None:
        """Let go of threads, files and connections."""
        ...


class Reranker(Protocol):
    """Scores texts against a query by reading both together."""

    @property
    def identity(self) -> str:
        """Model and provider."""
        ...

    async def scores(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """One finite score a text, in the order of the texts; higher is nearer, scores of other queries do not compare."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


class Shaped(Protocol):
    """What the answer of a provider is held against."""

    @property
    def name(self) -> str:
        """How messages call the provider."""
        ...

    @property
    def dimension(self) -> int:
        """As `Embedder.dimension`."""
        ...

    @property
    def unit(self) -> bool:
        """Whether it promises vectors of length 1: then any other length is a fault, not a matter of scale."""
        ...


class Provider(Shaped, Protocol):
    """A source of vectors whose answers are not trusted yet: `checked.CheckedEmbedder` makes an `Embedder` of it."""

    @property
    def identity(self) -> str:
        """As `Embedder.identity`."""
        ...

    async def embed_queries(self, texts: Sequence[str]) -> object:
        """Whatever it answers; never called without texts."""
        ...

    async def embed_passages(self, texts: Sequence[str]) -> object:
        """Whatever it answers; never called without texts."""
        ...

    async def close(self) -> None:
        """Let go of threads, files and connections."""
        ...


class Scorer(Protocol):
    """A source of scores whose answers are not trusted yet: `checked.CheckedReranker` makes a `Reranker` of it."""

    @property
    def name(self) -> str:
        """How messages call it."""
        ...

    @property
    def identity(self) -> str:
        """As `Reranker.identity`."""
        ...

    async def scores(self, query: str, texts: Sequence[str]) -> object:
        """Whatever it answers; never called without texts."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...
