"""Reads a text once: its asserted statements and the key under which two texts are the same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from hydramind.mind.conflict import clauses, phrases, statement
from hydramind.mind.conflict.cues import INNER_CONDITIONS, REPLIES, SCOFFS, SUPPOSITIONS
from hydramind.mind.conflict.foreign import Wording, wording
from hydramind.mind.conflict.parts import MARK, Part, parts_of, same_amount
from hydramind.mind.conflict.statement import Statement
from hydramind.mind.conflict.tokens import MAX_CHARS, Sentence, Token, asserted_text, sentences, tokens

_SUPPOSITIONS = phrases.table(SUPPOSITIONS)
_LABELS = frozenset("note reminder fyi hint tip update important warning ps nb decision fact rule".split())
_DROPPED = frozenset("the a an".split())
_DATE_LEADS = frozenset("on at in".split())
_CACHED = 60_000
_LONG = 50_000
_PAIR = 2
_SPEAKER = 4
_CONDITIONS = INNER_CONDITIONS - {"whether"}


@dataclass(frozen=True, slots=True)
class Analysis:
    """The statements of a text, every key of them, `same`: equal for two texts that say the same word by word, and
    its wording for languages other than English."""

    statements: tuple[Statement, ...]
    keys: frozenset[str]
    same: tuple[str, ...]
    foreign: Wording


def _supposed(sentence: Sentence) -> bool:
    lows = [token.low for token in sentence.tokens]
    opening = next(
        (at for at, low in enumerate(lows) if low[0].isalpha() and low not in ("so", "and", "please", "but")), 0
    )
    return sentence.ending == "?" or bool(phrases.at(lows, opening, _SUPPOSITIONS)) or not SCOFFS.isdisjoint(lows)


def _heading(parts: list[Part]) -> list[Part] | None:
    """The words of a heading that ends in a colon and holds a denial: `Do not:` before a list."""
    if (
        len(parts) > 1
        and parts[-1].low == ":"
        and len(parts) <= 6
        and {"not", "never", "avoid", "no"} & {p.low for p in parts}
    ):
        return parts[:-1]
    return None


def _unlabelled(parts: list[Part]) -> list[Part]:
    """Without list marks and without a label such as `Note:`."""
    at = 0
    while at < len(parts) and parts[at].low in ("-", "*", "•", "#", "–"):
        at += 1
    if len(parts) > at + 2 and parts[at].low in _LABELS and parts[at + 1].low == ":":
        at += 2
    return _without_reply(parts[at:])


def _answers(parts: list[Part]) -> bool:
    """True for `I didn't` and `it is`, which say nothing of their own."""
    return any(map(clauses.is_finite, parts)) and not any(map(clauses.is_content, parts))


def _without_reply(parts: list[Part]) -> list[Part]:
    """Without a bare reply behind the name of a speaker: `Ana: No, I use Vim` is `Ana: I use Vim`, `Ana: No` nothing."""
    at = next((at + 1 for at, part in enumerate(parts[:_SPEAKER]) if part.low == ":"), 0)
    if at and _answers(parts[at:]):
        return []
    if at >= len(parts) or parts[at].low not in REPLIES:
        return parts
    if parts[at + 1 : at + 2] and parts[at + 1].kind == MARK:
        return [*parts[:at], *parts[at + 2 :]] if parts[at + 2 :] else []
    spoken = at + 1 == len(parts) and all(part.text[0].isupper() for part in parts[: at - 1])
    return [] if spoken else parts


def _is_item(parts: list[Part]) -> bool:
    return bool(parts) and parts[0].low in ("-", "*", "•", "–")


def _statements(text: str) -> tuple[Statement, ...]:
    found: list[Statement] = []
    heading: list[Part] | None = None
    for sentence in sentences(asserted_text(text)):
        parts = parts_of(sentence.tokens)
        item = _is_item(parts)
        heading = _heading(parts) or (heading if item else None)
        if _heading(parts) or _supposed(sentence):
            continue
        body = [*heading, *_unlabelled(parts)] if heading and item else _unlabelled(parts)
        read = [one for clause in clauses.split(body) if (one := statement.read(clause)) is not None]
        read = _weakened(read, {part.low for part in body})
        found += [*read, *_joined(read)]
        if len(found) >= clauses.MAX_CLAUSES:
            break
    return tuple(found[: clauses.MAX_CLAUSES])


def _weakened(read: list[Statement], words: set[str]) -> list[Statement]:
    """A condition leaves every clause of its sentence open; `not X because Y` may deny the reason alone."""
    if words & _CONDITIONS:
        return [replace(one, open=True) for one in read]
    if "because" in words:
        return [replace(one, open=True) if one.negative else one for one in read]
    return read


def _joined(read: list[Statement]) -> list[Statement]:
    """Two affirmed predicates of one subject as one statement too: `X does this and is doing that`."""
    if len(read) != _PAIR or read[0].negative or read[1].negative or read[0].subject != read[1].subject:
        return []
    first, second = read
    if not first.subject or first.doubtful or second.doubtful or first.times != second.times:
        return []
    named, plural = first.named | second.named, first.plural | second.plural
    return [
        replace(
            first,
            end=second.end,
            keys=first.keys | second.keys,
            rest=first.rest | second.value | second.rest | {second.slot[0]},
            named=named,
            plural=plural,
            values=first.values | second.values,
            denied=first.denied | second.denied,
        )
    ]


def _measured(found: list[Token]) -> list[Token]:
    """The tokens with each amount and date of several spellings as one: `30s` and `30 seconds` are the same."""
    spelled = {part.start: part for part in parts_of(found) if same_amount(part)}
    kept: list[Token] = []
    covered = 0
    for token in found:
        part = spelled.get(token.start)
        if part is not None:
            kept.append(Token(part.key, "0", part.start, part.end))
            covered = part.end
        elif token.start >= covered:
            kept.append(token)
    return kept


def _same(text: str) -> tuple[str, ...]:
    """The words with articles, dates' prepositions and the closing mark left out; only the first word loses its case."""
    found = tokens(text[:MAX_CHARS])
    if any(token.low[0].isdigit() for token in found):
        found = _measured(found)
    words = [token for token in found if token.low not in _DROPPED and token.low != "\n"]
    kept: list[str] = []
    for at, token in enumerate(words):
        following = words[at + 1].low if at + 1 < len(words) else ""
        if token.low in _DATE_LEADS and (following[:1].isdigit() or not following):
            continue
        kept.append(token.text if kept or token.low == "0" else token.low)
    while kept and kept[-1] in (".", "!"):
        kept.pop()
    return (*kept, text[MAX_CHARS:])


def _analyse(text: str) -> Analysis:
    found = _statements(text)
    keys = frozenset[str]().union(*(one.keys | one.denied for one in found)) if found else frozenset[str]()
    same = _same(text)
    return Analysis(found, keys, same, wording(same[:-1]))


_remembered = lru_cache(maxsize=_CACHED)(_analyse)


def analyse(text: str) -> Analysis:
    """The analysis of a text; remembered for texts of ordinary length."""
    return _remembered(text) if len(text) <= _LONG else _analyse(text)


def forget_analyses() -> None:
    """Drops every remembered analysis, so that a measurement starts cold."""
    _remembered.cache_clear()
