"""Numbers with units, versions, dates and clock times: read, brought to one base, compared."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hydramind.mind.conflict.units import (
    AMBIGUOUS_CALENDAR,
    MONTHS,
    MULTIPLIERS,
    NUMBER_WORDS,
    SCALES,
    UNITS,
    WEEKDAYS,
)

_NUMBER = re.compile(
    r"([-−+]?)([$€£]?)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?(?:e[+-]?\d{1,2})?)([a-zµμ%°]*(?:/[a-z]+)?)"
)
_RANGE = re.compile(r"(\d+(?:\.\d+)?)([a-z%]*)[-–](\d+(?:\.\d+)?)([a-z%]*)")
_VERSION = re.compile(r"v(\d+(?:\.\w+)*(?:-[\w.]+)?)|(\d+(?:\.\d+){2,}(?:[-.]?[a-z]\w*)?)|(\d+\.x)")
_ISO_DATE = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d)(?:t\S+)?)?")
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::\d\d)?(z|am|pm)?|(\d{1,2})(am|pm)")
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_INFINITE = float("inf")
_ABOUT = 0.1
_YEARS = range(1900, 2100)
_DAY = 86_400.0
_MONTH_DAYS = (28.0, 31.0)
_PLURALS = {name + "s": index for name, index in WEEKDAYS.items() if name.endswith("day")}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A closed range in base units; `exact` is False for bounds, ranges and `about`."""

    dimension: str
    low: float
    high: float
    exact: bool = True

    def disjoint(self, other: Quantity) -> bool:
        """True when no value satisfies both (a relative error of 1e-9 counts as equal)."""
        return self.low > other.high + 1e-9 * abs(other.high) or other.low > self.high + 1e-9 * abs(self.high)

    def in_seconds(self) -> Quantity:
        """Months as the range of seconds they may last; any other quantity as it is."""
        if self.dimension != "month":
            return self
        shortest, longest = (days * _DAY for days in _MONTH_DAYS)
        return Quantity("s", self.low * shortest, self.high * longest, exact=False)


@dataclass(frozen=True, slots=True)
class When:
    """A date with the fields that were said: (year, month, day, weekday, quarter, minute of the day); None = unsaid."""

    fields: tuple[int | None, ...]

    @property
    def habitual(self) -> bool:
        """True for a weekday or a clock time without a date, which come again."""
        *date, weekday, quarter, minute = self.fields
        return (weekday or minute) is not None and quarter is None and date == [None] * len(date)

    def disjoint(self, other: When) -> bool:
        """True when a field said by both differs."""
        return any(a is not None and b is not None and a != b for a, b in zip(self.fields, other.fields, strict=True))


@dataclass(frozen=True, slots=True)
class Version:
    """A version, compared part by part: 1.10 is not 1.1."""

    parts: tuple[str, ...]

    def disjoint(self, other: Version) -> bool:
        """True when a part said by both differs: 3.10 is within 3, but 1.10 is not 1.1."""
        return any(a != b for a, b in zip(self.parts, other.parts, strict=False))


Value = Quantity | When | Version


def when(**fields: int) -> When:
    """A date from the named fields."""
    return When(tuple(fields.get(name) for name in ("year", "month", "day", "weekday", "quarter", "minute")))


def _plain(digits: str) -> float:
    if "," in digits and not re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", digits):
        return float(digits.replace(",", "."))
    return float(digits.replace(",", ""))


def unit_of(word: str) -> tuple[str, float] | None:
    """(dimension, factor) of a unit word, or None; `gb/s` is a rate of its own dimension."""
    base, slash, per = word.partition("/")
    if slash:
        known = UNITS.get(base, (base.rstrip("s"), 1.0))
        return f"{known[0]}/{per}", known[1]
    return UNITS.get(word)


