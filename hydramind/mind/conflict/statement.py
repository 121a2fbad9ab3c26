"""What a clause says: subject, verb, value and circumstances, with its polarity, tense and certainty."""

from __future__ import annotations

from dataclasses import dataclass

from hydramind.mind.conflict import frames, mood, polarity
from hydramind.mind.conflict.clauses import is_content, is_finite
from hydramind.mind.conflict.cues import NOBODY, OPPOSED_PREPOSITIONS, PREPOSITIONS, SUBJECT_PRONOUNS
from hydramind.mind.conflict.frames import ARTICLES, MEASURED, Frame
from hydramind.mind.conflict.mood import Mood
from hydramind.mind.conflict.parts import IDENTIFIER, MARK, NAME, WORD, Part
from hydramind.mind.conflict.predicates import ENVIRONMENTS, SCHEDULED_VERBS
from hydramind.mind.conflict.tokens import key
from hydramind.mind.conflict.values import Quantity, Value, When

_NOTHING = frozenset("no nobody no-one noone none neither nothing".split())
_INDEFINITE = frozenset("a an some another several few many".split())
_TIME_ADVERBS = frozenset("yesterday today again now yet currently lately recently since until".split())
_SCHEDULED = frozenset(key(verb) for verb in SCHEDULED_VERBS.split())
_PARTICLES = frozenset("on off up down in out inside outside above below".split())


