"""What each verb returns. Ids are decimal strings, times ISO UTC."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Reply(BaseModel):
    """What a verb returns."""

    model_config = ConfigDict(frozen=True)


class EntityView(Reply):
    """An entity; `memories` counts links from recallable memories where it was asked for, else 0."""

    id: str
    name: str
    kind: str = "entity"
    memories: int = 0


class MemoryView(Reply):
    """A memory as a face shows it. `valid_to` None: open. `premise_superseded`: something it was derived from was replaced.
    `slot`: canonical name of the value that the fact gives, or empty."""

    id: str
    scope: str
    content: str
    kind: str
    status: str
    trust: float
    created_at: str
    event_time: str
    valid_from: str
    valid_to: str | None
    source: str
    session: str = ""
    evidence_id: str = ""
    confidence: float = 1.0
    fact_type: str = ""
    slot: str = ""
    entities: tuple[EntityView, ...] = ()
    premise_superseded: bool = False


class ConflictView(Reply):
    """How a draft relates to one stored memory: kind as in `mind.conflict.Kind`, with both quotes."""

    kind: str
    memory_id: str
    content: str
    reason: str
    draft_quote: str = ""
    stored_quote: str = ""


class TrustChange(Reply):
    """One ledger entry's effect: `hop` 0 for the contradicted memory itself, 1 or 2 along the lineage."""

    memory_id: str
    before: float
    after: float
    hop: int


class Remembered(Reply):
    """`outcome` is `created`, or `duplicate` when the scope already held the statement as active memory `memory.id`.

    `conflicts` lists what it contradicted, superseded or may contradict (`uncertain`); `trust_changes` every loss it caused.
    """

    outcome: str
    memory: MemoryView
    conflicts: tuple[ConflictView, ...] = ()
    trust_changes: tuple[TrustChange, ...] = ()


class Revised(Reply):
    """The new version and the one it replaced; `flagged` are the dependents now marked `premise_superseded`."""

    memory: MemoryView
    replaced: MemoryView
    conflicts: tuple[ConflictView, ...] = ()
    trust_changes: tuple[TrustChange, ...] = ()
    flagged: tuple[str, ...] = ()


class Version(Reply):
    """One entry of a timeline; `superseded_by` is the id of the version that replaced it, or empty."""

    memory: MemoryView
    superseded_by: str = ""
    reason: str = ""


class Timeline(Reply):
    """Oldest first; when `total` exceeds the versions returned, the oldest were left out. `limit` is the one used."""

    limit: int
    entity: EntityView
    versions: tuple[Version, ...]
    total: int


class PathNode(Reply):
    """A node on a path: `label` Memory or Entity, `text` its content or name; trust and status are set for memories."""

    id: str
    label: str
    text: str
    status: str = ""
    trust: float | None = None


class PathStep(Reply):
    """A relationship as stored: from `start` to `end`, whichever way the path walked it. `relation` names what was
    declared of the two where `type` is RELATES (comma-joined when it is more than one), else empty."""

    type: str
    start: str
    end: str
    relation: str = ""


class TracePath(Reply):
    """`nodes` has one more item than `steps`; nodes are in walking order."""

    nodes: tuple[PathNode, ...]
    steps: tuple[PathStep, ...]


class Trace(Reply):
    """Paths, shortest first; `truncated` says that more exist within the hops asked for. The bounds are those used."""

    max_hops: int
    max_paths: int
    memory: MemoryView
    paths: tuple[TracePath, ...]
    truncated: bool


class ConflictReport(Reply):
    """What a draft would clash with or repeat, strongest first; empty: nothing found."""

    conflicts: tuple[ConflictView, ...]
    compared: int


class TrustEvent(Reply):
    """One ledger entry. `kind`: created, contradicted, decayed, restored, superseded, premise_superseded or forgotten;
    `before` equals `after` where trust did not move; `by` is the id of the memory that caused it, or empty."""

    kind: str
    at: str
    before: float
    after: float
    reason: str
    by: str = ""
    hop: int = 0
    narration: str = ""


class TrustStory(Reply):
    """The ordered trust history of a memory; `replayed` is the trust that the ledger alone gives."""

    memory: MemoryView
    events: tuple[TrustEvent, ...]
    replayed: float


class Forgotten(Reply):
    """`changed` is False when it had been forgotten already; `trust_changes` is what withdrawing it gave back."""

    memory: MemoryView
    changed: bool
    trust_changes: tuple[TrustChange, ...] = ()


