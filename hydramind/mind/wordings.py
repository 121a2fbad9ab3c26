"""Several wordings of one question become one ranking (BDH-14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from hydramind.mind import fusion

OTHER_WORDING: Final = 0.9
"""Weight of a further wording beside the query's own words where the best score counts."""


class Wording(StrEnum):
    """RRF: the sum of 1 / (60 + rank) over the wordings. WEIGHTED: the best relevance in any, other wordings at 0.9."""

    RRF = "rrf"
    WEIGHTED = "weighted"


@dataclass(frozen=True, slots=True)
class Joined:
    """One memory: its relevance 0..1, the best one's being 1, and the numbers of the wordings that found it, ascending."""

    id: int
    relevance: float
    wordings: tuple[int, ...]


def join(found: Sequence[Sequence[tuple[int, float]]], method: Wording) -> list[Joined]:
    """Ids and relevance (above 0..1) by wording, the query's own first and each best first, as one ranking, best first;
    equal ones: the smaller id first. Nothing found is an empty list."""
    numbers: dict[int, list[int]] = {}
    best: dict[int, float] = {}
    for number, rows in enumerate(found):
        weight = OTHER_WORDING if number else 1.0
        for id_, relevance in rows:
            numbers.setdefault(id_, []).append(number)
            best[id_] = max(best.get(id_, 0.0), weight * relevance)
    if method is Wording.RRF:
        best = _by_ranks(found)
    peak = max(best.values(), default=0.0) or 1.0
    order = sorted(best, key=lambda id_: (-best[id_], id_))
    return [Joined(id_, best[id_] / peak, tuple(numbers[id_])) for id_ in order]


def _by_ranks(found: Sequence[Sequence[tuple[int, float]]]) -> dict[int, float]:
    rankings = [
        fusion.Ranking(str(number), np.array([id_ for id_, _ in rows], np.int64), np.array([s for _, s in rows], float))
        for number, rows in enumerate(found)
    ]
    weights = {ranking.name: 1.0 for ranking in rankings}
    if len(rankings) == 1:
        return {id_: 1 / (fusion.RRF_K + rank) for rank, (id_, _) in enumerate(found[0], 1)}
    ids, scores = fusion.fuse(rankings, weights, fusion.Fusion.RRF)
    return dict(zip(ids.tolist(), scores.tolist(), strict=True))
