"""check_conflict: compare a draft with what is stored, storing nothing (HYD-39)."""

from __future__ import annotations

from hydramind.index.scope_index import ScopeIndex
from hydramind.mind.conflict import Claim, Kind
from hydramind.models import ConflictReport, Draft
from hydramind.verbs.compare import compare
from hydramind.verbs.remember import event_ms
from hydramind.verbs.views import conflict_view, entity_id


def run(index: ScopeIndex, request: Draft) -> ConflictReport:
    """Everything the draft contradicts, supersedes, repeats or may contradict; refinements are no conflict."""
    named = [entity_id(index.scope, name) for name in request.entity_refs]
    comparison = compare(index, Claim(request.content, event_ms(request.event_time)), named)
    found = (conflict_view(each) for each in comparison.found if each.verdict.kind is not Kind.REFINES)
    return ConflictReport(conflicts=tuple(found), compared=comparison.judged)
