"""Calendar intervals in one time zone, seen from one moment, as half-open UTC epoch milliseconds."""

from __future__ import annotations

from calendar import isleap
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

Interval = tuple[int, int]
"""[from, until) in UTC epoch milliseconds."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)
_CLOCK_UNITS = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1)}
WEEKDAYS: tuple[str, ...] = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True, slots=True)
class Calendar:
    """Calendar intervals in one zone, seen from one moment; ValueError, OverflowError or KeyError for what no
    calendar has."""

    now: datetime

    def ms(self, moment: datetime) -> int:
        """UTC epoch milliseconds of `moment`, rounded down."""
        return (moment - EPOCH) // MILLISECOND

    def midnight(self, day: date) -> int:
        """Where `day` begins in this zone."""
        return self.ms(datetime(day.year, day.month, day.day, tzinfo=self.now.tzinfo))

    def days(self, first: date, behind: date) -> Interval:
        """From the beginning of `first` to that of `behind`: days of 23 or 25 hours are whole days."""
        return self.midnight(first), self.midnight(behind)

    def day(self, first: date) -> Interval:
        """One calendar day."""
        return self.days(first, first + timedelta(days=1))

    def months(self, year: int, month: int, length: int = 1) -> Interval:
        """`length` calendar months from `month` (1..12) of `year`."""
        behind = year * 12 + month - 1 + length
        return self.days(date(year, month, 1), date(behind // 12, behind % 12 + 1, 1))

    def period(self, unit: str, offset: int) -> Interval:
        """The calendar `unit` that lies `offset` units from now."""
        today = self.now.date()
        if unit == "day":
            return self.day(today + timedelta(days=offset))
        if unit == "week":
            monday = today - timedelta(days=today.weekday()) + timedelta(weeks=offset)
            return self.days(monday, monday + timedelta(weeks=1))
        if unit == "month":
            index = today.year * 12 + today.month - 1 + offset
            return self.months(index // 12, index % 12 + 1)
        if unit == "year":
            return self.months(today.year + offset, 1, 12)
        return self.around(_CLOCK_UNITS[unit], offset)

    def around(self, unit: timedelta, offset: int) -> Interval:
        """One `unit` of clock time with the moment `offset` units from now in its middle."""
        middle = self.ms(self.now) + offset * (unit // MILLISECOND)
        half = unit // MILLISECOND // 2
        return middle - half, middle + half

    def rolling(self, unit: str, count: int) -> Interval:
        """The `count` units that end now, this moment included; ahead of now when `count` is negative."""
        now = self.ms(self.now)
        other = self.ms(self.moved(unit, -count))
        return (other, now + 1) if count >= 0 else (now, other)

    def moved(self, unit: str, count: int) -> datetime:
        """`now` moved by `count` units: by the wall clock from days on; a day the month lacks becomes its last."""
        if unit in ("month", "year"):
            index = self.now.year * 12 + self.now.month - 1 + count * (12 if unit == "year" else 1)
            last = (date((index + 1) // 12, (index + 1) % 12 + 1, 1) - timedelta(days=1)).day
            return self.now.replace(year=index // 12, month=index % 12 + 1, day=min(self.now.day, last))
        if unit in ("day", "week"):
            return self.now + timedelta(**{f"{unit}s": count})
        return (self.now.astimezone(UTC) + count * _CLOCK_UNITS[unit]).astimezone(self.now.tzinfo)

    def latest(self, month: int, day: int | None) -> Interval:
        """The latest begun occurrence of a day of the year, or of a month when `day` is None."""
        year = self.now.year
        while (day == 29 and month == 2 and not isleap(year)) or date(year, month, day or 1) > self.now.date():
            year -= 1
        return self.day(date(year, month, day)) if day else self.months(year, month)

    def weekday(self, name: str, before_today: bool) -> Interval:
        """The latest day of that name, today included unless `before_today`."""
        today = self.now.date()
        back = (today.weekday() - WEEKDAYS.index(name)) % 7
        return self.day(today - timedelta(days=back or (7 if before_today else 0)))
