"""Salience: how much a memory matters apart from any question, by how recent, how often used and how connected it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Times = NDArray[np.int64]

RECENCY_HALF_LIFE_DAYS: Final = 30.0
USE_HALF_LIFE_DAYS: Final = 14.0
FULL_USE: Final = 20
"""Uses from which on more count nothing."""
EFFECT: Final = 0.10
"""Weight of salience beside relevance."""
_DAY_MS: Final = 86_400_000


@dataclass(frozen=True, slots=True)
class Parts:
    """Weight of each part, 0 or more, at least one above 0. ValueError otherwise."""

    recency: float = 0.45
    frequency: float = 0.35
    centrality: float = 0.20

    def __post_init__(self) -> None:
        parts = (self.recency, self.frequency, self.centrality)
        if not (all(0 <= part < float("inf") for part in parts) and any(parts)):
            raise ValueError(f"weights {parts!r}: give finite numbers of 0 or more, one of them above 0")


PARTS: Final = Parts()


@dataclass(frozen=True, slots=True, eq=False)
class Usage:
    """What salience reads, (n,) each: when a memory was told and last used (UTC epoch ms; the former when never used), how
    often it was used, and how many edges it has."""

    told: Times
    used: Times
    uses: NDArray[np.int64]
    degrees: NDArray[np.int64]


def salience(usage: Usage, now_ms: int, parts: Parts = PARTS) -> Values:
    """(n,) weighted mean of recency, frequency and centrality, 0..1.

    Recency: 2^(-age / 30 d) since it was told. Frequency: min(1, ln(1 + n) / ln 21) x (0.5 + 0.5 x 2^(-age / 14 d)) since
    its last use. Centrality: edges / most edges of any, 0 where nobody has one. What lies ahead of `now_ms` is of age 0."""
    recency = _decayed(usage.told, now_ms, RECENCY_HALF_LIFE_DAYS)
    often = np.minimum(1.0, np.log1p(usage.uses) / np.log1p(FULL_USE))
    frequency = often * (0.5 + 0.5 * _decayed(usage.used, now_ms, USE_HALF_LIFE_DAYS))
    centrality = usage.degrees / max(1, int(usage.degrees.max(initial=0)))
    total = parts.recency + parts.frequency + parts.centrality
    return (parts.recency * recency + parts.frequency * frequency + parts.centrality * centrality) / total


def multiplier(saliences: Values, effect: float = EFFECT) -> Values:
    """(n,) what relevance is multiplied by: 1 - effect for a salience of 0 up to 1 for 1, so never more than 1; `effect` 0
    turns it off. ValueError when `effect` is outside 0..1."""
    if not 0 <= effect <= 1:
        raise ValueError(f"effect {effect!r}: give a number from 0 to 1")
    return 1.0 - effect + effect * saliences


def _decayed(times: Times, now_ms: int, half_life_days: float) -> Values:
    """(n,) halved by every half-life that lies between a time and now, 1 for now and later."""
    ages = np.maximum(now_ms - times, 0) / _DAY_MS
    return np.exp2(-ages / half_life_days)
