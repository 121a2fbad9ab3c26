"""Relationships: provenance, validity and the trust ledger."""

from __future__ import annotations

from typing import LiteralString

from hydramind.queries.query import Capability, Columns, Query, nothing
from hydramind.records import About, Contradicts, DerivedFrom, Relates, SupersededBy, TrustDecay, TrustRestore

_ENDS: LiteralString = "UNWIND $rows AS row MATCH (s:Memory {id: row.source}), (d:Memory {id: row.target}) "
_PLAIN: LiteralString = "r.event_id = row.id"
_DERIVED: LiteralString = (
    "r.event_id = row.id, r.last_decayed_at = row.last_decayed_at, r.last_decay_reason = row.last_decay_reason, "
    "r.before_trust = row.before_trust, r.after_trust = row.after_trust, r.decay_hop = row.decay_hop, "
    "r.caused_by = row.caused_by, r.written = row.written"
)
_CONTRADICTS: LiteralString = (
    "r.event_id = row.id, r.detected_at = row.detected_at, r.reason = row.reason, r.before_trust = row.before_trust, "
    "r.after_trust = row.after_trust, r.revision = row.revision, r.draft_quote = row.draft_quote, "
    "r.stored_quote = row.stored_quote, r.withdrawn_at = row.withdrawn_at, r.apply_status = row.apply_status, "
    "r.step = row.step, r.written = row.written"
)
_SUPERSEDED: LiteralString = "r.event_id = row.id, r.revised_at = row.revised_at, r.reason = row.reason"
_DECAY: LiteralString = (
    "r.event_id = row.id, r.detected_at = row.detected_at, r.reason = row.reason, r.before_trust = row.before_trust, "
    "r.after_trust = row.after_trust, r.hop = row.hop, r.caused_by = row.caused_by, r.revision = row.revision, "
    "r.apply_status = row.apply_status, r.step = row.step"
)
_RESTORE: LiteralString = (
    "r.event_id = row.id, r.detected_at = row.detected_at, r.reason = row.reason, r.before_trust = row.before_trust, "
    "r.after_trust = row.after_trust, r.caused_by = row.caused_by, r.revision = row.revision, "
    "r.apply_status = row.apply_status, r.step = row.step"
)
_RELATES: LiteralString = (
    "r.event_id = row.id, r.relation = row.relation, r.weight = row.weight, r.reason = row.reason, "
    "r.created_at = row.created_at, r.withdrawn_at = row.withdrawn_at, r.written = row.written"
)

UPSERT_ABOUT = Query(
    "upsert ABOUT",
    "UNWIND $rows AS row MATCH (s:Memory {id: row.source}), (d:Entity {id: row.target}) "
    "MERGE (s)-[r:ABOUT {id: row.id}]->(d) SET " + _PLAIN,
    nothing,
)
# These are rewritten by later ops: where upserts are guarded, a slow writer of an older op changes nothing.
_GUARD: LiteralString = ", r.__hydradb_update_if_newer_by = row.written"
UPSERT_DERIVED_FROM = Query(
    "upsert DERIVED_FROM",
    _ENDS + "MERGE (s)-[r:DERIVED_FROM {id: row.id}]->(d) SET " + _DERIVED,
    nothing,
    {Capability.GUARDED_UPSERT: _ENDS + "MERGE (s)-[r:DERIVED_FROM {id: row.id}]->(d) SET " + _DERIVED + _GUARD},
)
UPSERT_CONTRADICTS = Query(
    "upsert CONTRADICTS",
    _ENDS + "MERGE (s)-[r:CONTRADICTS {id: row.id}]->(d) SET " + _CONTRADICTS,
    nothing,
    {Capability.GUARDED_UPSERT: _ENDS + "MERGE (s)-[r:CONTRADICTS {id: row.id}]->(d) SET " + _CONTRADICTS + _GUARD},
)
UPSERT_SUPERSEDED_BY = Query(
    "upsert SUPERSEDED_BY", _ENDS + "MERGE (s)-[r:SUPERSEDED_BY {id: row.id}]->(d) SET " + _SUPERSEDED, nothing
)
UPSERT_TRUST_DECAY = Query(
    "upsert TRUST_DECAY", _ENDS + "MERGE (s)-[r:TRUST_DECAY {id: row.id}]->(d) SET " + _DECAY, nothing
)
UPSERT_TRUST_RESTORE = Query(
    "upsert TRUST_RESTORE", _ENDS + "MERGE (s)-[r:TRUST_RESTORE {id: row.id}]->(d) SET " + _RESTORE, nothing
)

