"""The channels: each scores every memory of a scope on its own, knowing nothing of the others."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from hydramind.index.context import timely
from hydramind.index.conversations import NOBODY
from hydramind.index.entity_graph import EntityGraph, Found, Neighbours
from hydramind.index.plan import DENSE, GRAPH, SPARSE, TIME, GraphMethod, Mask, Plan, Question, Scores
from hydramind.index.scope_index import Arrays


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """What the channels of one question read: a scope's columns, what its memories mention, who may be returned."""

    arrays: Arrays
    mentions: EntityGraph | None
    visible: Mask


@dataclass(frozen=True, slots=True, eq=False)
class Channel:
    """(n,) raw scores of one channel, 0 or less where it found nothing, and what they took in milliseconds."""

    scores: Scores
    ms: float


def channels_of(sources: Sources, question: Question, plan: Plan) -> dict[str, Channel]:
    """Each channel that the plan uses and the question allows: no vector, no dense one; no time named, no time channel.
    The graph channel needs `mentions`; it runs last, since its random walk may start from another channel's memories."""
    scored: dict[str, Channel] = {}
    for name in (SPARSE, DENSE, TIME, GRAPH):
        if name in plan.weights and (run := _RUNS[name](sources, question, plan, scored)) is not None:
            scored[name] = run
    return scored


def _sparse(sources: Sources, question: Question, plan: Plan, scored: dict[str, Channel]) -> Channel:
    started = time.perf_counter()
    return _timed(sources.arrays.postings.bm25(question.keywords).astype(np.float64), started)


def _dense(sources: Sources, question: Question, plan: Plan, scored: dict[str, Channel]) -> Channel | None:
    if question.vector is None:
        return None
    started = time.perf_counter()
    arrays = sources.arrays
    return _timed(arrays.vectors.scores(question.vector, len(arrays.ids)).astype(np.float64), started)


def _time(sources: Sources, question: Question, plan: Plan, scored: dict[str, Channel]) -> Channel | None:
    if not question.spans:
        return None
    started = time.perf_counter()
    return _timed(timely(sources.arrays.happened, question.spans), started)


def _graph(sources: Sources, question: Question, plan: Plan, scored: dict[str, Channel]) -> Channel | None:
    if sources.mentions is None:
        return None
    started = time.perf_counter()
    before, after = (_known(side, len(sources.mentions)) for side in sources.arrays.conversations.neighbours())
    if plan.graph_method is GraphMethod.EMG:
        ordinals, found = sources.mentions.emg(question.keys, before, after)
    else:
        seed = scored.get(plan.seed)
        passages = None if seed is None else _passages(seed.scores, sources.visible, plan.channel_k)
        ordinals, found = sources.mentions.ppr(question.keys, before, after, passages)
    scores = np.zeros(len(sources.visible))
    scores[ordinals] = found
    return _timed(scores, started)


def _known(side: Neighbours, size: int) -> Neighbours:
    """Neighbours among the first `size` memories: what was written since the graph was brought up to date is not in it."""
    return np.where(side[:size] < size, side[:size], NOBODY)


def _passages(scores: Scores, visible: Mask, most: int) -> Found:
    """The best visible memories of a channel, ascending ordinals."""
    ordinals = np.flatnonzero(visible & (scores > 0))
    if len(ordinals) > most:
        ordinals = np.sort(ordinals[np.argpartition(-scores[ordinals], most - 1)[:most]])
    return ordinals, scores[ordinals]


def _timed(scores: Scores, started: float) -> Channel:
    return Channel(scores, (time.perf_counter() - started) * 1_000)


_RUNS = {SPARSE: _sparse, DENSE: _dense, TIME: _time, GRAPH: _graph}
