"""From the arguments of recall and retrieve to what the ranking is told: one wish, whatever the verb."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from hydramind import clock
from hydramind.errors import Unavailable
from hydramind.index.entity_graph import EntityGraph
from hydramind.index.plan import (
    CHANNELS,
    DENSE,
    EVERYTHING_AROUND,
    GRAPH,
    SPARSE,
    TIME,
    WEIGHTS,
    Around,
    GraphMethod,
    Plan,
    Question,
)
from hydramind.index.scope_index import ScopeIndex
from hydramind.mind import extract, routing, text, times
from hydramind.mind.decompose import sub_questions
from hydramind.mind.fusion import Fusion
from hydramind.mind.gate import Floors, Gate
from hydramind.mind.routing import Route
from hydramind.models import Recall, Retrieve
from hydramind.records import Memory
from hydramind.verbs.sight import Sight

AUTO: Final = "auto"
MODES: Final[Mapping[str, tuple[str, ...]]] = {
    "hybrid": (SPARSE, DENSE, TIME),
    "vector_sparse": (SPARSE, DENSE),
    "vector_only": (DENSE,),
    "sparse_only": (SPARSE,),
    "graph_only": (GRAPH,),
}
"""The channels of each mode; only `hybrid` makes do with those there are, and reads the conversation around a turn."""
GRAPH_SHARE: Final = 1.0
"""Weight of the graph beside the weights that recall uses, where it is asked for."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted of one scope. `wordings` are the query and other ways to ask it, `channels` those asked for, each of
    which must run when `strict`. `plan` holds the weights of all of them; gate and floors are settled by `plan_of`.
    `divided`: sub-questions of the query are among the wordings."""

    wordings: tuple[str, ...]
    channels: tuple[str, ...]
    strict: bool
    plan: Plan
    gate: str
    as_of: int | None = None
    keys: tuple[str, ...] = ()
    route: Route | None = None
    divided: bool = False

    @property
    def query(self) -> str:
        """What was asked, as it was asked."""
        return self.wordings[0]

    def wants_vector(self, index: ScopeIndex) -> bool:
        """Whether meaning could change anything. Where the default gate lets facts pass by keywords alone and the scope
        holds nothing else, it could not, and is not looked at unless it was insisted on."""
        if self.gate == AUTO and not self.strict and not index.holds_talk:
            return False
        return DENSE in self.channels


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a wish is carried out on: the scope's rows at the newest revision, what the embedder made of each wording, the
    entity graph where the graph channel is asked for, the scope's clock in epoch milliseconds, the floors of the embedder,
    and why vectors lack where they do."""

    index: ScopeIndex
    sights: tuple[Sight, ...]
    now: int
    mentions: EntityGraph | None = None
    floors: Floors | None = None
    vector_note: str = ""

    @property
    def sight(self) -> Sight:
        """The query as the embedder sees it."""
        return self.sights[0] if self.sights else Sight()

    @property
    def sees(self) -> bool:
        """Whether every wording has a vector and there are some to compare it with."""
        seen = bool(self.sights) and all(sight.vector is not None for sight in self.sights)
        return seen and self.index.embedded > 0


def of_recall(request: Recall) -> Wish:
    """The wish of a recall: channels by mode, put together on scales that compare."""
    channels = MODES[request.mode]
    whole = request.mode == "hybrid"
    weights = {name: WEIGHTS.get(name, GRAPH_SHARE) for name in channels}
    around = EVERYTHING_AROUND if whole else frozenset[Around]()
    plan = Plan(weights=weights, around=around, limit=request.limit)
    keys = extract.query_keys(request.query) if GRAPH in channels else ()
    return Wish((request.query,), channels, not whole, plan, request.gate, _ms(request.as_of), keys)


