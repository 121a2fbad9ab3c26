"""Ranks one scope for one question: channels over every visible memory, fused, gated, weighed by trust."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hydramind.index.channels import Channel, Sources, channels_of
from hydramind.index.context import NAMED, SESSION, about_others, around, session_scores
from hydramind.index.entity_graph import EntityGraph
from hydramind.index.fusing import fused, in_time, shares
from hydramind.index.ordering import best as best_of
from hydramind.index.plan import DENSE, SPARSE, Around, Mask, Plan, Question, Ranked, Ranking, Scores
from hydramind.index.scope_index import Arrays, ScopeIndex
from hydramind.mind import gate
from hydramind.mind.gate import Gate

KEYWORDS, MEANING, UNGATED = "keywords", "meaning", "no gate"
"""Why a memory passed."""
_FLAT: Final = 1e-9
_FEW: Final = 50
"""Up to so many memories their ranks are counted one by one; sorting all costs more."""


def rank(index: ScopeIndex, question: Question, plan: Plan, mentions: EntityGraph | None = None) -> Ranking:
    """Every visible memory is scored by every channel; ties go to the newer, then to the smaller id. `mentions` must know
    as many memories as the index when the plan uses the graph channel."""
    arrays = index.arrays
    sources = Sources(arrays, mentions, visible_to(index, question))
    channels = channels_of(sources, question, plan)
    evidence = _weighed(sources, question, plan, channels)
    ordinals = np.flatnonzero(evidence.passing & sources.visible)
    scores = evidence.relevance[ordinals] * _trust(arrays, question)[ordinals] * arrays.confidence[ordinals]
    positions = best_of(ordinals, scores, arrays.ids, arrays.created, plan.limit)
    best = _shown(sources, ordinals[positions], scores[positions], evidence, plan)
    found = {name: int((channel.scores[sources.visible] > 0).sum()) for name, channel in channels.items()}
    took = {name: channel.ms for name, channel in channels.items()}
    return Ranking(best, int(sources.visible.sum()), len(ordinals), found, took)


def visible_to(index: ScopeIndex, question: Question) -> Mask:
    """(n,) which memories a question may see: by validity at its moment, and of those it asks for."""
    visible = index.visible(question.now, question.as_of)
    if question.among is None:
        return visible
    return visible & np.isin(index.arrays.ids, np.fromiter(question.among, np.int64, len(question.among)))


def rank_keywords(
    index: ScopeIndex, keywords: Sequence[str], limit: int, among: Collection[int] | None = None, now: int = 0
) -> Ranking:
    """The lexical gate alone: score = coverage x trust x confidence."""
    question = Question(tuple(keywords), now, among=among)
    return rank(index, question, Plan(weights={SPARSE: 1.0}, gate=Gate.LEXICAL, limit=limit))


@dataclass(frozen=True, slots=True, eq=False)
class _Evidence:
    """(n,) each: how relevant a memory is (0..1), its share of the keywords, whether the gate lets it through."""

    channels: Mapping[str, Channel]
    relevance: Scores
    coverage: Scores
    passing: Mask


def _trust(arrays: Arrays, question: Question) -> Scores:
    """(n,) trust now, or at the moment asked for."""
    if not question.trusts:
        return arrays.trust
    trust = arrays.trust.copy()
    for at in np.flatnonzero(np.isin(arrays.ids, np.fromiter(question.trusts, np.int64, len(question.trusts)))):
        trust[at] = question.trusts[int(arrays.ids[at])]
    return trust


def _coverage(arrays: Arrays, keywords: tuple[str, ...]) -> Scores:
    """(n,) share of the keywords that each memory holds."""
    return arrays.postings.held(keywords) / max(1, len(keywords))


def _weighed(sources: Sources, question: Question, plan: Plan, channels: Mapping[str, Channel]) -> _Evidence:
    coverage = _coverage(sources.arrays, question.evidence or question.keywords)
    if plan.gate is Gate.LEXICAL and plan.fusion is None:
        return _Evidence(channels, coverage, coverage, gate.covered(coverage))
    named = _named(sources.arrays, question, plan)
    if plan.fusion is None:
        told = _together(sources, question, plan, channels)
        scores = told + NAMED * named
        candidates = np.ones(len(scores), np.bool_)
        relevance = np.maximum(_share(scores, sources.visible), np.where(gate.covered(coverage), coverage, 0.0))
    else:
        told = scores = fused(sources, plan, channels)
        candidates = scores > 0
        relevance = _share(scores, sources.visible)
    passing = candidates & _passing(sources, plan, channels, _Told(coverage, told, named))
    if plan.gate is Gate.HYBRID and not plan.facts_by_meaning:
        said = sources.arrays.said
        passing &= said | gate.covered(coverage)
        relevance = np.where(said, relevance, coverage)
    return _Evidence(channels, relevance, coverage, passing)


def _together(sources: Sources, question: Question, plan: Plan, channels: Mapping[str, Channel]) -> Scores:
    """(n,) what the memories, their conversations and their times tell of what is asked."""
    arrays = sources.arrays
    own = shares(sources, question, plan, channels)
    told = own
    if arrays.conversations.any:
        if Around.NEIGHBOURS in plan.around:
            told = told + around(arrays, own)
        if Around.SESSION in plan.around:
            told = told + SESSION * session_scores(arrays, question.keywords)
    return told + in_time(plan, channels)


def _named(arrays: Arrays, question: Question, plan: Plan) -> Mask:
    """(n,) turns by somebody whom the question names; none where that is not to count."""
    if Around.SPEAKER not in plan.around:
        return np.zeros(len(arrays.ids), np.bool_)
    return arrays.conversations.spoken_by(question.words)


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """(n,) each: the share of the keywords, what the memories tell of what is asked, which are by somebody named."""

    coverage: Scores
    scores: Scores
    named: Mask


def _passing(sources: Sources, plan: Plan, channels: Mapping[str, Channel], told: _Told) -> Mask:
    """(n,) what the gate lets through, before validity."""
    everything = np.ones(len(told.coverage), np.bool_)
    if plan.gate is Gate.OFF:
        return everything
    passing = gate.covered(told.coverage)
    if plan.gate is Gate.LEXICAL:
        return passing
    if about_others(sources.arrays, told.named, told.scores, sources.visible):
        return ~everything
    dense = channels.get(DENSE)
    if plan.floors is None or dense is None or dense.scores[sources.visible].max(initial=0.0) < plan.floors.best:
        return passing
    return passing | (dense.scores >= plan.floors.each)


def _share(scores: Scores, visible: Mask) -> Scores:
    """(n,) 0..1: each score's share of the best one's; 1 where none stands out. What lies below 0 stands just above it, in
    its order."""
    peak = float(scores[visible].max(initial=0.0))
    if peak <= _FLAT:
        return np.ones(len(scores))
    low = float(scores[visible].min(initial=0.0))
    return np.clip(np.maximum(scores / peak, _FLAT * (scores - low) / (peak - low)), 0.0, 1.0)


def _reason(plan: Plan, coverage: float) -> str:
    if gate.covered(coverage):
        return KEYWORDS
    return UNGATED if plan.gate is Gate.OFF else MEANING


def _shown(
    sources: Sources, chosen: NDArray[np.intp], scores: Scores, evidence: _Evidence, plan: Plan
) -> tuple[Ranked, ...]:
    """The chosen memories with their receipts, in the order given."""
    ranks = {name: _ranks(channel.scores, sources.visible, chosen) for name, channel in evidence.channels.items()}
    return tuple(
        Ranked(
            memory_id=int(sources.arrays.ids[ordinal]),
            score=float(score),
            relevance=float(evidence.relevance[ordinal]),
            coverage=float(evidence.coverage[ordinal]),
            passed_by=_reason(plan, float(evidence.coverage[ordinal])),
            places={
                name: (int(ranks[name][at]), float(channel.scores[ordinal]))
                for name, channel in evidence.channels.items()
                if channel.scores[ordinal] > 0
            },
        )
        for at, (ordinal, score) in enumerate(zip(chosen, scores, strict=True))
    )


def _ranks(values: Scores, visible: Mask, chosen: NDArray[np.intp]) -> NDArray[np.intp]:
    """Ranks from 1 of some memories in a channel: one more than how many visible ones score higher."""
    rivals = values[visible]
    if len(chosen) <= _FEW:
        return np.array([1 + np.count_nonzero(rivals > value) for value in values[chosen]], np.intp)
    rivals.sort()
    return len(rivals) - np.searchsorted(rivals, values[chosen], side="right") + 1
