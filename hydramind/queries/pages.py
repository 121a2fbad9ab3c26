"""What a load reads: the ids of what a scope holds, each kind in one record, and the rows behind some of them in one.

A record costs more to receive than what is in it, so a page is one. A statement that streamed a large scope would run into
the limit that engines set to a statement's time.
"""

from __future__ import annotations

from typing import LiteralString

from hydramind.queries import entities, memories, vectors
from hydramind.queries.query import Capability, Columns, Query
from hydramind.records import Entity, Memory, Vector


def _ids(columns: Columns) -> tuple[int, ...]:
    return tuple(columns["ids"])


MEMORIES = Query(
    "ids of a scope's memories",
    "MATCH (m:Memory {scope: $scope}) RETURN m.scope AS scope, collect(m.id) AS ids",
    _ids,
)
ENTITIES = Query(
    "ids of a scope's entities",
    "MATCH (e:Entity {scope: $scope}) RETURN e.scope AS scope, collect(e.id) AS ids",
    _ids,
)
VECTORS = Query(
    "ids of a scope's vectors",
    "MATCH (v:Vector {scope: $scope}) RETURN v.scope AS scope, collect(v.id) AS ids",
    _ids,
)
"""The ids of a kind, in no order; nothing where there is none."""


def _values(same: Query[object]) -> LiteralString:
    """`n.a, n.b` of a query that returns `n.a AS a, n.b AS b`, so that a property is listed once."""
    return ", ".join(column.partition(" AS ")[0] for column in same.text.partition("RETURN ")[2].split(", "))


_MEMORY: LiteralString = _values(memories.OF_SCOPE)
_ENTITY: LiteralString = _values(entities.OF_SCOPE)
_VECTOR: LiteralString = _values(vectors.OF_SCOPE)
_MEMORY_NAMES = tuple(value.partition(".")[2] for value in _MEMORY.split(", "))


def _memories(columns: Columns) -> list[Memory]:
    # Columns in the order of the fields; a row with an absent property is read as any other query reads it.
    return [
        memories.OF_SCOPE.row(dict(zip(_MEMORY_NAMES, row, strict=True))) if None in row else Memory(*row)
        for row in columns["rows"]
    ]


MEMORY_ROWS = Query(
    "a page of memories",
    "",
    _memories,
    {
        Capability.BATCH_READS: "UNWIND $ids AS id MATCH (m:Memory {id: id}) WITH m WHERE m.scope = $scope "
        "RETURN collect([" + _MEMORY + "]) AS rows"
    },
)
ENTITY_ROWS = Query(
    "a page of entities",
    "",
    lambda columns: [Entity(*row) for row in columns["rows"]],
    {
        Capability.BATCH_READS: "UNWIND $ids AS id MATCH (e:Entity {id: id}) WITH e WHERE e.scope = $scope "
        "RETURN collect([" + _ENTITY + "]) AS rows"
    },
)
VECTOR_ROWS = Query(
    "a page of vectors",
    "",
    lambda columns: [Vector(*row) for row in columns["rows"]],
    {
        Capability.BATCH_READS: "UNWIND $ids AS id MATCH (v:Vector {id: id}) WITH v WHERE v.scope = $scope "
        "RETURN collect([" + _VECTOR + "]) AS rows"
    },
)
"""The rows of some ids of a scope, in no order, in one record."""
