"""The record kinds of an archive and how one row is a line of JSON; fields and types come from the records themselves."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Final, NoReturn, cast, get_type_hints

from hydramind.errors import Damaged
from hydramind.records import (
    About,
    Contradicts,
    DerivedFrom,
    Edge,
    Entity,
    Memory,
    Node,
    Op,
    Relates,
    ScopeNode,
    SupersededBy,
    TrustDecay,
    TrustRestore,
)

Record = Node | Edge

_WIDEST: Final = 2**63


@dataclass(frozen=True, slots=True)
class Kind:
    """One body of a scope: rows of `record`, ordered by `order`, which is unique in it."""

    name: str
    record: type[Record]
    order: str = "id"
    ends: tuple[str, str] | None = None
    """Kinds that `source` and `target` of a relationship belong to."""
    later: bool = False
    """Archives of an earlier version lack it: they hold no such row."""


KINDS: Final = (
    Kind("scope", ScopeNode),
    Kind("entities", Entity),
    Kind("memories", Memory),
    Kind("about", About, ends=("memories", "entities")),
    Kind("derived_from", DerivedFrom, ends=("memories", "memories")),
    Kind("contradicts", Contradicts, ends=("memories", "memories")),
    Kind("superseded_by", SupersededBy, ends=("memories", "memories")),
    Kind("trust_decay", TrustDecay, ends=("memories", "memories")),
    Kind("trust_restore", TrustRestore, ends=("memories", "memories")),
    Kind("relates", Relates, ends=("memories", "memories"), later=True),
    Kind("keyed", Op),
    Kind("ops", Op, order="revision"),
)
"""In the order in which they stand in an archive and are written back: ends before relationships, the log last."""

BY_NAME: Final[Mapping[str, Kind]] = {kind.name: kind for kind in KINDS}


def _shape(record: type[Record]) -> tuple[dict[str, type], frozenset[str]]:
    hints = get_type_hints(record)
    types = {field.name: hints[field.name] for field in fields(record)}
    return types, frozenset(field.name for field in fields(record) if field.default is MISSING)


_SHAPES: Final = {kind.record: _shape(kind.record) for kind in KINDS}
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def line_of(record: Record) -> bytes:
    """One line without its end: sorted keys, UTF-8, the same bytes for the same row on every engine. Raises `Damaged`."""
    types, _ = _SHAPES[type(record)]
    row: dict[str, Any] = {}
    for name, kind in types.items():
        value = getattr(record, name)
        # An engine may give a whole number back for a float that has no fraction.
        row[name] = float(value) if kind is float and type(value) is int else value
    problem = _problem(type(record), row)
    if problem:
        raise Damaged(f"{type(record).__name__} {record.id}: {problem}; a snapshot holds sound rows only")
    return _ENCODER.encode(row).encode()


def record_of(kind: Kind, line: bytes) -> Record:
    """The row behind a line; raises `ValueError` saying what was expected."""
    parsed: object = json.loads(line.decode(), object_pairs_hook=_unique, parse_constant=_constant)
    if not isinstance(parsed, dict):
        raise ValueError(f"expected an object, got {type(parsed).__name__}")
    row = cast(dict[str, Any], parsed)
    problem = _problem(kind.record, row)
    if problem:
        raise ValueError(problem)
    return kind.record(**row)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) != len(pairs):
        raise ValueError("expected each property once")
    return row


def _constant(name: str) -> NoReturn:
    raise ValueError(f"expected a finite number, got {name}")


def _problem(record: type[Record], row: Mapping[str, Any]) -> str:
    """What is wrong with the properties of a row, empty when nothing is. Later properties may be missing."""
    types, required = _SHAPES[record]
    if lacking := sorted(required - row.keys()):
        return f"expected the property {lacking[0]!r}"
    for name, value in row.items():
        if name not in types:
            return f"expected no property {name!r}: a newer version may have written it"
        if type(value) is not types[name]:
            return f"{name}: expected {types[name].__name__}, got {type(value).__name__}"
        if isinstance(value, float) and not math.isfinite(value):
            return f"{name}: expected a finite number, got {value}"
        if type(value) is int and not -_WIDEST <= value < _WIDEST:
            return f"{name}: expected a 64-bit number"
        if isinstance(value, str) and not _encodable(value):
            return f"{name}: expected text without lone surrogates"
    return ""


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