UPSERT_RELATES = Query(
    "upsert RELATES",
    _ENDS + "MERGE (s)-[r:RELATES {id: row.id}]->(d) SET " + _RELATES,
    nothing,
    {Capability.GUARDED_UPSERT: _ENDS + "MERGE (s)-[r:RELATES {id: row.id}]->(d) SET " + _RELATES + _GUARD},
)

_ABOUT_ROW: LiteralString = "RETURN r.event_id AS id, s.id AS source, d.id AS target"
_DERIVED_ROW: LiteralString = (
    "RETURN r.event_id AS id, s.id AS source, d.id AS target, r.last_decayed_at AS last_decayed_at, "
    "r.last_decay_reason AS last_decay_reason, r.before_trust AS before_trust, r.after_trust AS after_trust, "
    "r.decay_hop AS decay_hop, r.caused_by AS caused_by, r.written AS written"
)
_CONTRADICTS_ROW: LiteralString = (
    "RETURN r.event_id AS id, s.id AS source, d.id AS target, r.detected_at AS detected_at, r.reason AS reason, "
    "r.before_trust AS before_trust, r.after_trust AS after_trust, r.revision AS revision, "
    "r.draft_quote AS draft_quote, r.stored_quote AS stored_quote, r.withdrawn_at AS withdrawn_at, "
    "r.apply_status AS apply_status, r.step AS step, r.written AS written"
)
_SUPERSEDED_ROW: LiteralString = (
    "RETURN r.event_id AS id, s.id AS source, d.id AS target, r.revised_at AS revised_at, r.reason AS reason"
)
_DECAY_ROW: LiteralString = (
    "RETURN r.event_id AS id, s.id AS source, d.id AS target, r.detected_at AS detected_at, r.reason AS reason, "
    "r.before_trust AS before_trust, r.after_trust AS after_trust, r.hop AS hop, r.caused_by AS caused_by, "
    "r.revision AS revision, r.apply_status AS apply_status, r.step AS step"
)
_RESTORE_ROW: LiteralString = (
    "RETURN r.event_id AS id, s.id AS source, d.id AS target, r.detected_at AS detected_at, r.reason AS reason, "
    "r.before_trust AS before_trust, r.after_trust AS after_trust, r.caused_by AS caused_by, "
    "r.revision AS revision, r.apply_status AS apply_status, r.step AS step"
)
_RELATES_ROW: LiteralString = (
    "RETURN r.event_id AS id, s.id AS source, d.id AS target, r.relation AS relation, r.weight AS weight, "
    "r.reason AS reason, r.created_at AS created_at, r.withdrawn_at AS withdrawn_at, r.written AS written"
)


def _about(columns: Columns) -> About:
    return About(**columns)


def _derived(columns: Columns) -> DerivedFrom:
    return DerivedFrom(**columns)


def _contradicts(columns: Columns) -> Contradicts:
    return Contradicts(**columns)


def _superseded(columns: Columns) -> SupersededBy:
    return SupersededBy(**columns)


def _decay(columns: Columns) -> TrustDecay:
    return TrustDecay(**columns)


def _restore(columns: Columns) -> TrustRestore:
    return TrustRestore(**columns)


def _relates(columns: Columns) -> Relates:
    return Relates(**columns)


SUBJECTS = Query(
    "entities that memories are about",
    "MATCH (s:Memory {id: $id})-[r:ABOUT]->(d:Entity) WHERE d.scope = $scope " + _ABOUT_ROW,
    _about,
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (s:Memory {id: row.id})-[r:ABOUT]->(d:Entity) "
        "WITH s, r, d WHERE d.scope = $scope " + _ABOUT_ROW
    },
)
"""What each of the memories is about. In no order."""

DEPENDENTS = Query(
    "direct dependents",
    "MATCH (s:Memory)-[r:DERIVED_FROM]->(d:Memory {id: $id}) WHERE s.scope = $scope " + _DERIVED_ROW,
    _derived,
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (d:Memory {id: row.id})<-[r:DERIVED_FROM]-(s:Memory) "
        "WITH s, r, d WHERE s.scope = $scope " + _DERIVED_ROW
    },
)
"""One hop of lineage against the arrows: what was derived from each of the memories. In no order."""

PREMISES = Query(
    "direct premises",
    "MATCH (s:Memory {id: $id})-[r:DERIVED_FROM]->(d:Memory) WHERE d.scope = $scope " + _DERIVED_ROW,
    _derived,
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (s:Memory {id: row.id})-[r:DERIVED_FROM]->(d:Memory) "
        "WITH s, r, d WHERE d.scope = $scope " + _DERIVED_ROW
    },
)
"""One hop of lineage along the arrows: what each of the memories was derived from. In no order."""

