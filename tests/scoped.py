"""One scope of an open memory called with plain arguments, and everything stored in it as comparable values."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hydramind.graph.connection import Graph
from hydramind.models import (
    ConflictReport,
    Draft,
    Forgotten,
    Inspection,
    MemoryView,
    OneMemory,
    OneScope,
    Recall,
    Recalled,
    Reinstated,
    Relate,
    Related,
    Remember,
    Remembered,
    Revise,
    Revised,
    Stats,
    Timeline,
    TimelineOf,
    Trace,
    TraceFrom,
    TrustStory,
)
from hydramind.queries.query import Query
from hydramind.service import HydraMind

FACT = "The gateway uses mutual TLS."
DENIAL = "The gateway does not use mutual TLS."
REST = "Certificates are rotated by the platform team."
FAR_REST = "Auditors visit the office every spring."


class Scoped:
    """Verbs on one scope; keyword arguments are the request's own fields."""

    def __init__(self, mind: HydraMind, scope: str) -> None:
        self.mind = mind
        self.scope = scope

    async def remember(self, content: str, **more: Any) -> Remembered:
        """Remember one statement."""
        return await self.mind.remember(Remember.parse({"content": content, "scope": self.scope, **more}))

    async def keep(self, content: str, **more: Any) -> str:
        """Remember one statement and return its id."""
        return (await self.remember(content, **more)).memory.id

    async def recall(self, query: str, **more: Any) -> Recalled:
        """Recall with every detail."""
        return await self.mind.recall(Recall.parse({"query": query, "scope": self.scope, **more}))

    async def found(self, query: str, **more: Any) -> list[str]:
        """Contents of the hits, best first."""
        return [hit.memory.content for hit in (await self.recall(query, **more)).hits]

    async def revise(self, memory_id: str, content: str, **more: Any) -> Revised:
        """Revise one memory."""
        return await self.mind.revise(
            Revise.parse({"memory_id": memory_id, "content": content, "scope": self.scope, **more})
        )

    async def forget(self, memory_id: str) -> Forgotten:
        """Forget one memory."""
        return await self.mind.forget(self._one(memory_id))

    async def reinstate(self, memory_id: str) -> Reinstated:
        """Undo forgetting one memory."""
        return await self.mind.reinstate(self._one(memory_id))

    async def relate(self, memory_id: str, other_id: str, **more: Any) -> Related:
        """Relate one memory to another."""
        return await self.mind.relate(
            Relate.parse({"memory_id": memory_id, "other_id": other_id, "scope": self.scope, **more})
        )

    async def check(self, content: str, **more: Any) -> ConflictReport:
        """Check a draft."""
        return await self.mind.check_conflict(Draft.parse({"content": content, "scope": self.scope, **more}))

    async def timeline(self, entity: str, **more: Any) -> Timeline:
        """The timeline of an entity."""
        return await self.mind.timeline(TimelineOf.parse({"scope": self.scope, "entity_ref": entity, **more}))

    async def versions(self, entity: str, **more: Any) -> list[str]:
        """Contents of a timeline, oldest first."""
        return [version.memory.content for version in (await self.timeline(entity, **more)).versions]

    async def trace(self, memory_id: str, **more: Any) -> Trace:
        """Evidence paths out of a memory."""
        return await self.mind.trace_memory(TraceFrom.parse({"memory_id": memory_id, "scope": self.scope, **more}))

    async def explain(self, memory_id: str) -> TrustStory:
        """The trust story of a memory."""
        return await self.mind.explain_trust(self._one(memory_id))

    async def inspect(self, memory_id: str) -> Inspection:
        """Everything stored about a memory."""
        return await self.mind.inspect(self._one(memory_id))

    async def memory(self, memory_id: str) -> MemoryView:
        """A memory as it is now."""
        return (await self.inspect(memory_id)).memory

    async def trust(self, memory_id: str) -> float:
        """The stored trust, after checking that the ledger alone gives the same."""
        story = await self.explain(memory_id)
        assert story.replayed == story.memory.trust, "the replayed ledger gives another trust than the stored one"
        return story.memory.trust

    async def status(self, memory_id: str) -> str:
        """The status of a memory."""
        return (await self.memory(memory_id)).status

    async def stats(self) -> Stats:
        """Counts of the scope."""
        return await self.mind.stats(OneScope.parse({"scope": self.scope}))

    def _one(self, memory_id: str) -> OneMemory:
        return OneMemory.parse({"memory_id": memory_id, "scope": self.scope})


MEMORIES = Query(
    "every property of a scope's memories",
    "MATCH (m:Memory) WHERE m.scope = $scope RETURN properties(m) AS properties",
    lambda columns: dict(columns["properties"]),
)
OTHERS = Query(
    "every property of a scope's other nodes",
    "MATCH (n) WHERE n.scope = $scope AND NOT n:Memory RETURN labels(n)[0] AS label, properties(n) AS properties",
    lambda columns: (columns["label"], dict(columns["properties"])),
)
EDGES = Query(
    "every relationship out of a scope's memories",
    "MATCH (s:Memory)-[r]->(d) WHERE s.scope = $scope "
    "RETURN type(r) AS type, s.id AS source, d.id AS target, properties(r) AS properties",
    lambda columns: (columns["type"], columns["source"], columns["target"], dict(columns["properties"])),
)
NODE_COUNTS = Query(
    "nodes by label",
    "MATCH (n) RETURN labels(n)[0] AS label, count(*) AS n",
    lambda columns: (columns["label"], columns["n"]),
)
EDGE_COUNTS = Query(
    "relationships by type",
    "MATCH ()-[r]->() RETURN type(r) AS label, count(*) AS n",
    lambda columns: (columns["label"], columns["n"]),
)


async def everything(graph: Graph, scope: str) -> tuple[list[str], list[str], list[str]]:
    """Every property of every node and relationship of a scope, in a fixed order."""
    return (
        sorted(repr(sorted(row.items())) for row in await graph.read(MEMORIES, scope=scope)),
        sorted(repr((label, sorted(row.items()))) for label, row in await graph.read(OTHERS, scope=scope)),
        sorted(repr((*ends, sorted(row.items()))) for *ends, row in await graph.read(EDGES, scope=scope)),
    )


async def counts(graph: Graph) -> tuple[dict[str, int], dict[str, int]]:
    """How many nodes a label and relationships a type the whole graph holds."""
    return dict(await graph.read(NODE_COUNTS)), dict(await graph.read(EDGE_COUNTS))


async def state(graph: Graph, scope: str) -> tuple[Counter[str], Counter[str]]:
    """What a scope says, without ids, times and revisions: memories and relationships by content."""
    names: dict[int, str] = {row["id"]: row["content"] for row in await graph.read(MEMORIES, scope=scope)}
    for label, row in await graph.read(OTHERS, scope=scope):
        if label == "Entity":
            names[row["id"]] = row["name"]
    told = Counter(
        repr((row["content"], row["status"], row["trust"], row["premise_superseded"], row["write_phase"]))
        for row in await graph.read(MEMORIES, scope=scope)
    )
    kept = ("before_trust", "after_trust", "hop", "decay_hop", "apply_status")
    edges: Counter[str] = Counter()
    for type_, source, target, row in await graph.read(EDGES, scope=scope):
        values = [(name, row[name]) for name in kept if name in row]
        if "withdrawn_at" in row:
            values.append(("withdrawn", row["withdrawn_at"] > 0))
        edges[repr((type_, names[source], names.get(target, "?"), values))] += 1
    return told, edges
