"""Finds the verb of a clause without a parser, and with it what is subject and what is complement."""

from __future__ import annotations

from dataclasses import dataclass

from hydramind.mind.conflict.clauses import has_past_ending, is_finite, is_inflected, is_verb
from hydramind.mind.conflict.cues import AUX, COPULAS, PREPOSITIONS
from hydramind.mind.conflict.parts import NAME, WORD, Part
from hydramind.mind.conflict.predicates import MEASURED_VERBS, NATIONS, NOUN_LIKE, ROLE_NOUNS, SETTING_VERBS
from hydramind.mind.conflict.synonyms import irregular_forms
from hydramind.mind.conflict.tokens import key

ARTICLES = frozenset("the a an our my your his her its their this that".split())
PLAIN_SUBJECTS = frozenset("we i you they".split())
MEASURED = frozenset(key(verb) for verb in MEASURED_VERBS.split())

_BE = key("be")
_NOUN_LIKE = frozenset(key(verb) for verb in NOUN_LIKE.split())
_SETTING = frozenset(key(verb) for verb in SETTING_VERBS.split())
_ROLES = frozenset(key(noun) for noun in ROLE_NOUNS.split())
_RELATIVES = frozenset("that which who whose where what how".split())
_BEFORE_COMMAND = frozenset("please always never not do also just now so to ever".split())
_ADVERBS = frozenset(
    "not also already still now always only just really very currently never no longer again usually hardly rarely".split()
)
_ASSIGNS = frozenset((":", "=", "→"))
_LABEL_REACH = 7
_VERB_REACH = 4
_NAME_WORDS = 2


@dataclass(frozen=True, slots=True)
class Frame:
    """Indices of one clause: the subject ends at `head`, the verb is at `verb` (-1 for none), what follows starts at `tail`."""

    head: int
    verb: int
    tail: int
    verb_key: str
    passive: bool = False


def _participle(part: Part) -> bool:
    if part.kind != WORD or part.low.endswith("ing"):
        return False
    return (len(part.low) > 3 and has_past_ending(part.low)) or part.low in irregular_forms() or is_verb(part)


def _progressive(part: Part) -> bool:
    return part.kind == WORD and len(part.low) > 5 and part.low.endswith("ing")


def _skip_adverbs(parts: list[Part], at: int) -> int:
    while at < len(parts) and parts[at].low in _ADVERBS:
        at += 1
    return at


def _after_auxiliary(parts: list[Part], aux: int) -> Frame:
    """The frame of a clause whose auxiliary or copula is at `aux`."""
    at = _skip_adverbs(parts, aux + 1)
    last = parts[aux].low
    while at < len(parts) and parts[at].low in AUX:
        last = parts[at].low
        at = _skip_adverbs(parts, at + 1)
    if last in COPULAS:
        if at < len(parts) and (_participle(parts[at]) or _progressive(parts[at])):
            return Frame(aux, at, at + 1, parts[at].key, passive=not parts[at].low.endswith("ing"))
        return Frame(aux, aux, at, _BE)
    if last in ("have", "has", "had") and not (at < len(parts) and _participle(parts[at])):
        return Frame(aux, aux, at, key("have"))
    if at < len(parts):
        return Frame(aux, at, at + 1, parts[at].key)
    return Frame(aux, aux, at, parts[aux].key)


def _existential(parts: list[Part], aux: int) -> Frame:
    """`There is no X doing Y`: X is the subject, doing Y the predicate."""
    for at in range(aux + 1, len(parts)):
        part = parts[at]
        if at > aux + 1 and part.kind == WORD and (_progressive(part) or (has_past_ending(part.low) and is_verb(part))):
            return Frame(at, at, at + 1, part.key, passive=has_past_ending(part.low))
    return Frame(len(parts), -1, len(parts), "")


def _commanded(parts: list[Part]) -> int:
    """Index of the verb of a command, or -1."""
    at = 0
    while at < len(parts) and parts[at].low in _BEFORE_COMMAND:
        at += 1
    if at >= len(parts) or not is_verb(parts[at]) or is_inflected(parts[at]):
        return -1
    return -1 if parts[at].key in _NOUN_LIKE and _verb_behind(parts, at) else at


def _ends_verb(part: Part, next_to_opener: bool) -> bool:
    if has_past_ending(part.low):
        return not next_to_opener
    return part.low[-1] == "s" and (next_to_opener or part.key in MEASURED)


