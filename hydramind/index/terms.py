"""Index terms of many texts, each word looked up once; a short way for plain text that gives the same as the long one."""

from __future__ import annotations

import re
from typing import Final

from hydramind.mind import text

_PLAIN_WORD: Final = re.compile("[a-z0-9]+")
_SPECIAL: Final = re.compile(r"[_+#]|\d[.,]\d")
"""Underscored names, `c++` and `c#`, dotted and grouped numbers: words that are more than a run of letters and digits."""
_CAMEL: Final = re.compile("[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_KEPT: Final = 50_000


class Terms:
    """What `text.words` and `text.term_counts` say, remembered word by word."""

    def __init__(self) -> None:
        self._terms: dict[str, str] = {}

    def words(self, content: str) -> list[str]:
        """`text.words`."""
        return _PLAIN_WORD.findall(content.lower()) if _plain(content) else text.words(content)

    def counts(self, content: str) -> dict[str, int]:
        """`text.term_counts`."""
        if not _plain(content):
            return text.term_counts(content)
        counts: dict[str, int] = {}
        terms = self._terms
        for word in _PLAIN_WORD.findall(content.lower()):
            term = terms.get(word)
            if term is None:
                term = self._learn(word)
            if term:
                counts[term] = counts.get(term, 0) + 1
        return counts

    def _learn(self, word: str) -> str:
        """The term of a plain word, empty for a stop word."""
        if len(self._terms) >= _KEPT:
            self._terms.clear()
        term = self._terms[word] = "" if word in text.STOP_WORDS else text.stem(word)
        return term


def _plain(content: str) -> bool:
    """Whether every word is a run of ASCII letters and digits that is no identifier in camel case."""
    return content.isascii() and _SPECIAL.search(content) is None and _CAMEL.search(content) is None
