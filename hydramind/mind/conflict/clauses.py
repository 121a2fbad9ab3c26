"""Splits a sentence into clauses: the stretches within which one negation, one verb and one subject hold."""

from __future__ import annotations

from hydramind.mind.conflict.cues import CLAUSE_BREAKS, FINITE, FUNCTION_WORDS, INNER_CONDITIONS, NEGATORS
from hydramind.mind.conflict.parts import IDENTIFIER, MARK, NAME, WORD, Part
from hydramind.mind.conflict.predicates import NOUN_LIKE, VERBS
from hydramind.mind.conflict.synonyms import irregular_forms
from hydramind.mind.conflict.tokens import key
from hydramind.mind.text import stem

MAX_CLAUSES = 16
"""Clauses of a text beyond this number are not compared."""

MAX_PARTS = 80
"""Parts of a clause beyond this number are not read."""

_NOUN_KEYS = frozenset(key(verb) for verb in NOUN_LIKE.split()) - {key("use")}
_VERB_KEYS = frozenset(key(verb) for verb in VERBS.split())
_NOUN_STARTS = frozenset("a an the our my his her their some".split())
_EVERY = frozenset("all any every everywhere anywhere always".split())
_LISTED = 4
_REACH = 8
_COMMAND = 2


def has_past_ending(low: str) -> bool:
    """True for `used`, False for `need`, whose last letters are its own."""
    return low.endswith("ed") and stem(low) != low


def is_verb(part: Part) -> bool:
    """True for a known verb in any form."""
    return part.kind == WORD and part.key in _VERB_KEYS


def is_inflected(part: Part) -> bool:
    """True for a known verb whose form shows that it is one: `uses`, `used`, `went`, not `use`."""
    if not is_verb(part):
        return False
    return _third_person(part.low) or has_past_ending(part.low) or part.low in irregular_forms()


def _third_person(low: str) -> bool:
    return low.endswith("s") and not low.endswith("ss")


def is_finite(part: Part) -> bool:
    """True for an auxiliary or copula that carries a clause."""
    return part.low in FINITE


def is_content(part: Part) -> bool:
    """True for a part that says something of its own."""
    return part.kind != MARK and part.low not in FUNCTION_WORDS


def _has_verb(parts: list[Part]) -> bool:
    return any(is_finite(part) or is_inflected(part) for part in parts)


def _opens_clause(rest: list[Part]) -> bool:
    """True when what follows a comma or `and` brings its own verb before the next comma or `and`."""
    if rest and (is_finite(rest[0]) or (is_inflected(rest[0]) and rest[0].low[-1] == "s")):
        return True
    for part in rest[:_REACH]:
        if part.low in (",", "and", "or"):
            return False
        if is_finite(part):
            return True
    return len(rest) > 2 and any(is_inflected(part) for part in rest[1:3]) and rest[0].low in ("we", "they", "it", "i")


def _cut_here(current: list[Part], parts: list[Part], at: int) -> bool:
    part = parts[at]
    if part.low in CLAUSE_BREAKS or part.low in INNER_CONDITIONS:
        return True
    if part.low == "so" and at + 1 < len(parts) and parts[at + 1].low == "that":
        return True
    if part.low not in (",", "and"):
        return False
    rest = parts[at + 1 : at + 2 + _REACH]
    if part.low == "," and rest and rest[0].low in ("and", "which", "so", "then"):
        rest = rest[1:]
    if part.low == "," and _commands(rest) and any(is_verb(word) for word in current[:MAX_PARTS]):
        return True
    return _opens_clause(rest) and _has_verb(current[:MAX_PARTS])


def _commands(rest: list[Part]) -> bool:
    """True for a second command, `do not use X, use Y`, and False for a list of verbs or of nouns that are verbs too."""
    if len(rest) < _COMMAND or not is_verb(rest[0]) or rest[0].key in _NOUN_KEYS:
        return False
    return is_content(rest[1]) and (rest[1].low.endswith("ing") or not is_verb(rest[1]))


