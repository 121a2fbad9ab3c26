"""Text as it is stored (cleaned once) and text as it is compared (folded, split into words, stemmed)."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]

from hydramind.mind.scripts import CHINESE_JAPANESE, MARKS, SOUTHEAST_ASIAN

_stem_english = snowballstemmer.stemmer("english").stemWord  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]

# C0 and C1 controls except tab, newline, carriage return and next line; noncharacters; bidirectional embeddings and overrides,
# which make text read differently from what it is. Those that separate become a space, so that they glue no words.
_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff\u202a-\u202e]")
# Tag characters are legitimate only behind a black flag (regional flags); elsewhere they hide text.
_TAGS = re.compile("(\U0001f3f4[\U000e0020-\U000e007f]+)|[\U000e0000-\U000e007f]+")

# Formatting that no eye sees and no language spells with: soft hyphen, zero width space, joiners and marks of order.
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u2060-\u2064\ufeff]")

_UNSPACED = f"{CHINESE_JAPANESE}{SOUTHEAST_ASIAN}"
_WORD = re.compile(
    rf"(?P<run>[{_UNSPACED}]+)"
    r"|(?P<number>v?\d+(?:[.,]\d+)+)(?![\w])"
    r"|(?P<symbolic>[a-z](?:\+\+|\#))(?![\w])"
    rf"|(?P<word>(?![{_UNSPACED}])\w(?:(?![{_UNSPACED}])[\w{MARKS}])*)"
)
_RUN = re.compile(f"[{_UNSPACED}]")
_CLUSTER = re.compile(f".[{MARKS}]*")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

STOP_WORDS = frozenset(
    """
    a an the this that these those there here of in on at by for from to into onto with within about as and or but nor
    so than then is are was were be been being am do does did done doing has have had having i me my we us our you your
    he him his she her it its they them their what which who whom whose when where why how s t d ll m re ve will would
    shall should can could may might must if not no please tell show give know any some anything something ever just also
    """.split()
)
"""Question words, auxiliaries and function words that carry no evidence in a query."""


def clean(text: str) -> str:
    """`text` as it is stored: lone surrogates become U+FFFD, unsafe controls and hidden tags are dropped, form feeds and the
    like become spaces; idempotent."""
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    printable = _UNSAFE.sub(lambda match: " " if match.group().isspace() else "", paired)
    return _TAGS.sub(lambda match: match.group(1) or "", printable)


def is_blank(text: str) -> bool:
    """True when nothing visible is left: white space, format characters and fillers do not count."""
    return all(char.isspace() or unicodedata.category(char) in ("Cf", "Cc") for char in text)


def canonical_name(name: str) -> str:
    """The key of a name: NFC, case-folded, white space collapsed, without what nobody sees. Not NFKC: `x2` and `x` with a
    superscript differ; so do names that differ by a joiner of Persian, Hindi or emoji."""
    visible = " ".join(_INVISIBLE.sub("", name).split()) or " ".join(name.split())
    folded = unicodedata.normalize("NFC", visible).casefold().replace("i\u0307", "i")
    return unicodedata.normalize("NFC", folded)


def canonical_content(content: str) -> str:
    """The key under which two contents are the same memory: NFC and white space collapsed, nothing else."""
    return unicodedata.normalize("NFC", " ".join(content.split()))


def fold(text: str) -> str:
    """Compatibility- and case-folded text; symbols become spaces first, so a trade mark sign is not glued to its word."""
    if text.isascii():
        return text.lower()
    spaced = "".join(" " if unicodedata.category(char) in ("So", "Sk") else char for char in text)
    visible = "".join(char for char in unicodedata.normalize("NFKC", spaced) if unicodedata.category(char) != "Cf")
    return unicodedata.normalize("NFC", visible.casefold().replace("i\u0307", "i"))


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """English Snowball stem of a folded ASCII word; anything else comes back unchanged."""
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    return str(_stem_english(word))  # pyright: ignore[reportUnknownArgumentType]


def words(text: str) -> list[str]:
    """Folded words in order of appearance: runs of letters with their marks, digits and underscores; dotted numbers and
    versions stay whole, grouped digits lose their commas, `c++` and `c#` are words, a run of a script that puts no spaces
    between words (Chinese, Japanese, Thai, Lao, Burmese, Khmer) is one item."""
    found: list[str] = []
    for match in _WORD.finditer(fold(text)):
        token = match.group()
        if match.lastgroup == "number":
            token = token.replace(",", "") if _GROUPED.fullmatch(token) else token
        found.append(token)
    return found


def _clusters(run: str) -> list[str]:
    """Characters of a run, each with the vowels and tones that belong to it."""
    return _CLUSTER.findall(run)


def _pairs(clusters: Sequence[str]) -> list[str]:
    """Neighbours side by side; a single one alone."""
    return [first + second for first, second in pairwise(clusters)] or list(clusters)


def _is_run(token: str) -> bool:
    return _RUN.match(token) is not None


@lru_cache(maxsize=4_096)
def keywords(query: str) -> tuple[str, ...]:
    """Distinct normalised keywords of a query, in order: stop words dropped, variants folded, runs without spaces by pairs."""
    terms: dict[str, None] = {}
    for token in words(query):
        if _is_run(token):
            terms.update(dict.fromkeys(_pairs(_clusters(token))))
        elif token not in STOP_WORDS:
            terms[stem(token.strip("_") or token)] = None
    return tuple(terms)


def index_terms(content: str) -> set[str]:
    """Every term under which a content can be found: its keywords, the parts of identifiers, and of runs without spaces the
    single characters."""
    return set(term_counts(content))


def term_counts(content: str) -> dict[str, int]:
    """How often each index term occurs, 1 or more, in order of appearance."""
    counts: Counter[str] = Counter()
    for token in words(content):
        if _is_run(token):
            clusters = _clusters(token)
            counts.update({*_pairs(clusters), *clusters})
        elif token not in STOP_WORDS:
            counts[stem(token.strip("_") or token)] += 1
            if "_" in token:
                counts.update(stem(part) for part in token.split("_") if part)
    if _CAMEL.search(content):
        parts = (part for part in words(_CAMEL.sub(" ", content)) if part not in STOP_WORDS and not _is_run(part))
        counts.update(term for part in parts if (term := stem(part)) not in counts)
    return dict(counts)
