"""Plain transcripts: `speaker: text` lines, with a time before the speaker or in a line of its own where there is one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, cast

from hydramind.ingest.moments import moment
from hydramind.ingest.records import Record
from hydramind.ingest.turns import Turn

_HEADER: Final = re.compile(r"\s*(?:time|date|datetime|timestamp)\s*:\s*(?P<when>\S.*?)\s*", re.IGNORECASE)
_STAMP: Final = re.compile(
    r"\s*(?:\[(?P<in>[^\]]{6,40})\]|(?P<iso>\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*))\s*(?:-\s+)?(?P<rest>.*)"
)
_SAID: Final = re.compile(r"\s*(?P<speaker>[^\s:][^:]{0,58}?)\s*:(?:\s+(?P<text>.*))?", re.DOTALL)
_WORDS: Final = 5
"""A speaker's name has at most so many words: a sentence with a colon in it goes on with the turn before."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A turn with the line it starts on, or the problem of a line."""

    line: int
    turn: Turn | None = None
    problem: str = ""


def spoken(records: Iterable[Record]) -> Iterator[Spoken]:
    """Turns in order; lines without a speaker go on with the turn before, those before any speaker are passed over."""
    current: Spoken | None = None
    shared: object = None
    count = 0
    for record in records:
        if record.problem:
            yield Spoken(record.line, problem=record.problem)
            continue
        line = cast(str, record.value)
        if (header := _HEADER.fullmatch(line)) and _is_moment(header["when"]):
            shared, count = header["when"], 0
            continue
        turn = _turn(line, shared, count)
        if turn is not None:
            yield from _finished(current)
            current, count = Spoken(record.line, turn), count + 1
        elif current is not None and current.turn is not None:
            current = Spoken(current.line, replace(current.turn, text=f"{current.turn.text}\n{line}"))
    yield from _finished(current)


def _finished(current: Spoken | None) -> Iterator[Spoken]:
    if current is not None and current.turn is not None:
        yield Spoken(current.line, replace(current.turn, text=current.turn.text.strip()))


def _turn(line: str, shared: object, count: int) -> Turn | None:
    when, rest = None, line
    if (stamp := _STAMP.fullmatch(line)) and _is_moment(stamp["in"] or stamp["iso"]):
        when, rest = stamp["in"] or stamp["iso"], stamp["rest"]
    found = _SAID.fullmatch(rest)
    if found is None or len(found["speaker"].split()) > _WORDS:
        return None
    speaker, text = " ".join(found["speaker"].split()), found["text"] or ""
    return Turn(speaker, text, when) if when else Turn(speaker, text, shared, offset_ms=count if shared else 0)


def _is_moment(value: str) -> bool:
    try:
        return moment(value.rstrip(",")) is not None
    except ValueError:
        return False
