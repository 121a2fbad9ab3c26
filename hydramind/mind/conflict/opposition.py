"""Do two statements exclude each other? By denial, by an opposite word, or by two values of one slot."""

from __future__ import annotations

from dataclasses import dataclass

from hydramind.mind.conflict.antonyms import has_opposite, opposite
from hydramind.mind.conflict.predicates import (
    ABLE_VERBS,
    COMPONENT_NOUNS,
    ENVIRONMENTS,
    EXCLUSIVE_PLACES,
    LIGHT_VERBS,
    LOOSE_NOUNS,
    MEASURED_VERBS,
    OPEN_MODIFIERS,
    PERSON_ROLES,
    PLAUSIBLE_SLOTS,
    ROLE_NOUNS,
    SCHEDULED_VERBS,
    SINGLE_MODIFIERS,
    SINGLE_SLOTS,
    TOOL_MODIFIERS,
)
from hydramind.mind.conflict.statement import Statement
from hydramind.mind.conflict.tokens import broader_keys, key
from hydramind.mind.conflict.values import Quantity, Value, When


def _keyed(words: str) -> frozenset[str]:
    return frozenset(key(word) for word in words.split())


def slotted(slots: str) -> frozenset[tuple[str, str]]:
    """Slots written `verb:preposition`, as statements hold them."""
    return frozenset((key(verb), lead) for verb, _, lead in (slot.partition(":") for slot in slots.split()))


_BE, _HAVE, _USE = key("be"), key("have"), key("use")
_LIGHT = _keyed(LIGHT_VERBS)
_ABLE = _keyed(ABLE_VERBS)
_MEASURED = _keyed(MEASURED_VERBS)
_ROLES = _keyed(ROLE_NOUNS)
_SINGLE = _keyed(SINGLE_MODIFIERS)
_OPEN = _keyed(OPEN_MODIFIERS)
_EXCLUSIVE = _keyed(EXCLUSIVE_PLACES)
_ENVIRONMENTS = _keyed(" ".join(ENVIRONMENTS))
_SLOTS = slotted(SINGLE_SLOTS)
_PLAUSIBLE = slotted(PLAUSIBLE_SLOTS)
_SCHEDULED = _keyed(SCHEDULED_VERBS)
_LOOSE = _keyed(LOOSE_NOUNS)
_COMPONENTS = _keyed(COMPONENT_NOUNS)
_TOOLS = _keyed(TOOL_MODIFIERS)
_PERSONS = _keyed(PERSON_ROLES)
_ANYBODY = frozenset((key("person"),))
_QUALITIES = ("abl", "ibl", "ful", "iv", "ous", "al", "ed", "ing", "i", "ic", "less", "ent", "ant", "y")
_FEW = 2


@dataclass(frozen=True, slots=True)
class Opposition:
    """Two statements that exclude each other; `sure` is False where it is only likely.

    The spans are offsets of the clashing words in the draft and the stored text.
    """

    sure: bool
    draft_span: tuple[int, int]
    stored_span: tuple[int, int]


def _uncovered(narrow: frozenset[str], wide: frozenset[str]) -> set[str]:
    """Keys of `narrow` that `wide` does not say, not even by a narrower word."""
    left = set(narrow - wide)
    if left:
        said = frozenset[str]().union(*(broader_keys(word) for word in wide - narrow))
        left -= said
    return left


def _turned(left: set[str], others: frozenset[str]) -> set[str]:
    """Keys of `left` whose opposite stands in `others`."""
    return {word for word in left if any(opposite(word, other) for other in others)}


def _same_roles(one: Statement, other: Statement) -> bool:
    """True unless the subject of one is the object of the other, as in `A depends on B` and `B depends on A`."""
    if not one.subject or not other.subject:
        return True
    common = one.keys & other.keys
    left, right = one.subject & common, other.subject & common
    if one.passive == other.passive:
        return bool(left & right) or not (left or right) or _related(one.subject, other.subject)
    return not left & right


