"""Moments as chat exports write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.ingest.moments import moment

MAY = datetime(2026, 5, 4, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    [
        1777888800,
        1777888800000,
        1777888800000000,
        1777888800000000000,
        1777888800.0,
        "1777888800",
        "2026-05-04T10:00:00Z",
        "2026-05-04 12:00+02:00",
        "20260504_10:00",
        "20260504T100000",
        "10:00 am on 4 May, 2026",
        "May 4th, 2026 10:00",
        "Monday, 4 May 2026, 10:00",
        "Mon, 04 May 2026 12:00:00 +0200",
    ],
)
def test_every_way_of_writing_is_the_same_moment(value: object) -> None:
    """Seconds to nanoseconds, ISO with and without zone, compact, prose, mail."""
    assert moment(value) == MAY


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1777888800.25, "2026-05-04T10:00:00.250000+00:00"),
        ("1777888800.25", "2026-05-04T10:00:00.250000+00:00"),
        (-86_400, "1969-12-31T00:00:00+00:00"),
        (-1777888800000, "1913-08-30T14:00:00+00:00"),
        (0, "1970-01-01T00:00:00+00:00"),
    ],
)
def test_numbers_keep_their_fraction_and_their_sign(value: object, expected: str) -> None:
    """T06: quarters of a second, and times before 1970 in seconds and milliseconds; the start of time is no missing one."""
    found = moment(value)
    assert found is not None
    assert found.isoformat() == expected


@pytest.mark.parametrize(
    ("value", "hour"), [("12:05 am on 4 May 2026", 0), ("12:05 pm on 4 May 2026", 12), ("1:05 PM on 4 Sept. 2026", 13)]
)
def test_half_days_turn_at_noon_and_midnight(value: str, hour: int) -> None:
    """12 am is 0, 12 pm is 12."""
    found = moment(value)
    assert found is not None
    assert (found.hour, found.minute) == (hour, 5)


@pytest.mark.parametrize("value", [None, "", "  "])
def test_nothing_is_no_moment(value: object) -> None:
    """Not an error."""
    assert moment(value) is None


@pytest.mark.parametrize(
    "value",
    [
        "soon",
        "31 April 2026",
        "13:00 pm on 4 May 2026",
        "4 May 2026 or so",
        "4 Mayhem 2026",
        True,
        [],
        {},
        1e300,
        float("nan"),
        "9" * 20,
        "0:10 am on 4 May 2026",
        "9:00 10:00 4 May 2026",
        "0001-01-01T00:00+14:00",
        10**20,
    ],
)
def test_what_is_no_moment_is_refused(value: object) -> None:
    """Never 1970, never the year 58000, never a guess."""
    with pytest.raises(ValueError, match="must be a moment"):
        moment(value)


@given(st.text(max_size=40) | st.integers() | st.floats())
def test_any_value_is_a_moment_or_refused(value: object) -> None:
    """No other failure; what is found is aware and has whole milliseconds."""
    try:
        found = moment(value)
    except ValueError:
        return
    assert found is None or (found.tzinfo is UTC and found.microsecond % 1_000 == 0)
