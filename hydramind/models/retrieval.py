"""The arguments of retrieve: every stage of a recall by request (HYB-33)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from hydramind.models.fields import (
    MAX_REFS,
    EntityNames,
    FactType,
    GateName,
    KindName,
    ScopeName,
    SessionName,
    SourceName,
    ZonedAsOf,
    as_list,
    as_text,
    bounded,
    null_is,
)
from hydramind.models.requests import Request

ChannelName = Literal["sparse", "dense", "graph", "time"]
MOST_VARIANTS = 3
_LONGEST_QUERY = 20_000


def _as_object(value: object) -> object:
    """A JSON object given as text is read as one; null is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, str):
        return value
    try:
        return cast(object, json.loads(value))
    except json.JSONDecodeError as error:
        raise ValueError(f"looks like no JSON object: {error.msg}") from None


def _weights(value: dict[str, float]) -> dict[str, float]:
    for name, weight in value.items():
        if not (math.isfinite(weight) and weight >= 0):
            raise ValueError(f"the weight of {name!r} must be a finite number of 0 or more, got {weight!r}")
    if value and not any(value.values()):
        raise ValueError("one weight must be above 0")
    return value


def _distinct(values: tuple[str, ...]) -> tuple[str, ...]:
    repeated = next((value for value in values if values.count(value) > 1), None)
    if repeated is not None:
        raise ValueError(f"{repeated!r} stands there more than once")
    return values


Question = Annotated[
    str,
    Field(description="What you want to know, at most 20,000 characters."),
    BeforeValidator(as_text),
    bounded(_LONGEST_QUERY),
]
Channels = Annotated[
    tuple[ChannelName, ...],
    Field(
        description="Channels that must run, each on its own: sparse (BM25), dense (cosine), graph (shared entities), time "
        "(the times the question names). Default: those that can."
    ),
    BeforeValidator(as_list),
    AfterValidator(_distinct),
]
TopK = Annotated[int, Field(description="Hits to return.", ge=1, le=200)]
ChannelK = Annotated[int, Field(description="Memories that each channel hands to the fusion.", ge=1, le=1_000)]
FusionName = Annotated[
    Literal["rrf", "dbsf", "zscore", "minmax", "shares"],
    Field(
        description="How the channels become one ranking. shares is what recall does: scores on scales that compare, over "
        "the whole scope, to which conversations add."
    ),
]
RrfK = Annotated[int, Field(description="The constant of reciprocal rank fusion.", ge=0, le=1_000)]
Weights = Annotated[
    dict[ChannelName, float],
    Field(description="Weight by channel, finite and 0 or more; a channel left out has its default."),
    BeforeValidator(_as_object),
    AfterValidator(_weights),
]
AroundNames = Annotated[
    tuple[Literal["neighbours", "session", "speaker"], ...],
    Field(description="What adds to a turn under fusion shares: its neighbours, its conversation, its speaker named."),
    BeforeValidator(as_list),
    AfterValidator(_distinct),
]
Keys = Annotated[
    tuple[Annotated[str, bounded(200)], ...],
    Field(
        description="Entities to start from in the graph. Default: those that the query mentions.", max_length=MAX_REFS
    ),
    BeforeValidator(as_list),
    AfterValidator(_distinct),
]
Questions = Annotated[
    tuple[Annotated[str, bounded(2_000)], ...],
    Field(max_length=MOST_VARIANTS),
    BeforeValidator(as_list),
    AfterValidator(_distinct),
]


class Where(BaseModel):
    """Exact values that a memory must have; what is not given may be anything."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: KindName | None = None
    session: SessionName | None = None
    source: SourceName | None = None
    fact_type: FactType | None = None

    def given(self) -> dict[str, str]:
        """The values asked for, by property of a memory."""
        return cast(dict[str, str], self.model_dump(exclude_none=True))


class EvidencePlan(BaseModel):
    """How to pack evidence under a budget of tokens; what does not fit is skipped, never cut."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    budget_tokens: Annotated[int, Field(description="Most tokens of the rendered turns.", ge=1, le=200_000)]
    strategy: Annotated[
        Literal["turn", "window", "propagate", "session"],
        Field(
            description="What is taken at a time: the hit, it with its neighbours, single turns by worth, whole sessions."
        ),
    ] = "turn"
    window: Annotated[int, Field(description="Turns before and after a hit.", ge=0, le=10)] = 1
    decay: Annotated[
        float,
        Field(description="Share of a neighbour's score under propagate.", ge=0, le=1, alias="lambda"),
    ] = 0.7
    session_rank: Annotated[
        Literal["max", "sum", "dcg"], Field(description="How sessions are ranked by their hits.")
    ] = "max"
    order: Annotated[Literal["chronological", "rank"], Field(description="The order of the items.")] = "chronological"


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "inject": {"top_k": 5, "fusion": "shares", "around": ["neighbours", "session", "speaker"]},
    "search": {"top_k": 10, "fusion": "shares", "around": ["neighbours", "session", "speaker"]},
    "evidence": {"top_k": 20, "evidence": {"budget_tokens": 4_000, "strategy": "window"}},
}
"""What stands in for arguments that were not given: a few memories for an automatic prompt, a search by a person, packed
evidence for a reader (HYP-26, SEEDS 6.3)."""


