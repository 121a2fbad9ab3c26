"""What a snapshot reads and a restore writes: the relationships of a scope, the ids of its nodes, fresh rows, the reveal."""

from __future__ import annotations

from typing import LiteralString

from hydramind.queries import edges, entities, memories
from hydramind.queries.query import Capability, Columns, Query, nothing
from hydramind.records import About, Contradicts, DerivedFrom, Relates, SupersededBy, TrustDecay, TrustRestore


def _columns(same: Query[object]) -> LiteralString:
    """The columns of a query that returns the same relationship, so that a property is listed once."""
    _, returns, columns = same.text.partition("RETURN ")
    return returns + columns


def _id(columns: Columns) -> int:
    return int(columns["id"])


_ABOUT: LiteralString = _columns(edges.SUBJECTS)
_DERIVED_FROM: LiteralString = _columns(edges.PREMISES)
_CONTRADICTS: LiteralString = _columns(edges.CONTRADICTS)
_SUPERSEDED_BY: LiteralString = _columns(edges.REPLACED_BY)
_TRUST_DECAY: LiteralString = _columns(edges.DECAYS_FROM)
_TRUST_RESTORE: LiteralString = _columns(edges.RESTORES_BY)
_RELATES: LiteralString = _columns(edges.RELATIONS)

ABOUT = Query(
    "all ABOUT of a scope",
    "MATCH (s:Memory {scope: $scope})-[r:ABOUT]->(d:Entity) " + _ABOUT,
    lambda columns: About(**columns),
)
DERIVED_FROM = Query(
    "all DERIVED_FROM of a scope",
    "MATCH (s:Memory {scope: $scope})-[r:DERIVED_FROM]->(d:Memory) " + _DERIVED_FROM,
    lambda columns: DerivedFrom(**columns),
)
CONTRADICTS = Query(
    "all CONTRADICTS of a scope",
    "MATCH (s:Memory {scope: $scope})-[r:CONTRADICTS]->(d:Memory) " + _CONTRADICTS,
    lambda columns: Contradicts(**columns),
)
SUPERSEDED_BY = Query(
    "all SUPERSEDED_BY of a scope",
    "MATCH (s:Memory {scope: $scope})-[r:SUPERSEDED_BY]->(d:Memory) " + _SUPERSEDED_BY,
    lambda columns: SupersededBy(**columns),
)
TRUST_DECAY = Query(
    "all TRUST_DECAY of a scope",
    "MATCH (s:Memory {scope: $scope})-[r:TRUST_DECAY]->(d:Memory) " + _TRUST_DECAY,
    lambda columns: TrustDecay(**columns),
)
TRUST_RESTORE = Query(
    "all TRUST_RESTORE of a scope",
    "MATCH (s:Memory {scope: $scope})-[r:TRUST_RESTORE]->(d:Memory) " + _TRUST_RESTORE,
    lambda columns: TrustRestore(**columns),
)
RELATES = Query(
    "all RELATES of a scope",
    "MATCH (s:Memory {scope: $scope})-[r:RELATES]->(d:Memory) " + _RELATES,
    lambda columns: Relates(**columns),
)
"""Relationships that start in a scope, in no order; the other end may be anywhere, so that the reader can tell."""

MEMORY_IDS = Query("memory ids of a scope", "MATCH (m:Memory {scope: $scope}) RETURN m.id AS id", _id)
ENTITY_IDS = Query("entity ids of a scope", "MATCH (e:Entity {scope: $scope}) RETURN e.id AS id", _id)
OP_IDS = Query("op ids of a scope", "MATCH (o:Op {scope: $scope}) RETURN o.id AS id", _id)
"""In no order; ops are found by a scan."""

_MERGE_MEMORIES: LiteralString = memories.UPSERT.text
_MERGE_ENTITIES: LiteralString = entities.UPSERT.text
CREATE_MEMORIES = Query(
    "create memories",
    _MERGE_MEMORIES,
    nothing,
    {Capability.TRANSACTIONS: "UNWIND $rows AS row CREATE (n:Memory {id: row.id}) SET n += row"},
)
CREATE_ENTITIES = Query(
    "create entities",
    _MERGE_ENTITIES,
    nothing,
    {Capability.TRANSACTIONS: "UNWIND $rows AS row CREATE (n:Entity {id: row.id}) SET n += row"},
)
"""Full rows; where ids are under a constraint, one that exists fails the statement."""

