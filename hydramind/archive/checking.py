"""Checks an archive line by line without a graph: checksums, types, order, ends of relationships, a dense log."""

from __future__ import annotations

import zipfile
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from hydramind.archive.container import lines_of, opened
from hydramind.archive.kinds import Kind, Record, record_of
from hydramind.archive.manifest import Body, Manifest, Part
from hydramind.errors import Damaged
from hydramind.graph.commit import DONE, keyed_id, op_id, op_key
from hydramind.ids import stable_id
from hydramind.records import Edge, Entity, Memory, Op, ScopeNode

Ids = Mapping[str, "array[int]"]
"""Ascending ids by kind: eight bytes a row are all that is held of an archive."""


def verify(path: Path | str) -> Manifest:
    """The manifest of a sound archive. Raises `Damaged` naming the file inside and what was expected, or `NotFound`.

    Cost: linear in the archive, in bounded memory but for eight bytes a memory and entity of one scope.
    """
    with opened(Path(path)) as (archive, manifest):
        for part in manifest.parts:
            _check(archive, part)
    return manifest


def records(archive: zipfile.ZipFile, part: Part, kind: Kind) -> Iterator[Record]:
    """Rows of one body in its order; raises `Damaged` naming the line."""
    body = part.body(kind.name)
    for number, line in enumerate(lines_of(archive, body), 1):
        yield _parsed(kind, body, number, line)


def _parsed(kind: Kind, body: Body, number: int, line: bytes) -> Record:
    try:
        return record_of(kind, line)
    except (ValueError, RecursionError) as error:
        raise Damaged(f"{body.file}:{number}: {error}") from error


def _check(archive: zipfile.ZipFile, part: Part) -> None:
    seen: dict[str, array[int]] = {}
    for kind in part.kinds():
        body = part.body(kind.name)
        keys = array("q")
        # Checksums come first, so that a flipped byte is called what it is.
        for _ in lines_of(archive, body):
            pass
        for number, record in enumerate(records(archive, part, kind), 1):
            key = cast(int, getattr(record, kind.order))
            problem = _problem(kind, record, part, seen)
            if keys and key <= keys[-1]:
                problem = f"{kind.order}: expected more than {keys[-1]}, got {key}"
            if problem:
                raise Damaged(f"{body.file}:{number}: {problem}")
            keys.append(key)
        if kind.name in ("memories", "entities"):
            seen[kind.name] = keys
    for name, rows in (("scope", 1), ("ops", part.revision)):
        body = part.body(name)
        if body.rows != rows:
            raise Damaged(f"{body.file}: expected {rows:,} rows for revision {part.revision}, got {body.rows:,}")


def _problem(kind: Kind, record: Record, part: Part, seen: Ids) -> str:
    """What is wrong with a row among those before it, empty when nothing is."""
    scope = part.scope
    if isinstance(record, Op):
        return _op_problem(kind, record, part)
    if isinstance(record, Memory | Entity):
        return "" if record.scope == scope else f"scope: expected {scope!r}, got {record.scope!r}"
    if isinstance(record, ScopeNode):
        right = (record.id, record.name) == (stable_id("scope", scope), scope)
        return "" if right else f"expected the node of scope {scope!r}"
    return _end_problem(kind, record, seen)


def _op_problem(kind: Kind, op: Op, part: Part) -> str:
    if op.scope != part.scope:
        return f"scope: expected {part.scope!r}, got {op.scope!r}"
    if op.phase != DONE or op.payload:
        return f"phase: expected {DONE!r} without payload, got {op.phase!r}"
    if kind.name == "ops":
        expected = (op_id(op.scope, op.revision), op_key(op.scope, op.revision))
    else:
        key = op.key.removeprefix(f"{op.scope}!")
        expected = (keyed_id(op.scope, key), f"{op.scope}!{key}")
    if (op.id, op.key) != expected:
        return f"key: expected id {expected[0]} and key {expected[1]!r}"
    if not 1 <= op.revision <= part.revision:
        return f"revision: expected 1 to {part.revision}, got {op.revision}"
    return ""


def _end_problem(kind: Kind, edge: Edge, seen: Ids) -> str:
    for name, end, among in zip(("source", "target"), (edge.source, edge.target), kind.ends or (), strict=True):
        ids = seen[among]
        position = bisect_left(ids, end)
        if position == len(ids) or ids[position] != end:
            return f"{name}: expected one of the {among} of this scope, got {end}"
    return ""
