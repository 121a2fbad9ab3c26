"""Batches of fresh rows, and their removal, each in a transaction of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from hydramind.archive.kinds import Kind, Record
from hydramind.graph import connection
from hydramind.graph.commit import batches, row_of
from hydramind.graph.connection import Graph
from hydramind.queries import archive as queries
from hydramind.queries import ops
from hydramind.queries.query import Capability, Query

_CREATES: Final[Mapping[str, Query[None]]] = {
    "memories": queries.CREATE_MEMORIES,
    "entities": queries.CREATE_ENTITIES,
    "about": queries.CREATE_ABOUT,
    "derived_from": queries.CREATE_DERIVED_FROM,
    "contradicts": queries.CREATE_CONTRADICTS,
    "superseded_by": queries.CREATE_SUPERSEDED_BY,
    "trust_decay": queries.CREATE_TRUST_DECAY,
    "trust_restore": queries.CREATE_TRUST_RESTORE,
    "relates": queries.CREATE_RELATES,
    "keyed": ops.CREATE,
    "ops": ops.CREATE,
}


async def create(graph: Graph, kind: Kind, records: Sequence[Record]) -> None:
    """Write rows of one kind. Nodes are created, never merged: an id that exists is somebody's, and fails the batch."""
    apart = kind.ends is not None and graph.engine.can(Capability.TRANSACTIONS)
    for part in batches([row_of(record) for record in records]):
        await send(graph, _CREATES[kind.name], [_link(row) for row in part] if apart else part)


async def send(graph: Graph, query: Query[None], rows: Sequence[Mapping[str, Any]]) -> None:
    """One statement in a transaction of its own, sent once: a restore that is cut short starts over."""
    async with graph.session() as session:
        await connection.send(session, graph.engine, query, rows)


def _link(row: Mapping[str, Any]) -> dict[str, Any]:
    """A relationship's ends apart from its properties."""
    ends = {name: row[name] for name in ("source", "target")}
    return ends | {"properties": {name: row[name] for name in row if name not in ends} | {"event_id": row["id"]}}