_SOURCE_AND_ENTITY: LiteralString = (
    "UNWIND $rows AS row MATCH (s:Memory {id: row.source}) MATCH (d:Entity {id: row.target}) "
)
_SOURCE_AND_MEMORY: LiteralString = (
    "UNWIND $rows AS row MATCH (s:Memory {id: row.source}) MATCH (d:Memory {id: row.target}) "
)
_MERGE_ABOUT: LiteralString = edges.UPSERT_ABOUT.text
_MERGE_DERIVED_FROM: LiteralString = edges.UPSERT_DERIVED_FROM.text
_MERGE_CONTRADICTS: LiteralString = edges.UPSERT_CONTRADICTS.text
_MERGE_SUPERSEDED_BY: LiteralString = edges.UPSERT_SUPERSEDED_BY.text
_MERGE_TRUST_DECAY: LiteralString = edges.UPSERT_TRUST_DECAY.text
_MERGE_TRUST_RESTORE: LiteralString = edges.UPSERT_TRUST_RESTORE.text
_MERGE_RELATES: LiteralString = edges.UPSERT_RELATES.text
CREATE_ABOUT = Query(
    "create ABOUT",
    _MERGE_ABOUT,
    nothing,
    {Capability.TRANSACTIONS: _SOURCE_AND_ENTITY + "CREATE (s)-[r:ABOUT]->(d) SET r += row.properties"},
)
CREATE_DERIVED_FROM = Query(
    "create DERIVED_FROM",
    _MERGE_DERIVED_FROM,
    nothing,
    {Capability.TRANSACTIONS: _SOURCE_AND_MEMORY + "CREATE (s)-[r:DERIVED_FROM]->(d) SET r += row.properties"},
)
CREATE_CONTRADICTS = Query(
    "create CONTRADICTS",
    _MERGE_CONTRADICTS,
    nothing,
    {Capability.TRANSACTIONS: _SOURCE_AND_MEMORY + "CREATE (s)-[r:CONTRADICTS]->(d) SET r += row.properties"},
)
CREATE_SUPERSEDED_BY = Query(
    "create SUPERSEDED_BY",
    _MERGE_SUPERSEDED_BY,
    nothing,
    {Capability.TRANSACTIONS: _SOURCE_AND_MEMORY + "CREATE (s)-[r:SUPERSEDED_BY]->(d) SET r += row.properties"},
)
CREATE_TRUST_DECAY = Query(
    "create TRUST_DECAY",
    _MERGE_TRUST_DECAY,
    nothing,
    {Capability.TRANSACTIONS: _SOURCE_AND_MEMORY + "CREATE (s)-[r:TRUST_DECAY]->(d) SET r += row.properties"},
)
CREATE_TRUST_RESTORE = Query(
    "create TRUST_RESTORE",
    _MERGE_TRUST_RESTORE,
    nothing,
    {Capability.TRANSACTIONS: _SOURCE_AND_MEMORY + "CREATE (s)-[r:TRUST_RESTORE]->(d) SET r += row.properties"},
)
CREATE_RELATES = Query(
    "create RELATES",
    _MERGE_RELATES,
    nothing,
    {Capability.TRANSACTIONS: _SOURCE_AND_MEMORY + "CREATE (s)-[r:RELATES]->(d) SET r += row.properties"},
)
"""Relationships between nodes that were just created: looking for one first would cost more the more an entity has.
`properties` are those of the row without its ends, with its id as `id` and `event_id`."""

REVEAL = Query(
    "reveal a claimed op",
    "MATCH (o:Op {id: $id}) WHERE o.token = $claim SET o.scope = $scope, o.token = $token",
    nothing,
)
"""Gives the op that keeps a scope for a restore its own scope and token; changes nothing when another one holds it."""
