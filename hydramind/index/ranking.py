"""Ranks one scope for one question: channels over every visible memory, fused, gated, weighed by trust."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hydramind.index.context import (
    IN_TIME,
    SESSION,
    about_others,
    around,
    session_scores,
    speaking,
    standardised,
    timely,
)
from hydramind.index.ordering import best as best_of
from hydramind.index.scope_index import Arrays, ScopeIndex
from hydramind.mind import gate
from hydramind.mind.gate import Floors, Gate
from hydramind.mind.times import Span

Scores = NDArray[np.float64]
Mask = NDArray[np.bool_]

SPARSE: Final = "sparse"
DENSE: Final = "dense"
SHARE: Final = 12.0
"""Standard deviations that the whole of the reachable BM25 counts for."""
WEIGHTS: Final[Mapping[str, float]] = {SPARSE: 1.0, DENSE: 0.5}
KEYWORDS, MEANING, UNGATED = "keywords", "meaning", "no gate"
"""Why a memory passed."""

_FLAT: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: distinct keywords, every folded word (for names), the times it names, and its unit vector where it
    has one."""

    keywords: tuple[str, ...]
    now: int
    words: frozenset[str] = frozenset()
    spans: tuple[Span, ...] = ()
    vector: NDArray[np.float32] | None = None
    as_of: int | None = None
    among: Collection[int] | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """How to rank. `weights` by channel, a missing one is not used; `floors` are the cosines of the hybrid gate. Without
    `facts_by_meaning` facts pass by keywords alone and count by their coverage, whatever turns and notes do. `context` and
    `time` say whether conversations and the times named count."""

    weights: Mapping[str, float] = field(default_factory=lambda: dict(WEIGHTS))
    gate: Gate = Gate.HYBRID
    floors: Floors | None = None
    facts_by_meaning: bool = True
    context: bool = True
    time: bool = True
    limit: int = 10


