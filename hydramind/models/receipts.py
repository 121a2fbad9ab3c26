"""What a recall returns: hits, each with its receipt, and the trace of the whole answer."""

from __future__ import annotations

from pydantic import Field

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
    it is the coverage. `coverage` is the share of query keywords it holds, those of a time such as `today` or `3 weeks ago`
    left out; `matched` are the keywords it holds in the query's order; `passed_by` says what the gate went by: `keywords`,
    `meaning` or `no gate`. Where they were asked for: `salience` is what multiplied the score, `rerank_score` the
    reranker's own, `wordings` the numbers of the wordings that found it, 0 for the query itself."""

    memory: MemoryView
    score: float
    coverage: float
    matched: tuple[str, ...] = ()
    relevance: float = 0.0
    passed_by: str = ""
    channels: tuple[Place, ...] = ()
    salience: float | None = None
    rerank_score: float | None = None
    wordings: tuple[int, ...] = ()


class Stage(Reply):
    """One step of a recall: whether it was asked for, whether it ran, how long it took, what did it, how many memories it
    found, why it did not run or ran on a part only, and which other steps it started from."""

    name: str
    requested: bool
    executed: bool
    ms: float = 0.0
    identity: str = ""
    candidates: int = 0
    note: str = ""
    dependencies: tuple[str, ...] = ()


class RecallTrace(Reply):
    """How an answer came about: the settings in force and what it was carried out on (scope, revision, moment, embedder,
    reranker), each with the SHA-256 of its JSON text, and each stage."""

    config: dict[str, str | bool | int | float]
    config_sha256: str
    stages: tuple[Stage, ...]
    execution: dict[str, str | int | float] = Field(default_factory=dict[str, str | int | float])
    execution_sha256: str = ""
    schema_version: int = 1


class EvidenceItem(Reply):
    """A text as handed over: `(date) speaker: content`, and its tokens. A `hit` has its rank (from 1) and score; `context`
    stands beside the hit `expanded_from`."""

    memory_id: str
    evidence_id: str
    role: str
    text: str
    tokens: int
    rank: int | None = None
    score: float | None = None
    expanded_from: str | None = None


class EvidenceView(Reply):
    """What fits the budget, in the order asked for; `skipped` are the ids of the hits that do not, best first."""

    budget_tokens: int
    tokens: int
    items: tuple[EvidenceItem, ...]
    skipped: tuple[str, ...] = ()


class Routing(Reply):
    """What the query was taken to ask for and by which of its words, and how its wordings were used (BDH-15).
    `multi_query_unique_notes` memories were found, `multi_query_multivariant_hits` of them by more than one wording."""

    kind: str
    cue: str
    multi_query_enabled: bool
    multi_query_variant_count: int
    query_variants: tuple[str, ...]
    multi_query_fusion: str | None
    multi_query_unique_notes: int
    multi_query_multivariant_hits: int
    sub_questions: str


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
    evidence: EvidenceView | None = None


class Retrieved(Recalled):
    """What a retrieval found, best first, with the way its query was read."""

    routing: Routing
