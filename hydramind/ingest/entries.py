"""From a file to the statements it holds, each checked and with a key of its own."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import IO, Any, Final, cast

from hydramind.errors import Invalid
from hydramind.ingest.moments import moment
from hydramind.ingest.order import Order
from hydramind.ingest.records import (
    Record,
    decoded,
    json_document,
    json_elements,
    json_lines,
    lines,
    opened,
    text_lines,
)
from hydramind.ingest.report import BadLine
from hydramind.ingest.transcript import Spoken, spoken
from hydramind.ingest.turns import Turn, said
from hydramind.models import Remember

_BLANK: Final = b" \t\r\n"
_LINED: Final = frozenset({".jsonl", ".ndjson"})
_WHOLE: Final = "entry"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the file and where it stands: a statement, or why it is none, or neither for what nobody said."""

    line: int = 0
    at: str = ""
    request: Remember | None = None
    bad: BadLine | None = None


def entries(order: Order) -> Iterator[Entry]:
    """The file's entries in order, read as they are asked for; raises `Invalid` when the file cannot be read."""
    with opened(order.path) as file:
        try:
            yield from _Reading(order).entries(file)
        except (OSError, EOFError) as error:
            raise Invalid("path", f"{str(order.path)!r} cannot be read to its end: {str(error).lower()}") from None


class _Reading:
    """One pass over the file. Entries without an id of their own are told apart by conversation, speaker, time, content and
    how often that came before, so that lines added or repaired later change nobody else's key."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._seen = Counter[bytes]()
        self._arguments: bool | None = {"jsonl": True, "chat": False}.get(order.format)

    def entries(self, file: IO[bytes]) -> Iterator[Entry]:
        read = _reader(file, self._order)
        file.seek(0)
        if read is text_lines:
            for each in spoken(text_lines(file)):
                yield self._of_spoken(each)
            return
        for record in read(file):
            yield from self._of_record(record)

    def _of_record(self, record: Record) -> Iterator[Entry]:
        if record.problem:
            yield _bad(record.line, "", _WHOLE, record.problem)
            return
        if self._arguments is None:
            self._arguments = _is_arguments(record.value)
        if self._arguments:
            yield self._of_arguments(record)
            return
        turns = said(record.value)
        if turns is None:
            yield _bad(record.line, "", _WHOLE, "must be a JSON object: a conversation or one turn of it")
            return
        for turn in turns:
            yield Entry() if turn is None else self._of_turn(turn, record.line)

    def _of_spoken(self, each: Spoken) -> Entry:
        if each.turn is None:
            return _bad(each.line, "", _WHOLE, each.problem)
        return self._of_turn(each.turn, each.line) if each.turn.text else Entry()

    def _of_arguments(self, record: Record) -> Entry:
        given: object = record.value
        if not isinstance(given, dict):
            return _bad(record.line, "", _WHOLE, "must be a JSON object with the arguments of remember")
        values = dict(cast(dict[str, Any], given))
        named = values.setdefault("scope", self._order.scope)
        if named != self._order.scope:
            return _bad(record.line, "", "scope", f"must be left out or {self._order.scope!r}, got {str(named)[:80]!r}")
        if not values.get("idempotency_key"):
            values["idempotency_key"] = self._key(json.dumps(values, sort_keys=True))
        return _entry(record.line, "", values)

    def _of_turn(self, turn: Turn, line: int) -> Entry:
        session = _short(turn.session or self._order.session)
        try:
            when = moment(turn.when)
            when = None if when is None else when + timedelta(milliseconds=turn.offset_ms)
        except (ValueError, OverflowError) as error:
            return _bad(line, turn.at, "event_time", f"{error}, got {str(turn.when)[:60]!r}")
        values = {
            "content": turn.text,
            "scope": self._order.scope,
            "kind": "turn",
            "session": session,
            "source": turn.speaker[:200],
            "event_time": when,
            "evidence_id": _short(turn.id),
        }
        own = [session, turn.id] if turn.id else [session, turn.speaker, str(turn.when), turn.text]
        values["idempotency_key"] = _hashed(self._order.scope, own) if turn.id else self._key(json.dumps(own))
        return _entry(line, turn.at, values)

    def _key(self, identity: str) -> str:
        """Numbered by how often this identity came before."""
        short = hashlib.blake2b(identity.encode(), digest_size=12).digest()
        self._seen[short] += 1
        return _hashed(self._order.scope, [identity, str(self._seen[short])])


def _reader(file: IO[bytes], order: Order) -> Any:
    """How the file is laid out, by its first line that is not blank."""
    suffixes = [suffix.lower() for suffix in order.path.suffixes if suffix != ".gz"]
    if (order.format == "jsonl" and suffixes[-1:] != [".json"]) or (suffixes[-1:] and suffixes[-1] in _LINED):
        return json_lines
    first = next((line for _, line in lines(file) if line is None or line.strip(_BLANK)), b"")
    start = b"{" if first is None else first.strip(_BLANK)[:1]
    if start == b"[" and not _is_stamp(first):
        return json_elements
    if start != b"{":
        return text_lines
    return json_document if first is None or decoded(1, first).problem else json_lines


def _is_stamp(first: bytes | None) -> bool:
    """Whether a line in brackets is a transcript's time: a JSON list goes on with a value or ends there."""
    rest = (first or b"").strip(_BLANK)[1:].lstrip(_BLANK)
    return bool(rest) and rest[:1] not in b'[{"]' and b"]" in rest


def _is_arguments(value: object) -> bool:
    """Whether the first entry has the arguments of `remember` and nothing else."""
    return (
        isinstance(value, dict)
        and "content" in value
        and set(cast(dict[str, Any], value)) <= set(Remember.model_fields)
    )


def _entry(line: int, at: str, values: dict[str, Any]) -> Entry:
    try:
        return Entry(line, at, Remember.parse(values))
    except Invalid as error:
        return _bad(line, at, error.field, error.expected)


def _bad(line: int, at: str, field: str, expected: str) -> Entry:
    return Entry(line, at, bad=BadLine(line=line, at=at, field=field, expected=expected))


def _hashed(scope: str, identity: list[str]) -> str:
    text = json.dumps([scope, *identity])
    return f"ingest-{hashlib.blake2b(text.encode(), digest_size=16).hexdigest()}"


def _short(name: str) -> str:
    """A name that fits; a longer one keeps its beginning and a hash of the whole."""
    if len(name) <= 200:
        return name
    return f"{name[:160]}~{hashlib.blake2b(name.encode('utf-8', 'replace'), digest_size=8).hexdigest()}"
