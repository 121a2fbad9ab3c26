"""The rules by which words and figures are read as times.

Rules, all for the zone given and the moment `now`:

- A day, month, quarter, year or decade is its whole calendar interval; a clock time is its minute or second.
- `before X` ends where X begins, `until X`, `by X` where X ends; `since X` begins with X, `after X` behind it.
- `last week` is the calendar week before this one (Monday first); `past week`, `last 3 weeks` end now; `3 weeks ago` is
  the calendar week that lies so far back; `last Monday` lies before today, `on Monday` may be today.
- A day or month without a year is its latest occurrence that has begun.
- 03/04/2024 and 03-04-2024 have two readings, hence two spans; when one number exceeds 12 it is the day. 03.04.2024 is
  day first. Two-digit years and bare eight-digit numbers are not dates.
- A name of a month that is also a word or a person (may, march, april, june, august and every short form) needs a
  year, an ordinal, or a capital behind another word; alone it needs a capital and a preposition of time, or `in` or `during`.
- A bare year is 1900..2099, glued to no letter, sign of a currency, hash, hyphen or decimal; not behind a word that
  numbers things (issue, port, version), not before a unit, and before a plural only behind a preposition or article.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone

from hydramind.mind.periods import WEEKDAYS, Calendar, Interval

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_MONTHS: list[str] = list("jan feb mar apr may jun jul aug sep oct nov dec".split())
_CERTAIN = frozenset("january february july september october november december".split())
_COUNTS = {
    **dict(zip("one two three four five six seven eight nine ten eleven twelve".split(), range(1, 13), strict=True)),
    **dict.fromkeys(("a", "an"), 1),
    **dict.fromkeys(("a couple of", "couple of"), 2),
}
_OFFSETS = {
    **dict.fromkeys(("last", "previous", "yesterday"), -1),
    **dict.fromkeys(("this", "today"), 0),
    **dict.fromkeys(("next", "coming", "tomorrow"), 1),
    "the day before yesterday": -2,
}
_ELSEWHERE = {
    **dict.fromkeys("昨天 昨日 어제".split(), ("day", -1)),
    **dict.fromkeys("今天 今日 오늘".split(), ("day", 0)),
    **dict.fromkeys("明天 明日 내일".split(), ("day", 1)),
    **dict.fromkeys("上周 上週 上星期 先週 지난주".split(), ("week", -1)),
    **dict.fromkeys("上个月 上個月 先月 지난달".split(), ("month", -1)),
    **dict.fromkeys("去年 昨年 작년".split(), ("year", -1)),
}

_LEFT = r"(?<![A-Za-z0-9_.#$€£¥/:@+\-])"
_RIGHT = r"(?![A-Za-z0-9_%€$£¥]|[-/:+][A-Za-z0-9]|[.,]\d)"
_WORD_LEFT = r"(?<![\w-])"
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_YEAR = r"(?P<year>(?:19|20)[0-9]{2})"
_DAY = r"(?P<day>[0-3]?[0-9])"
_UNIT = r"(?P<unit>minute|hour|day|week|month|year)"
_COUNT = rf"(?P<count>[0-9]{{1,4}}|{'|'.join(sorted(_COUNTS, key=len, reverse=True))})"


def plain(text: str) -> str:
    """`text` on one line as the rules here read it: NFC, full-width ASCII narrowed, white space collapsed; idempotent."""
    return " ".join(unicodedata.normalize("NFC", text.translate(_FULL_WIDTH)).split())


@dataclass(frozen=True, slots=True)
class _Found:
    """A match of a rule in its text."""

    text: str
    match: re.Match[str]

    def __getitem__(self, group: str) -> str:
        return (self.match[group] or "").lower()

    def number(self, group: str) -> int:
        return int(self.match[group])

    @property
    def capital(self) -> bool:
        """Whether the name of the month begins with a capital."""
        return self.match["month"][0].isupper()

    @property
    def before(self) -> str:
        """The last few words before the match."""
        return self.text[max(0, self.match.start() - 40) : self.match.start()]

    @property
    def behind(self) -> str:
        """The first few words behind the match."""
        return self.text[self.match.end() : self.match.end() + 24].lower()


_NONE: tuple[Interval, ...] = ()
_Reader = Callable[[_Found, Calendar], tuple[Interval, ...]]
_PREPOSITION = re.compile(
    r"\b(?:in|during|since|until|till|through|throughout|before|after|early|mid|late|last|this|by|from|of|around|between"
    r"|year|spring|summer|autumn|fall|winter) ?$",
    re.IGNORECASE,
)
_OF_MONTH = re.compile(r"\b(?:in|during|since|until|till|early|mid|late|last|this)[ -]$", re.IGNORECASE)
_IN_MONTH = re.compile(r"\b(?:in|during) $", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?:[$€£¥]|\b(?:issues?|tickets?|pr|bugs?|ports?|errors?|codes?|rooms?|versions?|builds?|pages?|lines?|orders?|id|ids|"
    r"number|no\.?|case|usd|eur|gbp|item|row|revision|flight|model|chapter|step|line)) ?$",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    r" (?:ms|milliseconds?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|times|km|kg|miles?|met(?:er|re)s?|"
    r"dollars?|usd|euros?|eur|pounds?|[kmgt]i?b|bytes?|tokens?|rows?|percent|people|hz|rpm|calories|steps)\b"
)
_PLURAL = re.compile(r" [a-z]+(?<!s)s\b")


def _month_number(name: str) -> int:
    return _MONTHS.index(name[:3]) + 1


def _is_month(found: _Found) -> bool:
    """Whether the matched name of a month without a year is meant as one: capital, and some word before it."""
    return found["month"] in _CERTAIN or (found.capital and bool(re.search(r"[\w,(] ?$", found.before)))


def _iso(found: _Found, calendar: Calendar) -> tuple[Interval, ...]:
    day = date(found.number("year4"), found.number("month2"), found.number("day2"))
    if not found["hour"]:
        return (calendar.day(day),)
    zone = calendar.now.tzinfo
    if sign := found["sign"]:
        offset = timedelta(hours=found.number("zone_hour"), minutes=found.number("zone_minute"))
        zone = timezone(-offset if sign == "-" else offset)
    elif found["utc"]:
        zone = UTC
    at = datetime(day.year, day.month, day.day, found.number("hour"), found.number("minute"), tzinfo=zone)
    second, fraction = found["second"], found["fraction"]
    start = calendar.ms(at.replace(second=int(second or 0))) + int((fraction + "000")[:3])
    return ((start, start + (1 if fraction else 1_000 if second else 60_000)),)


def _iso_month(found: _Found, calendar: Calendar) -> tuple[Interval, ...]:
    return (calendar.months(found.number("year"), found.number("month2")),)


def _numeric(found: _Found, calendar: Calendar) -> tuple[Interval, ...]:
    first, second, year = found.number("first"), found.number("second"), found.number("year")
    orders = ((first, second),) if found["separator"] == "." else ((first, second), (second, first))
    return tuple(calendar.day(date(year, m, d)) for d, m in dict.fromkeys(orders) if m <= 12)


def _named_day(found: _Found, calendar: Calendar) -> tuple[Interval, ...]:
    month, day = _month_number(found["month"]), found.number("day")
    if found["year"]:
        return (calendar.day(date(found.number("year"), month, day)),)
    if found["ordinal"] and not re.match(r" part(?:y|ies)\b", found.behind):
        return (calendar.latest(month, day),)
    return (calendar.latest(month, day),) if not found["ordinal"] and _is_month(found) else _NONE


def _named_month(found: _Found, calendar: Calendar) -> tuple[Interval, ...]:
    month = _month_number(found["month"])
    if found["year"]:
        return (calendar.months(found.number("year"), month),)
    lead = _PREPOSITION if found["month"] in _CERTAIN else _OF_MONTH if found.capital else _IN_MONTH
    return (calendar.latest(month, None),) if lead.search(found.before) else _NONE


def _quarter(found: _Found, calendar: Calendar) -> tuple[Interval, ...]:
    return (calendar.months(found.number("year"), found.number("quarter") * 3 - 2, 3),)


def _years(found: _Found, calendar: Calendar) -> tuple[Interval, ...]:
    first, last = sorted((found.number("year"), found.number("last")))
    return (calendar.months(first, 1, 12 * (last - first + 1)),)


def _decade(found: _Found, calendar: Calendar) -> tuple[Interval, ...]:
    return (calendar.months(found.number("decade"), 1, 120),)


def _year(found: _Found, calendar: Calendar) -> tuple[Interval, ...]:
    if _NUMBERED.search(found.before) or _MEASURE.match(found.behind):
        return _NONE
    led = _PREPOSITION.search(found.before) or re.search(r"\bthe $", found.before, re.IGNORECASE)
    return (calendar.months(found.number("year"), 1, 12),) if led or not _PLURAL.match(found.behind) else _NONE


def _east_asian(found: _Found, calendar: Calendar) -> tuple[Interval, ...]:
    year = found.number("year")
    if not found["month2"]:
        return (calendar.months(year, 1, 12),)
    if not found["day2"]:
        return (calendar.months(year, found.number("month2")),)
    return (calendar.day(date(year, found.number("month2"), found.number("day2"))),)


def _elsewhere(found: _Found, calendar: Calendar) -> tuple[Interval, ...]:
    return (calendar.period(*_ELSEWHERE[found["elsewhere"]]),)


def _named_offset(found: _Found, calendar: Calendar) -> tuple[Interval, ...]:
    return (calendar.period("day", _OFFSETS[found["named"]]),)


def _before_last(found: _Found, calendar: Calendar) -> tuple[Interval, ...]:
    return (calendar.period(found["unit"], -2),)


def _ago(found: _Found, calendar: Calendar) -> tuple[Interval, ...]:
    return (calendar.period(found["unit"], -_count(found["count"])),)


def _count(words: str) -> int:
    return _COUNTS[words] if words in _COUNTS else int(words)


def _several(found: _Found, calendar: Calendar) -> tuple[Interval, ...]:
    count = _count(found["count"])
    return (calendar.rolling(found["unit"], -count if found["which"] in ("next", "coming") else count),)


def _relative(found: _Found, calendar: Calendar) -> tuple[Interval, ...]:
    which = found["which"]
    if which == "past":
        return (calendar.rolling(found["unit"], 1),)
    return (calendar.period(found["unit"], _OFFSETS[which]),)


def _weekday(found: _Found, calendar: Calendar) -> tuple[Interval, ...]:
    return (calendar.weekday(found["weekday"], before_today=found["which"] == "last"),)


_RULES: list[tuple[str, _Reader]] = [
    (
        rf"{_LEFT}(?P<year4>[12][0-9]{{3}})(?P<mark>[-/])(?P<month2>[0-9]{{2}})(?P=mark)(?P<day2>[0-9]{{2}})"
        r"(?:[Tt ](?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:\.(?P<fraction>[0-9]{1,9}))?)?"
        rf"(?: ?(?P<utc>Z|UTC\b)|(?P<sign>[+-])(?P<zone_hour>[0-9]{{2}}):?(?P<zone_minute>[0-9]{{2}}))?)?{_RIGHT}",
        _iso,
    ),
    (rf"{_LEFT}{_YEAR}-(?P<last>(?:19|20)[0-9]{{2}}){_RIGHT}", _years),
    (rf"{_LEFT}{_YEAR}-(?P<month2>[0-9]{{2}}){_RIGHT}", _iso_month),
    (
        rf"{_LEFT}(?P<first>[0-9]{{1,2}})(?P<separator>[-/.])(?P<second>[0-9]{{1,2}})(?P=separator){_YEAR}{_RIGHT}",
        _numeric,
    ),
    (rf"{_LEFT}{_DAY}(?P<ordinal>st|nd|rd|th)? (?:of )?{_MONTH}(?:,? {_YEAR}{_RIGHT})?(?![\w-])", _named_day),
    (rf"{_WORD_LEFT}{_MONTH} (?:the )?{_DAY}(?P<ordinal>st|nd|rd|th)?(?:,? {_YEAR})?{_RIGHT}", _named_day),
    (rf"{_WORD_LEFT}{_MONTH}(?:,? (?:of )?{_YEAR}{_RIGHT})?(?![\w-])", _named_month),
    (rf"{_WORD_LEFT}Q(?P<quarter>[1-4])(?: of)?,? {_YEAR}{_RIGHT}", _quarter),
    (rf"{_LEFT}(?P<decade>(?:19|20)[0-9]0)s(?![\w-])", _decade),
    (
        rf"(?<![0-9]){_YEAR} ?[年년](?: ?(?P<month2>[0-9]{{1,2}}) ?[月월](?: ?(?P<day2>[0-9]{{1,2}}) ?[日号號일])?)?",
        _east_asian,
    ),
    (rf"(?P<elsewhere>{'|'.join(sorted(_ELSEWHERE, key=len, reverse=True))})", _elsewhere),
    (rf"{_LEFT}{_YEAR}{_RIGHT}", _year),
    (rf"{_WORD_LEFT}(?P<named>the day before yesterday|yesterday|today|tomorrow)(?![\w-])", _named_offset),
    (rf"{_WORD_LEFT}(?:the )?{_UNIT} before last(?![\w-])", _before_last),
    (rf"(?<![\w.,-]){_COUNT} {_UNIT}s? (?:ago|earlier|back)(?![\w-])", _ago),
    (rf"{_WORD_LEFT}(?P<which>last|past|previous|next|coming) {_COUNT} {_UNIT}s?(?![\w-])", _several),
    (rf"{_WORD_LEFT}(?P<which>last|past|previous|this|next|coming) {_UNIT}(?![\w-])", _relative),
    (
        rf"{_WORD_LEFT}(?:(?P<which>last|on) |(?<=since )|(?<=after )|(?<=before ))(?P<weekday>{'|'.join(WEEKDAYS)})(?![\w-])",
        _weekday,
    ),
]
_RELATIVE = frozenset({_elsewhere, _named_offset, _before_last, _ago, _several, _relative})
_READERS = [(re.compile(pattern, re.IGNORECASE), reader) for pattern, reader in _RULES]


@dataclass(frozen=True, slots=True)
class Expression:
    """Words at [start, end) of a plain text, and the interval of each way to read them; `relative` when that depends on the
    moment of speaking, as in `last week`."""

    start: int
    end: int
    readings: tuple[Interval, ...]
    relative: bool


def readings(text: str, calendar: Calendar) -> Iterator[Expression]:
    """Every time expression of a plain text in order, none overlapping; at one place the first rule that reads it wins."""
    matches = [match for pattern, _ in _READERS if (match := pattern.search(text))]
    position = 0
    following = dict(zip((match.re for match in matches), matches, strict=True))
    while following:
        start = min(match.start() for match in following.values())
        for pattern, reader in _READERS:
            match = following.get(pattern)
            if match and match.start() == start and (readings := _read(reader, _Found(text, match), calendar)):
                yield Expression(start, match.end(), readings, reader in _RELATIVE)
                position = match.end()
                break
        else:
            position = start + 1
        following = _advance(following, text, position)


def _advance(
    following: dict[re.Pattern[str], re.Match[str]], text: str, position: int
) -> dict[re.Pattern[str], re.Match[str]]:
    """The next match of each rule at or behind `position`; a rule without one is left out for good."""
    ahead = ((rule, m if m.start() >= position else rule.search(text, position)) for rule, m in following.items())
    return {rule: match for rule, match in ahead if match}


def _read(reader: _Reader, found: _Found, calendar: Calendar) -> tuple[Interval, ...]:
    try:
        # A day that a zone left out when it moved across the date line is empty.
        return tuple(interval for interval in reader(found, calendar) if interval[0] < interval[1])
    except (ValueError, OverflowError, KeyError):
        return _NONE  # 31 February, minute 75, 9999 years ago: no such time, so it is not one
