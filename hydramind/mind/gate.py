"""The evidence gate: what a memory must share with a question to count as evidence; what does not pass is not returned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Shares = NDArray[np.floating[Any]] | np.floating[Any] | float

COVERAGE: Final = 0.80
"""Smallest share of distinct query keywords (HYD-27)."""


class Gate(StrEnum):
    """Presets. `lexical`: enough of the keywords. `hybrid`: that, or close in meaning, unless the question names somebody
    and the evidence is by others. `off`: everything is ranked."""

    LEXICAL = "lexical"
    HYBRID = "hybrid"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Floors:
    """Smallest cosines that count as close in meaning: of the best memory for a question to be answered by meaning at all,
    and then of each memory."""

    best: float
    each: float


CALIBRATED: Final[Mapping[str, Floors]] = {"multilingual-e5-small-q4": Floors(best=0.81, each=0.76)}
"""By what an embedder's identity holds. Measured on chat questions by benchmarks/calibrate.py: below `best` stay 0.3 % of the
answerable questions and 69 % of those asked about other conversations, below `each` stays 1.7 % of the evidence."""


def floors(identity: str) -> Floors | None:
    """The floors of an embedder, None when nobody has calibrated it: then keywords alone decide."""
    return next((floors for name, floors in CALIBRATED.items() if name in identity), None)


def covered(shares: Shares) -> NDArray[np.bool_]:
    """Whether shares (0..1, any shape) of the distinct keywords are enough; a share counts as enough up to rounding."""
    return np.asarray(shares >= COVERAGE - 1e-9)
