"""Query routing: what a question asks for, read from its words, and the channel weights that suit it. No model."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a question asks for."""

    TEMPORAL = "temporal"
    MULTIHOP = "multihop"
    ENTITY = "entity"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Weights:
    """Weight of each channel in fusion, 0..1; a kind's weights sum to 1."""

    vector: float
    graph: float
    sparse: float
    time: float = 0.0


@dataclass(frozen=True, slots=True)
class Route:
    """The kind of a query, its weights, and the cue that decided (lower case; "" for the default)."""

    kind: Kind
    weights: Weights
    why: str


WEIGHTS = {
    Kind.TEMPORAL: Weights(vector=0.30, graph=0.35, sparse=0.15, time=0.20),
    Kind.MULTIHOP: Weights(vector=0.20, graph=0.70, sparse=0.10),
    Kind.ENTITY: Weights(vector=0.35, graph=0.25, sparse=0.40),
    Kind.DEFAULT: Weights(vector=0.50, graph=0.15, sparse=0.35),
}
MANY_ENTITIES = 3
"""From so many named entities on, a question is about how they hang together."""

_TEMPORAL = re.compile(
    r"(?:^|[,;:.?!] |\b(?:and|or|since|know|remember|recall|tell me|exactly) )when\b"
    r"|\b(?:(?:(?:what|which) (?:exact )?(?:date|day|week|month|year|time)|how long (?:ago|since|before|after|until))"
    r"|(?:first|last|latest) time|most recent(?:ly)?|timeline|chronolog(?:y|ical(?:ly)?)|in what order|how often"
    r"|(?:who|what|which) (?:\w{1,30} ){1,3}(?:first|earlier|later|before|after))\b"
)
_MULTIHOP = re.compile(
    r"\b(?:in common|(?:relation(?:ship)?|connection|link|difference|similarit(?:y|ies)) (?:between|of|to)"
    r"|(?:connected|related|linked|compared) (?:to|with)|led to|leads? (?:up )?to|resulted? (?:in|from)|as a result"
    r"|caused? by|root cause|because of|depends? on|depend(?:encies|ents) of|through (?:whom|which)"
    r"|(?:who|which|what|that) \w{1,30} (?:who|which|whose|that)|whose \w{1,30} (?:also|is|was|has|had)|both \w{1,30} and)\b"
)
_ENTITY = re.compile(r"\b(?:who(?:m|se|'s)?|tell me about|what (?:do|does) (?:we|you|i) know about|owner of|name of)\b")


def route(query: str, has_time: bool, entities: int) -> Route:
    """The route of `query`. Decides by the first that holds: a time was read from it or it asks for one; it chains
    relations or names MANY_ENTITIES `entities`; it names an entity or asks for one; otherwise the default."""
    words = " ".join(query.lower().replace("\u2019", "'").split())
    cues = (
        (Kind.TEMPORAL, "time expression" if has_time else _cue(_TEMPORAL, words)),
        (Kind.MULTIHOP, _cue(_MULTIHOP, words) or (f"{entities} entities" if entities >= MANY_ENTITIES else "")),
        (Kind.ENTITY, (f"{entities} entities" if entities > 1 else "1 entity") if entities else _cue(_ENTITY, words)),
    )
    kind, why = next(((kind, why) for kind, why in cues if why), (Kind.DEFAULT, ""))
    return Route(kind, WEIGHTS[kind], why)


def _cue(pattern: re.Pattern[str], words: str) -> str:
    match = pattern.search(words)
    return match.group().strip(" ,;:.?!") if match else ""