def _verb_behind(parts: list[Part], at: int) -> bool:
    """True when the words behind `at` hold the verb of the clause: `launch freeze starts`, `builds run`."""
    for index in range(at + 1, min(len(parts), at + _VERB_REACH)):
        part = parts[index]
        if part.low in PREPOSITIONS or part.low in ARTICLES:
            return False
        if is_inflected(part) and _ends_verb(part, index == at + 1):
            return True
    return False


def _looks_past(part: Part) -> bool:
    return part.kind == WORD and len(part.low) > 4 and has_past_ending(part.low)


def _plain_verb(parts: list[Part]) -> int:
    """Index of a verb that no auxiliary announces, or -1."""
    for at in range(1, len(parts)):
        part, before = parts[at], parts[at - 1]
        if not (is_verb(part) or _looks_past(part)) or before.low in ARTICLES or before.low in PREPOSITIONS:
            continue
        if is_inflected(part) or _looks_past(part) or before.low.endswith("s"):
            return at
        if before.low in PLAIN_SUBJECTS or before.low in _ADVERBS:
            return at
    return -1


def _with_auxiliary(parts: list[Part], aux: int) -> Frame:
    """The frame of a clause with an auxiliary; `use X that is Y` stays a command."""
    command = _commanded(parts[:aux]) if _RELATIVES.intersection(part.low for part in parts[:aux]) else -1
    if command >= 0:
        return Frame(command, command, command + 1, parts[command].key)
    return _existential(parts, aux) if aux and parts[aux - 1].low == "there" else _after_auxiliary(parts, aux)


def _speaks(parts: list[Part]) -> bool:
    """True for words with a verb of their own, as behind the name of a speaker."""
    return any(is_finite(part) or is_verb(part) for part in parts)


def find(parts: list[Part]) -> Frame:
    """Where subject, verb and complement of the clause are."""
    for at, part in enumerate(parts):
        if is_finite(part):
            return _with_auxiliary(parts, at)
        if part.low in _ASSIGNS and 0 < at < _LABEL_REACH and not _speaks(parts[at + 1 :]):
            return Frame(at, at, at + 1, _BE)
    if parts[0].low == "no":
        return Frame(0, -1, 0, "")
    at = _commanded(parts)
    at = at if at >= 0 else _plain_verb(parts)
    return Frame(at, at, at + 1, parts[at].key) if at >= 0 else Frame(0, -1, 0, "")


def sets(parts: list[Part], frame: Frame) -> bool:
    """True for `set X to Y`: X is what the clause is about."""
    return frame.head == frame.verb >= 0 and frame.verb_key in _SETTING and not is_inflected(parts[frame.verb])


def value_zone(parts: list[Part], frame: Frame) -> tuple[int, int, str]:
    """Start, end and preposition of the complement that follows the verb."""
    at = _skip_adverbs(parts, frame.tail)
    lead = ""
    if sets(parts, frame):
        at = next((to for to in range(at, len(parts)) if parts[to].low in ("to", "at")), at)
    if at < len(parts) and parts[at].low in PREPOSITIONS:
        lead = parts[at].low
        at += 1
    end = at
    while end < len(parts) and (parts[end].low not in PREPOSITIONS or parts[end].low == "of") and parts[end].low != ",":
        end += 1
    return at, end, lead


def inverted(parts: list[Part], frame: Frame, start: int, end: int) -> bool:
    """True for `Ana is the owner of X`: the name fills the role that the complement names."""
    if (
        frame.verb_key != _BE
        or not 0 < frame.head <= _NAME_WORDS
        or start >= end
        or parts[start - 1].low in PREPOSITIONS
    ):
        return False
    named = all(part.text[:1].isupper() and part.kind in (NAME, WORD) for part in parts[: frame.head])
    return named and parts[start].low in ("the", "our", "my") and names_role(parts[start:end])


def names_role(parts: list[Part]) -> bool:
    """True for words that name a slot with one filler: `the owner of X`."""
    return any(part.key in _ROLES for part in parts)


def _proper(part: Part) -> bool:
    """True for a name in mixed case, False for `HTTP` and `French`, which are qualities as often."""
    return part.kind == NAME and not part.text.isupper() and part.low not in NATIONS


def identifies(parts: list[Part], frame: Frame, start: int, end: int) -> bool:
    """True for `the X is Name`: one certain thing, and the proper name of what it is."""
    if frame.verb_key != _BE or frame.passive or not 1 < frame.head < start < end or parts[frame.head].low != "is":
        return False
    at = 2 if parts[1].low == ":" and frame.head > 2 else 0
    plain = parts[at].low == "the" and all(p.kind == WORD or p.text.isupper() for p in parts[at + 1 : frame.head])
    return plain and parts[start - 1].low not in PREPOSITIONS and all(map(_proper, parts[start:end]))
