"""Turns the tokens of a sentence into parts: words, names, identifiers and values, each with the key it is compared by."""

from __future__ import annotations

import re
from typing import NamedTuple

from hydramind.mind.conflict import values
from hydramind.mind.conflict.cues import BOUNDS, COPULAS, FUNCTION_WORDS, PREPOSITIONS
from hydramind.mind.conflict.tokens import Token, key
from hydramind.mind.conflict.units import CASED_UNITS, MEASURES
from hydramind.mind.conflict.values import Quantity, Value, Version, When

WORD, NAME, IDENTIFIER, VALUE, MARK = "word", "name", "identifier", "value", "mark"

_YEAR_LEADS = frozenset("in since until from by during of year before after till for".split())
_VERSION_CUES = frozenset(
    "version versions pinned pin pins upgrade upgraded release releases released tag tagged".split()
)
_UNIT = re.compile(r"[^\W\d]+$|%$")
_CALENDAR = re.compile(r"\d{1,2}(?::\d\d)?(?:am|pm)?|\d{4}-\d\d-\d\d|(?=.*\d)[\w ,]*[a-z]{3}[\w ,]*", re.IGNORECASE)
_EXACT_DIGITS = 11


class Part(NamedTuple):
    """A word or value; `start` and `end` are offsets in the text, `low` is empty for values of several words."""

    low: str
    text: str
    key: str
    kind: str
    start: int
    end: int
    value: Value | None = None


def _value_key(value: Value) -> str:
    if isinstance(value, Quantity):
        return f"#{value.dimension}:{value.low:.12g}:{value.high:.12g}"
    if isinstance(value, When):
        return "@" + ",".join("" if field is None else str(field) for field in value.fields)
    return "v" + ".".join(value.parts)


def _made(found: list[Token], value: Value) -> Part:
    text = " ".join(token.text for token in found)
    return Part("", text, _value_key(value), VALUE, found[0].start, found[-1].end, value)


def _low(tokens: list[Token], index: int) -> str:
    return tokens[index].low if 0 <= index < len(tokens) else ""


def _year_at(tokens: list[Token], index: int) -> int | None:
    index += _low(tokens, index) == ","
    return values.year_of(_low(tokens, index))


def _dated(month: int, day: int | None, year: int | None) -> When:
    said = {"month": month, "day": day, "year": year}
    return values.when(**{name: value for name, value in said.items() if value is not None})


def _date(tokens: list[Token], at: int) -> tuple[Part, int] | None:
    """A date that starts at `at` and the index behind it: `3 November 2026`, `November 3rd`, `Monday`, `2026-03-01`."""
    token = tokens[at]
    stamp = values.stamp(token.low)
    if stamp is not None:
        return _made([token], stamp), at + 1
    weekday = values.weekday_of(token.text, token.low)
    if weekday is not None:
        return _made([token], values.when(weekday=weekday)), at + 1
    return _month_date(tokens, at) or _lone_year(tokens, at)


def _month_date(tokens: list[Token], at: int) -> tuple[Part, int] | None:
    day = values.day_of(tokens[at].low)
    month_at = at + (day is not None)
    month_at += day is not None and _low(tokens, month_at) == "of"
    if month_at >= len(tokens):
        return None
    month = values.month_of(tokens[month_at].text, tokens[month_at].low)
    if month is None:
        return None
    end = month_at + 1
    if day is None:
        day = values.day_of(_low(tokens, end))
        if day is None and tokens[at].low == "may" and _low(tokens, at - 1) not in _YEAR_LEADS:
            return None
        end += day is not None
    year = _year_at(tokens, end)
    if year is not None:
        end += 1 + (_low(tokens, end) == ",")
    return _made(tokens[at:end], _dated(month, day, year)), end


def _lone_year(tokens: list[Token], at: int) -> tuple[Part, int] | None:
    year = values.year_of(tokens[at].low)
    if year is None or _low(tokens, at - 1) not in _YEAR_LEADS:
        return None
    return _made([tokens[at]], values.when(year=year)), at + 1


def _bound_before(tokens: list[Token], at: int) -> str:
    """The sign of the bound said before a number, or empty."""
    for width in (3, 2, 1):
        if at >= width:
            phrase = " ".join(token.low for token in tokens[at - width : at])
            if phrase in BOUNDS and not (phrase in ("from", "some", "over", "under") and at > width + 8):
                return BOUNDS[phrase]
    return ""


