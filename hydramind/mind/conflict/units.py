"""Units, number words and calendar names, as plain data."""

from __future__ import annotations

_SECONDS = {
    "ns nanosecond nanoseconds": 1e-9,
    "us µs μs microsecond microseconds": 1e-6,
    "ms msec millisecond milliseconds": 1e-3,
    "s sec secs second seconds": 1.0,
    "min mins minute minutes": 60.0,
    "h hr hrs hour hours": 3_600.0,
    "d day days": 86_400.0,
    "week weeks": 604_800.0,
    "fortnight fortnights": 1_209_600.0,
}
_BYTES = {
    "byte bytes": 1.0,
    "kb kilobyte kilobytes": 1e3,
    "mb megabyte megabytes": 1e6,
    "gb gigabyte gigabytes": 1e9,
    "tb terabyte terabytes": 1e12,
    "pb petabyte petabytes": 1e15,
    "kib kibibyte kibibytes": 2.0**10,
    "mib mebibyte mebibytes": 2.0**20,
    "gib gibibyte gibibytes": 2.0**30,
    "tib tebibyte tebibytes": 2.0**40,
}
_OTHERS: dict[str, dict[str, float]] = {
    "month": {"month months": 1.0, "quarter quarters": 3.0, "year years yr yrs": 12.0},
    "bit/s": {"bps": 1.0, "kbps": 1e3, "mbps": 1e6, "gbps": 1e9},
    "hz": {"hz hertz": 1.0, "khz": 1e3, "mhz": 1e6, "ghz": 1e9},
    "m": {"mm millimetre millimetres millimeter millimeters": 1e-3, "cm": 1e-2, "m metre metres meter meters": 1.0,
          "km kilometre kilometres kilometer kilometers": 1e3, "mile miles": 1609.344},
    "g": {"mg": 1e-3, "g gram grams gramme grammes": 1.0, "kg kilogram kilograms kilo kilos": 1e3, "tonne tonnes": 1e6},
    "%": {"% percent pct": 1.0},
    "w": {"w watt watts": 1.0, "kw kilowatt kilowatts": 1e3, "mw": 1e6},
    "$": {"$ usd dollar dollars": 1.0},
    "€": {"€ eur euro euros": 1.0},
    "£": {"£ gbp pound pounds": 1.0},
    "px": {"px pixel pixels": 1.0},
    "°": {"° °c degree degrees celsius": 1.0},
    "req/s": {"rps qps": 1.0},
}  # fmt: skip


def _spread(groups: dict[str, float], dimension: str) -> dict[str, tuple[str, float]]:
    return {name: (dimension, factor) for names, factor in groups.items() for name in names.split()}


UNITS: dict[str, tuple[str, float]] = {
    name: factor
    for dimension, groups in {"s": _SECONDS, "byte": _BYTES, **_OTHERS}.items()
    for name, factor in _spread(groups, dimension).items()
}
"""Unit in lower case -> (dimension, factor to its base unit). `kB` and `KB` are 1,000 bytes, `KiB` is 1,024."""

MULTIPLIERS = {"k": 1e3, "m": 1e6, "b": 1e9, "bn": 1e9, "g": 1e9, "t": 1e12}
"""Suffix glued to a number without a unit: `4.2k` is 4,200."""

SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "dozen": 12.0}

MEASURES = frozenset(("s", "byte", "month", "hz", "%"))
"""Dimensions in which two ways to write an amount are the same statement: `30s`, `30 seconds`."""

CASED_UNITS = frozenset("KB kB MB GB TB PB KiB MiB GiB TiB PiB Hz kHz MHz GHz".split())
"""Units with capital letters as they are written; in another case (`Mb`) they may be other units."""

NUMBER_WORDS = {
    word: float(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": 30.0, "forty": 40.0, "fifty": 50.0, "sixty": 60.0, "ninety": 90.0}

MONTHS = {
    name: index
    for index, names in enumerate(
        "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sept sep|october oct|"
        "november nov|december dec".split("|"),
        start=1,
    )
    for name in names.split()
}

WEEKDAYS = {
    name: index
    for index, names in enumerate(
        "monday mon|tuesday tue|wednesday wed|thursday thu|friday fri|saturday sat|sunday sun".split("|"), start=1
    )
    for name in names.split()
}

AMBIGUOUS_CALENDAR = frozenset("mar may march mon wed sat sun sep jan".split())
"""Calendar names that are words too: they count as dates only with a capital letter."""
