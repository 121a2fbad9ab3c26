"""From the channels' scores to one score a memory: on scales that compare, or by a fusion method over each one's best."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from hydramind.index.channels import Channel, Sources
from hydramind.index.context import standardised
from hydramind.index.ordering import best
from hydramind.index.plan import DENSE, GRAPH, SPARSE, TIME, Mask, Plan, Question, Scores
from hydramind.mind import fusion

SHARE: Final = 12.0
"""Standard deviations that the whole of the reachable BM25 counts for."""
ONE_ENTITY: Final = 1.4427
"""Graph score of the only memory of an entity that was asked for: 1 / ln 2 (SEEDS 4.3)."""


def shares(sources: Sources, question: Question, plan: Plan, channels: Mapping[str, Channel]) -> Scores:
    """(n,) weighted sum of what the channels say of what is asked, each measured from its mean over the visible memories:
    cosines in standard deviations, BM25 and graph as a share of the most a memory could reach, which does not grow with
    the scope. The time is added apart (`in_time`): it says nothing about what is asked."""
    arrays, visible = sources.arrays, sources.visible
    own = np.zeros(len(visible))
    if SPARSE in channels and visible.any():
        most = sum(arrays.postings.rarity(keyword) for keyword in question.keywords)
        scores = channels[SPARSE].scores
        own += plan.weights[SPARSE] * SHARE * _above_mean(scores / most if most else scores, visible)
    if GRAPH in channels and visible.any():
        own += plan.weights[GRAPH] * SHARE * _above_mean(channels[GRAPH].scores / ONE_ENTITY, visible)
    if DENSE in channels:
        with_vector = visible & arrays.vectors.present(len(visible))
        own += plan.weights[DENSE] * standardised(channels[DENSE].scores, with_vector)
        if len(channels) == 1:
            # Nothing else speaks for what has no vector.
            own[~with_vector] = own.min(initial=0.0)
    return own


def in_time(plan: Plan, channels: Mapping[str, Channel]) -> Scores | float:
    """(n,) what a memory gains for being of a time that the question names."""
    return plan.weights[TIME] * channels[TIME].scores if TIME in channels else 0.0


def fused(sources: Sources, plan: Plan, channels: Mapping[str, Channel]) -> Scores:
    """(n,) scores by the plan's fusion method over the best `channel_k` of each channel, above 0 for those alone: what a
    method puts at or below 0 stands just above it, in its order."""
    arrays = sources.arrays
    scores = np.zeros(len(sources.visible))
    assert plan.fusion is not None  # noqa: S101 - the caller asked
    rankings = [_best(sources, name, channel, plan.channel_k) for name, channel in channels.items()]
    used = [each for each in rankings if plan.weights[each.name] > 0]
    ordinals, values = fusion.fuse(used, plan.weights, plan.fusion, plan.rrf_k, lambda found: -arrays.created[found])
    scores[ordinals] = values - values.min(initial=0.0) + np.finfo(np.float64).tiny
    return scores


def _best(sources: Sources, name: str, channel: Channel, most: int) -> fusion.Ranking:
    """The best visible memories that a channel found, best first, ties as everywhere."""
    arrays = sources.arrays
    ordinals = np.flatnonzero(sources.visible & (channel.scores > 0))
    scores = channel.scores[ordinals]
    positions = best(ordinals, scores, arrays.ids, arrays.created, most)
    return fusion.Ranking(name, ordinals[positions].astype(np.int64), scores[positions])


def _above_mean(scores: Scores, visible: Mask) -> Scores:
    return np.where(visible, scores - scores[visible].mean(), 0.0)
