"""Characters that words are made of beyond what a pattern's `\\w` holds; each is for use inside the brackets of a pattern."""

from __future__ import annotations

import unicodedata
from typing import Final

CHINESE_JAPANESE: Final = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Chinese characters with the marks that repeat or stand for one, and kana."""

SOUTHEAST_ASIAN: Final = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ece\u0edc-\u0edf"
    "\u1000-\u103f\u1050-\u108f\u109a-\u109d\u1780-\u17d3\u17d7\u17dc\u17dd"
)
"""Letters, vowels and tones of Thai, Lao, Burmese and Khmer, which put no spaces between words."""

_WITH_MARKS = (
    *range(0x0300, 0x180B),
    *range(0x1810, 0x1E00),
    *range(0xA66F, 0xABF0),
    *range(0xFE20, 0xFE30),
    *range(0x10A00, 0x11F60),
    *range(0x1E000, 0x1E950),
)
"""Blocks whose marks are part of a word; the selectors of a glyph's shape lie outside."""

MARKS: Final = "".join(char for char in map(chr, _WITH_MARKS) if unicodedata.category(char) in ("Mn", "Mc"))
"""Vowel signs, points and accents that stand behind a letter: without them a word of Hindi or Arabic falls apart."""
