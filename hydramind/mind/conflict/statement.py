"""What a clause says: subject, verb, value and circumstances, with its polarity, tense and certainty."""

from __future__ import annotations

from dataclasses import dataclass

from hydramind.mind.conflict import phrases, polarity
from hydramind.mind.conflict.clauses import is_content, is_finite, is_inflected, is_verb
from hydramind.mind.conflict.cues import (
    ASIDE,
    AUX,
    CHANGE_PHRASES,
    CHANGE_WORDS,
    COPULAS,
    FUTURE,
    HEDGES,
    INNER_CONDITIONS,
    NOBODY,
    OPPOSED_PREPOSITIONS,
    PAST_AUX,
    PAST_PHRASES,
    PREPOSITIONS,
    REPORTING,
    SUBJECT_PRONOUNS,
)
from hydramind.mind.conflict.parts import IDENTIFIER, MARK, NAME, WORD, Part
from hydramind.mind.conflict.predicates import (
    ADDITIVE,
    ENVIRONMENTS,
    MEASURED_VERBS,
    NOUN_LIKE,
    ROLE_NOUNS,
    SETTING_VERBS,
)
from hydramind.mind.conflict.synonyms import irregular_forms
from hydramind.mind.conflict.tokens import key
from hydramind.mind.conflict.values import Quantity, Value, When

_CHANGE = phrases.table([*CHANGE_PHRASES.replace("\n", "|").split("|"), *CHANGE_WORDS])
_PAST = phrases.table(PAST_PHRASES)
_CLOSED = phrases.table("used to|until|formerly|back then|in the past")
_FUTURE = phrases.table(FUTURE)
_ASIDE = phrases.table(ASIDE)
_BE = key("be")
_MEASURED = frozenset(key(verb) for verb in MEASURED_VERBS.split())
_NOUN_LIKE = frozenset(key(verb) for verb in NOUN_LIKE.split())
_SETTING = frozenset(key(verb) for verb in SETTING_VERBS.split())
_ROLES = frozenset(key(noun) for noun in ROLE_NOUNS.split())
_RELATIVES = frozenset("that which who whose where what how".split())
_NOTHING = frozenset("no nobody no-one noone none neither nothing".split())
_INDEFINITE = frozenset("a an some another several few many".split())
_BEFORE_COMMAND = frozenset("please always never not do also just now so to ever".split())
_PLAIN_SUBJECTS = frozenset("we i you they".split())
_ADVERBS = frozenset("not also already still now always only just really very currently never no longer again usually hardly rarely".split())
_ARTICLES = frozenset("the a an our my your his her its their this that".split())
_ASSIGNS = frozenset((":", "=", "→"))
_LABEL_REACH = 7

_TIME_ADVERBS = frozenset("yesterday today again now currently lately recently since until".split())
_MODALS = frozenset("must should can may shall".split())
_PARTICLES = frozenset("on off up down in out inside outside above below".split())


@dataclass(frozen=True, slots=True)
class Statement:
    """One clause; sets hold keys, `start` and `end` are offsets in the text.

    `keys` is everything said except times and what is denied on its own (`denied`); `subject`, `value` and `rest`
    divide it by place; `places` are prepositions that have an opposite; `slot` is the verb with the preposition of its
    value; `referent` is definite, indefinite or pronoun; `universal` is True for denials of any such subject
    (`nobody`, `there is no X`); `old` is what the clause says was replaced; `times` are dates that only place it.
    """

    start: int
    end: int
    keys: frozenset[str]
    subject: frozenset[str]
    slot: tuple[str, str]
    value: frozenset[str]
    rest: frozenset[str]
    places: frozenset[str]
    value_span: tuple[int, int]
    named: frozenset[str]
    plural: frozenset[str]
    values: dict[str, Value]
    times: tuple[When, ...]
    denied: frozenset[str]
    old: frozenset[str]
    polarity: polarity.Polarity
    referent: str
    universal: bool
    articled: bool
    passive: bool
    past: bool
    closed: bool
    changed: bool
    doubtful: bool
    additive: bool
    modal: bool

    @property
    def negative(self) -> bool:
        """True when the clause denies what its keys say."""
        return self.polarity.negative


@dataclass(frozen=True, slots=True)
class _Frame:
    """Indices of one clause: the subject ends at `head`, the verb is at `verb` (-1 for none), what follows starts at `tail`."""

    head: int
    verb: int
    tail: int
    verb_key: str
    passive: bool = False


