"""recall: what the scope holds as evidence for a question, or nothing (HYD-24..31)."""

from __future__ import annotations

from collections.abc import Sequence

from hydramind.graph.connection import Graph
from hydramind.index.scope_index import ScopeIndex
from hydramind.mind import text
from hydramind.models import Hit, Recall, Recalled
from hydramind.queries import memories
from hydramind.verbs.views import entity_id, memory_view


async def run(graph: Graph, index: ScopeIndex, request: Recall) -> Recalled:
    """Rank in the projection, then read the rows that are shown from the graph, scope-guarded."""
    keywords = text.keywords(request.query)
    among = await _about(graph, index, request) if request.entity_refs else None
    matches = index.search(keywords, request.limit, among)
    best = {match.memory_id: match for match in matches.best}
    rows = {row.id: row for row in await graph.read_ids(memories.BY_ID, list(best), scope=index.scope)}
    hits = (
        Hit(
            memory=memory_view(index, rows[id_]),
            score=round(match.score, 6),
            coverage=round(match.coverage, 6),
            matched=_matched(keywords, rows[id_].content),
        )
        for id_, match in best.items()
        if id_ in rows and rows[id_].recallable
    )
    return Recalled(
        limit=request.limit,
        hits=tuple(hits),
        keywords=keywords,
        considered=matches.considered,
        passed=matches.passed,
        revision=index.revision,
    )


def _matched(keywords: Sequence[str], content: str) -> tuple[str, ...]:
    terms = text.index_terms(content)
    return tuple(keyword for keyword in keywords if keyword in terms)


async def _about(graph: Graph, index: ScopeIndex, request: Recall) -> set[int]:
    """Ids of the memories about any of the entities asked for."""
    ids: set[int] = set()
    for name in request.entity_refs:
        ids.update(await graph.read(memories.ABOUT, id=entity_id(index.scope, name), scope=index.scope))
    return ids