class Reinstated(Reply):
    """A memory that is shown again, with the status that now holds; `trust_changes` is what it takes from others anew.
    `changed` is always True: what was not forgotten is refused."""

    memory: MemoryView
    changed: bool
    trust_changes: tuple[TrustChange, ...] = ()


class RelationView(Reply):
    """A declared relation: `source` stands to `target` as `relation` says; `withdrawn_at` None while it stands."""

    id: str
    source: str
    target: str
    relation: str
    weight: float
    reason: str
    created_at: str
    withdrawn_at: str | None = None


class Related(Reply):
    """The relation as it is now; `changed` is False when nothing had to be written."""

    relation: RelationView
    changed: bool


class Inspection(Reply):
    """Everything stored about one memory and its direct relations; `relations` are the declared ones that stand, either
    way, the newest first."""

    memory: MemoryView
    derived_from: tuple[str, ...]
    derived: tuple[str, ...]
    contradicts: tuple[str, ...]
    contradicted_by: tuple[str, ...]
    supersedes: tuple[str, ...]
    superseded_by: tuple[str, ...]
    relations: tuple[RelationView, ...] = ()
    revision: int


class ScopeView(Reply):
    """A scope by name."""

    name: str
    created_at: str


class Stats(Reply):
    """Counts of one scope at `revision`."""

    scope: str
    revision: int
    memories: int
    active: int
    contradicted: int
    superseded: int
    forgotten: int
    entities: int
    mean_trust: float


class GraphNode(Reply):
    """A node for drawing."""

    id: str
    label: str
    text: str
    status: str = ""
    trust: float | None = None


class GraphEdge(Reply):
    """An edge for drawing; `id` is unique in the scope, `relation` what was declared where `type` is RELATES, else empty."""

    id: str
    type: str
    start: str
    end: str
    relation: str = ""


class GraphView(Reply):
    """The newest memories of a scope with their entities and every edge between what is shown."""

    scope: str
    revision: int
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    total_memories: int


class Event(Reply):
    """One op of a scope, in revision order: which verb changed which memories."""

    scope: str
    revision: int
    verb: str
    at: str
    memory_ids: tuple[str, ...]


class Health(Reply):
    """The engine; `status` ok, or unknown with `latency_ms` 0 when it was not asked."""

    status: str
    engine: str
    agent: str
    uri: str
    embedded: bool
    version: str
    latency_ms: float
    open_scopes: int


class NodeView(Reply):
    """The embedded node: `state` stopped, starting or running; `stored_bytes` is what its databases take on disk."""

    state: str
    answers: bool
    in_use: bool
    pid: int | None
    started_at: str | None
    stored_bytes: int


class OpenScopeView(Reply):
    """A scope that this server holds in memory, at `revision`; `skipped_days` is not 0 only for a demo that moved in time."""

    name: str
    revision: int
    memories: int
    entities: int
    skipped_days: float = 0.0


class RouteTiming(Reply):
    """Requests of one route since the server started, and milliseconds of the last `recent` of them."""

    route: str
    requests: int
    recent: int
    p50_ms: float
    p95_ms: float
    max_ms: float


class SystemHealth(Reply):
    """What the health page shows. `status` ok or down with `reason`; `latency_ms` None when the graph did not answer;
    `node` None where the graph is not the embedded one; scopes and routes by name."""

    status: str
    reason: str
    version: str
    engine: str
    agent: str
    uri: str
    embedded: bool
    latency_ms: float | None
    open_scopes: int
    in_flight: int
    node: NodeView | None
    scopes: tuple[OpenScopeView, ...]
    routes: tuple[RouteTiming, ...]


class DemoSeed(Reply):
    """A fresh demo scope: `cast` names its memories by the part they play, `questions` what to ask it: `answered` finds
    evidence, `abstained` finds none."""

    scope: str
    cast: dict[str, str]
    questions: dict[str, str]


class DemoClock(Reply):
    """A demo scope's time in this server: `skipped_days` from the real one, and the moment it is there."""

    scope: str
    skipped_days: float
    now: str


class Removed(Reply):
    """How much of a demo scope was removed for good."""

    scope: str
    memories: int
    entities: int
    ops: int


class Finding(Reply):
    """One thing that does not hold: `name` is stable, `detail` says where."""

    name: str
    detail: str


class Verification(Reply):
    """What checking a scope against its own log and ledger found; `sound` when there are no findings."""

    scope: str
    revision: int
    memories: int
    entities: int
    ledger_entries: int
    sound: bool
    findings: tuple[Finding, ...]
