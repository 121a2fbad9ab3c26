"""Is a clash a change over time? Tense, dates, and words such as `no longer`, `switched from X to Y`, `now`."""

from __future__ import annotations

from hydramind.mind.conflict.opposition import clash, slotted
from hydramind.mind.conflict.predicates import (
    ADJUSTING_VERBS,
    CHANGEABLE_VERBS,
    ENVIRONMENTS,
    GROUPS,
    LIGHT_VERBS,
    MOVING_VERBS,
    PLACED_SLOTS,
    STAYED_SLOTS,
)
from hydramind.mind.conflict.statement import Statement
from hydramind.mind.conflict.tokens import key

_LEAVE = key("leave")
_CHANGEABLE = frozenset(key(verb) for verb in CHANGEABLE_VERBS.split())
_LIGHT = frozenset(key(verb) for verb in LIGHT_VERBS.split())

_MOVING = frozenset(key(verb) for verb in MOVING_VERBS.split())
_PLACED = slotted(PLACED_SLOTS)
_STAYED = slotted(STAYED_SLOTS)
_NO_HOME = frozenset(key(word) for word in (*GROUPS.split(), *ENVIRONMENTS))
_RENAME, _NAMING = key("rename"), frozenset((key("call"), key("name")))
_ADJUSTED = slotted(" ".join(f"{verb}:to" for verb in ADJUSTING_VERBS.split()))
_GOING = _MOVING | {_LEAVE, _RENAME}
_SWITCHING = _MOVING | frozenset(key(verb) for verb in "switch change convert".split())
_TOOLED = frozenset(key(verb) for verb in "use prefer run build deploy write store".split())


def other_times(one: Statement, other: Statement) -> bool:
    """True when both are placed in time and the times exclude each other."""
    return any(a.disjoint(b) for a in one.times for b in other.times)


def reported(draft: Statement, stored: Statement) -> bool:
    """True when the draft reports that what the stored statement says is over."""
    return replaces(draft, stored) or ends(draft, stored) or renews(draft, stored) or moves(draft, stored)


def replaces(draft: Statement, stored: Statement) -> bool:
    """True when the draft says that something was replaced, and the stored statement rests on that something."""
    if not draft.old or not draft.old <= stored.keys or stored.negative or stored.old:
        return False
    kept = stored.keys - draft.old
    left = kept - draft.keys - _LIGHT - {stored.slot[0]}
    unsaid = kept - {stored.slot[0]} if not stored.subject else kept
    return not left and (bool(kept & draft.keys) or unsaid <= _LIGHT)


def ends(draft: Statement, stored: Statement) -> bool:
    """True when the draft says `used to` or `until` of what the stored statement says of the present."""
    if not draft.mood.closed or stored.mood.closed or stored.mood.past or draft.negative != stored.negative:
        return False
    return bool(stored.keys - _LIGHT) and stored.keys <= draft.keys and stored.subject == draft.subject


def _same_positive(draft: Statement, stored: Statement) -> bool:
    return bool(draft.subject) and draft.subject == stored.subject and not (draft.negative or stored.negative)


def moves(draft: Statement, stored: Statement) -> bool:
    """True when the draft says that what the stored statement places or names has another place or name by now."""
    if draft.slot[0] not in _GOING or not _same_positive(draft, stored) or stored.mood.past:
        return False
    if draft.slot == (_LEAVE, ""):
        return stored.slot in _STAYED and bool(stored.value) and stored.value <= draft.value
    if draft.slot == (_RENAME, "to"):
        return stored.slot[0] in _NAMING and draft.rest == stored.rest and draft.value.isdisjoint(stored.value)
    if draft.slot[1] != "to" or stored.slot not in _PLACED or draft.times:
        return False
    named = stored.value & stored.named and draft.value and draft.value <= draft.named
    return bool(named) and draft.rest == stored.rest and draft.value.isdisjoint(stored.value | _NO_HOME)


def switches(draft: Statement, stored: Statement) -> bool:
    """True when the draft says that its subject went over to something, perhaps from what the stored one says it uses."""
    if draft.slot[0] not in _SWITCHING or draft.slot[1] != "to" or stored.slot[0] not in _TOOLED:
        return False
    if not _same_positive(draft, stored):
        return False
    return draft.rest == stored.rest and bool(draft.value - stored.value) and bool(stored.value - draft.value)


def renews(draft: Statement, stored: Statement) -> bool:
    """True when the draft reports a new value of what the stored statement says: `now`, `went back to`, `switched to`."""
    if not (draft.changed or draft.slot in _ADJUSTED) or draft.negative or stored.negative or draft.mood.additive:
        return False
    return _new_number(draft, stored) or _new_object(draft, stored)


def _new_number(draft: Statement, stored: Statement) -> bool:
    if not stored.subject or not stored.subject <= draft.keys or len(stored.values) != 1 or len(draft.values) != 1:
        return False
    (one,), (other,) = draft.values.values(), stored.values.values()
    return clash(one, other) and stored.keys - stored.values.keys() - {stored.slot[0]} <= draft.keys


def _new_object(draft: Statement, stored: Statement) -> bool:
    if draft.slot[0] != stored.slot[0] or draft.slot[0] not in _CHANGEABLE or draft.subject != stored.subject:
        return False
    return draft.rest == stored.rest and bool(draft.value - stored.value) and bool(stored.value - draft.value)
