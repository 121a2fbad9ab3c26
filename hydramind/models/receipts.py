"""What a recall returns: hits, each with its receipt, and the trace of the whole answer."""

from __future__ import annotations

from hydramind.models.replies import MemoryView, Reply


class Place(Reply):
    """Where one channel ranked a memory: `rank` from 1 among the memories considered, `score` as that channel counts
    (`sparse` BM25, `dense` cosine)."""

    channel: str
    rank: int
    score: float


class Hit(Reply):
    """One recalled memory and its receipt. `score` = relevance x trust x confidence; `relevance` (0..1) is how far the fused
    channels put it above the scope's average, against the best, or the coverage where that is more; under the lexical gate
    it is the coverage. `coverage` is the share of query keywords it holds, `matched` are those keywords in the query's
    order; `passed_by` says what the gate went by: `keywords`, `meaning` or `no gate`."""

    memory: MemoryView
    score: float
    coverage: float
    matched: tuple[str, ...] = ()
    relevance: float = 0.0
    passed_by: str = ""
    channels: tuple[Place, ...] = ()


class Stage(Reply):
    """One step of a recall: whether it was asked for, whether it ran, how long it took, what did it, how many memories it
    found, and why it did not run or ran on a part only."""

    name: str
    requested: bool
    executed: bool
    ms: float = 0.0
    identity: str = ""
    candidates: int = 0
    note: str = ""


class RecallTrace(Reply):
    """How an answer came about: the settings in force, the SHA-256 of their JSON text, and each stage."""

    config: dict[str, str | float | bool]
    config_sha256: str
    stages: tuple[Stage, ...]


class Recalled(Reply):
    """Hits, best first. Empty means that nothing passed the evidence gate; `considered` counts the memories looked at,
    `limit` is the one that was used, `revision` the scope's at that moment."""

    limit: int
    hits: tuple[Hit, ...]
    keywords: tuple[str, ...]
    considered: int
    passed: int
    revision: int
    trace: RecallTrace = RecallTrace(config={}, config_sha256="", stages=())
