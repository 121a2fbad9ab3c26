"""Guards for query decomposition: proposed sub-questions are used only when they ask nothing that the query does not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from hydramind.mind import text
from hydramind.mind.time_words import plain
from hydramind.mind.times import span

LONGEST_QUERY: Final = 2_000
LONGEST_QUESTION: Final = 500
FEWEST, MOST = 2, 3

_SOME_MOMENT: Final = int(datetime(2024, 1, 1, tzinfo=UTC).timestamp() * 1000)
"""Only where times stand is read here, not what they mean."""
_WORD = re.compile(
    r"(?P<opens>(?:^|[.?!:;\"\u201c\u2026\u3002\uff1f\uff01])[\s\"'\u2018\u201c(\u00bf\u00a1]*)?"
    r"(?P<word>[\u30a1-\u30fa\u30fc]{2,}|(?:(?![\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])\w)+)"
)
_KATAKANA = re.compile(r"[\u30a1-\u30fa\u30fc]{2,}")
_RELATIVE = re.compile(
    r"\b(?:before|after|since|until|till|during|ago|first|last|latest|earliest|earlier|later|recent(?:ly)?|now"
    r"|current(?:ly)?|previous(?:ly)?|original(?:ly)?)\b"
    r"|[之以][前后後]|最近|目前|[现現]在|이전|이후|최근|현재"
)
"""Words that place an event in time without naming one."""


def sub_questions(query: str, proposed: Sequence[str]) -> tuple[str, ...]:
    """The `proposed` sub-questions, white space collapsed, or () when any guard fails: the query has at most 2,000
    characters, there are 2 or 3 questions of 1 to 500, none repeats another or the query but for case and marks, none
    holds a name that the query lacks, and each time of the query, with the word that leads it, stands in one of them.

    A name is a word with a capital or a digit, or a run of katakana; a capital stop word that opens a sentence is none,
    nor is `I`. A name in Chinese characters or Hangul cannot be told from other words and passes."""
    questions = tuple(" ".join(question.split()) for question in proposed)
    if len(query) > LONGEST_QUERY or not FEWEST <= len(questions) <= MOST:
        return ()
    if not all(0 < len(question) <= LONGEST_QUESTION for question in questions):
        return ()
    asked = {tuple(text.words(each)) for each in (query, *questions)}
    invented = any(_invents(question, query) for question in questions)
    if len(asked) <= len(questions) or invented or _loses_time(query, questions):
        return ()
    return questions


def _invents(question: str, query: str) -> bool:
    known, whole = {text.fold(match["word"]) for match in _WORD.finditer(query)}, text.fold(query)
    return any(
        name not in known and not (_KATAKANA.fullmatch(name) and name in whole) for name in _names(plain(question))
    )


def _names(question: str) -> Iterator[str]:
    """Folded names of a question."""
    for match in _WORD.finditer(question):
        word, folded = match["word"], text.fold(match["word"])
        opening = match["opens"] is not None and folded in text.STOP_WORDS
        capital = any(char.isupper() for char in word) and not opening and word != "I"
        if capital or any(char.isdigit() for char in word) or _KATAKANA.fullmatch(folded):
            yield folded


def _loses_time(query: str, questions: Sequence[str]) -> bool:
    """Whether a time of the query stands in no question."""
    lines = [plain(question).casefold() for question in questions]
    line = plain(query)
    said = {each.said.casefold() for each in span(line, _SOME_MOMENT)}
    said |= {match.group() for match in _RELATIVE.finditer(line.casefold())}
    return not all(any(_stands(marker, other) for other in lines) for marker in said)


def _stands(marker: str, line: str) -> bool:
    """Whether `marker` stands in `line`, not inside a longer word or number of Latin letters and digits."""
    return re.search(rf"(?<![a-z0-9]){re.escape(marker)}(?![a-z0-9])", line) is not None
