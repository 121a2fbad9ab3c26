"""recall: what the scope holds as evidence for a question, or nothing (HYD-24..31, HYB-1..7, HYB-11, HYB-34..36)."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hydramind import clock
from hydramind.errors import Unavailable
from hydramind.graph.connection import Graph
from hydramind.index.ranking import DENSE, SPARSE, WEIGHTS, Plan, Question, Ranked, Ranking, rank
from hydramind.index.scope_index import ScopeIndex
from hydramind.mind import gate, text, times
from hydramind.mind.gate import Floors, Gate
from hydramind.models import Hit, Place, Recall, Recalled, RecallTrace, Stage
from hydramind.queries import memories
from hydramind.verbs.sight import Sight
from hydramind.verbs.views import entity_id, memory_view

CHANNELS: Final[Mapping[str, tuple[str, ...]]] = {
    "hybrid": (SPARSE, DENSE),
    "vector_sparse": (SPARSE, DENSE),
    "vector_only": (DENSE,),
    "sparse_only": (SPARSE,),
}
"""Which channels each mode asks for; only `hybrid` makes do with those there are."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a recall works on: the scope's rows at the newest revision, what the embedder made of the question, the scope's
    clock in epoch milliseconds, and why vectors lack where they do."""

    index: ScopeIndex
    sight: Sight
    now: int
    vector_note: str = ""


def wants_vector(request: Recall, index: ScopeIndex | None = None) -> bool:
    """Whether a request asks for the dense channel. Where the default gate lets facts pass by keywords alone and `index`
    holds nothing else, meaning could change nothing and is not looked at."""
    if request.mode == "hybrid" and request.gate == "auto" and index is not None and not index.holds_talk:
        return False
    return DENSE in CHANNELS[request.mode]


async def run(graph: Graph, known: Knowledge, request: Recall) -> Recalled:
    """Rank in the projection, which holds every write acknowledged before the call, and show its rows.

    Raises `Unavailable` when a channel that the mode insists on cannot run.
    """
    index = known.index
    asked = wants_vector(request, index)
    dense = asked and known.sight.vector is not None and index.embedded > 0
    if asked and request.mode != "hybrid" and not dense and len(index):
        raise Unavailable(f"mode {request.mode!r} needs vectors: {known.sight.note or known.vector_note or 'none yet'}")
    question = Question(
        keywords=text.keywords(request.query),
        now=known.now,
        words=frozenset(text.words(request.query)),
        spans=times.span(request.query, known.now),
        vector=known.sight.vector if dense else None,
        as_of=None if request.as_of is None else clock.to_ms(request.as_of),
        among=await _about(graph, index, request) if request.entity_refs else None,
    )
    plan = _plan(request, gate.floors(known.sight.identity) if dense else None, dense=dense)
    started = time.perf_counter()
    ranking = rank(index, question, plan)
    ms = (time.perf_counter() - started) * 1_000
    return Recalled(
        limit=request.limit,
        hits=tuple(_hit(index, ranked, question.keywords) for ranked in ranking.best),
        keywords=question.keywords,
        considered=ranking.considered,
        passed=ranking.passed,
        revision=index.revision,
        trace=_trace(known, request, plan, ranking, ms),
    )


def _plan(request: Recall, floors: Floors | None, *, dense: bool) -> Plan:
    channels = [name for name in CHANNELS[request.mode] if name != DENSE or dense]
    calibrated = dense and floors is not None
    preset = (Gate.HYBRID if calibrated else Gate.LEXICAL) if request.gate == "auto" else Gate(request.gate)
    return Plan(
        facts_by_meaning=request.gate != "auto",
        weights={name: WEIGHTS[name] for name in channels},
        gate=preset,
        floors=floors,
        limit=request.limit,
    )


def _hit(index: ScopeIndex, ranked: Ranked, keywords: Sequence[str]) -> Hit:
    memory = index.memory(ranked.memory_id)
    if memory is None:
        raise KeyError(ranked.memory_id)
    return Hit(
        memory=memory_view(index, memory),
        score=round(ranked.score, 6),
        coverage=round(ranked.coverage, 6),
        matched=_matched(keywords, memory.text),
        relevance=round(ranked.relevance, 6),
        passed_by=ranked.passed_by,
        channels=tuple(
            Place(channel=name, rank=place, score=round(score, 6)) for name, (place, score) in ranked.places.items()
        ),
    )


def _matched(keywords: Sequence[str], content: str) -> tuple[str, ...]:
    terms = text.index_terms(content)
    return tuple(keyword for keyword in keywords if keyword in terms)


def _trace(known: Knowledge, request: Recall, plan: Plan, ranking: Ranking, ms: float) -> RecallTrace:
    config: dict[str, str | float | bool] = {
        "mode": request.mode,
        "gate": plan.gate.value,
        "coverage_floor": gate.COVERAGE,
        "fusion": "zscore",
        "facts_by_meaning": plan.facts_by_meaning,
        "context": plan.context,
        "time": plan.time,
        **({"best_cosine_floor": plan.floors.best, "cosine_floor": plan.floors.each} if plan.floors else {}),
        **{f"weight_{name}": weight for name, weight in plan.weights.items()},
    }
    told = json.dumps(config, sort_keys=True, separators=(",", ":"))
    stages = (_embedding(known, request), *(_channel(known, request, name, ranking) for name in (SPARSE, DENSE)))
    last = Stage(name="rank", requested=True, executed=True, ms=round(ms, 3), candidates=ranking.passed)
    return RecallTrace(config=config, config_sha256=hashlib.sha256(told.encode()).hexdigest(), stages=(*stages, last))


def _embedding(known: Knowledge, request: Recall) -> Stage:
    sight = known.sight
    return Stage(
        name="embed",
        requested=wants_vector(request, known.index),
        executed=sight.vector is not None,
        ms=round(sight.ms, 3),
        identity=sight.identity,
        note=sight.note,
    )


def _channel(known: Knowledge, request: Recall, name: str, ranking: Ranking) -> Stage:
    ran = name in ranking.found
    note, identity = "", "bm25"
    if name == DENSE:
        identity = known.sight.identity
        missing = len(known.index) - known.index.embedded
        note = known.vector_note or (f"{missing} memories have no vector yet" if missing and identity else "")
    return Stage(
        name=name,
        requested=wants_vector(request, known.index) if name == DENSE else name in CHANNELS[request.mode],
        executed=ran,
        identity=identity,
        candidates=ranking.found.get(name, 0),
        note=note,
    )


async def _about(graph: Graph, index: ScopeIndex, request: Recall) -> set[int]:
    """Ids of the memories about any of the entities asked for."""
    ids: set[int] = set()
    for name in request.entity_refs:
        ids.update(await graph.read(memories.ABOUT, id=entity_id(index.scope, name), scope=index.scope))
    return ids
