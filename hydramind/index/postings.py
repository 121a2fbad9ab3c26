"""An inverted index: term to the documents that hold it and how often, exact over the whole scope."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hydramind.index.columns import Column

Counts = NDArray[np.int32]
Ordinals = NDArray[np.uint32]
Often = NDArray[np.uint8]

_DENSE: Final = 16
"""One cell a document is cheaper than sorting once the postings are more than a sixteenth of the documents."""
_K1: Final = 0.9
_B: Final = 0.4
"""Short texts: later repetitions and length count for less than in the usual 1.5 and 0.75."""
_MOST_COUNTED: Final = 255
_KEPT: Final = 32
"""Terms whose postings are kept together, where several segments hold some, until documents are added."""
_LATEST: Final = 2_048
"""Documents whose postings wait unsorted; each term asked for looks through all of theirs."""


@dataclass(frozen=True, slots=True, eq=False)
class _Segment:
    """Postings of a run of `size` documents, sorted by term, then by document: those of the term `codes[i]` stand at
    `starts[i]` up to `starts[i + 1]`."""

    size: int
    codes: NDArray[np.int32]
    starts: NDArray[np.int64]
    documents: Ordinals
    often: Often

    def span(self, code: int) -> tuple[int, int]:
        """Where the postings of a term stand; empty when there are none."""
        at = int(self.codes.searchsorted(np.int32(code)))
        if at == len(self.codes) or self.codes.item(at) != code:
            return 0, 0
        return self.starts.item(at), self.starts.item(at + 1)


class Postings:
    """Documents are ordinals 0..n-1 in the order they were added; a document is never changed, only masked by its owner.

    The latest documents wait in the order they came; each full batch of them is sorted into a segment, and segments are
    merged with those before them that are not larger than twice as large: so there are few, and each posting is moved a
    logarithmic number of times. A posting takes five bytes.
    """

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self._segments: list[_Segment] = []
        self._latest = 0
        self._latest_codes = Column(np.int32)
        self._latest_documents = Column(np.uint32)
        self._latest_often = Column(np.uint8)
        self._found: dict[str, tuple[Ordinals, Often]] = {}
        self._lengths = Column(np.float32)
        self._total = 0
        self.size = 0

    def add(self, terms: Mapping[str, int]) -> int:
        """Add the next document, given how often it holds each of its terms, and return its ordinal."""
        self.extend([terms])
        return self.size - 1

    def extend(self, documents: Sequence[Mapping[str, int]]) -> None:
        """Add documents at the end, each given how often it holds each of its terms."""
        self._found.clear()
        codes = self._codes
        sizes = [len(terms) for terms in documents]
        self._latest_codes.extend([codes.setdefault(term, len(codes)) for terms in documents for term in terms])
        self._latest_documents.extend(np.repeat(np.arange(self.size, self.size + len(sizes), dtype=np.uint32), sizes))
        often = [count for terms in documents for count in terms.values()]
        self._latest_often.extend(np.minimum(np.array(often, np.int64), _MOST_COUNTED))
        self._lengths.extend([sum(terms.values()) for terms in documents])
        self._total += sum(often)
        self.size += len(sizes)
        self._latest += len(sizes)
        if self._latest >= _LATEST:
            self._settle()

    def frequency(self, term: str) -> int:
        """How many documents hold the term."""
        return self._of(term)[0].size

    def rarity(self, term: str) -> float:
        """Inverse document frequency, ln(1 + (n - f + 0.5) / (f + 0.5)), above 0 (BM25, Lucene's variant)."""
        return self._rarity(self.frequency(term))

    def holding(self, term: str, documents: NDArray[np.int32]) -> NDArray[np.bool_]:
        """(k,) which of (k,) documents hold the term."""
        found = self._of(term)[0]
        if not len(found):
            return np.zeros(len(documents), np.bool_)
        at = np.minimum(found.searchsorted(documents), len(found) - 1)
        return found[at] == documents

    def held(self, terms: Sequence[str]) -> Counts:
        """(n,) how many of the distinct terms each document holds."""
        counts = np.zeros(self.size, np.int32)
        for term in terms:
            counts[self._of(term)[0]] += 1
        return counts

    def bm25(self, terms: Sequence[str]) -> NDArray[np.float32]:
        """(n,) BM25 of every document, k1 0.9, b 0.4, rarity as above; 0 where no term is held."""
        scores = np.zeros(self.size, np.float32)
        if not self._total:
            return scores
        share = np.float32(_K1 * _B * self.size / self._total)
        lengths = self._lengths.view()
        for term in terms:
            documents, often = self._of(term)
            counts = often.astype(np.float32)
            norms = share * lengths[documents] + np.float32(_K1 * (1 - _B))
            scores[documents] += np.float32(self._rarity(len(documents))) * counts / (counts + norms)
        return scores

    @property
    def lengths(self) -> NDArray[np.float32]:
        """(n,) how many terms each document holds, repetitions counted."""
        return self._lengths.view()

    def grouped_lengths(self, groups: NDArray[np.int32], count: int) -> NDArray[np.float64]:
        """(count,) how many terms each group of documents holds; `groups` is (n,) the group's number or -1."""
        inside = groups >= 0
        return np.bincount(groups[inside], weights=self._lengths.view()[inside], minlength=count).astype(np.float64)

    def grouped_bm25(
        self, terms: Sequence[str], groups: NDArray[np.int32], lengths: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """(count,) BM25 of groups of documents, each group read as one; `lengths` are those of the groups."""
        count = len(lengths)
        scores = np.zeros(count)
        if not lengths.any():
            return scores
        norms = _K1 * (1 - _B + _B * lengths / lengths.mean())
        for term in terms:
            documents, often = self._of(term)
            # One place more, for those of no group.
            counts = np.bincount(groups[documents] + 1, weights=often, minlength=count + 1)[1:]
            frequency = int(np.count_nonzero(counts))
            scores += math.log(1 + (count - frequency + 0.5) / (frequency + 0.5)) * counts / (counts + norms)
        return scores

    def weighted(self, weights: Mapping[str, float]) -> tuple[Ordinals, NDArray[np.float64]]:
        """Documents that hold at least one term, ascending, and the summed weight of the terms each holds."""
        found = [(self._of(term)[0], weight) for term, weight in weights.items()]
        total = sum(len(documents) for documents, _ in found)
        if total * _DENSE > self.size:
            return self._dense(found)
        if not total:
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

    def _rarity(self, frequency: int) -> float:
        return math.log(1 + (self.size - frequency + 0.5) / (frequency + 0.5))

    def _of(self, term: str) -> tuple[Ordinals, Often]:
        """Documents that hold a term, ascending, and how often each does; a question asks for each of its terms several
        times, so the latest are kept until something is added."""
        found = self._found.get(term)
        if found is None:
            if len(self._found) >= _KEPT:
                self._found.clear()
            found = self._found[term] = self._gathered(term)
        return found

    def _gathered(self, term: str) -> tuple[Ordinals, Often]:
        code = self._codes.get(term)
        if code is None:
            return np.empty(0, np.uint32), np.empty(0, np.uint8)
        parts = [
            (segment.documents[start:stop], segment.often[start:stop])
            for segment in self._segments
            for start, stop in (segment.span(code),)
            if stop > start
        ]
        if self._latest:
            waiting = np.flatnonzero(self._latest_codes.view() == code)
            parts.append((self._latest_documents.view()[waiting], self._latest_often.view()[waiting]))
        if len(parts) == 1:
            return parts[0]
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])

    def _settle(self) -> None:
        """Make a segment of what waits, and of it and its neighbours a larger one where they are not much larger."""
        columns = self._latest_codes, self._latest_documents, self._latest_often
        size, parts = self._latest, [tuple(column.view() for column in columns)]
        while self._segments and self._segments[-1].size <= 2 * size:
            last = self._segments.pop()
            size += last.size
            parts.insert(0, (np.repeat(last.codes, np.diff(last.starts)), last.documents, last.often))
        self._segments.append(_sorted(size, *(np.concatenate(column) for column in zip(*parts, strict=True))))
        self._latest = 0
        for column in columns:
            column.clear()


def _sorted(size: int, codes: NDArray[np.int32], documents: Ordinals, often: Often) -> _Segment:
    # Stable, and the documents ascend already, so they ascend within each term.
    order = np.argsort(codes, kind="stable")
    unique, starts = np.unique(codes[order], return_index=True)
    return _Segment(size, unique, np.append(starts, len(codes)), documents[order], often[order])