def _without_asides(parts: list[Part]) -> list[Part]:
    """The parts outside brackets; an unclosed bracket stays."""
    if not any(part.low in ("(", "[") for part in parts):
        return parts
    kept: list[Part] = []
    depth_at = -1
    for part in parts:
        if depth_at < 0 and part.low in ("(", "["):
            depth_at = len(kept)
        kept.append(part)
        if depth_at >= 0 and part.low in (")", "]"):
            del kept[depth_at:]
            depth_at = -1
    return kept


def _without_relative(parts: list[Part]) -> tuple[list[Part], list[Part]]:
    """The parts without a clause in commas (`X, which is Y, does Z`), and that clause as one of its own (`X is Y`)."""
    for at in range(1, len(parts) - 1):
        if parts[at].low == "," and parts[at + 1].low in ("which", "who"):
            close = next((end for end in range(at + 2, len(parts)) if parts[end].low == ","), len(parts))
            head = next((back for back in range(at - 1, -1, -1) if parts[back].low in _NOUN_STARTS), 0)
            return [*parts[:at], *parts[close + 1 :]], [*parts[head:at], *parts[at + 2 : close]]
    return parts, []


def _subject_of(parts: list[Part]) -> list[Part]:
    for index, part in enumerate(parts):
        if is_finite(part) or (index and is_inflected(part)):
            return parts[:index]
    return []


def _with_subject(clause: list[Part], before: list[Part]) -> list[Part]:
    """A clause that opens with its verb takes the subject of the clause before it."""
    opening = clause[0]
    if is_finite(opening) or (is_inflected(opening) and opening.low[-1] == "s"):
        return [*(part for part in _subject_of(before) if part.low not in NEGATORS), *clause]
    return clause


def _excepted(clause: list[Part], before: list[Part]) -> list[Part]:
    """`All X pass on all Y except on Z` says of Z that X do not pass there."""
    until = next((at for at, part in enumerate(before) if at and part.low in _EVERY), len(before))
    return [*before[:until], clause[0]._replace(low="not"), *clause[1:]]


def _lists(part: Part, nouns_only: bool) -> bool:
    if not is_content(part) or part.kind not in (WORD, NAME, IDENTIFIER) or part.low.endswith("ing"):
        return False
    return not (nouns_only and is_verb(part))


def _listed(parts: list[Part], start: int, nouns_only: bool) -> tuple[list[list[Part]], int]:
    """The members of an enumeration that starts at `start` and the index behind it: `Redis, Kafka or Celery`."""
    members: list[list[Part]] = [[]]
    at = start
    while at < len(parts):
        part = parts[at]
        if part.low in (",", "or", "nor", "and"):
            members += [[]] if members[-1] else []
        elif _lists(part, nouns_only):
            members[-1].append(part)
        else:
            break
        at += 1
    return [member for member in members if member], at


def distributed(parts: list[Part]) -> list[list[Part]]:
    """`No A, B or C in X` and `neither A nor B is X` as one denial each; anything else as it is."""
    for at, part in enumerate(parts[:-1]):
        if part.low in ("no", "neither", "without"):
            members, end = _listed(parts, at + 1, nouns_only=part.low == "neither")
            joined = any(other.low in ("or", "nor", "and") for other in parts[at + 1 : end])
            if joined and len(members) > 1 and all(len(member) <= _LISTED for member in members):
                return [[*parts[: at + 1], *member, *parts[end:]] for member in members]
    return [parts]


def split(parts: list[Part]) -> list[list[Part]]:
    """The clauses of a sentence in order, each with its subject."""
    found: list[list[Part]] = []
    current: list[Part] = []
    parts, relative = _without_relative(_without_asides(parts))
    for at, part in enumerate(parts):
        if current and len(found) < MAX_CLAUSES and _cut_here(current, parts, at):
            found.append(current)
            current = [part] if part.low in INNER_CONDITIONS or part.low == "except" else []
        elif current or part.low not in (",", "and", "then", "so", "which", "that"):
            current.append(part)
    return _completed([*found, current, relative])


def _completed(found: list[list[Part]]) -> list[list[Part]]:
    clauses: list[list[Part]] = []
    for clause in found:
        if clause:
            before = clauses[-1] if clauses else []
            excepted = clause[0].low == "except"
            clauses.append((_excepted if excepted else _with_subject)(clause, before)[:MAX_PARTS])
    return [single for clause in clauses for single in distributed(clause)][:MAX_CLAUSES]
