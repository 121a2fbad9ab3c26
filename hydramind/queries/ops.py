"""Op nodes: the commit log of a scope, and the results of keyed calls."""

from __future__ import annotations

from typing import LiteralString

from hydramind.queries.query import Capability, Columns, Query, nothing
from hydramind.records import Op

COLUMNS: LiteralString = (
    "RETURN o.id AS id, o.scope AS scope, o.key AS key, o.revision AS revision, o.token AS token, o.verb AS verb, "
    "o.created_at AS created_at, o.memory_ids AS memory_ids, o.entity_ids AS entity_ids, o.phase AS phase, "
    "o.payload AS payload, o.payload_hash AS payload_hash, o.result AS result"
)
_SET: LiteralString = (
    "n.scope = row.scope, n.key = row.key, n.revision = row.revision, n.token = row.token, n.verb = row.verb, "
    "n.created_at = row.created_at, n.memory_ids = row.memory_ids, n.entity_ids = row.entity_ids, n.phase = row.phase, "
    "n.payload = row.payload, n.payload_hash = row.payload_hash, n.result = row.result"
)


def _op(columns: Columns) -> Op:
    return Op(**columns)


BY_ID = Query(
    "ops by id",
    "MATCH (o:Op {id: $id}) WHERE o.scope = $scope " + COLUMNS,
    _op,
    {Capability.BATCH_READS: "UNWIND $rows AS row MATCH (o:Op {id: row.id}) WITH o WHERE o.scope = $scope " + COLUMNS},
)
"""Ops by derived id: a point read each, which is the cheapest change feed on every engine. In no order."""

CREATE = Query(
    "create ops",
    "",
    nothing,
    {
        # The unique constraint on Op.id makes the second writer of a revision lose.
        Capability.TRANSACTIONS: "UNWIND $rows AS row CREATE (n:Op {id: row.id}) SET " + _SET,
        # Same revision always carries the same guard, so the first writer's row stays; the token read back tells who won.
        Capability.GUARDED_UPSERT: "UNWIND $rows AS row MERGE (n {id: row.id}) SET n:Op, "
        + _SET
        + ", n.__hydradb_update_if_newer_by = row.revision",
    },
)

FINISH = Query(
    "finish an op",
    "MATCH (o:Op {id: $id}) WHERE o.token = $token SET o.phase = $phase, o.payload = $payload",
    nothing,
)
