"""retrieve: every stage of a recall by request, each with its receipt (HYB-4..11, HYB-33..37, BDH-14, BDH-15)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from hydramind.embed.protocol import Reranker
from hydramind.errors import Unavailable
from hydramind.graph.connection import Graph
from hydramind.index.plan import Plan, Question, Ranked, Ranking
from hydramind.index.ranking import rank, visible_to
from hydramind.index.scope_index import ScopeIndex
from hydramind.mind import salience
from hydramind.mind.fusion import minmax
from hydramind.mind.salience import Usage
from hydramind.mind.wordings import Wording, join
from hydramind.models import EvidenceView, Hit, Retrieve, Retrieved, Routing, Stage
from hydramind.records import Memory
from hydramind.verbs import then
from hydramind.verbs.evidence import Shelf, packing_of, shelf_of
from hydramind.verbs.recall import about
from hydramind.verbs.receipts import Carried, hits_of, packed_step, row_of, step
from hydramind.verbs.wish import Knowledge, Limits, Wish, plan_of, question_of

_POOL = 100
"""Memories that each wording brings."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A ranked memory on its way through the later stages; `order` is what it is sorted by, the highest first."""

    ranked: Ranked
    row: Memory
    order: float
    wordings: tuple[int, ...] = ()
    salience: float | None = None
    rerank_score: float | None = None


@dataclass(frozen=True, slots=True)
class _Course:
    """What one retrieval has at hand; `questions` are the wordings as the ranking is asked them, the query's own first,
    `stages` tells the steps after the ranking."""

    request: Retrieve
    wish: Wish
    known: Knowledge
    plan: Plan
    limits: Limits
    questions: tuple[Question, ...]
    stages: list[Stage] = field(default_factory=list[Stage])

    @property
    def index(self) -> ScopeIndex:
        """The projection it works on."""
        return self.known.index


async def run(
    graph: Graph, known: Knowledge, wish: Wish, request: Retrieve, reranker: Reranker | None = None
) -> Retrieved:
    """Rank, then join wordings, weigh by salience, rerank and pack, as far as each is asked for. Everything shown is of the
    scope revision told. Raises `Unavailable` when something asked for cannot run, and what the reranker raises."""
    if request.rerank_pool and reranker is None:
        raise Unavailable("rerank_pool needs a reranker: set HYDRAMIND_RERANKER_URL, or leave it 0")
    limits = Limits(_having(known.index, request, await about(graph, known.index, request.entity_refs)))
    plan = plan_of(wish, known)
    limits = await then.limits(graph, known, wish, plan, limits)
    questions = tuple(question_of(wish, known, number, limits) for number in range(len(wish.wordings)))
    course = _Course(request, wish, known, plan, limits, questions)
    started = time.perf_counter()
    rankings = _rankings(course)
    ms = (time.perf_counter() - started) * 1_000
    revision = known.index.revision
    found = _weighed(course, _joined(course, rankings))
    routing = _routing(course, found)
    pool = found[: max(request.rerank_pool, request.top_k)]
    shelf = _shelf(course, pool)
    # From here on others may write: what is shown was taken over above.
    hits = _hits(course, pool)
    chosen = await _reranked(course, pool, reranker)
    evidence = _packed(course, shelf, chosen)
    return Retrieved(
        limit=request.top_k,
        hits=tuple(hits[each.row.id].model_copy(update={"rerank_score": each.rerank_score}) for each in chosen),
        keywords=course.questions[0].keywords,
        considered=rankings[0].considered,
        passed=rankings[0].passed,
        revision=revision,
        trace=Carried(wish, known, plan, rankings[0], ms, tuple(course.stages), _settings(request)).trace(),
        evidence=evidence,
        routing=routing,
    )


def _having(index: ScopeIndex, request: Retrieve, ids: frozenset[int] | None) -> frozenset[int] | None:
    """Of those ids, None for any, the ones whose memories have the exact values asked for. Cost: every row."""
    wanted = request.where.given()
    if not wanted:
        return ids
    rows = index.memories() if ids is None else (row for id_ in ids if (row := index.memory(id_)) is not None)
    return frozenset(row.id for row in rows if all(getattr(row, name) == value for name, value in wanted.items()))


def _rankings(course: _Course) -> list[Ranking]:
    """One a wording, the query's own first."""
    request = course.request
    limit = max(request.top_k, request.rerank_pool)
    if request.salience:
        limit = max(limit, len(course.index))
    if len(course.questions) > 1:
        limit = max(limit, _POOL)
    plan = replace(course.plan, limit=limit)
    return [rank(course.index, question, plan, course.known.mentions) for question in course.questions]


