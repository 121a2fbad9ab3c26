"""Time enters through one callable, so that tests and demos can hold it still."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], int]
"""Returns milliseconds since 1970-01-01T00:00Z."""

FOREVER = 2**62
"""`valid_to` of what has no end yet: a sentinel, because no null is ever stored."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def system_clock() -> int:
    """Wall clock in epoch milliseconds."""
    return time.time_ns() // 1_000_000


def to_datetime(ms: int) -> datetime:
    """Aware UTC datetime of epoch milliseconds; `OverflowError` outside years 1..9999."""
    return _EPOCH + timedelta(milliseconds=ms)


def to_ms(moment: datetime) -> int:
    """Epoch milliseconds of a datetime; a naive one is read as UTC."""
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return (aware - _EPOCH) // timedelta(milliseconds=1)


def to_iso(ms: int) -> str:
    """`2026-03-01T10:00:00.000Z`."""
    return to_datetime(ms).isoformat(timespec="milliseconds").replace("+00:00", "Z")