def _same_subject(one: Statement, other: Statement) -> bool:
    common = one.subject & other.subject
    return bool(common) or not (one.subject and other.subject) or _related(one.subject, other.subject)


def _related(left: frozenset[str], right: frozenset[str]) -> bool:
    return any(broader_keys(word) & right for word in left) or any(broader_keys(word) & left for word in right)


def _denial(no: Statement, yes: Statement) -> bool | None:
    """Whether `no` denies `yes`: True surely, False perhaps, None not at all."""
    extra = yes.keys - no.keys
    missing = _uncovered(no.keys, yes.keys)
    anybody = _concerns_anybody(no, yes) if missing >= _ANYBODY else None
    if anybody is not None:
        missing -= _ANYBODY
    light = missing & _LIGHT
    missing -= light
    if missing or _turned(set(no.keys), extra) or not _verbs_fit(no, yes, bool(light)) or not _same_roles(no, yes):
        return None
    if _opposed_places(no, yes) or no.denied - yes.denied:
        return None
    said, affirmed = len(no.keys - _LIGHT), len(yes.keys - _LIGHT)
    if said == 0 or (said == 1 and affirmed > _FEW):
        return None
    if "pronoun" in (no.referent, yes.referent) or said == 1 < affirmed or anybody is False:
        return False
    return no.universal or not _narrowed(no, yes)


def _concerns_anybody(no: Statement, yes: Statement) -> bool | None:
    """Whether `nobody` speaks of the subject of `yes`: False where that may be a thing, or in another place."""
    if not (no.universal and no.subject >= _ANYBODY < no.keys and yes.subject) or no.mood.additive:
        return None
    if (yes.keys - yes.subject - no.keys) & _ENVIRONMENTS:
        return False
    return yes.passive or yes.slot[0] == _USE or not yes.articled


def _narrowed(no: Statement, yes: Statement) -> bool:
    """True when `yes` may speak of another thing: its subject is qualified where that of `no` is not."""
    extra = yes.subject - no.keys
    return bool(no.subject and extra) and (not no.articled or bool(extra & (yes.named | _ENVIRONMENTS)))


def _verbs_fit(no: Statement, yes: Statement, light_missing: bool) -> bool:
    """A denial without a verb of its own denies only that something is there."""
    verb = yes.slot[0]
    if not light_missing and no.slot[0] not in ("", _BE):
        return True
    return verb in no.keys or verb in ("", _BE) or verb in _LIGHT


def _opposed_places(one: Statement, other: Statement) -> bool:
    return any(opposite(left, right) for left in one.places - other.places for right in other.places - one.places)


def _opposites(one: Statement, other: Statement) -> bool | None:
    """Whether two statements of one polarity differ by exactly one pair of opposites."""
    left, right = one.keys - other.keys, other.keys - one.keys
    pairs = [(a, b) for a in left for b in right if opposite(a, b)]
    places = _opposed_places(one, other)
    if any(a in one.subject and b in other.subject for a, b in pairs):
        return None
    if len(pairs) + places != 1 or not _same_subject(one, other) or one.denied != other.denied:
        return None
    if pairs:
        left, right = left - {pairs[0][0]}, right - {pairs[0][1]}
    both = one.keys & other.keys
    if not both - _LIGHT:
        return None
    if left or right:
        return None if (left and right) or len(left | right) > _FEW or not one.subject & other.subject else False
    return one.referent == other.referent == "definite"


def _left_out(one: Statement, other: Statement) -> bool | None:
    """Whether one says `with X` what the other says `without X`."""
    for no, yes in ((one, other), (other, one)):
        if no.denied and not yes.denied and no.denied <= yes.keys and no.keys == yes.keys - no.denied:
            return no.referent == yes.referent == "definite" and no.slot[0] not in _ABLE
    return None


