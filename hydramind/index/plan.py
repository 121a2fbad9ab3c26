"""What is asked of one scope, how it is to be ranked, and what comes of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hydramind.mind.fusion import RRF_K, Fusion
from hydramind.mind.gate import Floors, Gate
from hydramind.mind.times import Span

Scores = NDArray[np.float64]
Mask = NDArray[np.bool_]

SPARSE: Final = "sparse"
DENSE: Final = "dense"
GRAPH: Final = "graph"
TIME: Final = "time"
CHANNELS: Final = (SPARSE, DENSE, GRAPH, TIME)
WEIGHTS: Final[Mapping[str, float]] = {SPARSE: 1.0, DENSE: 0.5, TIME: 2.0}
"""Of the channels that recall uses by itself; found on chat questions, see `context`."""


class GraphMethod(StrEnum):
    """How the graph channel ranks: by the entities a memory shares with the question, or by a random walk from them."""

    EMG = "emg"
    PPR = "ppr"


class Around(StrEnum):
    """What may add to a turn's own score: the turns beside it, its whole conversation, its speaker being named."""

    NEIGHBOURS = "neighbours"
    SESSION = "session"
    SPEAKER = "speaker"


EVERYTHING_AROUND: Final = frozenset(Around)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: distinct keywords, every folded word (for names), the times it names, the entity keys it asks for, and
    its unit vector where it has one. `among` are the only ids to look at, `trusts` the trust of memories that had another
    one at the moment `as_of`, `evidence` the keywords that count for the gate where not all do."""

    keywords: tuple[str, ...]
    now: int
    words: frozenset[str] = frozenset()
    spans: tuple[Span, ...] = ()
    keys: tuple[str, ...] = ()
    vector: NDArray[np.float32] | None = None
    as_of: int | None = None
    among: Collection[int] | None = None
    trusts: Mapping[int, float] = field(default_factory=dict[int, float])
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """How to rank. `weights` by channel, a missing one is not used. `fusion` None sums what the channels say on scales that
    compare (`fusing.shares`), to which `around` adds; any other method takes each channel's best `channel_k` and only
    ranks those. `seed` names the channel whose memories join the seeds of the random walk. `floors` are the cosines of the
    hybrid gate; without `facts_by_meaning` facts pass by keywords alone and count by their coverage."""

    weights: Mapping[str, float] = field(default_factory=lambda: dict(WEIGHTS))
    fusion: Fusion | None = None
    rrf_k: int = RRF_K
    channel_k: int = 100
    graph_method: GraphMethod = GraphMethod.EMG
    seed: str = ""
    around: frozenset[Around] = EVERYTHING_AROUND
    gate: Gate = Gate.HYBRID
    floors: Floors | None = None
    facts_by_meaning: bool = True
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
    """Best first, cut to the limit; `considered` visible memories, `passed` of them got through the gate. By channel:
    `found` counts those with a score above 0, `took` is its time in milliseconds."""

    best: tuple[Ranked, ...]
    considered: int
    passed: int
    found: Mapping[str, int]
    took: Mapping[str, float] = field(default_factory=dict[str, float], compare=False)
