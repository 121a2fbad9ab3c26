"""How good one ranking is against its gold ids, and the means over many; what failed counts as a ranking of nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

DEPTHS = (5, 10, 20)
_IDEAL_DEPTH = 10


def recall_at(ranked: Sequence[str], gold: Sequence[str], depth: int) -> float:
    """The share of the gold ids among the first `depth` of the ranking, 0..1; raises `ZeroDivisionError` without gold."""
    return len(set(ranked[:depth]) & set(gold)) / len(set(gold))


def ndcg_at(ranked: Sequence[str], gold: Sequence[str], depth: int) -> float:
    """Binary nDCG with gain 1 / log2(rank + 1); the ideal puts min(gold, depth) first. Järvelin and Kekäläinen 2002."""
    wanted = set(gold)
    gained = sum(1 / math.log2(rank + 1) for rank, id_ in enumerate(ranked[:depth], start=1) if id_ in wanted)
    return gained / sum(1 / math.log2(rank + 1) for rank in range(1, min(len(wanted), depth) + 1))


def reciprocal_rank(ranked: Sequence[str], gold: Sequence[str]) -> float:
    """1 / rank of the first gold id of the whole ranking, 0 without one."""
    wanted = set(gold)
    return next((1 / rank for rank, id_ in enumerate(ranked, start=1) if id_ in wanted), 0.0)


def _recall_to(depth: int) -> Callable[[Sequence[str], Sequence[str]], float]:
    return lambda ranked, gold: recall_at(ranked, gold, depth)


MEASURES: Mapping[str, Callable[[Sequence[str], Sequence[str]], float]] = {
    **{f"r_at_{depth}": _recall_to(depth) for depth in DEPTHS},
    "ndcg_at_10": lambda ranked, gold: ndcg_at(ranked, gold, _IDEAL_DEPTH),
    "mrr": reciprocal_rank,
}
"""Every measure by the name that results give it; MRR looks as deep as the ranking that was asked for."""


def judged(ranked: Sequence[str], gold: Sequence[str]) -> dict[str, float]:
    """Each measure of one ranking of distinct ids."""
    return {name: measure(ranked, gold) for name, measure in MEASURES.items()}


def distinct(ids: Sequence[str]) -> tuple[str, ...]:
    """The ids in order without repeats: a file's rank is that of its best chunk."""
    return tuple(dict.fromkeys(ids))
