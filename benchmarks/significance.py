"""How sure a mean is: bootstrap intervals over questions or whole conversations, and the paired permutation test."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 10_000
SEED = 20260301
_BATCH = 1_000


def interval(
    values: Sequence[float], clusters: Sequence[str] | None = None, *, resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[float, float]:
    """The 95 % percentile bootstrap interval of the mean; with `clusters`, whole groups of values are drawn, not values.

    Repeatable by `seed`; (0, 0) of no values. Efron and Tibshirani 1993, chapter 13.
    """
    if not values:
        return 0.0, 0.0
    sums, sizes = _groups(values, clusters)
    generator = np.random.default_rng(seed)
    means = np.empty(resamples)
    for start in range(0, resamples, _BATCH):
        count = min(_BATCH, resamples - start)
        drawn = generator.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), size=count)
        means[start : start + count] = (drawn @ sums) / (drawn @ sizes)
    low, high = np.percentile(means, (2.5, 97.5))
    return round(float(low), 4), round(float(high), 4)


def permutation_p(differences: Sequence[float], *, resamples: int = RESAMPLES, seed: int = SEED) -> float:
    """Two-sided p of the mean paired difference when each sign is as likely as the other; never below 1/(resamples + 1).

    1 when all differences are 0. The observed pairing counts as one of the permutations (Phipson and Smyth 2010).
    """
    moved = np.asarray([value for value in differences if value], dtype=np.float64)
    if not moved.size:
        return 1.0
    generator = np.random.default_rng(seed)
    observed, extreme = abs(moved.sum()), 0
    for start in range(0, resamples, _BATCH):
        count = min(_BATCH, resamples - start)
        signs = generator.integers(0, 2, size=(count, moved.size), dtype=np.int8) * 2 - 1
        extreme += int((np.abs(signs @ moved) >= observed - 1e-12).sum())
    return round((extreme + 1) / (resamples + 1), 5)


def _groups(values: Sequence[float], clusters: Sequence[str] | None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum and size of each group; each value is its own group without `clusters`."""
    array = np.asarray(values, dtype=np.float64)
    if clusters is None:
        return array, np.ones_like(array)
    _, places = np.unique(np.asarray(clusters), return_inverse=True)
    sums = np.bincount(places, weights=array).astype(np.float64)
    return sums, np.bincount(places).astype(np.float64)
