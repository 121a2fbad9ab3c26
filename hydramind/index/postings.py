"""An inverted index: term to the documents that hold it and how often, exact over the whole scope."""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hydramind.index.columns import Column

Counts = NDArray[np.int32]
Ordinals = NDArray[np.uint32]

_DENSE: Final = 16
"""One cell a document is cheaper than sorting once the postings are more than a sixteenth of the documents."""
_K1: Final = 0.9
_B: Final = 0.4
"""Short texts: later repetitions and length count for less than in the usual 1.5 and 0.75."""
_MOST_COUNTED: Final = 255


class Postings:
    """Documents are ordinals 0..n-1 in the order they were added; a document is never changed, only masked by its owner."""

    def __init__(self) -> None:
        self._documents: dict[str, array[int]] = {}
        self._counts: dict[str, array[int]] = {}
        self._lengths = Column(np.float32)
        self._total = 0
        self.size = 0

    def add(self, terms: Mapping[str, int]) -> int:
        """Add the next document, given how often it holds each of its terms, and return its ordinal."""
        ordinal = self.size
        for term, count in terms.items():
            documents = self._documents.get(term)
            if documents is None:
                documents = self._documents[term] = array("I")
                self._counts[term] = array("B")
            documents.append(ordinal)
            self._counts[term].append(min(count, _MOST_COUNTED))
        length = sum(terms.values())
        self._lengths.append(length)
        self._total += length
        self.size += 1
        return ordinal

    def frequency(self, term: str) -> int:
        """How many documents hold the term."""
        documents = self._documents.get(term)
        return len(documents) if documents is not None else 0

    def rarity(self, term: str) -> float:
        """Inverse document frequency, ln(1 + (n - f + 0.5) / (f + 0.5)), above 0 (BM25, Lucene's variant)."""
        frequency = self.frequency(term)
        return math.log(1 + (self.size - frequency + 0.5) / (frequency + 0.5))

    def matches(self, terms: Sequence[str]) -> tuple[Ordinals, Counts]:
        """Documents that hold at least one term, ascending, and how many of the terms each holds."""
        ordinals, counts = self.weighted(dict.fromkeys(terms, 1.0))
        return ordinals, counts.astype(np.int32)

    def bm25(self, terms: Sequence[str]) -> NDArray[np.float32]:
        """(n,) BM25 of every document, k1 0.9, b 0.4, rarity as above; 0 where no term is held."""
        scores = np.zeros(self.size, np.float32)
        if not self._total:
            return scores
        norms = (_K1 * _B * self.size / self._total) * self._lengths.view() + np.float32(_K1 * (1 - _B))
        for term in terms:
            if term in self._documents:
                documents = self._of(term)
                counts = np.array(self._counts[term], dtype=np.float32)
                scores[documents] += np.float32(self.rarity(term)) * counts / (counts + norms[documents])
        return scores

    @property
    def lengths(self) -> NDArray[np.float32]:
        """(n,) how many terms each document holds, repetitions counted."""
        return self._lengths.view()

    def grouped_bm25(self, terms: Sequence[str], groups: NDArray[np.int32], count: int) -> NDArray[np.float64]:
        """(count,) BM25 of groups of documents, each group read as one; `groups` is (n,) the group's number or -1."""
        scores = np.zeros(count)
        inside = groups >= 0
        lengths = np.bincount(groups[inside], weights=self._lengths.view()[inside], minlength=count)
        if not lengths.any():
            return scores
        norms = _K1 * (1 - _B + _B * lengths / lengths.mean())
        for term in terms:
            if term not in self._documents:
                continue
            documents = self._of(term)
            held = groups[documents] >= 0
            counts = np.bincount(
                groups[documents][held], weights=np.array(self._counts[term], np.float64)[held], minlength=count
            )
            frequency = int(np.count_nonzero(counts))
            scores += math.log(1 + (count - frequency + 0.5) / (frequency + 0.5)) * counts / (counts + norms)
        return scores

    def weighted(self, weights: Mapping[str, float]) -> tuple[Ordinals, NDArray[np.float64]]:
        """Documents that hold at least one term, ascending, and the summed weight of the terms each holds."""
        found = [(self._of(term), weight) for term, weight in weights.items() if term in self._documents]
        if sum(len(documents) for documents, _ in found) * _DENSE > self.size:
            return self._dense(found)
        if not found:
            return np.empty(0, np.uint32), np.empty(0, np.float64)
        ordinals = np.concatenate([documents for documents, _ in found])
        shares = np.concatenate([np.full(len(documents), weight) for documents, weight in found])
        unique, inverse = np.unique(ordinals, return_inverse=True)
        return unique, np.bincount(inverse, weights=shares).astype(np.float64)

    def _dense(self, found: Sequence[tuple[Ordinals, float]]) -> tuple[Ordinals, NDArray[np.float64]]:
        """The same by one cell a document: faster where the terms' documents are a good part of all."""
        sums = np.zeros(self.size)
        for documents, weight in found:
            sums[documents] += weight
        ordinals = np.flatnonzero(sums).astype(np.uint32)
        return ordinals, sums[ordinals]

    def _of(self, term: str) -> Ordinals:
        # A copy: a view would keep the array from growing.
        return np.array(self._documents[term], dtype=np.uint32)
