"""The moments that chat exports write: numbers since 1970 in any unit, ISO, mail headers, and dates in English prose."""

from __future__ import annotations

import email.utils
import math
import re
from datetime import UTC, datetime, timedelta
from typing import Final

EXPECTED: Final = (
    "must be a moment: ISO 8601 ('2026-03-01T10:00:00Z'), a date in prose ('1:56 pm on 8 May, 2023') or a number of seconds "
    "(or ms, us, ns) since 1970"
)
_NUMBER: Final = re.compile(r"-?\d{1,19}(?:\.\d+)?")
_COMPACT: Final = re.compile(r"(\d{4})(\d\d)(\d\d)(?:[_ T-](\d\d):?(\d\d)(?::?(\d\d))?)?")
_CLOCK: Final = re.compile(r"(?<!\d)(\d{1,2}):(\d\d)(?::(\d\d))?\s*([ap])?\.?(?:m\b\.?)?", re.IGNORECASE)
_DAY_FIRST: Final = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?([a-z]{3,9})\.?,?\s+(\d{4})(?!\d)", re.IGNORECASE
)
_MONTH_FIRST: Final = re.compile(r"\b([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)", re.IGNORECASE)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS: Final = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (1e20, 1e9))
"""Below which size a number counts seconds, ms, us or ns: years 1..5138 in each."""


def moment(value: object) -> datetime | None:
    """An aware UTC moment, to the millisecond; None for nothing (null or blank text). A time without zone is UTC.

    Raises `ValueError` for what is no moment.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(EXPECTED)
    found = _of_text(value.strip()) if isinstance(value, str) else _of_number(float(value))
    try:
        aware = found if found.tzinfo is not None else found.replace(tzinfo=UTC)
        return aware.astimezone(UTC).replace(microsecond=aware.microsecond // 1_000 * 1_000)
    except OverflowError:
        raise ValueError(EXPECTED) from None


def _of_number(value: float) -> datetime:
    if not math.isfinite(value):
        raise ValueError(EXPECTED)
    for below, per_second in _UNITS:
        if abs(value) < below:
            try:
                return _EPOCH + timedelta(seconds=value / per_second)
            except OverflowError:
                break
    raise ValueError(EXPECTED)


def _of_text(value: str) -> datetime:
    if compact := _COMPACT.fullmatch(value):
        return _checked(*(int(part or 0) for part in compact.groups()))
    if _NUMBER.fullmatch(value):
        return _of_number(float(value))
    for read in (datetime.fromisoformat, _of_prose, email.utils.parsedate_to_datetime):
        try:
            return read(value)
        except (ValueError, TypeError):
            continue
    raise ValueError(EXPECTED)


def _of_prose(value: str) -> datetime:
    """`1:56 pm on 8 May, 2023`, `May 8, 2023 13:56`, `8 May 2023`; anything else in it is refused."""
    dates = [(m, int(m[1]), m[2], int(m[3])) for m in _DAY_FIRST.finditer(value)]
    dates = dates or [(m, int(m[2]), m[1], int(m[3])) for m in _MONTH_FIRST.finditer(value)]
    clocks = list(_CLOCK.finditer(value))
    if len(dates) != 1 or len(clocks) > 1:
        raise ValueError(EXPECTED)
    match, day, name, year = dates[0]
    rest = value.replace(match.group(), " ", 1)
    hour, minute, second = 0, 0, 0
    if clocks:
        rest = rest.replace(clocks[0].group(), " ", 1)
        hour, minute, second = int(clocks[0][1]), int(clocks[0][2]), int(clocks[0][3] or 0)
        hour = _hour(hour, (clocks[0][4] or "").lower())
    weekday = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*"
    if not re.fullmatch(rf"(?:\s|,|\bon\b|\bat\b|\butc\b|{weekday})*", rest, re.IGNORECASE):
        raise ValueError(EXPECTED)
    return _checked(year, _month(name), day, hour, minute, second)


def _hour(hour: int, half: str) -> int:
    if not half:
        return hour
    if not 1 <= hour <= 12:
        raise ValueError(EXPECTED)
    return hour % 12 + (12 if half == "p" else 0)


def _month(name: str) -> int:
    full = (
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
    )
    lower = name.lower()
    for number, month in enumerate((*full, "december"), 1):
        if lower in (month, month[:3]) or (lower == "sept" and number == 9):
            return number
    raise ValueError(EXPECTED)


def _checked(*fields: int) -> datetime:
    """Year, month, day and then hour, minute, second, where they are known."""
    year, month, day, hour, minute, second = (*fields, 0, 0, 0)[:6]
    return datetime(year, month, day, hour, minute, second, tzinfo=UTC)
