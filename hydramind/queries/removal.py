"""Deleting nodes for good, with every relationship that touches them."""

from __future__ import annotations

from hydramind.queries.query import Capability, Query, nothing

MEMORIES = Query(
    "remove memories",
    "UNWIND $rows AS row MATCH (n {id: row.id}) DETACH DELETE n",
    nothing,
    {Capability.TRANSACTIONS: "UNWIND $rows AS row MATCH (n:Memory {id: row.id}) DETACH DELETE n"},
)
ENTITIES = Query(
    "remove entities",
    "UNWIND $rows AS row MATCH (n {id: row.id}) DETACH DELETE n",
    nothing,
    {Capability.TRANSACTIONS: "UNWIND $rows AS row MATCH (n:Entity {id: row.id}) DETACH DELETE n"},
)
VECTORS = Query(
    "remove vectors",
    "UNWIND $rows AS row MATCH (n {id: row.id}) DETACH DELETE n",
    nothing,
    {Capability.TRANSACTIONS: "UNWIND $rows AS row MATCH (n:Vector {id: row.id}) DETACH DELETE n"},
)
SCOPES = Query(
    "remove scopes",
    "UNWIND $rows AS row MATCH (n {id: row.id}) DETACH DELETE n",
    nothing,
    {Capability.TRANSACTIONS: "UNWIND $rows AS row MATCH (n:Scope {id: row.id}) DETACH DELETE n"},
)
OPS = Query(
    "remove ops",
    "UNWIND $rows AS row MATCH (n {id: row.id}) DETACH DELETE n",
    nothing,
    {Capability.TRANSACTIONS: "UNWIND $rows AS row MATCH (n:Op {id: row.id}) DETACH DELETE n"},
)
