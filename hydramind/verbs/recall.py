"""recall: what the scope holds as evidence for a question, or nothing (HYD-24..31, HYB-1..7, HYB-11)."""

from __future__ import annotations

import time
from collections.abc import Iterable

from hydramind.graph.connection import Graph
from hydramind.index.ranking import rank, visible_to
from hydramind.index.scope_index import ScopeIndex
from hydramind.mind.packing import Arrangement, Packing
from hydramind.models import Hit, Recall, Recalled, Stage
from hydramind.queries import memories
from hydramind.verbs import then
from hydramind.verbs.evidence import shelf_of
from hydramind.verbs.receipts import Carried, hits_of, packed_step
from hydramind.verbs.views import entity_id
from hydramind.verbs.wish import Knowledge, Limits, Wish, plan_of, question_of


async def run(graph: Graph, known: Knowledge, wish: Wish, request: Recall) -> Recalled:
    """Rank in the projection, which holds every write acknowledged before the call, and show its rows.

    Raises `Unavailable` when a channel that the mode insists on cannot run.
    """
    index = known.index
    limits = Limits(await about(graph, index, request.entity_refs))
    plan = plan_of(wish, known)
    limits = await then.limits(graph, known, wish, plan, limits)
    started = time.perf_counter()
    question = question_of(wish, known, 0, limits)
    ranking = rank(index, question, plan, known.mentions)
    ms = (time.perf_counter() - started) * 1_000
    hits = hits_of(index, ranking.best, question.keywords, limits.then)
    later: tuple[Stage, ...] = ()
    evidence = None
    if request.budget_tokens:
        started = time.perf_counter()
        shelf = shelf_of(
            index, index.memories_of([ranked.memory_id for ranked in ranking.best]), visible_to(index, question)
        )
        packing = Packing(request.budget_tokens, arrangement=Arrangement.RANK)
        evidence = shelf.packed([(ranked.memory_id, ranked.score) for ranked in ranking.best], packing)
        hits = tuple(_within(hits, evidence.skipped))
        later = (packed_step(evidence, started),)
    return Recalled(
        limit=request.limit,
        hits=hits,
        keywords=question.keywords,
        considered=ranking.considered,
        passed=ranking.passed,
        revision=index.revision,
        trace=Carried(wish, known, plan, ranking, ms, later, {"mode": request.mode}).trace(),
        evidence=evidence,
    )


def _within(hits: Iterable[Hit], skipped: Iterable[str]) -> Iterable[Hit]:
    left_out = set(skipped)
    return (hit for hit in hits if hit.memory.id not in left_out)


async def about(graph: Graph, index: ScopeIndex, names: Iterable[str]) -> frozenset[int] | None:
    """Ids of the memories about any of the entities; None where none is named."""
    asked = tuple(names)
    if not asked:
        return None
    ids: set[int] = set()
    for name in asked:
        ids.update(await graph.read(memories.ABOUT, id=entity_id(index.scope, name), scope=index.scope))
    return frozenset(ids)
