"""Entity and scope nodes."""

from __future__ import annotations

from typing import LiteralString

from hydramind.queries.query import Capability, Columns, Query, nothing
from hydramind.records import Entity, ScopeNode

_COLUMNS: LiteralString = (
    "RETURN e.id AS id, e.scope AS scope, e.name AS name, e.name_key AS name_key, e.created_at AS created_at, "
    "e.kind AS kind"
)
_SET: LiteralString = (
    "n.scope = row.scope, n.name = row.name, n.name_key = row.name_key, n.created_at = row.created_at, "
    "n.kind = row.kind"
)


def _entity(columns: Columns) -> Entity:
    return Entity(**columns)


BY_ID = Query(
    "entities by id",
    "MATCH (e:Entity {id: $id}) WHERE e.scope = $scope " + _COLUMNS,
    _entity,
    {
        Capability.BATCH_READS: "UNWIND $rows AS row MATCH (e:Entity {id: row.id}) WITH e WHERE e.scope = $scope "
        + _COLUMNS
    },
)
"""Rows of one scope by id, in no order."""

OF_SCOPE = Query("entities of a scope", "MATCH (e:Entity {scope: $scope}) " + _COLUMNS, _entity)
"""Every entity of a scope, in no order."""

UPSERT = Query(
    "upsert entities",
    "UNWIND $rows AS row MERGE (n {id: row.id}) SET n:Entity, " + _SET,
    nothing,
    {Capability.TRANSACTIONS: "UNWIND $rows AS row MERGE (n:Entity {id: row.id}) SET " + _SET},
)

UPSERT_SCOPES = Query(
    "upsert scopes",
    "UNWIND $rows AS row MERGE (n {id: row.id}) SET n:Scope, n.name = row.name, n.created_at = row.created_at",
    nothing,
    {
        Capability.TRANSACTIONS: "UNWIND $rows AS row MERGE (n:Scope {id: row.id}) "
        "SET n.name = row.name, n.created_at = row.created_at"
    },
)

SCOPES = Query(
    "all scopes",
    "MATCH (s:Scope) RETURN s.id AS id, s.name AS name, s.created_at AS created_at ORDER BY name, id",
    lambda columns: ScopeNode(**columns),
)
