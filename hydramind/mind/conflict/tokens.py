"""Cuts a text into sentences of tokens with offsets; code and longer quotations are left out."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from hydramind.mind.conflict.synonyms import broader_words, class_heads, irregular_forms
from hydramind.mind.text import stem

MAX_CHARS = 4_000
"""Only this many characters of a text are analysed: enough for any statement, and a bound on hostile input."""

_TOKEN = re.compile(
    r"https?://[^\s<>\"]{1,300}"
    r"|(?:(?<!\S)[-−+])?[$€£]?\d(?:[\w%°]|[.:/–-](?=\w)|,(?=\d))*"
    r"|(?:(?<!\S)[#@./~-]{1,3}(?=\w))?\w(?:\w|['’&](?=\w)|[-./@+#](?=\w))*[+#]{0,2}"
    r"|[<>]=?|[^\w\s]|\n"
)
_QUOTED = re.compile(
    r"\"([^\"\n]{1,300})\"|“([^”\n]{1,300})”|«([^»\n]{1,300})»|„([^“\n]{1,300})“|(?<!\w)['‘]([^'’\n]{1,300})['’](?!\w)"
)
_ASIDE_LINE = re.compile(r"^[ \t]*(?://|/\*|>>>|>|\$ |git commit)[^\n]*", re.MULTILINE)
_LONG_QUOTE_WORDS = 3
_ENDS = frozenset(".!?;\n")
_SPLIT = {"'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "'m": "am"}
_PRONOUNS = frozenset("it he she that this there here what who where how let i we you they".split())
_BASES = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}


class Token(NamedTuple):
    """One word, number or mark: as written, in lower case, its offsets in the text."""

    text: str
    low: str
    start: int
    end: int


class Sentence(NamedTuple):
    """Tokens of one sentence without the closing mark; `ending` is that mark, or empty."""

    tokens: list[Token]
    ending: str


@lru_cache(maxsize=50_000)
def key(low: str) -> str:
    """What a lower-case word is compared by: its stem, after irregular forms and words of the same meaning are folded."""
    form = irregular_forms().get(low, low)
    stemmed = stem(form)
    return class_heads().get(stemmed, stemmed)


@lru_cache(maxsize=50_000)
def broader_keys(word_key: str) -> frozenset[str]:
    """Keys of the words that include this one: `man` is a `person`."""
    return frozenset(key(word) for word in broader_words().get(word_key, ()))


def _blank(match: re.Match[str]) -> str:
    return " " * (match.end() - match.start())


def _blank_quote(match: re.Match[str]) -> str:
    return _blank(match) if len(match.group().split()) >= _LONG_QUOTE_WORDS else match.group()


def _without_fences(text: str) -> str:
    parts: list[str] = []
    position = 0
    while (opening := text.find("```", position)) >= 0:
        closing = text.find("```", opening + 3)
        end = len(text) if closing < 0 else closing + 3
        parts += [text[position:opening], " " * (end - opening)]
        position = end
    return "".join([*parts, text[position:]])


def asserted_text(text: str) -> str:
    """The first MAX_CHARS characters with code fences, quoted lines and longer quotations blanked; offsets are kept."""
    cut = text[:MAX_CHARS]
    if "`" in cut:
        cut = _without_fences(cut)
    if not cut.isalnum():
        cut = _QUOTED.sub(_blank_quote, _ASIDE_LINE.sub(_blank, cut))
    return cut


def _contracted(text: str, low: str, start: int, end: int) -> list[Token]:
    """Parts of a word with an apostrophe: `isn't` is `is not`, `it's` is `it is`, `Dana's` stays `Dana`."""
    if low.endswith("n't"):
        base = low[:-3]
        return [Token(text[:-3], _BASES.get(base, base), start, end - 3), Token(text[-3:], "not", end - 3, end)]
    head, _, tail = low.rpartition("'")
    at = start + len(text) - len(tail) - 1
    first = Token(text[: at - start], head, start, at)
    if tail == "s":
        verb = "us" if head == "let" else "is"
        return [first, Token(text[at - start :], verb, at, end)] if head in _PRONOUNS else [first]
    if "'" + tail in _SPLIT:
        return [first, Token(text[at - start :], _SPLIT["'" + tail], at, end)]
    return [Token(text, low, start, end)]


def tokens(text: str) -> list[Token]:
    """Every token of `text` in order; contractions are taken apart."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        word = match.group()
        low = word.lower().replace("’", "'")
        if "'" in low and len(low) > 1:
            found += _contracted(word, low, match.start(), match.end())
        else:
            found.append(Token(word, low, match.start(), match.end()))
    return found


def _ends_here(all_tokens: list[Token], index: int) -> bool:
    """A full stop or line break before a small letter is inside a sentence: an abbreviation, or wrapped text."""
    if all_tokens[index].low not in ".\n":
        return True
    following = all_tokens[index + 1].text[0] if index + 1 < len(all_tokens) else "A"
    return not following.islower()


def sentences(text: str) -> list[Sentence]:
    """The sentences of an asserted text; empty ones are dropped."""
    found: list[Sentence] = []
    current: list[Token] = []
    all_tokens = tokens(text)
    for index, token in enumerate(all_tokens):
        if token.low not in _ENDS:
            current.append(token)
        elif current and _ends_here(all_tokens, index):
            found.append(Sentence(current, token.low))
            current = []
    if current:
        found.append(Sentence(current, ""))
    return found
