"""Engines as data: what each can do, settled once at open from the server agent."""

from __future__ import annotations

from dataclasses import dataclass

from hydramind.errors import Misconfigured
from hydramind.queries.query import Capability

_CYPHER = frozenset(
    {Capability.TRANSACTIONS, Capability.BATCH_READS, Capability.PATTERN_PATHS, Capability.DDL},
)


@dataclass(frozen=True, slots=True)
class Engine:
    """A Bolt engine; `agent` is the marker looked for in the server agent, case-insensitively."""

    name: str
    agent: str
    capabilities: frozenset[Capability]

    def can(self, capability: Capability) -> bool:
        """Whether the engine has the capability."""
        return capability in self.capabilities


ENGINES = (
    # ArcadeDB's agent also names Neo4j, so it comes first.
    Engine("arcadedb", "arcadedb", _CYPHER),
    Engine("hydradb", "slatedbgraph/", frozenset({Capability.GUARDED_UPSERT, Capability.PROCEDURE_PATHS})),
    Engine("neo4j", "neo4j/", _CYPHER),
)
"""The engines claimed; any other is taken for a Neo4j-compatible one and proved by `hydramind doctor`."""

OTHER = Engine("other", "", _CYPHER)


def engine_for(agent: str, override: str = "") -> Engine:
    """The engine of a server agent such as `Neo4j/5.26.0 compatible (ArcadeDB 26.10.2)`, or the one named by `override`."""
    if override:
        named = next((engine for engine in ENGINES if engine.name == override), None)
        if named is None:
            raise Misconfigured(f"HYDRAMIND_ENGINE: unknown engine {override!r}; known are {[e.name for e in ENGINES]}")
        return named
    lowered = agent.lower()
    return next((engine for engine in ENGINES if engine.agent in lowered), OTHER)
