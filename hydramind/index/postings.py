"""An inverted index: term to the documents that hold it, counted exactly over the whole scope."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int32]
Ordinals = NDArray[np.uint32]

_DENSE = 16
"""One cell a document is cheaper than sorting once the postings are more than a sixteenth of the documents."""


class Postings:
    """Documents are ordinals 0..n-1 in the order they were added; a document is never changed, only masked by its owner."""

    def __init__(self) -> None:
        self._documents: dict[str, array[int]] = {}
        self.size = 0

    def add(self, terms: Iterable[str]) -> int:
        """Add the next document and return its ordinal; `terms` are distinct."""
        ordinal = self.size
        for term in terms:
            documents = self._documents.get(term)
            if documents is None:
                documents = self._documents[term] = array("I")
            documents.append(ordinal)
        self.size += 1
        return ordinal

    def frequency(self, term: str) -> int:
        """How many documents hold the term."""
        documents = self._documents.get(term)
        return len(documents) if documents is not None else 0

    def matches(self, terms: Sequence[str]) -> tuple[Ordinals, Counts]:
        """Documents that hold at least one term, ascending, and how many of the terms each holds."""
        ordinals, counts = self.weighted(dict.fromkeys(terms, 1.0))
        return ordinals, counts.astype(np.int32)

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