def clash(one: Value, other: Value) -> bool:
    """True when two values of one kind cannot both hold."""
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        if one.dimension != other.dimension:
            one, other = one.in_seconds(), other.in_seconds()
        return one.dimension == other.dimension and one.disjoint(other)
    return type(one) is type(other) and one.disjoint(other)  # pyright: ignore[reportArgumentType]


def _measured(one: Statement, other: Statement, left: frozenset[str], right: frozenset[str]) -> bool | None:
    """Whether the slot holds two numbers, dates or versions that exclude each other; None when it holds no such pair."""
    if len(left) != 1 or len(right) != 1:
        return None
    first, second = one.values.get(next(iter(left))), other.values.get(next(iter(right)))
    if first is None or second is None or not clash(first, second):
        return None
    return one.slot[0] in _MEASURED or (isinstance(first, When) and _runs_to_schedule(one))


def _runs_to_schedule(said: Statement) -> bool:
    """True for `the backup runs at 02:00` and `deploys run on Mondays`, False for `Sam runs on Mondays`."""
    thing = said.articled or bool(said.subject & said.plural) or len(said.subject) > 1
    return thing and said.slot[0] in _SCHEDULED


def _filled(one: Statement, other: Statement, left: frozenset[str], right: frozenset[str]) -> bool | None:
    """Whether a slot that takes one filler holds two; False when it only may be such a slot, None when it is none."""
    if one.slot != other.slot or one.mood.modal != other.mood.modal or one.mood.additive or other.mood.additive:
        return None
    if (one.values.keys() & left) or (other.values.keys() & right):
        return None
    named = bool(left & one.named) and bool(right & other.named)
    if one.slot in _SLOTS:
        return named or one.slot[0] not in _EXCLUSIVE
    if one.slot in _PLAUSIBLE:
        return False if left <= one.named and right <= other.named else None
    if one.slot != (_BE, "") or one.subject & _OPEN or one.subject & _ROLES & one.plural:
        return None
    if named:
        return bool(one.subject & (_ROLES | _SINGLE)) or (one.identity and other.identity and not one.subject & _LOOSE)
    nominal = _nominal(one, left) and _nominal(other, right)
    if one.subject & (_ROLES | _SINGLE):
        return nominal
    return False if nominal and one.subject & _COMPONENTS else None


def _nominal(said: Statement, filler: frozenset[str]) -> bool:
    """True when a filler in small letters looks like a thing, not like a quality: `helix`, not `configurable`."""
    if said.passive or len(filler) != 1 or (said.subject & _PERSONS and not said.subject & _TOOLS):
        return False
    return not any(word.endswith(_QUALITIES) or has_opposite(word) for word in filler)


def _values(one: Statement, other: Statement) -> bool | None:
    """Whether two statements of one subject, verb and circumstances give the slot different values."""
    if one.slot[0] != other.slot[0] or one.subject != other.subject or not one.subject or one.denied or other.denied:
        return None
    if one.rest != other.rest or _opposed_places(one, other):
        return None
    left, right = one.value - other.value, other.value - one.value
    if not left or not right:
        return None
    measured = _measured(one, other, left, right)
    found = measured if measured is not None else _filled(one, other, left, right)
    return found and one.referent == other.referent == "definite" if found else found


def oppose(draft: Statement, stored: Statement) -> Opposition | None:
    """The opposition of two statements, or None; the order of the two does not change whether there is one."""
    whole = ((draft.start, draft.end), (stored.start, stored.end))
    if draft.negative != stored.negative:
        found = _denial(draft, stored) if draft.negative else _denial(stored, draft)
        return None if found is None else Opposition(found, *whole)
    for rule in (_opposites, _left_out):
        found = rule(draft, stored)
        if found is not None:
            return Opposition(found, *whole)
    found = None if draft.negative else _values(draft, stored)
    return None if found is None else Opposition(found, draft.value_span, stored.value_span)