CONTRADICTED_BY = Query(
    "contradictions of memories",
    "MATCH (s:Memory)-[r:CONTRADICTS]->(d:Memory {id: $id}) WHERE s.scope = $scope " + _CONTRADICTS_ROW,
    _contradicts,
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (d:Memory {id: row.id})<-[r:CONTRADICTS]-(s:Memory) "
        "WITH s, r, d WHERE s.scope = $scope " + _CONTRADICTS_ROW
    },
)
CONTRADICTS = Query(
    "contradictions by memories",
    "MATCH (s:Memory {id: $id})-[r:CONTRADICTS]->(d:Memory) WHERE d.scope = $scope " + _CONTRADICTS_ROW,
    _contradicts,
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (s:Memory {id: row.id})-[r:CONTRADICTS]->(d:Memory) "
        "WITH s, r, d WHERE d.scope = $scope " + _CONTRADICTS_ROW
    },
)
REPLACED_BY = Query(
    "successors of a memory",
    "MATCH (s:Memory {id: $id})-[r:SUPERSEDED_BY]->(d:Memory) WHERE d.scope = $scope " + _SUPERSEDED_ROW,
    _superseded,
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (s:Memory {id: row.id})-[r:SUPERSEDED_BY]->(d:Memory) "
        "WITH s, r, d WHERE d.scope = $scope " + _SUPERSEDED_ROW
    },
)
REPLACES = Query(
    "predecessors of memories",
    "MATCH (s:Memory)-[r:SUPERSEDED_BY]->(d:Memory {id: $id}) WHERE s.scope = $scope " + _SUPERSEDED_ROW,
    _superseded,
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (d:Memory {id: row.id})<-[r:SUPERSEDED_BY]-(s:Memory) "
        "WITH s, r, d WHERE s.scope = $scope " + _SUPERSEDED_ROW
    },
)
DECAYS_OF = Query(
    "trust decays of memories",
    "MATCH (s:Memory)-[r:TRUST_DECAY]->(d:Memory {id: $id}) WHERE s.scope = $scope " + _DECAY_ROW,
    _decay,
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (d:Memory {id: row.id})<-[r:TRUST_DECAY]-(s:Memory) "
        "WITH s, r, d WHERE s.scope = $scope " + _DECAY_ROW
    },
)
DECAYS_FROM = Query(
    "trust decays that started at memories",
    "MATCH (s:Memory {id: $id})-[r:TRUST_DECAY]->(d:Memory) WHERE d.scope = $scope " + _DECAY_ROW,
    _decay,
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (s:Memory {id: row.id})-[r:TRUST_DECAY]->(d:Memory) "
        "WITH s, r, d WHERE d.scope = $scope " + _DECAY_ROW
    },
)
RESTORES_BY = Query(
    "trust restored when a memory was withdrawn",
    "MATCH (s:Memory {id: $id})-[r:TRUST_RESTORE]->(d:Memory) WHERE d.scope = $scope " + _RESTORE_ROW,
    _restore,
)
RESTORES_OF = Query(
    "trust restored to memories",
    "MATCH (s:Memory)-[r:TRUST_RESTORE]->(d:Memory {id: $id}) WHERE s.scope = $scope " + _RESTORE_ROW,
    _restore,
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (d:Memory {id: row.id})<-[r:TRUST_RESTORE]-(s:Memory) "
        "WITH s, r, d WHERE s.scope = $scope " + _RESTORE_ROW
    },
)
RELATIONS = Query(
    "relations from memories",
    "MATCH (s:Memory {id: $id})-[r:RELATES]->(d:Memory) WHERE d.scope = $scope " + _RELATES_ROW,
    _relates,
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (s:Memory {id: row.id})-[r:RELATES]->(d:Memory) "
        "WITH s, r, d WHERE d.scope = $scope " + _RELATES_ROW
    },
)
RELATIONS_TO = Query(
    "relations to memories",
    "MATCH (s:Memory)-[r:RELATES]->(d:Memory {id: $id}) WHERE s.scope = $scope " + _RELATES_ROW,
    _relates,
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (d:Memory {id: row.id})<-[r:RELATES]-(s:Memory) "
        "WITH s, r, d WHERE s.scope = $scope " + _RELATES_ROW
    },
)
"""Declared relations, withdrawn ones included. In no order."""