def _counted(tokens: list[Token], at: int) -> str:
    """The key of the noun a bare number counts, or empty."""
    for token in tokens[at : at + 1]:
        if token.low[0].isalpha() and token.low not in FUNCTION_WORDS and token.low not in PREPOSITIONS:
            return key(token.low)
    return ""


def _with_unit(tokens: list[Token], at: int, quantity: Quantity) -> tuple[Quantity, int]:
    """The number at `at - 1` in the unit that follows, and the index behind the unit."""
    factor = values.scale_of(_low(tokens, at))
    if factor is not None:
        quantity, at = values.scaled(quantity, ("", factor)), at + 1
    if quantity.dimension:
        return quantity, at
    unit = values.unit_of(_low(tokens, at)) if _low(tokens, at) not in ("m", "a") else ("m", 1.0)
    if unit is not None and _low(tokens, at) and _low(tokens, at)[0] not in "(/":
        return values.scaled(quantity, unit), at + 1
    return values.scaled(quantity, (_counted(tokens, at), 1.0)), at


def _is_version(tokens: list[Token], at: int, dotted: str) -> bool:
    before = _low(tokens, at - 1)
    if any(token.low in _VERSION_CUES for token in tokens[max(0, at - 4) : at]):
        return True
    plain = before in FUNCTION_WORDS or before in PREPOSITIONS or before in COPULAS or not before[:1].isalpha()
    return bool(dotted) and not plain


def _number(tokens: list[Token], at: int) -> tuple[Part, int] | None:
    read = values.number(tokens[at].low)
    if read is None:
        return None
    quantity, end = _with_unit(tokens, at + 1, read[0])
    if not quantity.dimension and _is_version(tokens, at, read[1]) and tokens[at].low.replace(".", "").isdigit():
        return _made([tokens[at]], Version(tuple(tokens[at].low.split(".")))), at + 1
    if not quantity.exact and not quantity.dimension:
        return None
    sign = _bound_before(tokens, at)
    return _made(tokens[at:end], values.bounded(quantity, sign) if sign else quantity), end


def _word(token: Token, first: bool) -> Part:
    low, text = token.low, token.text
    if not any(char.isalnum() for char in low):
        return Part(low, text, low, MARK, token.start, token.end)
    if any(char.isdigit() for char in low) or "." in low or (low[0] in "/~@" and len(low) > 1):
        return Part(low, text, low, IDENTIFIER, token.start, token.end)
    named = text[0].isupper() and low not in FUNCTION_WORDS and (not first or not text[1:].islower())
    return Part(low, text, key(low), NAME if named else WORD, token.start, token.end)


def parts_of(tokens: list[Token]) -> list[Part]:
    """The parts of one sentence, in order."""
    found: list[Part] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.low == "no" and _low(tokens, at + 1) == "one":
            found.append(Part("nobody", "no one", "nobody", WORD, token.start, tokens[at + 1].end))
            at += 2
            continue
        valued = (_date(tokens, at) or _fixed(token) or _number(tokens, at)) if _may_be_value(token) else None
        if valued is None:
            found.append(_word(token, at == 0))
            at += 1
        else:
            found.append(valued[0])
            at = valued[1] if valued[1] > at else at + 1
    return found


def _fixed(token: Token) -> tuple[Part, int] | None:
    version = values.version(token.low)
    return (_made([token], version), 0) if version else None


def _may_be_value(token: Token) -> bool:
    first = token.low[0]
    return not first.isalpha() or token.low[-1].isdigit() or token.low in values.VALUE_WORDS


def same_amount(part: Part) -> bool:
    """True for amounts with a unit and for dates, where equal keys are one statement however it is spelled."""
    if isinstance(part.value, When):
        return _CALENDAR.fullmatch(part.text) is not None
    if not isinstance(part.value, Quantity) or part.value.dimension not in MEASURES:
        return False
    unit = _UNIT.search(part.text)
    plain = part.text[0].isdigit() and not (part.text[0] == "0" and part.text[1:2].isdigit())
    written = unit is not None and (unit[0].islower() or unit[0] == "%" or unit[0] in CASED_UNITS)
    return plain and written and sum(char.isdigit() for char in part.text) <= _EXACT_DIGITS