@dataclass(frozen=True, slots=True)
class Ranked:
    """One memory that passed: `score` = relevance (0..1) x trust x confidence. `places` are its rank (from 1) and raw score
    in each channel that found it; `passed_by` is the gate's reason."""

    memory_id: int
    score: float
    relevance: float
    coverage: float
    passed_by: str
    places: Mapping[str, tuple[int, float]]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Best first, cut to the limit; `considered` visible memories, `passed` of them got through the gate, `found` counts
    those with a score above 0 in each channel."""

    best: tuple[Ranked, ...]
    considered: int
    passed: int
    found: Mapping[str, int]


def rank(index: ScopeIndex, question: Question, plan: Plan) -> Ranking:
    """Every visible memory is scored by every channel; ties go to the newer, then to the smaller id."""
    arrays = index.arrays
    visible = index.visible(question.now, question.as_of)
    if question.among is not None:
        visible = visible & np.isin(arrays.ids, np.fromiter(question.among, np.int64, len(question.among)))
    channels = _channels(arrays, question, plan)
    coverage = _coverage(arrays, question.keywords)
    if plan.gate is Gate.LEXICAL:
        relevance, passing = coverage, gate.covered(coverage)
    else:
        own = _own(arrays, question, plan, channels, visible)
        told = _in_context(arrays, question, plan, own)
        fused = told + speaking(arrays, question.words) if plan.context else told
        relevance = _relevance(fused, coverage, visible)
        passing = _passing(arrays, question, plan, _Evidence(channels, coverage, told, visible))
        if plan.gate is Gate.HYBRID and not plan.facts_by_meaning:
            passing &= arrays.said | gate.covered(coverage)
            relevance = np.where(arrays.said, relevance, coverage)
    ordinals = np.flatnonzero(passing & visible)
    scores = relevance[ordinals] * arrays.trust[ordinals] * arrays.confidence[ordinals]
    positions = best_of(ordinals, scores, arrays.ids, arrays.created, plan.limit)
    best = _shown(
        arrays, ordinals[positions], _Weighed(scores[positions], relevance, coverage, channels, visible), plan
    )
    found = {name: int((values[visible] > 0).sum()) for name, values in channels.items()}
    return Ranking(best, int(visible.sum()), len(ordinals), found)


def rank_keywords(
    index: ScopeIndex, keywords: Sequence[str], limit: int, among: Collection[int] | None = None, now: int = 0
) -> Ranking:
    """The lexical gate alone: score = coverage x trust x confidence."""
    question = Question(tuple(keywords), now, among=among)
    return rank(index, question, Plan(weights={SPARSE: 1.0}, gate=Gate.LEXICAL, limit=limit))


def _channels(arrays: Arrays, question: Question, plan: Plan) -> dict[str, Scores]:
    """(n,) raw scores of each channel that the plan uses and the question allows."""
    channels: dict[str, Scores] = {}
    if SPARSE in plan.weights:
        channels[SPARSE] = arrays.postings.bm25(question.keywords).astype(np.float64)
    if DENSE in plan.weights and question.vector is not None:
        channels[DENSE] = arrays.vectors.scores(question.vector, len(arrays.ids)).astype(np.float64)
    return channels


def _coverage(arrays: Arrays, keywords: tuple[str, ...]) -> Scores:
    """(n,) share of the keywords that each memory holds."""
    shares = np.zeros(len(arrays.ids))
    ordinals, counts = arrays.postings.matches(keywords)
    shares[ordinals] = counts / max(1, len(keywords))
    return shares


@dataclass(frozen=True, slots=True)
class _Evidence:
    channels: Mapping[str, Scores]
    coverage: Scores
    told: Scores
    visible: Mask


def _passing(arrays: Arrays, question: Question, plan: Plan, evidence: _Evidence) -> Mask:
    """(n,) what the gate lets through, before validity."""
    everything = np.ones(len(evidence.coverage), np.bool_)
    if plan.gate is Gate.OFF:
        return everything
    if plan.context and about_others(arrays, question.words, evidence.told, evidence.visible):
        return ~everything
    passing = gate.covered(evidence.coverage)
    cosines = evidence.channels.get(DENSE)
    if plan.floors is None or cosines is None or cosines[evidence.visible].max(initial=0.0) < plan.floors.best:
        return passing
    return passing | (cosines >= plan.floors.each)


def _reason(plan: Plan, coverage: float) -> str:
    if gate.covered(coverage):
        return KEYWORDS
    return UNGATED if plan.gate is Gate.OFF else MEANING


def _own(arrays: Arrays, question: Question, plan: Plan, channels: Mapping[str, Scores], visible: Mask) -> Scores:
    """(n,) weighted sum of what the channels say, each measured from its mean over the visible memories: cosines in standard
    deviations, BM25 as a share of the most a memory could reach, which does not grow with the scope."""
    own = np.zeros(len(visible))
    if SPARSE in channels and visible.any():
        most = sum(arrays.postings.rarity(keyword) for keyword in question.keywords)
        shares = channels[SPARSE] / most if most else channels[SPARSE]
        own += plan.weights[SPARSE] * SHARE * np.where(visible, shares - shares[visible].mean(), 0.0)
    if DENSE in channels:
        own += plan.weights[DENSE] * standardised(channels[DENSE], visible & arrays.vectors.present(len(visible)))
    return own


def _in_context(arrays: Arrays, question: Question, plan: Plan, own: Scores) -> Scores:
    """(n,) the same with what the conversation and the time add."""
    fused = own
    if plan.context and arrays.conversations.any:
        fused = fused + around(arrays, own) + SESSION * session_scores(arrays, question.keywords)
    if plan.time and question.spans:
        fused = fused + IN_TIME * timely(arrays.happened, question.spans)
    return fused


def _relevance(fused: Scores, coverage: Scores, visible: Mask) -> Scores:
    """(n,) 0..1: the share of the best memory's distance from the scope's average (1 where none stands out), and never less
    than the coverage where that passes on its own."""
    peak = float(fused[visible].max(initial=0.0))
    share = np.clip(fused / peak, 0.0, 1.0) if peak > _FLAT else np.ones(len(fused))
    return np.maximum(share, np.where(gate.covered(coverage), coverage, 0.0))


@dataclass(frozen=True, slots=True)
class _Weighed:
    scores: Scores
    relevance: Scores
    coverage: Scores
    channels: Mapping[str, Scores]
    visible: Mask


def _shown(arrays: Arrays, chosen: NDArray[np.intp], weighed: _Weighed, plan: Plan) -> tuple[Ranked, ...]:
    """The chosen memories with their receipts, in the order given."""
    ranks = {name: _ranks(values, weighed.visible, chosen) for name, values in weighed.channels.items()}
    return tuple(
        Ranked(
            memory_id=int(arrays.ids[ordinal]),
            score=float(score),
            relevance=float(weighed.relevance[ordinal]),
            coverage=float(weighed.coverage[ordinal]),
            passed_by=_reason(plan, float(weighed.coverage[ordinal])),
            places={
                name: (int(ranks[name][at]), float(values[ordinal]))
                for name, values in weighed.channels.items()
                if values[ordinal] > 0
            },
        )
        for at, (ordinal, score) in enumerate(zip(chosen, weighed.scores, strict=True))
    )


def _ranks(values: Scores, visible: Mask, chosen: NDArray[np.intp]) -> NDArray[np.intp]:
    """Ranks from 1 of some memories in a channel: one more than how many visible ones score higher."""
    rivals = np.sort(values[visible])
    return len(rivals) - np.searchsorted(rivals, values[chosen], side="right") + 1
