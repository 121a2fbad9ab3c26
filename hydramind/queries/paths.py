"""Native evidence paths out of one memory, to any other or to a given one, over five relationships in both directions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, LiteralString

from hydramind.queries.query import Capability, Columns, Query


@dataclass(frozen=True, slots=True)
class RawNode:
    """A node as the engine returned it; `id` is the stored id."""

    id: int
    label: str
    scope: str


@dataclass(frozen=True, slots=True)
class RawPath:
    """`nodes` in walking order; `steps` are (type, start id, end id) in the stored direction."""

    nodes: tuple[RawNode, ...]
    steps: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Walk:
    """One question for paths: `up_to` where the engine has a procedure, else `of_length`, one query a length, so that short
    paths come first and each stays bounded by `$limit`; in no order within a length."""

    up_to: Query[RawPath]
    of_length: Mapping[int, Query[RawPath]]


_COLUMNS: LiteralString = (
    "RETURN [n IN nodes(p) | n.id] AS ids, [n IN nodes(p) | labels(n)[0]] AS labels, [n IN nodes(p) | n.scope] AS scopes, "
    "[r IN relationships(p) | type(r)] AS types, [r IN relationships(p) | startNode(r).id] AS starts, "
    "[r IN relationships(p) | endNode(r).id] AS ends LIMIT $limit"
)


def _from_lists(columns: Columns) -> RawPath:
    nodes = zip(columns["ids"], columns["labels"], columns["scopes"], strict=True)
    steps = zip(columns["types"], columns["starts"], columns["ends"], strict=True)
    return RawPath(tuple(RawNode(*node) for node in nodes), tuple(steps))


def _from_path(columns: Columns) -> RawPath:
    """HydraDB returns a driver path; its vertex ids are element ids, not properties."""
    path: Any = columns["path"]
    nodes = tuple(RawNode(int(n.element_id), next(iter(n.labels), ""), str(n.get("scope", ""))) for n in path.nodes)
    steps = tuple((str(r.type), int(r.start_node.element_id), int(r.end_node.element_id)) for r in path.relationships)
    return RawPath(nodes, steps)


def _read(columns: Columns) -> RawPath:
    return _from_path(columns) if "path" in columns else _from_lists(columns)


_PROCEDURE: LiteralString = (
    "CALL algo.SSpaths({sourceNode: $id, relTypes: ['ABOUT', 'CONTRADICTS', 'DERIVED_FROM', 'RELATES', 'SUPERSEDED_BY'], "
    "relDirection: 'both', maxLen: $hops, pathCount: $limit}) YIELD path RETURN path"
)

_PROCEDURE_TO: LiteralString = (
    "CALL algo.SPpaths({sourceNode: $id, targetNode: $target, "
    "relTypes: ['ABOUT', 'CONTRADICTS', 'DERIVED_FROM', 'RELATES', 'SUPERSEDED_BY'], "
    "relDirection: 'both', maxLen: $hops, pathCount: $limit}) YIELD path RETURN path"
)


def _of_length(end: LiteralString, note: str) -> Mapping[int, Query[RawPath]]:
    """The walks of one to three steps to `end`."""
    lengths: tuple[tuple[int, LiteralString], ...] = ((1, "1..1"), (2, "2..2"), (3, "3..3"))
    return {
        length: Query(
            f"paths of length {length}{note}",
            "",
            _read,
            {
                Capability.PATTERN_PATHS: "MATCH p = (m:Memory {id: $id})"
                "-[:ABOUT|CONTRADICTS|DERIVED_FROM|RELATES|SUPERSEDED_BY*" + steps + "]-" + end + " " + _COLUMNS
            },
        )
        for length, steps in lengths
    }


OUT_OF = Walk(Query("paths up to a length", "", _read, {Capability.PROCEDURE_PATHS: _PROCEDURE}), _of_length("(x)", ""))
"""Every path from the memory `$id`."""

BETWEEN = Walk(
    Query("paths up to a length to a memory", "", _read, {Capability.PROCEDURE_PATHS: _PROCEDURE_TO}),
    _of_length("(x:Memory {id: $target})", " to a memory"),
)
"""The paths from the memory `$id` that end at the memory `$target`."""