class Retrieve(Request):
    """A question to one scope, each stage by request. What is named here and cannot run is an error, never left out."""

    query: Question
    scope: ScopeName
    preset: Annotated[
        Literal["", "inject", "search", "evidence"],
        Field(
            description="Defaults for a purpose: inject (5 hits, as recall ranks), search (10), evidence (20, packed into 4,000 "
            "tokens). What is given beside it and differs from the usual defaults holds."
        ),
        null_is(""),
    ] = ""
    entity_refs: EntityNames = ()
    where: Annotated[
        Where,
        Field(description="Exact kind, session, source or fact_type."),
        BeforeValidator(_as_object),
    ] = Where()
    channels: Channels = ()
    top_k: TopK = 10
    channel_k: ChannelK = 100
    fusion: FusionName = "rrf"
    rrf_k: RrfK = 60
    weights: Weights = Field(default_factory=dict[ChannelName, float])
    route: Annotated[
        bool, Field(description="Take the weights from what the query asks for: times, links between things, or names.")
    ] = False
    dense_mode: Annotated[
        Literal["exact"], Field(description="Every vector is compared; there is no approximate index.")
    ] = "exact"
    graph_method: Annotated[
        Literal["emg", "ppr"],
        Field(description="The graph channel ranks by shared entities, or by a random walk from them."),
    ] = "emg"
    graph_extractor: Annotated[
        Literal["lexical-v1"], Field(description="What finds the entities where nobody named them.")
    ] = "lexical-v1"
    query_keys: Keys = ()
    ppr_passage_seed_channel: Annotated[
        Literal["sparse", "dense"] | None,
        Field(description="A channel whose memories join the seeds of the random walk."),
    ] = None
    around: AroundNames = ()
    gate: GateName = "auto"
    as_of: ZonedAsOf = None
    variants: Annotated[Questions, Field(description="Other wordings of the query, fused with it.")] = ()
    variant_fusion: Annotated[
        Literal["rrf", "weighted"], Field(description="How wordings are fused: by ranks, or by the best score.")
    ] = "rrf"
    sub_questions: Annotated[
        Questions,
        Field(description="Two or three parts of the query, used as wordings when they ask nothing that it does not."),
    ] = ()
    salience: Annotated[
        bool, Field(description="Let how recent and how connected a memory is move its score by a tenth.")
    ] = False
    rerank_pool: Annotated[
        int, Field(description="How many of the best the reranker puts in order; 0: none.", ge=0, le=100)
    ] = 0
    evidence: Annotated[
        EvidencePlan | None,
        Field(description="Pack evidence under a budget of tokens."),
        BeforeValidator(lambda value: _as_object(value) if isinstance(value, str) else value),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _with_preset(cls, given: dict[str, Any]) -> dict[str, Any]:
        name = given.get("preset")
        preset = PRESETS[name] if isinstance(name, str) and name in PRESETS else dict[str, Any]()
        return {
            **preset,
            **{field: value for field, value in given.items() if value is not None or field not in preset},
        }

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.rerank_pool and self.rerank_pool < self.top_k:
            raise ValueError(f"rerank_pool must be 0 or at least top_k ({self.top_k}), got {self.rerank_pool}")
        if self.route and self.weights:
            raise ValueError("route takes the weights from the query: leave weights out")
        if self.around and self.fusion != "shares":
            raise ValueError(f"around needs fusion 'shares', got {self.fusion!r}")
        unused = next((name for name in self.weights if self.channels and name not in self.channels), None)
        if unused is not None:
            raise ValueError(f"weights names {unused!r}, which is none of the channels")
        self._graph_agrees()
        return self

    def _graph_agrees(self) -> None:
        seed = self.ppr_passage_seed_channel
        if seed is None:
            return
        if self.graph_method != "ppr":
            raise ValueError("ppr_passage_seed_channel needs graph_method 'ppr'")
        if not {seed, "graph"} <= set(self.channels):
            raise ValueError(f"ppr_passage_seed_channel needs the channels 'graph' and {seed!r} to be named")
