"""The evidence gate: which share of a query's keywords a memory must hold to count as evidence."""

from __future__ import annotations

import math
from typing import Final

COVERAGE: Final = 0.80
"""Smallest share of distinct query keywords (HYD-27)."""


def needed(keywords: int) -> int:
    """How many of `keywords` distinct query keywords a memory must hold: the smallest count whose share passes."""
    return max(1, math.ceil(keywords * COVERAGE - 1e-9))
