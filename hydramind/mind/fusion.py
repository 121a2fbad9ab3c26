"""Fusion: several channels' rankings become one, by reciprocal ranks or by scores put on one scale.

RRF: Cormack, Clarke and Buettcher 2009. DBSF: distribution-based score fusion, a score's place in mean +- 3 deviations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]
Scores = NDArray[np.float64]
Order = Callable[[Ids], NDArray[np.int64]]
"""(n,) place of each id in the corpus, smaller for earlier; `places.take` where the ids are indexes of an array."""

RRF_K: Final = 60
FLAT: Final = 1e-9
"""A population standard deviation below this counts as none."""


class Fusion(StrEnum):
    """How channels are put together; all add up weight x value over the channels.

    RRF: 1 / (k + rank), ranks from 1. DBSF: (s - (mean - 3 sd)) / (6 sd) with the channel's sample deviation, not clipped,
    0.5 for a single or constant score, 0 for an absent candidate. ZSCORE: (s - mean) / sd with the population deviation
    over the union of candidates, an absent one standing at the channel's minimum; 0 where all are equal. MINMAX:
    (s - min) / (max - min), 0 for an absent candidate and where all are equal."""

    RRF = "rrf"
    DBSF = "dbsf"
    ZSCORE = "zscore"
    MINMAX = "minmax"


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """What one channel found, best first: (n,) distinct ids and their finite scores. ValueError otherwise."""

    name: str
    ids: Ids
    scores: Scores

    def __post_init__(self) -> None:
        if self.ids.shape != self.scores.shape or self.ids.ndim != 1:
            raise ValueError(
                f"channel {self.name!r}: {self.ids.shape} ids and {self.scores.shape} scores; give one each"
            )
        if not np.isfinite(self.scores).all():
            raise ValueError(f"channel {self.name!r}: a score is not finite")
        ordered = np.sort(self.ids)
        repeated = ordered[1:][ordered[1:] == ordered[:-1]]
        if len(repeated):
            raise ValueError(f"channel {self.name!r}: id {int(repeated[0])!r} stands there more than once")


def fuse(
    rankings: Sequence[Ranking],
    weights: Mapping[str, float],
    method: Fusion,
    rrf_k: int = RRF_K,
    order: Order | None = None,
) -> tuple[Ids, Scores]:
    """Distinct ids and fused scores of every candidate, best first; equal scores go by `order`, by default by the id, the
    smaller first. Channels of weight 0 have no say and bring no candidates; a channel that is left alone is handed back
    as it is, unscaled. Equal to the last bit in whatever order the channels come.

    ValueError: a name is given twice or has no weight, a weight is negative or not finite, all are 0, `rrf_k` is below 0."""
    used = _used(rankings, weights, rrf_k)
    if len(used) < 2:
        return (used[0].ids, used[0].scores) if used else (np.empty(0, np.int64), np.empty(0))
    ids, where = _union(np.concatenate([each.ids for each in used]))
    rows = np.zeros((len(used), len(ids)))
    end = 0
    for row, ranking in zip(rows, used, strict=True):
        start, end = end, end + len(ranking.ids)
        _fill(row, where[start:end], ranking.scores, method, rrf_k)
        row *= weights[ranking.name]
    fused = _sum(rows)
    best = np.lexsort((ids if order is None else order(ids), -fused))
    return ids[best], fused[best]


def zscores(scores: Scores) -> Scores:
    """(n,) distance of each score from the mean in population standard deviations; zeros where that is below FLAT."""
    spread = float(scores.std()) if len(scores) else 0.0
    return np.zeros(len(scores)) if spread < FLAT else (scores - scores.mean()) / spread


def _used(rankings: Sequence[Ranking], weights: Mapping[str, float], rrf_k: int) -> list[Ranking]:
    names = [each.name for each in rankings]
    if rrf_k < 0:
        raise ValueError(f"rrf_k {rrf_k!r}: give 0 or more")
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"channel {name!r} is given more than once")
        if name not in weights:
            raise ValueError(f"channel {name!r} has no weight")
        if not (math.isfinite(weights[name]) and weights[name] >= 0):
            raise ValueError(f"channel {name!r}: weight {weights[name]!r}; give a finite number of 0 or more")
    used = [each for each in rankings if weights[each.name] > 0]
    if rankings and not used:
        raise ValueError(f"channels {names!r} all have weight 0")
    return used


def _union(ids: Ids) -> tuple[Ids, NDArray[np.intp]]:
    """The distinct ids ascending, and where each of `ids` stands among them; as `np.unique`, several times faster."""
    order = ids.argsort(kind="stable")
    ordered = ids[order]
    first = np.ones(len(ids), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    where = np.empty(len(ids), np.intp)
    where[order] = first.cumsum() - 1
    return ordered[first], where


def _sum(rows: Scores) -> Scores:
    """(union,) sums of the columns, each added from its smallest value up, so that candidates with the same values from
    other channels are equal to the last bit. Sorts `rows` in place: few rows, so by exchange."""
    for end in range(len(rows) - 1, 0, -1):
        for at in range(end):
            low, high = np.minimum(rows[at], rows[at + 1]), np.maximum(rows[at], rows[at + 1])
            rows[at], rows[at + 1] = low, high
    return rows.sum(axis=0)


def _fill(row: Scores, at: NDArray[np.intp], scores: Scores, method: Fusion, rrf_k: int) -> None:
    """Set one channel's values in a zeroed (union,) row; `at` are the positions of its candidates, best first."""
    if not len(scores):
        return
    if method is Fusion.RRF:
        row[at] = 1.0 / (rrf_k + np.arange(1, len(scores) + 1))
    elif method is Fusion.DBSF:
        row[at] = _dbsf(scores)
    elif method is Fusion.ZSCORE:
        row[:] = scores.min()
        row[at] = scores
        row[:] = zscores(row)
    else:
        row[at] = minmax(scores)


def _dbsf(scores: Scores) -> Scores:
    deviation = float(scores.std(ddof=1)) if len(scores) > 1 else 0.0
    if deviation == 0.0 or scores.max() == scores.min():
        return np.full(len(scores), 0.5)
    return (scores - (scores.mean() - 3 * deviation)) / (6 * deviation)


def minmax(scores: Scores) -> Scores:
    """(n,) scores moved to 0..1; zeros where all are equal."""
    low, high = float(scores.min(initial=math.inf)), float(scores.max(initial=-math.inf))
    return (scores - low) / (high - low) if high > low else np.zeros(len(scores))