def number(low: str) -> tuple[Quantity, str] | None:
    """A number token as a quantity, with the text of a version if it could be one (`1.10`); None when it is no number."""
    if low in NUMBER_WORDS:
        return Quantity("", NUMBER_WORDS[low], NUMBER_WORDS[low]), ""
    match = _NUMBER.fullmatch(low)
    if match is None:
        return _range(low)
    sign, currency, digits, suffix = match.groups()
    value = _plain(digits) * (-1.0 if sign in ("-", "−") and sign else 1.0)
    if currency:
        return Quantity(currency, value * MULTIPLIERS.get(suffix, 1.0), value * MULTIPLIERS.get(suffix, 1.0)), ""
    if not suffix:
        return Quantity("", value, value), digits if "." in digits and not sign else ""
    known = UNITS.get(suffix) if suffix not in ("m", "g", "b") else ("", MULTIPLIERS[suffix])
    known = known or unit_of(suffix) or (("", MULTIPLIERS[suffix]) if suffix in MULTIPLIERS else None)
    return (Quantity(known[0], value * known[1], value * known[1]), "") if known else None


def _range(low: str) -> tuple[Quantity, str] | None:
    match = _RANGE.fullmatch(low)
    if match is None or float(match[1]) >= float(match[3]):
        return None
    dimension, factor = unit_of(match[4] or match[2]) or ("", 1.0)
    return Quantity(dimension, float(match[1]) * factor, float(match[3]) * factor, exact=False), ""


def scaled(quantity: Quantity, unit: tuple[str, float]) -> Quantity:
    """The quantity in the base of a unit that follows it."""
    return Quantity(unit[0], quantity.low * unit[1], quantity.high * unit[1], quantity.exact)


def bounded(quantity: Quantity, sign: str) -> Quantity:
    """The quantity widened by `>` (at least), `<` (at most) or `~` (about, ten in a hundred)."""
    if sign == ">":
        return Quantity(quantity.dimension, quantity.low, _INFINITE, exact=False)
    if sign == "<":
        return Quantity(quantity.dimension, -_INFINITE, quantity.high, exact=False)
    slack = _ABOUT * max(abs(quantity.low), abs(quantity.high))
    return Quantity(quantity.dimension, quantity.low - slack, quantity.high + slack, exact=False)


def scale_of(low: str) -> float | None:
    """Factor of `thousand`, `million`, ..., or None."""
    return SCALES.get(low)


def version(low: str) -> Version | None:
    """A version written so that it can be nothing else: `v1`, `1.2.3`, `3.x`."""
    match = _VERSION.fullmatch(low)
    return Version(tuple((match[1] or match[2] or match[3]).split("."))) if match else None


def month_of(text: str, low: str) -> int | None:
    """Number of a month name; names that are words too need a capital letter."""
    if low in AMBIGUOUS_CALENDAR and not text[0].isupper():
        return None
    return MONTHS.get(low)


def weekday_of(text: str, low: str) -> int | None:
    """Number of a weekday name or its plural, Monday is 1."""
    if low in AMBIGUOUS_CALENDAR and not text[0].isupper():
        return None
    return WEEKDAYS.get(low) or _PLURALS.get(low)


def day_of(low: str) -> int | None:
    """1..31 from `3` or `3rd`, or None."""
    match = _ORDINAL.fullmatch(low)
    return int(match[1]) if match and 1 <= int(match[1]) <= 31 else None


def year_of(low: str) -> int | None:
    """A year from 1900 to 2099, or None."""
    return int(low) if len(low) == 4 and low.isascii() and low.isdigit() and int(low) in _YEARS else None


def stamp(low: str) -> When | None:
    """A date or time of day that is one token: `2026-03-01`, `09:10`, `9am`, `q3`."""
    if match := _ISO_DATE.fullmatch(low):
        year, month, day = match.groups()
        return when(year=int(year), month=int(month), **({"day": int(day)} if day else {}))
    if match := _CLOCK.fullmatch(low):
        hour, minute = int(match[1] or match[4]), int(match[2] or 0)
        half = match[3] or match[5]
        hour = hour % 12 + 12 * (half == "pm") if half in ("am", "pm") else hour
        return when(minute=hour * 60 + minute)
    return when(quarter=int(low[1])) if len(low) == 2 and low[0] == "q" and low[1] in "1234" else None


VALUE_WORDS = frozenset(NUMBER_WORDS) | frozenset(MONTHS) | frozenset(WEEKDAYS) | frozenset(_PLURALS)
"""Words that may open a number or a date."""
