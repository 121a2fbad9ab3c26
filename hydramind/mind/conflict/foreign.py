"""Plain denials in other languages: one text is the other plus a negator, and nothing else differs."""

from __future__ import annotations

import re
from dataclasses import dataclass

NEGATORS = frozenset(
    """nicht nie niemals kein keine keinen keinem keiner keines ne n' pas jamais no nunca jamás não non niet geen nooit
    inte aldrig ikke aldri nie не нет никогда ні không değil tidak bukan""".split()
)
"""German, French, Spanish, Portuguese, Italian, Dutch, Scandinavian, Slavic and a few others."""

ARTICLES = frozenset(
    """ein eine einen einem einer eines der die das den dem un une le la les el los las o os um uma de du des een het""".split()
)

_HAN = re.compile("[\u4e00-\u9fff]{4,}")
_HAN_NEGATOR = re.compile("(?<![差并並毫])[不没沒未](?![但仅僅只错錯断斷久少过過])有?")
_FEWEST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a text without negators and articles, and how many negators there were."""

    words: tuple[str, ...]
    denials: int


def wording(words: tuple[str, ...]) -> Wording:
    """Counts and removes foreign negators; a run of Chinese counts as one word."""
    kept: list[str] = []
    denials = 0
    french = False
    for word in (each for text in words for each in text.lower().replace("n'", "ne ").replace("’", "'").split()):
        if word in NEGATORS:
            denials += not (french and word in ("pas", "jamais"))
            french = french or word == "ne"
        elif _HAN.search(word):
            stripped, count = _HAN_NEGATOR.subn("", word)
            kept.append(stripped.replace("有", ""))
            denials += count
        elif word not in ARTICLES:
            kept.append(word)
    return Wording(tuple(kept), denials)


def denies(one: Wording, other: Wording) -> bool:
    """True when exactly one of two otherwise equal texts holds one negator."""
    if one.denials + other.denials != 1 or one.words != other.words:
        return False
    return len(one.words) >= _FEWEST_WORDS or any(_HAN.search(word) for word in one.words)
