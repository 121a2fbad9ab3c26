"""Hits with their receipts, and the trace of a whole answer (HYB-11, HYB-34..36)."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hydramind import clock
from hydramind.index.plan import CHANNELS, DENSE, GRAPH, SPARSE, TIME, Plan, Ranked, Ranking
from hydramind.index.scope_index import ScopeIndex
from hydramind.mind import extract, gate
from hydramind.models import EvidenceView, Hit, MemoryView, Place, RecallTrace, Stage
from hydramind.records import Memory
from hydramind.verbs.views import memory_view
from hydramind.verbs.wish import Belief, Knowledge, Wish

Config = dict[str, str | bool | int | float]


def row_of(index: ScopeIndex, ranked: Ranked) -> Memory:
    """The row of a ranked memory, which the projection holds."""
    memory = index.memory(ranked.memory_id)
    assert memory is not None  # noqa: S101 - it was ranked from this projection
    return memory


def hits_of(
    index: ScopeIndex, found: Sequence[Ranked], keywords: Sequence[str], then: Mapping[int, Belief]
) -> tuple[Hit, ...]:
    """Hits with their receipts; `then` is what was believed at the moment asked for, by memory."""
    ids = [ranked.memory_id for ranked in found]
    shown = zip(found, index.memories_of(ids), index.matched(ids, keywords), strict=True)
    return tuple(
        _hit(ranked, _then(memory_view(index, memory), then.get(memory.id)), matched)
        for ranked, memory, matched in shown
    )


def _hit(ranked: Ranked, view: MemoryView, matched: tuple[str, ...]) -> Hit:
    return Hit(
        memory=view,
        score=round(ranked.score, 6),
        coverage=round(ranked.coverage, 6),
        matched=matched,
        relevance=round(ranked.relevance, 6),
        passed_by=ranked.passed_by,
        channels=tuple(
            Place(channel=name, rank=place, score=round(score, 6)) for name, (place, score) in ranked.places.items()
        ),
    )


def _then(view: MemoryView, then: Belief | None) -> MemoryView:
    return view if then is None else view.model_copy(update={"trust": then.trust, "status": then.status})


def step(name: str, started: float, candidates: int, identity: str = "", note: str = "") -> Stage:
    """A step after the ranking, which ran since `started` (perf_counter seconds)."""
    ms = round((time.perf_counter() - started) * 1_000, 3)
    return Stage(name=name, requested=True, executed=True, ms=ms, identity=identity, candidates=candidates, note=note)


def packed_step(evidence: EvidenceView, started: float) -> Stage:
    """The step that packed the evidence since `started`."""
    return step("evidence", started, len(evidence.items), note=f"{evidence.tokens} tokens")


@dataclass(frozen=True, slots=True)
class Carried:
    """A wish as it was carried out: the plan, its ranking, how long ranking took in milliseconds, the steps after it, and
    what else the caller settled."""

    wish: Wish
    known: Knowledge
    plan: Plan
    ranking: Ranking
    ms: float
    later: tuple[Stage, ...] = ()
    settings: Mapping[str, str | bool | int | float] | None = None

    def trace(self) -> RecallTrace:
        """The trace of the whole answer."""
        config, execution = self._config(), self._execution()
        ranked = Stage(name="rank", requested=True, executed=True, ms=round(self.ms, 3), candidates=self.ranking.passed)
        asked = [name for name in CHANNELS if name in (SPARSE, DENSE) or name in self.wish.channels]
        return RecallTrace(
            config=config,
            config_sha256=_sha256(config),
            execution=execution,
            execution_sha256=_sha256(execution),
            stages=(self._embedding(), *(self._channel(name) for name in asked), ranked, *self.later),
        )

    def _config(self) -> Config:
        plan = self.plan
        around: Config = {"around": ",".join(sorted(plan.around))}
        ranks: Config = {"rrf_k": plan.rrf_k, "channel_k": plan.channel_k}
        graph: Config = {"graph_method": plan.graph_method.value, "seed": plan.seed}
        return {
            "gate": plan.gate.value,
            "coverage_floor": gate.COVERAGE,
            "fusion": plan.fusion.value if plan.fusion else "shares",
            "facts_by_meaning": plan.facts_by_meaning,
            "limit": plan.limit,
            **(ranks if plan.fusion else around),
            **(graph if GRAPH in plan.weights else {}),
            **({"best_cosine_floor": plan.floors.best, "cosine_floor": plan.floors.each} if plan.floors else {}),
            **{f"weight_{name}": weight for name, weight in plan.weights.items()},
            **(self.settings or {}),
        }

    def _execution(self) -> dict[str, str | int | float]:
        index, as_of = self.known.index, self.wish.as_of
        rerankers = [stage.identity for stage in self.later if stage.name == "rerank"]
        return {
            "scope": index.scope,
            "revision": index.revision,
            "memories": len(index),
            "as_of": "" if as_of is None else clock.to_iso(as_of),
            "embedder": self.known.sight.identity,
            "reranker": rerankers[0] if rerankers else "",
        }

    def _embedding(self) -> Stage:
        sight = self.known.sight
        return Stage(
            name="embed",
            requested=self.wish.wants_vector(self.known.index),
            executed=sight.vector is not None,
            ms=round(sum(each.ms for each in self.known.sights), 3),
            identity=sight.identity,
            candidates=len(self.known.sights),
            note=next((each.note for each in self.known.sights if each.note), ""),
        )

    def _channel(self, name: str) -> Stage:
        asked = name in self.wish.channels
        return Stage(
            name=name,
            requested=asked and (name != DENSE or self.wish.wants_vector(self.known.index)),
            executed=name in self.ranking.found,
            ms=round(self.ranking.took.get(name, 0.0), 3),
            identity=self._identity(name),
            candidates=self.ranking.found.get(name, 0),
            note=self._note(name),
            dependencies=(self.plan.seed,) if name == GRAPH and self.plan.seed else (),
        )

    def _identity(self, name: str) -> str:
        if name == DENSE:
            return self.known.sight.identity
        graph = f"{extract.IDENTITY} {self.plan.graph_method.value}"
        return {SPARSE: "bm25", TIME: "times", GRAPH: graph}[name]

    def _note(self, name: str) -> str:
        if name == TIME and TIME not in self.ranking.found:
            return "the question names no time"
        if name != DENSE:
            return ""
        missing = len(self.known.index) - self.known.index.embedded
        lacks = f"{missing} memories have no vector yet" if missing and self.known.sight.identity else ""
        return self.known.vector_note or lacks


def _sha256(values: Mapping[str, str | bool | int | float]) -> str:
    told = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(told.encode()).hexdigest()
