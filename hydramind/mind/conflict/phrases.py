"""Finds fixed phrases in a run of words; each table is looked up by its first word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Table = dict[str, tuple[tuple[str, ...], ...]]


def table(phrases: str | Iterable[str]) -> Table:
    """Phrases divided by `|` or line breaks, grouped by first word, longest first."""
    texts = phrases.replace("\n", "|").split("|") if isinstance(phrases, str) else phrases
    grouped: dict[str, list[tuple[str, ...]]] = {}
    for text in texts:
        if words := tuple(text.split()):
            grouped.setdefault(words[0], []).append(words)
    return {first: tuple(sorted(group, key=len, reverse=True)) for first, group in grouped.items()}


def at(words: Sequence[str], index: int, phrases: Table) -> int:
    """Length of the longest phrase that starts at `index`, 0 for none."""
    for phrase in phrases.get(words[index], ()):
        if tuple(words[index : index + len(phrase)]) == phrase:
            return len(phrase)
    return 0


def anywhere(words: Sequence[str], phrases: Table) -> int:
    """Index of the first phrase, -1 for none."""
    for index, word in enumerate(words):
        if word in phrases and at(words, index, phrases):
            return index
    return -1
