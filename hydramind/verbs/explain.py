"""explain_trust: the ordered trust history of a memory, told from its ledger (HYD-40)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from hydramind import clock
from hydramind.errors import Damaged
from hydramind.graph.connection import Graph
from hydramind.index.scope_index import ScopeIndex
from hydramind.mind import trust
from hydramind.mind.conflict import Kind
from hydramind.mind.trust import Entry
from hydramind.models import OneMemory, TrustEvent, TrustStory
from hydramind.queries import edges
from hydramind.records import Contradicts, Memory, TrustDecay, TrustRestore
from hydramind.store.sync import ops_after
from hydramind.verbs.compare import claim_of, compare
from hydramind.verbs.views import memory_view, require

LedgerRow = Contradicts | TrustDecay | TrustRestore
_HIDING: Final = {
    "forget": ("forgotten", "forgotten: hidden from recall"),
    "reinstate": ("reinstated", "reinstated: shown again"),
}
"""Kind and words by the verb of the op."""


async def run(graph: Graph, index: ScopeIndex, request: OneMemory) -> TrustStory:
    """The story, oldest first; `replayed` comes from the ledger alone. Raises `Damaged` when entries do not join up."""
    memory = require(index, request.memory_id)
    rows = await ledger(graph, index.scope, [memory.id])
    try:
        replayed = trust.replay(entry_of(row) for row in rows)
    except ValueError as error:
        raise Damaged(f"the trust ledger of memory {memory.id} is damaged: {error}") from error
    causes = await _causes(graph, index.scope, rows)
    told = [(row.revision, 1, _told(row, causes)) for row in rows]
    told += [(revision, 0, event) for revision, event in await _hidden(graph, index, memory, rows)]
    told.sort(key=lambda each: each[:2])
    events = [_created(index, memory), *(event for _, _, event in told), *await _validity(graph, index, memory)]
    events.sort(key=lambda event: event.at)
    return TrustStory(memory=memory_view(index, memory), events=tuple(events), replayed=replayed)


async def ledger(graph: Graph, scope: str, ids: Sequence[int]) -> list[LedgerRow]:
    """Every ledger entry of some memories in the order they were applied."""
    rows: list[LedgerRow] = []
    for query in (edges.CONTRADICTED_BY, edges.DECAYS_OF, edges.RESTORES_OF):
        rows += await graph.read_ids(query, ids, scope=scope)
    return sorted(rows, key=lambda row: trust.order(entry_of(row)))


def entry_of(row: LedgerRow) -> Entry:
    """A ledger relationship as the replay sees it."""
    return Entry(row.revision, row.before_trust, row.after_trust, row.step)


async def _causes(graph: Graph, scope: str, rows: Sequence[LedgerRow]) -> dict[str, str]:
    """Which memory contradicted, by contradiction id, for the contradictions that lineage decays name."""
    contradicted = sorted({row.source for row in rows if isinstance(row, TrustDecay)})
    found = await graph.read_ids(edges.CONTRADICTED_BY, contradicted, scope=scope)
    return {str(event.id): str(event.source) for event in found}


def _told(row: LedgerRow, causes: Mapping[str, str]) -> TrustEvent:
    at, before, after = clock.to_iso(row.detected_at), row.before_trust, row.after_trust
    moved = f"trust {before:.2f} -> {after:.2f}"
    if isinstance(row, Contradicts):
        told = f"contradicted by memory {row.source} ({moved}): {row.reason}"
        return TrustEvent(
            kind="contradicted",
            at=at,
            before=before,
            after=after,
            reason=row.reason,
            by=str(row.source),
            narration=told,
        )
    if isinstance(row, TrustDecay):
        by = causes.get(row.caused_by, "")
        told = f"{row.reason} by memory {by}, {row.hop} hop{'s' if row.hop > 1 else ''} up the lineage ({moved})"
        return TrustEvent(
            kind="decayed", at=at, before=before, after=after, reason=row.reason, by=by, hop=row.hop, narration=told
        )
    told = f"given back ({moved}): {row.reason}"
    return TrustEvent(
        kind="restored", at=at, before=before, after=after, reason=row.reason, by=str(row.source), narration=told
    )


def _created(index: ScopeIndex, memory: Memory) -> TrustEvent:
    at = clock.to_iso(memory.created_at)
    said = f", said by {memory.source!r}" if memory.source else ""
    told = f"remembered at full trust ({trust.FULL:.2f}){said}{_ahead(index, memory)}"
    return TrustEvent(kind="created", at=at, before=trust.FULL, after=trust.FULL, reason="", narration=told)


def _ahead(index: ScopeIndex, memory: Memory) -> str:
    """What the order of event times means for a memory that starts after it was told, and for one that such a memory
    ends; empty for any other."""
    told = ""
    if memory.valid_from > memory.created_at:
        told = f"; dated ahead: holds from {clock.to_iso(memory.valid_from)}"
    elif memory.valid_to == clock.FOREVER:
        return ""
    if not memory.comparable:
        return told
    found = compare(index, claim_of(memory), memory.entities, {memory.id}, memory.event_time).of(Kind.SUPERSEDES)
    for other in (each.memory for each in found):
        if other.valid_to == memory.valid_from > memory.created_at:
            told += f", until then memory {other.id}, because the later event time decides"
        elif other.valid_from == memory.valid_to and other.valid_from > other.created_at:
            told += (
                f"; holds until {clock.to_iso(memory.valid_to)}, from then on memory {other.id}, dated ahead, because "
                "the later event time decides"
            )
    return told


async def _validity(graph: Graph, index: ScopeIndex, memory: Memory) -> list[TrustEvent]:
    """What happened to its currency, at the trust it has now."""
    events: list[TrustEvent] = []
    for edge in await graph.read_ids(edges.REPLACED_BY, [memory.id], scope=index.scope):
        told = f"superseded by memory {edge.target}" + (f": {edge.reason}" if edge.reason else "")
        events.append(_still(memory, "superseded", edge.revised_at, (edge.reason, str(edge.target), told)))
    if memory.premise_superseded:
        events += await _replaced_premises(graph, index, memory)
    return events


async def _hidden(
    graph: Graph, index: ScopeIndex, memory: Memory, rows: Sequence[LedgerRow]
) -> list[tuple[int, TrustEvent]]:
    """Each time it was forgotten and reinstated, at the trust it had before, with the revision. Only the log of the
    scope tells: it is read whole for a memory that was forgotten once, and not at all for any other."""
    if not memory.forgotten_at:
        return []
    found: list[tuple[int, TrustEvent]] = []
    for op in await ops_after(graph, index.scope, 0):
        if op.verb in _HIDING and op.memory_ids.split(",", 1)[0] == str(memory.id):  # The first row is its subject.
            kind, told = _HIDING[op.verb]
            as_it_was = replace(memory, trust=_trust_before(rows, op.revision))
            found.append((op.revision, _still(as_it_was, kind, op.created_at, ("", "", told))))
    return found


def _trust_before(rows: Sequence[LedgerRow], revision: int) -> float:
    earlier = [row.after_trust for row in rows if row.revision < revision]
    return earlier[-1] if earlier else trust.FULL


async def _replaced_premises(graph: Graph, index: ScopeIndex, memory: Memory) -> list[TrustEvent]:
    """What it rests on within two hops and was replaced, each premise once."""
    events: list[TrustEvent] = []
    seen, frontier = {memory.id}, [memory.id]
    for _ in range(trust.MAX_HOPS):
        above = {edge.target for edge in await graph.read_ids(edges.PREMISES, frontier, scope=index.scope)}
        frontier = sorted(above - seen)
        seen |= above
        for edge in await graph.read_ids(edges.REPLACED_BY, frontier, scope=index.scope):
            told = f"rests on memory {edge.source}, which was superseded by memory {edge.target}; trust unchanged"
            events.append(_still(memory, "premise_superseded", edge.revised_at, (told, str(edge.target), told)))
    return events


def _still(memory: Memory, kind: str, at: int, words: tuple[str, str, str]) -> TrustEvent:
    reason, by, told = words
    return TrustEvent(
        kind=kind,
        at=clock.to_iso(at),
        before=memory.trust,
        after=memory.trust,
        reason=reason,
        by=by,
        narration=told,
    )
