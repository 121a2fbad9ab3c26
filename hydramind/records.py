"""What the graph holds, one frozen record a label or relationship type; every property is a scalar and none is null."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from hydramind.clock import FOREVER

FULL_TRUST = 1.0


class Status(StrEnum):
    """Validity of a memory."""

    ACTIVE = "active"
    CONTRADICTED = "contradicted"
    SUPERSEDED = "superseded"
    FORGOTTEN = "forgotten"


class MemoryKind(StrEnum):
    """What a memory is: only facts are compared with one another; turns and notes are kept as they were said."""

    FACT = "fact"
    TURN = "turn"
    NOTE = "note"


RECALLABLE = frozenset({Status.ACTIVE, Status.CONTRADICTED})


@dataclass(frozen=True, slots=True)
class Memory:
    """A `Memory` node. Times are epoch milliseconds; `valid_from <= t < valid_to`; `trust` is in 0.05..1.

    `key` is the hash of the canonical content; `entity_ids` are the decimal ids of the ABOUT targets, comma-joined and
    fixed order; `dated` says that the caller stated `event_time`; `forgotten_at` is 0 unless it was forgotten;
    `revision` is the op that last changed the row. `kind` is fact, turn or note; `session` names the conversation of a
    turn and `source` its speaker; `evidence_id` is the caller's own id; `confidence` (0..1) is how sure the caller was;
    `fact_type` is empty, world, experience, observation or opinion; `slot` is the canonical name of the value a fact
    gives, or empty.
    """

    id: int
    scope: str
    content: str
    key: str
    created_at: int
    event_time: int
    valid_from: int
    kind: str = "fact"
    source: str = ""
    dated: bool = False
    valid_to: int = FOREVER
    status: str = Status.ACTIVE.value
    trust: float = FULL_TRUST
    entity_ids: str = ""
    premise_superseded: bool = False
    forgotten_at: int = 0
    session: str = ""
    evidence_id: str = ""
    confidence: float = 1.0
    fact_type: str = ""
    slot: str = ""
    write_phase: str = "done"
    revision: int = 0

    @property
    def text(self) -> str:
        """What is searched: the content, behind its speaker where it is a turn of a conversation."""
        return f"{self.source}: {self.content}" if self.kind == MemoryKind.TURN and self.source else self.content

    @property
    def entities(self) -> tuple[int, ...]:
        """Ids of the entities it is about."""
        return tuple(int(part) for part in self.entity_ids.split(",") if part)

    @property
    def comparable(self) -> bool:
        """An active fact: what another statement may repeat, replace or contradict."""
        return self.status == Status.ACTIVE and self.kind == MemoryKind.FACT

    @property
    def recallable(self) -> bool:
        """Active or contradicted: what a default recall may return."""
        return self.status in RECALLABLE

    @property
    def gives_way(self) -> bool:
        """A value of a slot whose successor is known: it holds until its end, which may lie ahead."""
        return self.status == Status.SUPERSEDED and bool(self.slot)


@dataclass(frozen=True, slots=True)
class Entity:
    """An `Entity` node; `id` is the stable hash of scope and canonical `name_key`, `name` the first spelling seen."""

    id: int
    scope: str
    name: str
    name_key: str
    created_at: int
    kind: str = "entity"


@dataclass(frozen=True, slots=True)
class ScopeNode:
    """A `Scope` node: one a partition, so that scopes can be listed."""

    id: int
    name: str
    created_at: int


@dataclass(frozen=True, slots=True)
class Op:
    """An `Op` node: commit number `revision` of a scope, or (key `<scope>!<idempotency key>`) a keyed result.

    `token` tells whose commit it is; `memory_ids` and `entity_ids` name what it touched (comma-joined); `payload` is the
    whole change while an auto-commit engine has not finished it, else empty; `result` is the stored reply of a keyed call.
    """

    id: int
    scope: str
    key: str
    revision: int
    token: str
    verb: str
    created_at: int
    memory_ids: str = ""
    entity_ids: str = ""
    phase: str = "done"
    payload: str = ""
    payload_hash: str = ""
    result: str = ""


@dataclass(frozen=True, slots=True)
class Vector:
    """A `Vector` node: what the embedder of that identity makes of the memory's text; derived, so outside the ledger.

    `data` is base64 of signed bytes, one a dimension; times `scale` they are the vector.
    """

    id: int
    scope: str
    memory_id: int
    embedder: str
    scale: float
    data: str


@dataclass(frozen=True, slots=True)
class About:
    """(Memory)-[:ABOUT]->(Entity)."""

    id: int
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class DerivedFrom:
    """(Memory)-[:DERIVED_FROM]->(premise); the last decay that ran along it is summarised, its history is in TRUST_DECAY.
    `written` is the op that last changed the row."""

    id: int
    source: int
    target: int
    last_decayed_at: int = 0
    last_decay_reason: str = ""
    before_trust: float = FULL_TRUST
    after_trust: float = FULL_TRUST
    decay_hop: int = 0
    caused_by: str = ""
    written: int = 0


@dataclass(frozen=True, slots=True)
class Contradicts:
    """(new)-[:CONTRADICTS]->(old), the ledger entry of the old memory's loss; `withdrawn_at` is 0 while it stands.
    `revision` is the op that found it, `written` the op that last changed the row."""

    id: int
    source: int
    target: int
    detected_at: int
    reason: str
    before_trust: float
    after_trust: float
    revision: int
    draft_quote: str = ""
    stored_quote: str = ""
    withdrawn_at: int = 0
    apply_status: str = "applied"
    step: int = 0
    written: int = 0


@dataclass(frozen=True, slots=True)
class SupersededBy:
    """(old)-[:SUPERSEDED_BY]->(new)."""

    id: int
    source: int
    target: int
    revised_at: int
    reason: str


@dataclass(frozen=True, slots=True)
class TrustDecay:
    """(contradicted cause)-[:TRUST_DECAY]->(derived): immutable ledger entry; `caused_by` is the id of the CONTRADICTS event,
    `step` its place among the ledger entries of the op `revision`."""

    id: int
    source: int
    target: int
    detected_at: int
    reason: str
    before_trust: float
    after_trust: float
    hop: int
    caused_by: str
    revision: int
    apply_status: str = "applied"
    step: int = 0


@dataclass(frozen=True, slots=True)
class TrustRestore:
    """(withdrawn memory)-[:TRUST_RESTORE]->(memory): compensating ledger entry; `caused_by` is the id of the entry it undoes."""

    id: int
    source: int
    target: int
    detected_at: int
    reason: str
    before_trust: float
    after_trust: float
    caused_by: str
    revision: int
    apply_status: str = "applied"
    step: int = 0


@dataclass(frozen=True, slots=True)
class Relates:
    """(Memory)-[:RELATES]->(Memory): what somebody declared of two memories; it moves neither trust nor status.

    `relation` is one of the names in `models.fields.RelationName`; `weight` is above 0 up to 1; `withdrawn_at` is 0 while
    it stands; `written` is the op that last changed the row. A relation that goes both ways leads from the lower id.
    """

    id: int
    source: int
    target: int
    relation: str
    weight: float
    reason: str
    created_at: int
    withdrawn_at: int = 0
    written: int = 0


Node = Memory | Entity | ScopeNode | Op
Edge = About | DerivedFrom | Contradicts | SupersededBy | TrustDecay | TrustRestore | Relates


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Everything one op changes: full rows, upserted by id. Nothing is ever deleted by it. Empty means no commit."""

    verb: str
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.nodes or self.edges)

    def memories(self) -> Iterator[Memory]:
        """The memory rows it writes, in order."""
        return (node for node in self.nodes if isinstance(node, Memory))

    def entities(self) -> Iterator[Entity]:
        """The entity rows it writes, in order."""
        return (node for node in self.nodes if isinstance(node, Entity))
