"""Evidence for an answer: the turns to hand over for its hits, under a budget of tokens (HYB-7, HYB-33, HYB-34)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hydramind import clock
from hydramind.index.plan import Mask
from hydramind.index.scope_index import ScopeIndex
from hydramind.mind.packing import Arrangement, Evidence, Packing, SessionRank, Strategy, Turn, pack
from hydramind.models import EvidenceItem, EvidencePlan, EvidenceView
from hydramind.records import Memory, MemoryKind

_DAY: Final = len("2026-03-01")


def packing_of(plan: EvidencePlan) -> Packing:
    """The rule of a request."""
    return Packing(
        plan.budget_tokens,
        Strategy(plan.strategy),
        plan.window,
        plan.decay,
        SessionRank(plan.session_rank),
        Arrangement(plan.order),
    )


@dataclass(frozen=True, slots=True)
class Shelf:
    """The turns that may be handed over, in the order in which they happened, with the callers' ids of them; a copy, so
    that it stays what it was while others write."""

    turns: tuple[Turn, ...]
    evidence_ids: dict[int, str]

    def packed(self, ranked: Sequence[tuple[int, float]], packing: Packing) -> EvidenceView:
        """What fits the budget for ranked ids and their scores, best first."""
        return self._shown(pack(self.turns, ranked, packing), packing.budget_tokens)

    def _shown(self, evidence: Evidence, budget: int) -> EvidenceView:
        items = tuple(
            EvidenceItem(
                memory_id=str(item.id),
                evidence_id=self.evidence_ids[item.id],
                role=item.role.value,
                text=item.text,
                tokens=item.tokens,
                rank=item.rank,
                score=None if item.score is None else round(item.score, 6),
                expanded_from=None if item.expanded_from is None else str(item.expanded_from),
            )
            for item in evidence.items
        )
        skipped = tuple(str(id_) for id_ in evidence.skipped)
        return EvidenceView(budget_tokens=budget, tokens=evidence.tokens, items=items, skipped=skipped)


def shelf_of(index: ScopeIndex, hits: Sequence[Memory], visible: Mask) -> Shelf:
    """The hits and every turn of their conversations that the question may see. `visible` is (n,) by ordinal; cost: the
    columns of the scope, then those conversations."""
    arrays = index.arrays
    sessions, _ = arrays.conversations.sessions()
    wanted = np.isin(arrays.ids, np.array([memory.id for memory in hits], np.int64))
    talks = np.unique(sessions[wanted & (sessions >= 0)])
    chosen = np.flatnonzero(wanted | (visible & np.isin(sessions, talks)))
    order = np.lexsort((arrays.ids[chosen], arrays.created[chosen], arrays.happened[chosen]))
    rows = [row for at in chosen[order] if (row := index.memory(int(arrays.ids[at]))) is not None]
    positions: dict[str, int] = {}
    turns: list[Turn] = []
    for row in rows:
        position = positions[row.session] = positions.get(row.session, -1) + 1
        turns.append(_turn(row, position))
    return Shelf(tuple(turns), {row.id: row.evidence_id for row in rows})


def _turn(row: Memory, position: int) -> Turn:
    """Only turns stand in a conversation and have a speaker."""
    day = clock.to_iso(row.event_time)[:_DAY]
    if row.kind != MemoryKind.TURN:
        return Turn(row.id, "", position, day, "", row.content)
    return Turn(row.id, row.session, position, day, row.source, row.content)
