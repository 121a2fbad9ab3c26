"""Everything of one scope, whichever way it is linked: what the checker replays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import LiteralString

from hydramind.queries.ops import COLUMNS
from hydramind.queries.query import Capability, Columns, Query
from hydramind.records import Op


@dataclass(frozen=True, slots=True)
class Link:
    """A relationship with the scopes of both ends; a field that its type does not have is 0, 1.0 or empty."""

    type: str
    id: int
    source: int
    target: int
    source_scope: str
    target_scope: str
    before: float = 1.0
    after: float = 1.0
    revision: int = 0
    step: int = 0
    caused_by: str = ""
    withdrawn_at: int = 0
    hop: int = 0
    relation: str = ""


@dataclass(frozen=True, slots=True)
class Family:
    """One relationship type: `out` gives those that start in the scope, `into` those that reach it from elsewhere."""

    type: str
    out: Query[Link]
    into: Query[Link]


def _link(type_: str) -> Callable[[Columns], Link]:
    return lambda columns: Link(type_, **columns)


_ENDS: LiteralString = (
    "RETURN r.event_id AS id, s.id AS source, d.id AS target, s.scope AS source_scope, d.scope AS target_scope"
)
_MOVED: LiteralString = ", r.before_trust AS before, r.after_trust AS after, r.revision AS revision, r.step AS step"
_CONTRADICTS: LiteralString = _ENDS + _MOVED + ", r.withdrawn_at AS withdrawn_at"
_DECAY: LiteralString = _ENDS + _MOVED + ", r.caused_by AS caused_by, r.hop AS hop"
_RESTORE: LiteralString = _ENDS + _MOVED + ", r.caused_by AS caused_by"
_RELATES: LiteralString = _ENDS + ", r.relation AS relation, r.withdrawn_at AS withdrawn_at"


def _family(type_: str, out: LiteralString, into: LiteralString, indexed: LiteralString) -> Family:
    """`indexed` is `into` from its known end, for planners that start where the pattern starts."""
    forms: dict[Capability, LiteralString] = {Capability.BATCH_READS: indexed}
    return Family(
        type_,
        Query(f"{type_} out of a scope", out, _link(type_)),
        Query(f"{type_} into a scope", into, _link(type_), forms),
    )


FAMILIES = (
    _family(
        "ABOUT",
        "MATCH (s:Memory {scope: $scope})-[r:ABOUT]->(d:Entity) " + _ENDS,
        "MATCH (s:Memory)-[r:ABOUT]->(d:Entity {scope: $scope}) WHERE s.scope <> $scope " + _ENDS,
        "MATCH (d:Entity {scope: $scope})<-[r:ABOUT]-(s:Memory) WHERE s.scope <> $scope " + _ENDS,
    ),
    _family(
        "DERIVED_FROM",
        "MATCH (s:Memory {scope: $scope})-[r:DERIVED_FROM]->(d:Memory) " + _ENDS,
        "MATCH (s:Memory)-[r:DERIVED_FROM]->(d:Memory {scope: $scope}) WHERE s.scope <> $scope " + _ENDS,
        "MATCH (d:Memory {scope: $scope})<-[r:DERIVED_FROM]-(s:Memory) WHERE s.scope <> $scope " + _ENDS,
    ),
    _family(
        "SUPERSEDED_BY",
        "MATCH (s:Memory {scope: $scope})-[r:SUPERSEDED_BY]->(d:Memory) " + _ENDS,
        "MATCH (s:Memory)-[r:SUPERSEDED_BY]->(d:Memory {scope: $scope}) WHERE s.scope <> $scope " + _ENDS,
        "MATCH (d:Memory {scope: $scope})<-[r:SUPERSEDED_BY]-(s:Memory) WHERE s.scope <> $scope " + _ENDS,
    ),
    _family(
        "CONTRADICTS",
        "MATCH (s:Memory {scope: $scope})-[r:CONTRADICTS]->(d:Memory) " + _CONTRADICTS,
        "MATCH (s:Memory)-[r:CONTRADICTS]->(d:Memory {scope: $scope}) WHERE s.scope <> $scope " + _CONTRADICTS,
        "MATCH (d:Memory {scope: $scope})<-[r:CONTRADICTS]-(s:Memory) WHERE s.scope <> $scope " + _CONTRADICTS,
    ),
    _family(
        "TRUST_DECAY",
        "MATCH (s:Memory {scope: $scope})-[r:TRUST_DECAY]->(d:Memory) " + _DECAY,
        "MATCH (s:Memory)-[r:TRUST_DECAY]->(d:Memory {scope: $scope}) WHERE s.scope <> $scope " + _DECAY,
        "MATCH (d:Memory {scope: $scope})<-[r:TRUST_DECAY]-(s:Memory) WHERE s.scope <> $scope " + _DECAY,
    ),
    _family(
        "TRUST_RESTORE",
        "MATCH (s:Memory {scope: $scope})-[r:TRUST_RESTORE]->(d:Memory) " + _RESTORE,
        "MATCH (s:Memory)-[r:TRUST_RESTORE]->(d:Memory {scope: $scope}) WHERE s.scope <> $scope " + _RESTORE,
        "MATCH (d:Memory {scope: $scope})<-[r:TRUST_RESTORE]-(s:Memory) WHERE s.scope <> $scope " + _RESTORE,
    ),
    _family(
        "RELATES",
        "MATCH (s:Memory {scope: $scope})-[r:RELATES]->(d:Memory) " + _RELATES,
        "MATCH (s:Memory)-[r:RELATES]->(d:Memory {scope: $scope}) WHERE s.scope <> $scope " + _RELATES,
        "MATCH (d:Memory {scope: $scope})<-[r:RELATES]-(s:Memory) WHERE s.scope <> $scope " + _RELATES,
    ),
)

OPS = Query("ops of a scope", "MATCH (o:Op {scope: $scope}) " + COLUMNS, lambda columns: Op(**columns))
"""Every op of a scope, keyed ones included, in no order: it scans, because ops are otherwise only read by id."""
