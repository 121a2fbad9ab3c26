"""How firmly and of which time a clause speaks: tense, change, condition, hearsay; and what it says was replaced."""

from __future__ import annotations

from dataclasses import dataclass

from hydramind.mind.conflict import phrases
from hydramind.mind.conflict.clauses import has_past_ending, is_content, is_finite, is_inflected, is_verb
from hydramind.mind.conflict.cues import (
    ASIDE,
    CHANGE_PHRASES,
    CHANGE_WORDS,
    FUTURE,
    HEDGES,
    INNER_CONDITIONS,
    PAST_AUX,
    PAST_PHRASES,
    PREPOSITIONS,
    REPORTING,
)
from hydramind.mind.conflict.frames import ARTICLES, PLAIN_SUBJECTS, Frame
from hydramind.mind.conflict.parts import MARK, Part
from hydramind.mind.conflict.predicates import ADDITIVE, OUTCOME_VERBS
from hydramind.mind.conflict.synonyms import irregular_forms
from hydramind.mind.conflict.tokens import key
from hydramind.mind.conflict.values import When

_CHANGE = phrases.table([*CHANGE_PHRASES.replace("\n", "|").split("|"), *CHANGE_WORDS])
_PAST = phrases.table(PAST_PHRASES)
_CLOSED = phrases.table("used to|until|formerly|back then|in the past")
_FUTURE = phrases.table(FUTURE)
_ASIDE = phrases.table(ASIDE)
_CHOOSING = frozenset(key(verb) for verb in "choose prefer pick favour favor select".split())
_OUTCOMES = frozenset(key(verb) for verb in OUTCOME_VERBS.split())
_MODALS = frozenset("must should can may shall".split())
_OLD_BEFORE = phrases.table(
    "instead of|rather than|in place of|in lieu of|moved off|migrated off|moved away from|got rid of"
)
_OLD_OBJECT = frozenset(key(verb) for verb in "drop retire abandon ditch replace swap rename sunset deprecate".split())
_FROM_VERBS = frozenset(
    key(verb) for verb in "switch move migrate change upgrade downgrade convert go port transition".split()
)
_STOPS = frozenset("to with by for in on at , since because from of and into as".split())


@dataclass(frozen=True, slots=True)
class Mood:
    """`past` speaks of the past, `closed` says that it is over (`used to`), `changed` reports a change, `doubtful` does
    not assert, `modal` says what must or can be, `additive` adds a value to others."""

    past: bool
    closed: bool
    changed: bool
    doubtful: bool
    modal: bool
    additive: bool


def _reported(parts: list[Part]) -> bool:
    """True when the clause only says what somebody says: `the blog says that X`."""
    for at, part in enumerate(parts):
        if part.low in REPORTING and at and parts[at - 1].low not in ARTICLES and at + 1 < len(parts):
            rest = parts[at + 1 :]
            return rest[0].low == "that" or any(is_finite(other) or is_verb(other) for other in rest)
    return False


def _doubtful(parts: list[Part], lows: list[str]) -> bool:
    if not HEDGES.isdisjoint(lows) or not INNER_CONDITIONS.isdisjoint(lows) or _reported(parts):
        return True
    if "over" in lows and not _CHOOSING.isdisjoint(part.key for part in parts):
        return True
    return phrases.anywhere(lows, _FUTURE) >= 0 or phrases.anywhere(lows, _ASIDE) >= 0


def is_past_form(verb: Part) -> bool:
    """True for `ran` and `started`, by form alone; a participle has it too."""
    irregular = irregular_forms().get(verb.low, verb.low) != verb.low and not verb.low.endswith(("s", "ing"))
    return irregular or has_past_ending(verb.low)


def _dated(parts: list[Part]) -> bool:
    return any(isinstance(part.value, When) for part in parts)


def _past(parts: list[Part], lows: list[str], frame: Frame) -> bool:
    if phrases.anywhere(lows, _PAST) >= 0:
        return True
    if not PAST_AUX.isdisjoint(lows):
        return not (frame.passive and frame.verb_key in _OUTCOMES and "had" not in lows and not _dated(parts))
    if frame.verb <= 0 or frame.verb != frame.head:
        return False
    verb, following = parts[frame.verb], parts[frame.verb + 1 : frame.verb + 2]
    formed = is_past_form(verb)
    if parts[frame.verb - 1].low in PLAIN_SUBJECTS | {"he", "she", "it"}:
        return formed
    return formed and bool(following) and following[0].kind != MARK and following[0].low not in PREPOSITIONS


def _run(parts: list[Part], at: int) -> frozenset[str]:
    """Keys of the words from `at` to the next preposition, mark or verb."""
    found: set[str] = set()
    while at < len(parts) and parts[at].low not in _STOPS and not is_finite(parts[at]):
        if is_content(parts[at]) and parts[at].low not in PREPOSITIONS:
            found.add(parts[at].key)
        at += 1
    return frozenset(found)


def replaced(parts: list[Part], lows: list[str], frame: Frame) -> frozenset[str]:
    """Keys of what the clause says was replaced."""
    for at in range(len(parts)):
        if width := phrases.at(lows, at, _OLD_BEFORE):
            return _run(parts, at + width)
    if frame.verb < 0:
        return frozenset()
    if frame.verb_key in _FROM_VERBS and "from" in lows[frame.verb :] and ({"to", "into"} & set(lows)):
        return _run(parts, lows.index("from", frame.verb) + 1)
    if frame.verb_key in _OLD_OBJECT and (is_inflected(parts[frame.verb]) or frame.passive):
        return _run(parts, 0) if frame.passive else _run(parts, frame.verb + 1)
    return frozenset()


def read(parts: list[Part], lows: list[str], frame: Frame) -> Mood:
    """The mood of a clause whose lower-case words are `lows`."""
    return Mood(
        past=_past(parts, lows, frame),
        closed=phrases.anywhere(lows, _CLOSED) >= 0,
        changed=phrases.anywhere(lows, _CHANGE) >= 0,
        doubtful=_doubtful(parts, lows),
        modal=not _MODALS.isdisjoint(lows),
        additive=not ADDITIVE.isdisjoint(lows),
    )
