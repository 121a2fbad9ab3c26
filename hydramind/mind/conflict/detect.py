"""The lexical detector: compares two texts statement by statement and says how the draft stands to the stored one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hydramind.mind.conflict import change
from hydramind.mind.conflict.analysis import Analysis, analyse
from hydramind.mind.conflict.model import Claim, Kind, Verdict
from hydramind.mind.conflict.opposition import Opposition, oppose
from hydramind.mind.conflict.statement import Statement

_NONE = Verdict(Kind.NONE)
_QUOTE_CHARS = 200
_REASONS = {
    "denial": "one denies what the other says",
    "opposite": "they say opposite things",
    "value": "they give different values",
}


@dataclass(frozen=True, slots=True)
class _Pair:
    """A statement of each text and how they relate; a higher `rank` outweighs a lower one."""

    rank: int
    kind: Kind
    why: str
    draft_span: tuple[int, int]
    stored_span: tuple[int, int]
    stored_whole: tuple[int, int] = (0, 0)


def _pair(rank: int, kind: Kind, why: str, draft: Statement, stored: Statement) -> _Pair:
    return _Pair(rank, kind, why, (draft.start, draft.end), (stored.start, stored.end), (stored.start, stored.end))


_CHANGED, _RETURNED, _CLASHED, _DOUBTED = 4, 3, 2, 1


def _relate(draft: Statement, stored: Statement) -> _Pair | None:
    """How two statements relate, None when they do not clash."""
    if draft.keys.isdisjoint(stored.keys) or change.other_times(draft, stored):
        return None
    if draft.doubtful or stored.doubtful:
        return None
    for newer, older, rank, kind in (
        (draft, stored, _CHANGED, Kind.SUPERSEDES),
        (stored, draft, _RETURNED, Kind.UNCERTAIN),
    ):
        if change.replaces(newer, older) or change.ends(newer, older) or change.renews(newer, older):
            return _pair(rank, kind, "change", draft, stored)
    found = oppose(draft, stored)
    return None if found is None else _judged(found, draft, stored)


def _judged(found: Opposition, draft: Statement, stored: Statement) -> _Pair | None:
    """The weight of an opposition once tense, change words and certainty are known."""
    if draft.closed or stored.closed:
        return None
    if draft.changed or (stored.past and not draft.past):
        rank, kind = (_CHANGED, Kind.SUPERSEDES) if found.sure else (_DOUBTED, Kind.UNCERTAIN)
    elif stored.changed or draft.past != stored.past:
        rank, kind = _RETURNED, Kind.UNCERTAIN
    elif found.sure and draft.polarity.soft == stored.polarity.soft:
        rank, kind = _CLASHED, Kind.CONTRADICTS
    else:
        rank, kind = _DOUBTED, Kind.UNCERTAIN
    whole = (stored.start, stored.end)
    return _Pair(rank, kind, found.by, found.draft_span, found.stored_span, whole)


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
    middle = {"change": "as a change, the draft says", "value": "the draft says"}.get(found.why, "the draft says")
    return Verdict(found.kind, f"the stored memory says {said!r}; {middle} {ours!r}", ours, theirs)


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
    if ours.same == theirs.same and draft.content.strip():
        return Verdict(Kind.DUPLICATE, "both say the same", _cut(draft.content, (0, len(draft.content))), _cut(stored.content, (0, len(stored.content))))
    if ours.keys.isdisjoint(theirs.keys):
        return _NONE
    found = _strongest(ours, theirs)
    if found is not None:
        return _timed(_worded(found, draft, stored), draft, stored)
    if _refines(ours, theirs):
        return Verdict(Kind.REFINES, "the draft adds detail to the stored memory", draft.content[:_QUOTE_CHARS], stored.content[:_QUOTE_CHARS])
    return _NONE
