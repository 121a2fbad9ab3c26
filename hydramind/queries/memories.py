"""Memory nodes."""

from __future__ import annotations

from typing import Any, LiteralString

from hydramind.queries.query import Capability, Columns, Query, nothing
from hydramind.records import Memory

COLUMNS: LiteralString = (
    "RETURN m.id AS id, m.scope AS scope, m.content AS content, m.key AS key, m.created_at AS created_at, "
    "m.event_time AS event_time, m.valid_from AS valid_from, m.kind AS kind, m.source AS source, m.dated AS dated, "
    "m.valid_to AS valid_to, m.status AS status, m.trust AS trust, m.entity_ids AS entity_ids, "
    "m.premise_superseded AS premise_superseded, m.forgotten_at AS forgotten_at, "
    "m.session AS session, m.evidence_id AS evidence_id, m.confidence AS confidence, m.fact_type AS fact_type, "
    "m.slot AS slot, m.write_phase AS write_phase, m.revision AS revision"
)
_SET: LiteralString = (
    "n.scope = row.scope, n.content = row.content, n.key = row.key, n.created_at = row.created_at, "
    "n.event_time = row.event_time, n.valid_from = row.valid_from, n.kind = row.kind, n.source = row.source, "
    "n.dated = row.dated, n.valid_to = row.valid_to, n.status = row.status, n.trust = row.trust, "
    "n.entity_ids = row.entity_ids, n.premise_superseded = row.premise_superseded, n.forgotten_at = row.forgotten_at, "
    "n.session = row.session, n.evidence_id = row.evidence_id, n.confidence = row.confidence, "
    "n.fact_type = row.fact_type, n.slot = row.slot, n.write_phase = row.write_phase, n.revision = row.revision"
)


_LATER = frozenset({"session", "evidence_id", "confidence", "fact_type", "slot"})
"""Properties that rows of an earlier version lack: they read as the defaults."""


def _memory(columns: Columns) -> Memory:
    stored: dict[str, Any] = {name: value for name, value in columns.items() if value is not None or name not in _LATER}
    return Memory(**stored)


BY_ID = Query(
    "memories by id",
    "MATCH (m:Memory {id: $id}) WHERE m.scope = $scope " + COLUMNS,
    _memory,
    # The filter stands behind WITH because ArcadeDB's planner would otherwise pick the scope index over the id.
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (m:Memory {id: row.id}) WITH m WHERE m.scope = $scope "
        + COLUMNS
    },
)
"""Rows of one scope by id, in no order."""

OF_SCOPE = Query("memories of a scope", "MATCH (m:Memory {scope: $scope}) " + COLUMNS, _memory)
"""Every memory of a scope in no order: the projection that reads it orders by id and time itself."""

ABOUT = Query(
    "memories about an entity",
    "MATCH (m:Memory)-[:ABOUT]->(e:Entity {id: $id}) WHERE m.scope = $scope RETURN m.id AS id",
    lambda columns: int(columns["id"]),
    {
        Capability.BATCH_READS: "MATCH (e:Entity {id: $id})<-[:ABOUT]-(m:Memory) "
        "WITH m WHERE m.scope = $scope RETURN m.id AS id"
    },
)
"""Ids of the scope's memories that are about an entity, in no order."""

UPSERT = Query(
    "upsert memories",
    "UNWIND $rows AS row MERGE (n {id: row.id}) SET n:Memory, " + _SET,
    nothing,
    {
        Capability.TRANSACTIONS: "UNWIND $rows AS row MERGE (n:Memory {id: row.id}) SET " + _SET,
        Capability.GUARDED_UPSERT: "UNWIND $rows AS row MERGE (n {id: row.id}) SET n:Memory, "
        + _SET
        + ", n.__hydradb_update_if_newer_by = row.revision",
    },
)
"""Full rows by id; where upserts are guarded, a row that is not newer than the stored one changes nothing."""
