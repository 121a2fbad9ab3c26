"""Start-up: constraints, indexes and the versioned schema marker."""

from __future__ import annotations

from hydramind.errors import Unsupported
from hydramind.graph.connection import Graph
from hydramind.queries import schema
from hydramind.queries.query import Capability


async def set_up(graph: Graph) -> None:
    """Create what is missing; raises `Unsupported` when a newer version wrote the graph."""
    if graph.engine.can(Capability.DDL):
        for statement in schema.DDL:
            await graph.read(statement)
    versions = await graph.read(schema.MARKER, id=schema.MARKER_ID)
    if not versions:
        await graph.read(schema.SET_MARKER, rows=[{"id": schema.MARKER_ID, "version": schema.VERSION}])
    elif max(versions) > schema.VERSION:
        raise Unsupported(
            f"the graph has schema version {max(versions)}, this HydraMind knows {schema.VERSION}: upgrade it"
        )
