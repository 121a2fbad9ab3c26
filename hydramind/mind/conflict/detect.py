"""The lexical detector: compares two texts statement by statement and says how the draft stands to the stored one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hydramind.mind.conflict import change, foreign
from hydramind.mind.conflict.analysis import Analysis, analyse
from hydramind.mind.conflict.model import Claim, Kind, Verdict
from hydramind.mind.conflict.opposition import Opposition, oppose
from hydramind.mind.conflict.statement import Statement

_NONE = Verdict(Kind.NONE)
_QUOTE_CHARS = 200
_OPENINGS = {Kind.SUPERSEDES: "this changed: ", Kind.UNCERTAIN: "these may not agree: "}


@dataclass(frozen=True, slots=True)
class _Pair:
    """A statement of each text and how they relate; a higher `rank` outweighs a lower one."""

    rank: int
    kind: Kind
    draft_span: tuple[int, int]
    stored_span: tuple[int, int]
    stored_whole: tuple[int, int] = (0, 0)


def _pair(rank: int, kind: Kind, draft: Statement, stored: Statement) -> _Pair:
    return _Pair(rank, kind, (draft.start, draft.end), (stored.start, stored.end), (stored.start, stored.end))


_CHANGED, _RETURNED, _CLASHED, _DOUBTED = 4, 3, 2, 1


def _relate(draft: Statement, stored: Statement) -> _Pair | None:
    """How two statements relate, None when they do not clash."""
    if draft.keys.isdisjoint(stored.keys) or change.other_times(draft, stored):
        return None
    if draft.doubtful or stored.doubtful:
        doubted = oppose(draft, stored)
        return _pair(_DOUBTED, Kind.UNCERTAIN, draft, stored) if doubted else None
    for newer, older, rank, kind in (
        (draft, stored, _CHANGED, Kind.SUPERSEDES),
        (stored, draft, _RETURNED, Kind.UNCERTAIN),
    ):
        if change.reported(newer, older):
            return _pair(rank, kind, draft, stored)
    found = oppose(draft, stored)
    if found is not None:
        return _judged(found, draft, stored)
    switched = change.switches(draft, stored) or change.switches(stored, draft)
    return _pair(_DOUBTED, Kind.UNCERTAIN, draft, stored) if switched else None


def _judged(found: Opposition, draft: Statement, stored: Statement) -> _Pair | None:
    """The weight of an opposition once tense, change words and certainty are known."""
    if draft.mood.closed or stored.mood.closed:
        return None
    if draft.changed or (stored.mood.past and not draft.mood.past):
        rank, kind = (_CHANGED, Kind.SUPERSEDES) if found.sure else (_DOUBTED, Kind.UNCERTAIN)
    elif stored.changed or draft.mood.past != stored.mood.past:
        rank, kind = _RETURNED, Kind.UNCERTAIN
    elif found.sure and draft.polarity.soft == stored.polarity.soft:
        rank, kind = _CLASHED, Kind.CONTRADICTS
    else:
        rank, kind = _DOUBTED, Kind.UNCERTAIN
    whole = (stored.start, stored.end)
    return _Pair(rank, kind, found.draft_span, found.stored_span, whole)


_WHOLE = _Pair(_CLASHED, Kind.CONTRADICTS, *[(0, 2 * _QUOTE_CHARS)] * 3)
"""Two texts that clash as a whole."""


def _strongest(draft: Analysis, stored: Analysis) -> _Pair | None:
    best: _Pair | None = None
    for one in draft.statements:
        for other in stored.statements:
            found = _relate(one, other)
            if found is not None and (best is None or found.rank > best.rank):
                best = found
    return best


def _cut(text: str, span: tuple[int, int]) -> str:
    quote = " ".join(text[span[0] : span[1]].split())
    return quote if len(quote) <= _QUOTE_CHARS else quote[: _QUOTE_CHARS - 1] + "…"


def _worded(found: _Pair, draft: Claim, stored: Claim) -> Verdict:
    ours, theirs = _cut(draft.content, found.draft_span), _cut(stored.content, found.stored_span)
    said = _cut(stored.content, found.stored_whole)
    reason = f"{_OPENINGS.get(found.kind, '')}the stored memory says {said!r}; the draft says {ours!r}"
    return Verdict(found.kind, reason, ours, theirs)


def _refines(draft: Analysis, stored: Analysis) -> bool:
    """True when every stored statement stands in the draft, which says more."""
    if not stored.statements or len(draft.keys) <= len(stored.keys):
        return False
    return all(
        any(old.keys <= new.keys and old.negative == new.negative and not new.doubtful for new in draft.statements)
        for old in stored.statements
    )


def _timed(verdict: Verdict, draft: Claim, stored: Claim) -> Verdict:
    """With two different event times a clash is a change, and the later one is current."""
    if draft.event_time is None or stored.event_time is None or draft.event_time == stored.event_time:
        return verdict
    if verdict.kind not in (Kind.CONTRADICTS, Kind.SUPERSEDES):
        return verdict
    return replace(verdict, kind=Kind.SUPERSEDES, draft_is_current=draft.event_time > stored.event_time)


def detect(draft: Claim, stored: Claim) -> Verdict:
    """Says how `draft` stands to `stored`; never raises, and doubt is UNCERTAIN."""
    ours, theirs = analyse(draft.content), analyse(stored.content)
    if _same(ours, theirs, draft, stored):
        return _plain(Kind.DUPLICATE, "both say the same", draft, stored)
    if foreign.denies(ours.foreign, theirs.foreign):
        return _timed(_worded(_WHOLE, draft, stored), draft, stored)
    if ours.keys.isdisjoint(theirs.keys):
        return _NONE
    found = _strongest(ours, theirs)
    if found is not None:
        return _timed(_worded(found, draft, stored), draft, stored)
    if _refines(ours, theirs):
        return _plain(Kind.REFINES, "the draft adds detail to the stored memory", draft, stored)
    return _NONE


def _same(ours: Analysis, theirs: Analysis, draft: Claim, stored: Claim) -> bool:
    if ours.same != theirs.same or not draft.content.strip():
        return False
    return any(ours.same) or draft.content.split() == stored.content.split()


def _plain(kind: Kind, reason: str, draft: Claim, stored: Claim) -> Verdict:
    whole = (0, 2 * _QUOTE_CHARS)
    return Verdict(kind, reason, _cut(draft.content, whole), _cut(stored.content, whole))