def of_retrieve(request: Retrieve, now: int) -> Wish:
    """The wish of a retrieval."""
    channels = request.channels or CHANNELS
    given = tuple(extract.normal_key(key) for key in request.query_keys)
    keys = (given or extract.query_keys(request.query)) if GRAPH in channels else ()
    read = routing.route(request.query, bool(times.span(request.query, now)), len(_names(request)))
    method = None if request.fusion == "shares" else Fusion(request.fusion)
    plan = Plan(
        weights=_weights(request, channels, read),
        fusion=method,
        rrf_k=request.rrf_k,
        channel_k=request.channel_k,
        graph_method=GraphMethod(request.graph_method),
        seed=request.ppr_passage_seed_channel or "",
        around=frozenset(Around(name) for name in request.around),
        limit=request.top_k,
    )
    parts = sub_questions(request.query, request.sub_questions)
    return Wish(
        wordings=tuple(dict.fromkeys((request.query, *request.variants, *parts))),
        channels=channels,
        strict=bool(request.channels),
        plan=plan,
        gate=request.gate,
        as_of=_ms(request.as_of),
        keys=keys,
        route=read,
        divided=bool(parts),
    )


def plan_of(wish: Wish, known: Knowledge) -> Plan:
    """The plan as it can be carried out. Raises `Unavailable` when a channel that must run cannot."""
    index = known.index
    seeing = wish.wants_vector(index) and known.sees
    if wish.strict and DENSE in wish.channels and not seeing and len(index):
        raise Unavailable(f"the dense channel needs vectors: {known.sight.note or known.vector_note or 'none yet'}")
    weights = {name: weight for name, weight in wish.plan.weights.items() if name != DENSE or seeing}
    floors = known.floors if seeing else None
    preset = (Gate.HYBRID if floors is not None else Gate.LEXICAL) if wish.gate == AUTO else Gate(wish.gate)
    return replace(wish.plan, weights=weights, gate=preset, floors=floors, facts_by_meaning=wish.gate != AUTO)


@dataclass(frozen=True, slots=True)
class Belief:
    """How far a memory was believed at some moment."""

    trust: float
    status: str


@dataclass(frozen=True, slots=True)
class Limits:
    """Which memories may be looked at: `among` ids, None for all; and what was believed of them at the moment asked for."""

    among: frozenset[int] | None = None
    then: Mapping[int, Belief] = field(default_factory=dict[int, Belief])

    def trust(self, row: Memory) -> float:
        """The trust that counts for a row: now's, or that of the moment asked for."""
        return self.then[row.id].trust if row.id in self.then else row.trust


def question_of(wish: Wish, known: Knowledge, number: int, limits: Limits) -> Question:
    """One wording as the ranking is asked it; the graph is asked for the query's own entities, once."""
    wording = wish.wordings[number]
    spans = times.span(wording, known.now)
    return Question(
        keywords=text.keywords(wording),
        now=known.now,
        # `today` is nothing that a memory says of itself, however true it is of today.
        evidence=text.keywords(times.without_relative(wording)) if spans else (),
        words=frozenset(text.words(wording)),
        spans=spans,
        keys=wish.keys if number == 0 else (),
        vector=known.sights[number].vector if known.sees else None,
        as_of=wish.as_of,
        among=limits.among,
        trusts={id_: belief.trust for id_, belief in limits.then.items()},
    )


def _weights(request: Retrieve, channels: tuple[str, ...], read: Route) -> dict[str, float]:
    if request.route:
        routed = {
            SPARSE: read.weights.sparse,
            DENSE: read.weights.vector,
            GRAPH: read.weights.graph,
            TIME: read.weights.time,
        }
        return {name: routed[name] for name in channels}
    usual = WEIGHTS if request.fusion == "shares" else dict[str, float]()
    given = {str(name): weight for name, weight in request.weights.items()}
    return {name: given.get(name, usual.get(name, 1.0)) for name in channels}


def _names(request: Retrieve) -> tuple[str, ...]:
    """The names that the query holds, as far as they can be told from its letters."""
    return tuple(mention.key for mention in extract.mentions(request.query) if mention.tier == extract.NAME)


def _ms(moment: datetime | None) -> int | None:
    return None if moment is None else clock.to_ms(moment)
