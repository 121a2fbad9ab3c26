"""Which words of a clause deny, and how far: parity, local denials, softened and feigned ones."""

from __future__ import annotations

from dataclasses import dataclass

from hydramind.mind.conflict import phrases
from hydramind.mind.conflict.clauses import is_content, is_finite, is_verb
from hydramind.mind.conflict.cues import (
    BARE_CONTRACTIONS,
    ENDED,
    NEGATORS,
    PARTIAL,
    PRAISE,
    PREPOSITIONS,
    PSEUDO,
    SOFT_NEGATORS,
    TURNING_VERBS,
    WEAK_DUTY,
)
from hydramind.mind.conflict.parts import MARK, Part
from hydramind.mind.conflict.tokens import key

_PSEUDO = phrases.table(PSEUDO)
_PARTIAL = phrases.table(PARTIAL)
_WEAK_DUTY = phrases.table(WEAK_DUTY)
_ENDED = phrases.table(ENDED)
_TURNING = frozenset(key(verb) for verb in TURNING_VERBS)
_LACKING = frozenset("lack lacks lacking lacked".split())
_TO_ONLY = frozenset("forget fail refus neglect".split())
_BEFORE_COMMAND = frozenset("not never please always we you should must to and".split())
_LOCAL_LEADS = PREPOSITIONS - {"but", "than"}


@dataclass(frozen=True, slots=True)
class Polarity:
    """How a clause stands to its words: `negative` after all denials are counted.

    `ignored` are indices of words that belong to a cue, `denied` those of words denied on their own (`without X`),
    `soft` means hardly or rarely, `partial` not all or need not, `ended` denied for the present only.
    """

    negative: bool
    ignored: frozenset[int]
    denied: frozenset[int]
    soft: bool = False
    partial: bool = False
    ended: bool = False


class _Reading:
    """Counts the denials of one clause from left to right."""

    def __init__(self, parts: list[Part], lows: list[str]) -> None:
        self.parts, self.lows = parts, lows
        self.count = 0
        self.soft = self.partial = self.ended = False
        self.ignored: set[int] = set()
        self.denied: set[int] = set()

    def skip(self, at: int, width: int) -> int:
        """Marks a cue of `width` words as read and returns the index behind it."""
        self.ignored.update(range(at, at + width))
        return at + width

    def phrase(self, at: int) -> int:
        """Reads a fixed phrase at `at`; returns the index behind it, or `at`."""
        if width := phrases.at(self.lows, at, _PSEUDO):
            return self.skip(at, width)
        if self.lows[at] in ("not", "cannot") and PRAISE.intersection(self.lows[at + 1 :]) and self.can(at):
            return self.skip(at, 1)
        if width := phrases.at(self.lows, at, _PARTIAL) or phrases.at(self.lows, at, _WEAK_DUTY):
            self.partial = True
            return self.skip(at, width)
        if width := phrases.at(self.lows, at, _ENDED):
            if self.lows[at] not in ("not", "no") and not self.acts(at):
                return at
            self.count += 1
            self.ended = True
            return self.skip(at, width)
        return at

    def can(self, at: int) -> bool:
        """True when the denial at `at` denies being able: `cannot`, `can not`, `could not`."""
        return self.lows[at] == "cannot" or (at > 0 and self.lows[at - 1] in ("can", "could"))

    def acts(self, at: int) -> bool:
        """True when the word at `at` is the verb of the clause: it opens it, or follows a subject without a verb."""
        return not any(is_finite(part) or is_verb(part) for part in self.parts[:at]) and at + 1 < len(self.lows)

    def word(self, at: int) -> int:
        """Reads one word; returns the next index."""
        low = self.lows[at]
        if low in SOFT_NEGATORS:
            self.soft = True
            self.count += 1
        elif low == "without" or (low == "no" and at and self.lows[at - 1] in _LOCAL_LEADS):
            return self.deny_locally(at)
        elif low == "nor":
            self.count += not self.count
        elif low in NEGATORS or low in BARE_CONTRACTIONS or low in _LACKING or self.turns(at):
            self.count += 1
        else:
            return at + 1
        return self.skip(at, 1)

    def turns(self, at: int) -> bool:
        """True when the word denies what follows: `avoid X`, `forgot to X`, `stop doing X`."""
        part = self.parts[at]
        if part.key not in _TURNING or at + 1 >= len(self.lows):
            return False
        following = self.lows[at + 1]
        if part.key in _TO_ONLY:
            return following == "to"
        commanded = at == 0 or self.lows[at - 1] in _BEFORE_COMMAND
        return following.endswith("ing") or commanded

    def deny_locally(self, at: int) -> int:
        """`without X` and `with no X` deny the words up to the next mark, preposition or verb."""
        self.ignored.add(at)
        at += 1
        while at < len(self.parts):
            part = self.parts[at]
            if part.kind == MARK or part.low in PREPOSITIONS or is_finite(part):
                break
            if is_content(part):
                self.denied.add(at)
            at += 1
        return at


def read(parts: list[Part], lows: list[str]) -> Polarity:
    """The polarity of a clause whose lower-case words are `lows`; `X: none` is a denial too."""
    reading = _Reading(parts, lows)
    at = 0
    while at < len(parts):
        behind = reading.phrase(at)
        at = behind if behind > at else reading.word(at)
    if reading.count % 2 and "without" in lows:
        reading.count += 1
        reading.denied.clear()
    return Polarity(
        negative=bool(reading.count % 2),
        ignored=frozenset(reading.ignored),
        denied=frozenset(reading.denied),
        soft=reading.soft,
        partial=reading.partial,
        ended=reading.ended,
    )