def _participle(part: Part) -> bool:
    if part.kind != WORD or part.low.endswith("ing"):
        return False
    return (len(part.low) > 3 and part.low.endswith("ed")) or part.low in irregular_forms() or is_verb(part)


def _progressive(part: Part) -> bool:
    return part.kind == WORD and len(part.low) > 5 and part.low.endswith("ing")


def _skip_adverbs(parts: list[Part], at: int) -> int:
    while at < len(parts) and parts[at].low in _ADVERBS:
        at += 1
    return at


def _after_auxiliary(parts: list[Part], aux: int) -> _Frame:
    """The frame of a clause whose auxiliary or copula is at `aux`."""
    at = _skip_adverbs(parts, aux + 1)
    last = parts[aux].low
    while at < len(parts) and parts[at].low in AUX:
        last = parts[at].low
        at = _skip_adverbs(parts, at + 1)
    if last in COPULAS:
        if at < len(parts) and (_participle(parts[at]) or _progressive(parts[at])):
            return _Frame(aux, at, at + 1, parts[at].key, passive=not parts[at].low.endswith("ing"))
        return _Frame(aux, aux, at, _BE)
    if last in ("have", "has", "had") and not (at < len(parts) and _participle(parts[at])):
        return _Frame(aux, aux, at, key("have"))
    if at < len(parts):
        return _Frame(aux, at, at + 1, parts[at].key)
    return _Frame(aux, aux, at, parts[aux].key)


def _existential(parts: list[Part], aux: int) -> _Frame:
    """`There is no X doing Y`: X is the subject, doing Y the predicate."""
    for at in range(aux + 1, len(parts)):
        part = parts[at]
        if at > aux + 1 and part.kind == WORD and (_progressive(part) or (part.low.endswith("ed") and is_verb(part))):
            return _Frame(at, at, at + 1, part.key, passive=part.low.endswith("ed"))
    return _Frame(len(parts), -1, len(parts), "")


def _commanded(parts: list[Part]) -> int:
    """Index of the verb of a command, or -1."""
    at = 0
    while at < len(parts) and parts[at].low in _BEFORE_COMMAND:
        at += 1
    if at >= len(parts) or not is_verb(parts[at]) or is_inflected(parts[at]):
        return -1
    return -1 if parts[at].key in _NOUN_LIKE and _verb_behind(parts, at) else at


def _ends_verb(part: Part, next_to_opener: bool) -> bool:
    if part.low.endswith("ed"):
        return not next_to_opener
    return part.low[-1] == "s" and (next_to_opener or part.key in _MEASURED)


def _verb_behind(parts: list[Part], at: int) -> bool:
    """True when the words behind `at` hold the verb of the clause: `launch freeze starts`, `builds run`."""
    for index in range(at + 1, min(len(parts), at + 4)):
        part = parts[index]
        if part.low in PREPOSITIONS or part.low in _ARTICLES:
            return False
        if is_inflected(part) and _ends_verb(part, index == at + 1):
            return True
    return False


def _looks_past(part: Part) -> bool:
    return part.kind == WORD and len(part.low) > 4 and part.low.endswith("ed")


def _plain_verb(parts: list[Part]) -> int:
    """Index of a verb that no auxiliary announces, or -1."""
    for at in range(1, len(parts)):
        part, before = parts[at], parts[at - 1]
        if not (is_verb(part) or _looks_past(part)) or before.low in _ARTICLES or before.low in PREPOSITIONS:
            continue
        if (
            is_inflected(part)
            or _looks_past(part)
            or before.low in _PLAIN_SUBJECTS
            or before.low.endswith("s")
            or before.low in _ADVERBS
        ):
            return at
    return -1


def _frame(parts: list[Part]) -> _Frame:
    """Where subject, verb and complement of the clause are."""
    for at, part in enumerate(parts):
        if is_finite(part):
            command = _commanded(parts[:at]) if _RELATIVES.intersection(p.low for p in parts[:at]) else -1
            if command >= 0:
                return _Frame(command, command, command + 1, parts[command].key)
            return _existential(parts, at) if at and parts[at - 1].low == "there" else _after_auxiliary(parts, at)
        if part.low in _ASSIGNS and 0 < at < _LABEL_REACH:
            return _Frame(at, at, at + 1, _BE)
    if parts[0].low == "no":
        return _Frame(0, -1, 0, "")
    at = _commanded(parts)
    at = at if at >= 0 else _plain_verb(parts)
    return _Frame(at, at, at + 1, parts[at].key) if at >= 0 else _Frame(0, -1, 0, "")


