"""Vector nodes: what an embedder made of a memory's text. They are derived, so no op records them."""

from __future__ import annotations

from typing import LiteralString

from hydramind.queries.query import Capability, Columns, Query, nothing
from hydramind.records import Vector

COLUMNS: LiteralString = (
    "RETURN v.id AS id, v.scope AS scope, v.memory_id AS memory_id, v.embedder AS embedder, "
    "v.scale AS scale, v.data AS data"
)
_SET: LiteralString = (
    "n.scope = row.scope, n.memory_id = row.memory_id, n.embedder = row.embedder, "
    "n.scale = row.scale, n.data = row.data"
)


def _vector(columns: Columns) -> Vector:
    return Vector(**columns)


BY_ID = Query(
    "vectors by id",
    "MATCH (v:Vector {id: $id}) WHERE v.scope = $scope " + COLUMNS,
    _vector,
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (v:Vector {id: row.id}) WITH v WHERE v.scope = $scope "
        + COLUMNS
    },
)
"""Vectors of one scope by id, in no order."""

OF_SCOPE = Query("vectors of a scope", "MATCH (v:Vector {scope: $scope}) " + COLUMNS, _vector)
"""Every vector of a scope, of whichever embedder, in no order."""

IDS_OF_SCOPE = Query(
    "vector ids of a scope",
    "MATCH (v:Vector {scope: $scope}) RETURN v.id AS id, v.embedder AS embedder",
    lambda columns: (int(columns["id"]), str(columns["embedder"])),
)
"""Id and embedder of every vector of a scope, in no order."""

UPSERT = Query(
    "upsert vectors",
    "UNWIND $rows AS row MERGE (n {id: row.id}) SET n:Vector, " + _SET,
    nothing,
    {Capability.TRANSACTIONS: "UNWIND $rows AS row MERGE (n:Vector {id: row.id}) SET " + _SET},
)
"""Whole vectors by id; writing one twice writes the same."""