def _joined(course: _Course, rankings: Sequence[Ranking]) -> list[_Found]:
    if len(rankings) == 1:
        best = rankings[0].best
        rows = course.index.memories_of([ranked.memory_id for ranked in best])
        return [_Found(ranked, row, ranked.score) for ranked, row in zip(best, rows, strict=True)]
    started = time.perf_counter()
    first: dict[int, Ranked] = {}
    for ranking in rankings:
        for ranked in ranking.best:
            first.setdefault(ranked.memory_id, ranked)
    told = [[(ranked.memory_id, ranked.relevance) for ranked in ranking.best] for ranking in rankings]
    found: list[_Found] = []
    for joined in join(told, Wording(course.request.variant_fusion)):
        row = row_of(course.index, first[joined.id])
        score = joined.relevance * course.limits.trust(row) * row.confidence
        ranked = replace(first[joined.id], relevance=joined.relevance, score=score)
        found.append(_Found(ranked, row, score, joined.wordings))
    course.stages.append(step("wordings", started, len(found), course.request.variant_fusion))
    return sorted(found, key=lambda each: -each.order)


def _weighed(course: _Course, found: list[_Found]) -> list[_Found]:
    """By salience too, where that is asked for: how recent, and about how many things."""
    if not course.request.salience:
        return found
    started = time.perf_counter()
    told = np.array([each.row.created_at for each in found], np.int64)
    degrees = np.array([len(each.row.entities) for each in found], np.int64)
    usage = Usage(told, told, np.zeros(len(found), np.int64), degrees)
    factors = salience.multiplier(salience.salience(usage, course.known.now)).tolist()
    weighed = [
        replace(
            each, salience=factor, order=each.order * factor, ranked=replace(each.ranked, score=each.order * factor)
        )
        for each, factor in zip(found, factors, strict=True)
    ]
    course.stages.append(step("salience", started, len(found), note="reads are not counted: recency and links only"))
    return sorted(weighed, key=lambda each: -each.order)


async def _reranked(course: _Course, pool: list[_Found], reranker: Reranker | None) -> list[_Found]:
    """The pool in the reranker's order, weighed by trust and confidence, cut to what is asked for; scores stay."""
    size = course.request.rerank_pool
    if not size or reranker is None:
        return pool[: course.request.top_k]
    started = time.perf_counter()
    scores = await reranker.scores(course.wish.query, [each.row.text for each in pool]) if pool else np.empty(0)
    relevance = minmax(np.asarray(scores, np.float64)).tolist()
    again = [
        replace(each, rerank_score=round(float(score), 6), order=share * _belief(course, each))
        for each, score, share in zip(pool, scores, relevance, strict=True)
    ]
    course.stages.append(step("rerank", started, len(pool), reranker.identity))
    return sorted(again, key=lambda each: -each.order)[: course.request.top_k]


def _belief(course: _Course, each: _Found) -> float:
    """What its relevance is multiplied by."""
    return course.limits.trust(each.row) * each.row.confidence * (1.0 if each.salience is None else each.salience)


def _shelf(course: _Course, pool: list[_Found]) -> Shelf | None:
    if course.request.evidence is None:
        return None
    return shelf_of(course.index, [each.row for each in pool], visible_to(course.index, course.questions[0]))


def _packed(course: _Course, shelf: Shelf | None, chosen: list[_Found]) -> EvidenceView | None:
    if shelf is None or course.request.evidence is None:
        return None
    started = time.perf_counter()
    evidence = shelf.packed([(each.row.id, each.order) for each in chosen], packing_of(course.request.evidence))
    course.stages.append(packed_step(evidence, started))
    return evidence


def _hits(course: _Course, pool: list[_Found]) -> dict[int, Hit]:
    """By memory."""
    keywords, beliefs = course.questions[0].keywords, course.limits.then
    hits = hits_of(course.index, [each.ranked for each in pool], keywords, beliefs)
    return {
        each.row.id: hit.model_copy(update={"salience": each.salience, "wordings": each.wordings})
        for each, hit in zip(pool, hits, strict=True)
    }


def _settings(request: Retrieve) -> dict[str, str | bool | int | float]:
    """What was asked for of the steps beside the ranking."""
    packing = {} if request.evidence is None else request.evidence.model_dump(mode="json")
    return {
        "preset": request.preset,
        "route": request.route,
        "salience": request.salience,
        "rerank_pool": request.rerank_pool,
        "variant_fusion": request.variant_fusion,
        "dense_mode": request.dense_mode,
        **{f"where_{name}": value for name, value in request.where.given().items()},
        **{f"evidence_{name}": value for name, value in packing.items()},
    }


def _routing(course: _Course, found: Sequence[_Found]) -> Routing:
    wish, request = course.wish, course.request
    several = len(wish.wordings) > 1
    return Routing(
        kind=wish.route.kind.value if wish.route else "",
        cue=wish.route.why if wish.route else "",
        multi_query_enabled=several,
        multi_query_variant_count=len(wish.wordings),
        query_variants=wish.wordings,
        multi_query_fusion=request.variant_fusion if several else None,
        multi_query_unique_notes=len(found),
        multi_query_multivariant_hits=sum(len(each.wordings) > 1 for each in found),
        sub_questions=("used" if wish.divided else "refused") if request.sub_questions else "none",
    )
