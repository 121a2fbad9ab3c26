"""How much a memory is believed: what a contradiction costs, what is given back, and the replay of a ledger."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

CONTRADICTION_LOSS: Final = 0.40
"""What the contradicted memory loses (HYD-18)."""

LOSS_PER_HOP: Final = 0.15
"""What a derived memory loses a hop: 0.15 at the first, 0.30 at the second (HYD-19)."""

MAX_HOPS: Final = 2
"""How far a loss travels along the lineage (HYD-19)."""

FLOOR: Final = 0.05
"""Trust never falls below it (HYD-20)."""

FULL: Final = 1.0
_DIGITS: Final = 6
"""Trust is kept to six decimals, so that sums of losses and gains come out even."""


def after_loss(trust: float, loss: float) -> float:
    """Trust after a loss, never below the floor."""
    return max(FLOOR, round(trust - loss, _DIGITS))


def after_gain(trust: float, gain: float) -> float:
    """Trust after something was given back, never above 1."""
    return min(FULL, round(trust + gain, _DIGITS))


def taken(before: float, after: float) -> float:
    """What a loss really took: less than its nominal size at the floor."""
    return round(before - after, _DIGITS)


def derived_loss(hop: int) -> float:
    """Nominal loss of a memory `hop` steps down the lineage of a contradicted one."""
    return LOSS_PER_HOP * hop


@dataclass(frozen=True, slots=True)
class Entry:
    """One ledger entry of one memory: `step` is its place among the entries of the op `revision`."""

    revision: int
    before: float
    after: float
    step: int = 0


def order(entry: Entry) -> tuple[int, int]:
    """Sort key of the order in which entries were applied."""
    return (entry.revision, entry.step)


def replay(entries: Iterable[Entry]) -> float:
    """The trust that the ledger alone gives, starting from full trust; raises `ValueError` where entries do not join."""
    trust = FULL
    for entry in sorted(entries, key=order):
        if entry.before != trust:
            raise ValueError(f"ledger entry of revision {entry.revision} starts at {entry.before}, trust was {trust}")
        trust = entry.after
    return trust