def _sets(parts: list[Part], frame: _Frame) -> bool:
    """True for `set X to Y`: X is what the clause is about."""
    return frame.head == frame.verb >= 0 and frame.verb_key in _SETTING and not is_inflected(parts[frame.verb])


def _value_zone(parts: list[Part], frame: _Frame) -> tuple[int, int, str]:
    """Start, end and preposition of the complement that follows the verb."""
    at = _skip_adverbs(parts, frame.tail)
    lead = ""
    if _sets(parts, frame):
        at = next((to for to in range(at, len(parts)) if parts[to].low in ("to", "at")), at)
    if at < len(parts) and parts[at].low in PREPOSITIONS:
        lead = parts[at].low
        at += 1
    end = at
    while end < len(parts) and (parts[end].low not in PREPOSITIONS or parts[end].low == "of") and parts[end].low != ",":
        end += 1
    return at, end, lead


def _inverted(parts: list[Part], frame: _Frame, start: int, end: int) -> bool:
    """True for `Ana is the owner of X`: the name fills the role that the complement names."""
    if frame.verb_key != _BE or not 0 < frame.head <= 2 or start >= end or parts[start - 1].low in PREPOSITIONS:
        return False
    named = all(part.text[:1].isupper() and part.kind in (NAME, WORD) for part in parts[: frame.head])
    return named and parts[start].low in ("the", "our", "my") and any(p.key in _ROLES for p in parts[start:end])


def _keys(parts: list[Part], kept: list[int], span: range) -> frozenset[str]:
    return frozenset(parts[at].key for at in kept if at in span)


def _timed(parts: list[Part], kept: list[int], frame: _Frame, zone: range) -> set[int]:
    """Indices of dates that only place the clause in time, and are not what it states."""
    placing: set[int] = set()
    for at in kept:
        if isinstance(parts[at].value, When):
            stated = at in zone and frame.verb_key in _MEASURED
            if not stated:
                placing.add(at)
    return placing


def _referent(parts: list[Part], frame: _Frame) -> str:
    for part in parts[: frame.head]:
        if part.low in _INDEFINITE or isinstance(part.value, Quantity):
            return "indefinite"
        if part.low in SUBJECT_PRONOUNS:
            return "pronoun"
    return "definite"


def _reported(parts: list[Part]) -> bool:
    """True when the clause only says what somebody says: `the blog says that X`."""
    for at, part in enumerate(parts):
        if part.low in REPORTING and at and parts[at - 1].low not in _ARTICLES and at + 1 < len(parts):
            rest = parts[at + 1 :]
            return rest[0].low == "that" or any(is_finite(other) or is_verb(other) for other in rest)
    return False


def _doubtful(parts: list[Part], lows: list[str]) -> bool:
    if not HEDGES.isdisjoint(lows) or not INNER_CONDITIONS.isdisjoint(lows) or _reported(parts):
        return True
    return phrases.anywhere(lows, _FUTURE) >= 0 or phrases.anywhere(lows, _ASIDE) >= 0


def _past(parts: list[Part], lows: list[str], frame: _Frame) -> bool:
    if not PAST_AUX.isdisjoint(lows) or phrases.anywhere(lows, _PAST) >= 0:
        return True
    if frame.verb <= 0 or frame.verb != frame.head:
        return False
    verb, following = parts[frame.verb], parts[frame.verb + 1 : frame.verb + 2]
    if parts[frame.verb - 1].low in _PLAIN_SUBJECTS | {"he", "she", "it"}:
        return verb.low.endswith("ed")
    irregular = irregular_forms().get(verb.low, verb.low) != verb.low and not verb.low.endswith(("s", "ing"))
    formed = irregular or verb.low.endswith("ed")
    return formed and bool(following) and following[0].kind != MARK and following[0].low not in PREPOSITIONS


