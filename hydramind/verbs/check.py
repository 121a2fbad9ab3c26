"""check_conflict: compare a draft with what is stored, storing nothing (HYD-39)."""

from __future__ import annotations

from hydramind.index.scope_index import ScopeIndex
from hydramind.mind.conflict import Claim, Kind
from hydramind.models import ConflictReport, Draft
from hydramind.verbs.compare import compare, filling
from hydramind.verbs.remember import event_ms
from hydramind.verbs.views import conflict_view, entity_id


def run(index: ScopeIndex, request: Draft, now: int) -> ConflictReport:
    """Everything the draft contradicts, supersedes, repeats or may contradict; refinements are no conflict. What fills
    the slot of the draft is superseded, unless it says the same."""
    named = [entity_id(index.scope, name) for name in request.entity_refs]
    draft = Claim(request.content, event_ms(request.event_time))
    comparison = compare(index, draft, named)
    held = index.active_in_slot(request.slot)
    if held is not None and held.id not in {found.memory.id for found in comparison.of(Kind.DUPLICATE)}:
        comparison = filling(comparison, held, draft, now)
    found = (conflict_view(each) for each in comparison.found if each.verdict.kind is not Kind.REFINES)
    return ConflictReport(conflicts=tuple(found), compared=comparison.judged)
