"""An ONNX folder as a provider of vectors: tried when opened, in batches by length where that changes nothing."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np

from hydramind.embed.checked import vectors
from hydramind.embed.onnx_folder import Folder
from hydramind.embed.onnx_session import MAX_CHARACTERS, NAME, Numbers, Runner, Tokens
from hydramind.embed.onnx_weights import fingerprint
from hydramind.embed.protocol import Vectors
from hydramind.errors import BadAnswer

PROBES: Final = ("a ferry", "nine grey horses crossed the lake by ferry; nobody counted them on the other side, 1924")

_BATCH: Final = 16
_BATCH_TOKENS: Final = 1_024
"""Tokens of a batch with its padding: larger ones are slower on a few cores."""

_ALONE_TOLERANCE: Final = 1e-4
"""Difference to the vector of the same text alone, up to which a batch changes nothing but rounding."""


def open_model(folder: Folder) -> OnnxProvider:
    """Read, hash and try the folder's model, which takes a moment: not for an event loop.

    Raises `Misconfigured` for files that cannot be used, `BadAnswer` for a model whose vectors cannot.
    """
    identity_of_weights = fingerprint(folder.model)
    runner = Runner.open(folder)
    dimension = runner.run([runner.tokens(PROBES[0])]).shape[1]
    provider = OnnxProvider(folder, runner, _identity(folder, runner, identity_of_weights), dimension)
    provider.try_out()
    return provider


class OnnxProvider:
    """Vectors from a folder's model, opened by `open_model`. `alone` has it run each text without any other.

    Queries have a thread of their own, so they wait for each other but at most for one running batch of passages.
    """

    name = NAME
    unit = False

    def __init__(self, folder: Folder, runner: Runner, identity: str, dimension: int) -> None:
        self.identity = identity
        self.dimension = dimension
        self.alone = False
        self._folder = folder
        self._runner = runner
        self._queries = ThreadPoolExecutor(1, "hydramind-embed-queries")
        self._passages = ThreadPoolExecutor(1, "hydramind-embed-passages")

    async def embed_queries(self, texts: Sequence[str]) -> object:
        """Vectors of the texts behind the query prefix."""
        return await self._embed(self._queries, self._folder.query_prefix, texts)

    async def embed_passages(self, texts: Sequence[str]) -> object:
        """Vectors of the texts behind the passage prefix."""
        return await self._embed(self._passages, self._folder.passage_prefix, texts)

    async def close(self) -> None:
        """Wait for the running batch and let the threads end."""
        for pool in (self._queries, self._passages):
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)

    async def _embed(self, pool: ThreadPoolExecutor, prefix: str, texts: Sequence[str]) -> Vectors:
        loop = asyncio.get_running_loop()
        tokens = [await loop.run_in_executor(pool, self._runner.tokens, prefix + text) for text in texts]
        found = np.empty((len(texts), self.dimension), np.float32)
        for batch in batches([len(row) for row in tokens], alone=self.alone):
            found[batch] = await loop.run_in_executor(pool, self._rows, [tokens[place] for place in batch])
        return found

    def try_out(self) -> None:
        """Run two texts together and apart; raises `BadAnswer` for what cannot be used. Where padding or the other text
        changed a vector, as in models that are quantised on the fly, texts are run alone from then on."""
        tokens = [self._runner.tokens(text) for text in PROBES]
        apart = vectors(self, np.concatenate([self._rows([row]) for row in tokens]), len(tokens))
        together = vectors(self, self._rows(tokens), len(tokens))
        self.alone = bool(np.abs(apart - together).max() > _ALONE_TOLERANCE)

    def _rows(self, tokens: Sequence[Tokens]) -> Numbers:
        rows = self._runner.run(tokens)
        if rows.shape[1] != self.dimension:
            raise BadAnswer(self.name, f"vectors of {self.dimension} numbers, not of {rows.shape[1]}")
        return rows


def batches(lengths: Sequence[int], *, alone: bool = False) -> Iterator[list[int]]:
    """Places of texts to run together, shortest first: at most 16, of little padding; every place once."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lambda place: lengths[place]):
        if batch and (alone or len(batch) == _BATCH or (len(batch) + 1) * lengths[place] > _BATCH_TOKENS):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _identity(folder: Folder, runner: Runner, weights_sha256: str) -> str:
    """The name, then all that a vector depends on: two folders that agree from `sha256:` on give the same vectors."""
    prefixes = json.dumps([folder.query_prefix, folder.passage_prefix, MAX_CHARACTERS])
    told = hashlib.sha256(prefixes.encode("utf-8", "replace")).hexdigest()
    pooling = "+".join(runner.pooling)
    return (
        f"onnx {folder.name[:120]} sha256:{weights_sha256[:16]} tokenizer:{runner.tokenizer_sha256[:12]} "
        f"{pooling} {folder.window} prefixes:{told[:12]}"
    )
