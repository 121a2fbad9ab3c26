"""Times that a text speaks of: the interval each means. Rules: `time_words`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from hydramind.mind.periods import EPOCH, Calendar, Interval
from hydramind.mind.time_words import Expression, plain, readings

Range = tuple[int | None, int | None]
"""[from, until) in UTC epoch milliseconds; None is an open end."""

_LEAD = re.compile(
    r"\b(?:(?P<until>no later than|up to|as of|until|till|by)|(?P<before>prior to|earlier than|before)"
    r"|(?P<after>later than|after)|(?P<since>starting|since)|(?P<between>between|from))(?: the)? ?$",
    re.IGNORECASE,
)
_RANGE = re.compile(r" ?(?:-|–|—|to|through|thru|until|till|up to) ?", re.IGNORECASE)
_BETWEEN = re.compile(r" and ", re.IGNORECASE)
_ONWARD = re.compile(r" (?:onwards?|on)(?![\w-])", re.IGNORECASE)
_AS_NAME = re.compile(r"[\w,'\"(] ?[A-Z]")
_ALSO = re.compile(r"(?:,? ?(?:and|but)?) ?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Span:
    """One time a text speaks of: half-open [from_ms, until_ms) in UTC epoch milliseconds, None for an open end; `said`
    are its words. Several spans of one text are alternatives."""

    from_ms: int | None
    until_ms: int | None
    said: str


def valid_at(valid_from: int | None, valid_to: int | None, at: int) -> bool:
    """Whether `at` lies in the half-open [valid_from, valid_to); None is an open end, equal ends hold nothing."""
    return (valid_from is None or valid_from <= at) and (valid_to is None or at < valid_to)


@dataclass(frozen=True, slots=True)
class _Phrase:
    """An expression or two with the words that lead them, from `start` to `end`."""

    start: int
    end: int
    readings: tuple[Range, ...]


def span(text: str, now_ms: int, zone: tzinfo = UTC) -> tuple[Span, ...]:
    """The times `text` speaks of in its order, by the rules above, seen from `now_ms` in `zone`. A date with two readings
    gives two spans; `after X and before Y` gives one. Cost: linear in the length of `text`."""
    line = plain(text)
    calendar = Calendar((EPOCH + timedelta(milliseconds=now_ms)).astimezone(zone))
    phrases: list[_Phrase] = []
    for phrase in _phrases(line, list(readings(line, calendar))):
        both = _intersection(line, phrases[-1], phrase) if phrases else None
        phrases[-1 if both else len(phrases) :] = [both or phrase]
    return tuple(
        Span(*reading, said=line[phrase.start : phrase.end]) for phrase in phrases for reading in phrase.readings
    )


def without_relative(text: str) -> str:
    """`text` on one line without the times in it that depend on the moment of speaking (`today`, `3 weeks ago`). What stands
    as a name stays: a capital inside a sentence, as in `the Today show`."""
    line = plain(text)
    kept, position = list[str](), 0
    for expression in readings(line, Calendar(datetime(2024, 1, 1, tzinfo=UTC))):
        if expression.relative and not _AS_NAME.match(line[max(0, expression.start - 2) : expression.start + 1]):
            kept.append(line[position : expression.start])
            position = expression.end
    return " ".join((*kept, line[position:]))


def expressions(text: str) -> tuple[tuple[int, int], ...]:
    """Where time expressions stand: [start, end) offsets into `plain(text)`, in order, without the words that lead them."""
    found = readings(plain(text), Calendar(datetime(2024, 1, 1, tzinfo=UTC)))
    return tuple((expression.start, expression.end) for expression in found)


def _phrases(text: str, found: list[Expression]) -> Iterator[_Phrase]:
    index = 0
    while index < len(found):
        first, following = found[index], found[index + 1 : index + 2]
        lead = _LEAD.search(text[max(0, first.start - 20) : first.start])
        start, word = (first.start - len(lead.group()), lead.lastgroup) if lead else (first.start, None)
        if following and _joined(text[first.end : following[0].start], word):
            joined = (_cover(first.readings + following[0].readings),)
            yield _Phrase(start, following[0].end, joined)
            index += 2
            continue
        onward = word == "between" and _ONWARD.match(text, first.end)
        word, end = ("since", onward.end()) if onward else (word, first.end)
        yield _Phrase(start, end, tuple(_led(reading, word) for reading in first.readings))
        index += 1


def _joined(gap: str, lead: str | None) -> bool:
    """Whether two expressions with `gap` between them are the ends of one range."""
    if lead == "between" and _BETWEEN.fullmatch(gap):
        return True
    return lead in (None, "between") and bool(_RANGE.fullmatch(gap))


def _cover(readings: tuple[Interval, ...]) -> Range:
    return min(first for first, _ in readings), max(last for _, last in readings)


def _led(reading: Interval, lead: str | None) -> Range:
    start, end = reading
    opened = {"before": (None, start), "until": (None, end), "after": (end, None), "since": (start, None)}
    return opened.get(lead or "", reading)


def _intersection(text: str, left: _Phrase, right: _Phrase) -> _Phrase | None:
    """One phrase for two that stand side by side, are open at opposite ends and share a time; None otherwise."""
    if len(left.readings) > 1 or len(right.readings) > 1 or not _ALSO.fullmatch(text[left.end : right.start]):
        return None
    ends = (*left.readings, *right.readings)
    starts = [start for start, _ in ends if start is not None]
    stops = [stop for _, stop in ends if stop is not None]
    if len(starts) != 1 or len(stops) != 1 or starts[0] >= stops[0]:
        return None
    return _Phrase(left.start, right.end, ((starts[0], stops[0]),))