_OLD_BEFORE = phrases.table(
    "instead of|rather than|in place of|in lieu of|moved off|migrated off|moved away from|got rid of"
)
_OLD_OBJECT = frozenset(key(verb) for verb in "drop retire abandon ditch replace swap rename sunset deprecate".split())
_FROM_VERBS = frozenset(
    key(verb) for verb in "switch move migrate change upgrade downgrade convert go port transition".split()
)
_STOPS = frozenset("to with by for in on at , since because from of and into as".split())


def _run(parts: list[Part], at: int) -> frozenset[str]:
    """Keys of the words from `at` to the next preposition, mark or verb."""
    found: set[str] = set()
    while at < len(parts) and parts[at].low not in _STOPS and not is_finite(parts[at]):
        if is_content(parts[at]) and parts[at].low not in PREPOSITIONS:
            found.add(parts[at].key)
        at += 1
    return frozenset(found)


def _old(parts: list[Part], lows: list[str], frame: _Frame) -> frozenset[str]:
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


def _content(parts: list[Part], read: polarity.Polarity) -> list[int]:
    """Indices of the parts that count: no function words, marks or cues, and prepositions only where they are adverbs."""
    return [
        at
        for at, part in enumerate(parts)
        if at not in read.ignored and (_is_particle(parts, at) if part.low in PREPOSITIONS else is_content(part))
    ]


def _is_particle(parts: list[Part], at: int) -> bool:
    """True for `up` in `the API is up`: a preposition with nothing behind it."""
    if parts[at].low not in _PARTICLES:
        return False
    following = parts[at + 1] if at + 1 < len(parts) else None
    return following is None or following.kind == MARK or following.low in PREPOSITIONS or following.low in _TIME_ADVERBS


def read(parts: list[Part]) -> Statement | None:
    """What the clause says, or None when it holds no content."""
    lows = [part.low for part in parts]
    denials = polarity.read(parts, lows)
    frame = _frame(parts)
    start, end, lead = _value_zone(parts, frame)
    content = _content(parts, denials)
    kept = [at for at in content if at not in denials.denied]
    placing = _timed(parts, kept, frame, range(start, end))
    kept = [at for at in kept if at not in placing]
    if not kept and not placing:
        return None
    everyone = {key("person")} if not NOBODY.isdisjoint(lows) else set[str]()
    subject = _keys(parts, kept, range(frame.tail, start) if _sets(parts, frame) else range(frame.head)) | everyone
    value, rest = _keys(parts, kept, range(start, end)), _keys(parts, kept, range(end, len(parts)))
    first = min((at for at in range(start, end) if parts[at].low not in _ARTICLES), default=start)
    if _inverted(parts, frame, start, end):
        subject, value, rest = value | rest, subject, frozenset[str]()
        first, end = 0, frame.head
    last = parts[end - 1].end if end > start else parts[-1].end
    changed = denials.ended or phrases.anywhere(lows, _CHANGE) >= 0
    return Statement(
        start=parts[0].start,
        end=parts[-1].end,
        keys=_keys(parts, kept, range(len(parts))) | everyone,
        subject=subject,
        slot=(frame.verb_key, lead),
        value=value,
        rest=rest,
        places=frozenset(key(low) for low in lows if low in OPPOSED_PREPOSITIONS and low not in _PARTICLES),
        value_span=(parts[first].start if first < len(parts) else parts[-1].start, last),
        named=frozenset(p.key for p in parts if p.kind in (NAME, IDENTIFIER) or p.low in ENVIRONMENTS),
        plural=frozenset(p.key for p in parts if p.kind == WORD and p.low.endswith("s")),
        values={parts[at].key: value for at in kept if (value := parts[at].value) is not None},
        times=tuple(value for at in placing if isinstance(value := parts[at].value, When)),
        denied=_keys(parts, [*denials.denied], range(len(parts))),
        old=_old(parts, lows, frame),
        polarity=denials,
        referent=_referent(parts, frame),
        universal=denials.negative and not _NOTHING.isdisjoint(lows[: frame.head + 1]),
        articled=not {"the", "a", "an"}.isdisjoint(lows[: frame.head]),
        passive=frame.passive,
        past=_past(parts, lows, frame),
        closed=phrases.anywhere(lows, _CLOSED) >= 0,
        changed=changed,
        doubtful=_doubtful(parts, lows) or denials.partial,
        modal=not _MODALS.isdisjoint(lows),
        additive=not ADDITIVE.isdisjoint(lows),
    )