@dataclass(frozen=True, slots=True)
class Statement:
    """One clause; sets hold keys, `start` and `end` are offsets in the text.

    `keys` is everything said except times and what is denied on its own (`denied`); `subject`, `value` and `rest`
    divide it by place; `places` are prepositions that have an opposite; `slot` is the verb with the preposition of its
    value; `referent` is definite, indefinite or pronoun; `universal` is True for denials of any such subject
    (`nobody`, `there is no X`); `old` is what the clause says was replaced; `times` are dates that only place it;
    `identity` is True for `the X is Name`.
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
    identity: bool
    mood: Mood
    open: bool = False

    @property
    def negative(self) -> bool:
        """True when the clause denies what its keys say."""
        return self.polarity.negative

    @property
    def changed(self) -> bool:
        """True when the clause reports a change."""
        return self.mood.changed or self.polarity.ended

    @property
    def doubtful(self) -> bool:
        """True when the clause is not plainly asserted; `open` is set by the rest of its sentence."""
        return self.open or self.mood.doubtful or self.polarity.partial


@dataclass(frozen=True, slots=True)
class _Zones:
    """Keys by place, and the offsets of the value."""

    subject: frozenset[str]
    value: frozenset[str]
    rest: frozenset[str]
    span: tuple[int, int]


def _keys(parts: list[Part], kept: list[int], span: range) -> frozenset[str]:
    return frozenset(parts[at].key for at in kept if at in span)


def _scheduled(parts: list[Part], kept: list[int], frame: Frame, past: bool) -> set[int]:
    """Indices of weekdays and clock times that are a habit: `runs at 02:00`, `on Mondays`."""
    once = past or (not frame.passive and mood.is_past_form(parts[frame.verb]))
    behind = range(frame.tail, len(parts)) if frame.verb_key in _SCHEDULED and not once else range(0)
    times = {at for at in kept if isinstance(value := parts[at].value, When) and value.habitual}
    return {at for at in times if at in behind or parts[at].text[-1] == "s"}


def _timed(parts: list[Part], kept: list[int], frame: Frame, zone: range) -> set[int]:
    """Indices of dates that only place the clause in time, and are not what it states."""
    stated = zone if frame.verb_key in MEASURED else range(0)
    return {at for at in kept if isinstance(parts[at].value, When) and at not in stated}


def _referent(parts: list[Part], frame: Frame, zone: range) -> str:
    """Whether subject and object are certain things, any things of a kind, or pronouns that stand alone."""
    before = parts[: frame.head]
    if any(part.low in _INDEFINITE or _counts(before, at) for at, part in enumerate(before)):
        return "indefinite"
    if any(part.low in SUBJECT_PRONOUNS for part in before) and not any(is_content(part) for part in before):
        return "pronoun"
    objects = [parts[at] for at in zone if parts[at].low not in _TIME_ADVERBS]
    if objects and all(part.low in SUBJECT_PRONOUNS for part in objects):
        return "pronoun"
    return "definite"


def _counts(parts: list[Part], at: int) -> bool:
    """True for `5` in `5 users`, False in `port 5` and `pull request 5`, where it tells which."""
    value = parts[at].value
    if not isinstance(value, Quantity):
        return False
    return bool(value.dimension) or at == 0 or not value.exact or parts[at - 1].kind not in (WORD, NAME)


def _content(parts: list[Part], read: polarity.Polarity) -> list[int]:
    """Indices of the parts that count: no function words, marks or cues, and prepositions only where they are adverbs."""
    return [
        at
        for at, part in enumerate(parts)
        if at not in read.ignored and (_is_particle(parts, at) if part.low in PREPOSITIONS else is_content(part))
        if part.low != "used" or not _used_to(parts, at)
    ]


def _used_to(parts: list[Part], at: int) -> bool:
    """True for `X used to do Y`, and False for `X is used to do Y`."""
    return [part.low for part in parts[at + 1 : at + 2]] == ["to"] and not any(map(is_finite, parts[:at]))


def _is_particle(parts: list[Part], at: int) -> bool:
    """True for `up` in `the API is up`: a preposition with nothing behind it."""
    if parts[at].low not in _PARTICLES:
        return False
    following = parts[at + 1] if at + 1 < len(parts) else None
    return (
        following is None or following.kind == MARK or following.low in PREPOSITIONS or following.low in _TIME_ADVERBS
    )


def _zones(parts: list[Part], kept: list[int], frame: Frame, zone: range, habits: set[int]) -> _Zones:
    set_to = frames.sets(parts, frame)
    subject = _keys(parts, kept, range(frame.tail, zone.start) if set_to else range(frame.head))
    hours = habits if frame.verb_key in _SCHEDULED else set[int]()
    value = frozenset(parts[at].key for at in kept if at in zone or at in hours)
    rest = frozenset(parts[at].key for at in kept if at >= zone.stop and at not in hours)
    if frames.inverted(parts, frame, zone.start, zone.stop):
        return _Zones(value | rest, subject, frozenset(), (parts[0].start, parts[frame.head - 1].end))
    first = min((at for at in zone if parts[at].low not in ARTICLES), default=-1)
    if first < 0:
        return _Zones(subject, value, rest, (parts[0].start, parts[-1].end))
    return _Zones(subject, value, rest, (parts[first].start, parts[max(zone.stop - 1, *hours, 0)].end))


def _named(parts: list[Part], frame: Frame, zone: range) -> frozenset[str]:
    """Keys of names; the first word of a sentence, or behind `Ana:`, is one only where it fills a role."""
    filler = parts[: frame.head] if frames.inverted(parts, frame, zone.start, zone.stop) else []
    reply = frame.tail if parts[frame.verb].low == ":" and not frames.names_role(parts[: frame.head]) else -1
    names = (
        part
        for at, part in enumerate(parts)
        if part.low in ENVIRONMENTS or part.kind == IDENTIFIER or (part.kind == NAME and at != reply)
    )
    return frozenset(part.key for part in (*names, *filler))


def read(parts: list[Part]) -> Statement | None:
    """What the clause says, or None when it holds no content."""
    lows = [part.low for part in parts]
    denials = polarity.read(parts, lows)
    frame = frames.find(parts)
    tone = mood.read(parts, lows, frame)
    start, end, lead = frames.value_zone(parts, frame)
    kept = [at for at in _content(parts, denials) if at not in denials.denied]
    habits = _scheduled(parts, kept, frame, tone.past)
    placing = _timed(parts, kept, frame, range(start, end)) - habits
    kept = [at for at in kept if at not in placing]
    everyone = frozenset((key("person"),)) if not NOBODY.isdisjoint(lows) else frozenset[str]()
    if not kept and not placing and not everyone:
        return None
    zones = _zones(parts, kept, frame, range(start, end), habits)
    return Statement(
        start=parts[0].start,
        end=parts[-1].end,
        keys=_keys(parts, kept, range(len(parts))) | everyone,
        subject=zones.subject | everyone,
        slot=(frame.verb_key, lead),
        value=zones.value,
        rest=zones.rest,
        places=frozenset(key(low) for low in lows if low in OPPOSED_PREPOSITIONS and low not in _PARTICLES),
        value_span=zones.span,
        named=_named(parts, frame, range(start, end)),
        plural=frozenset(part.key for part in parts if part.kind == WORD and part.low.endswith("s")),
        values={parts[at].key: value for at in kept if (value := parts[at].value) is not None},
        times=tuple(value for at in sorted(placing) if isinstance(value := parts[at].value, When)),
        denied=_keys(parts, sorted(denials.denied), range(len(parts))),
        old=mood.replaced(parts, lows, frame),
        polarity=denials,
        identity=frames.identifies(parts, frame, start, end),
        mood=tone,
        referent=_referent(parts, frame, range(start, end)),
        universal=denials.negative and not _NOTHING.isdisjoint(lows[: frame.head + 1]),
        articled=not {"the", "a", "an"}.isdisjoint(lows[: frame.head]),
        passive=frame.passive,
    )
