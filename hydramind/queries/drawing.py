"""Relationships of many memories at once, for drawing a scope."""

from __future__ import annotations

from hydramind.queries.query import Capability, Columns, Query


def _end(columns: Columns) -> tuple[int, int, int]:
    return (int(columns["id"]), int(columns["source"]), int(columns["target"]))


OUT_ABOUT = Query(
    "ABOUT out of memories",
    "MATCH (s:Memory {id: $id})-[r:ABOUT]->(d:Entity) WHERE d.scope = $scope "
    "RETURN r.event_id AS id, s.id AS source, d.id AS target",
    _end,
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (s:Memory {id: row.id})-[r:ABOUT]->(d:Entity) "
        "WITH s, r, d WHERE d.scope = $scope RETURN r.event_id AS id, s.id AS source, d.id AS target"
    },
)
OUT_DERIVED_FROM = Query(
    "DERIVED_FROM out of memories",
    "MATCH (s:Memory {id: $id})-[r:DERIVED_FROM]->(d:Memory) WHERE d.scope = $scope "
    "RETURN r.event_id AS id, s.id AS source, d.id AS target",
    _end,
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (s:Memory {id: row.id})-[r:DERIVED_FROM]->(d:Memory) "
        "WITH s, r, d WHERE d.scope = $scope RETURN r.event_id AS id, s.id AS source, d.id AS target"
    },
)
OUT_CONTRADICTS = Query(
    "CONTRADICTS out of memories",
    "MATCH (s:Memory {id: $id})-[r:CONTRADICTS]->(d:Memory) WHERE d.scope = $scope "
    "RETURN r.event_id AS id, s.id AS source, d.id AS target",
    _end,
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (s:Memory {id: row.id})-[r:CONTRADICTS]->(d:Memory) "
        "WITH s, r, d WHERE d.scope = $scope RETURN r.event_id AS id, s.id AS source, d.id AS target"
    },
)
OUT_SUPERSEDED_BY = Query(
    "SUPERSEDED_BY out of memories",
    "MATCH (s:Memory {id: $id})-[r:SUPERSEDED_BY]->(d:Memory) WHERE d.scope = $scope "
    "RETURN r.event_id AS id, s.id AS source, d.id AS target",
    _end,
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (s:Memory {id: row.id})-[r:SUPERSEDED_BY]->(d:Memory) "
        "WITH s, r, d WHERE d.scope = $scope RETURN r.event_id AS id, s.id AS source, d.id AS target"
    },
)
OUT_TRUST_DECAY = Query(
    "TRUST_DECAY out of memories",
    "MATCH (s:Memory {id: $id})-[r:TRUST_DECAY]->(d:Memory) WHERE d.scope = $scope "
    "RETURN r.event_id AS id, s.id AS source, d.id AS target",
    _end,
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (s:Memory {id: row.id})-[r:TRUST_DECAY]->(d:Memory) "
        "WITH s, r, d WHERE d.scope = $scope RETURN r.event_id AS id, s.id AS source, d.id AS target"
    },
)
FAMILIES = {
    "ABOUT": OUT_ABOUT,
    "DERIVED_FROM": OUT_DERIVED_FROM,
    "CONTRADICTS": OUT_CONTRADICTS,
    "SUPERSEDED_BY": OUT_SUPERSEDED_BY,
    "TRUST_DECAY": OUT_TRUST_DECAY,
}
"""Edge families by relationship type; rows are (edge id, source, target), in no order."""
