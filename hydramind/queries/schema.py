"""Constraints, indexes and the schema marker."""

from __future__ import annotations

from hydramind.queries.query import Capability, Query, nothing

VERSION = 1
MARKER_ID = 1

DDL = tuple(
    Query(f"constraint {position}", "", nothing, {Capability.DDL: text})
    for position, text in enumerate(
        (
            "CREATE CONSTRAINT hydramind_memory_id IF NOT EXISTS FOR (n:Memory) REQUIRE n.id IS UNIQUE",
            "CREATE CONSTRAINT hydramind_entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE",
            "CREATE CONSTRAINT hydramind_scope_id IF NOT EXISTS FOR (n:Scope) REQUIRE n.id IS UNIQUE",
            "CREATE CONSTRAINT hydramind_op_id IF NOT EXISTS FOR (n:Op) REQUIRE n.id IS UNIQUE",
            "CREATE CONSTRAINT hydramind_schema_id IF NOT EXISTS FOR (n:HydraMindSchema) REQUIRE n.id IS UNIQUE",
            "CREATE CONSTRAINT hydramind_vector_id IF NOT EXISTS FOR (n:Vector) REQUIRE n.id IS UNIQUE",
            "CREATE INDEX hydramind_vector_scope IF NOT EXISTS FOR (n:Vector) ON (n.scope)",
            "CREATE INDEX hydramind_memory_scope IF NOT EXISTS FOR (n:Memory) ON (n.scope)",
            "CREATE INDEX hydramind_entity_scope IF NOT EXISTS FOR (n:Entity) ON (n.scope)",
        )
    )
)
"""Run one by one, each idempotent; an engine without DDL indexes ids by itself."""

MARKER = Query(
    "schema marker",
    "MATCH (n:HydraMindSchema {id: $id}) RETURN n.version AS version",
    lambda columns: int(columns["version"]),
)
SET_MARKER = Query(
    "set schema marker",
    "UNWIND $rows AS row MERGE (n {id: row.id}) SET n:HydraMindSchema, n.version = row.version",
    nothing,
    {Capability.TRANSACTIONS: "UNWIND $rows AS row MERGE (n:HydraMindSchema {id: row.id}) SET n.version = row.version"},
)
