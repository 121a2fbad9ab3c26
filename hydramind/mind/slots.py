"""Reads of whom a plain English statement gives the address, e-mail, phone number or location."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hydramind.mind import text

_MOST: Final = 200
"""Characters of a statement that is read; a longer one is not plain."""

_NOW: Final = r"(?:\s+(?:now|currently))?"
_IS: Final = rf"(?:is|am|are){_NOW}"
_VALUE: Final = r"\s+(?P<value>\S.*?)[.!]?"
_WHO: Final = r"(?P<who>(?:the\s+)?[\w.&-]+(?:\s+[\w.&-]+){0,2}?)"
_OWNER: Final = rf"(?:(?P<my>my|our)|{_WHO}(?:['\u2019]s|(?<=s)['\u2019]))"
_WHAT: Final = (
    r"(?P<kind>(?:[a-z]+\s+){0,2}?)(?:(?P<email>e-?mail(?:\s+address)?)"
    r"|(?P<phone>(?:phone|telephone|mobile|cell)(?:\s+number)?)"
    r"|(?P<address>(?:postal\s+|street\s+)?address)|(?P<location>location))"
)


def _whole(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\s*{pattern}\s*", re.IGNORECASE | re.DOTALL)


_OWNS: Final = (
    _whole(rf"{_OWNER}\s+{_WHAT}\s+{_IS}{_VALUE}"),
    _whole(rf"the\s+{_WHAT}\s+of\s+{_WHO}\s+{_IS}{_VALUE}"),
)
_LIVES: Final = rf"{_WHO}{_NOW}\s+(?:lives?|resides?|{_IS}\s+(?:based|located|living))"
_DWELLS: Final = (("location", _whole(rf"{_LIVES}\s+in{_VALUE}")), ("address", _whole(rf"{_LIVES}\s+at{_VALUE}")))
_NAMES: Final = ("email", "phone", "address", "location")
_PASSING: Final = frozenset({"new", "current", "latest", "own", "present"})
_PRONOUNS: Final = frozenset(
    {"he", "she", "it", "they", "you", "this", "that", "these", "those", "who", "there", "which"}
)
_NOT_PLAIN: Final = re.compile(
    r"\b(?:no|not|never|nor|or|if|unless|maybe|perhaps|probably|might|may|could|would|should|used|was|were|will"
    r"|old|former|previous)\b|n['\u2019]t\b|\?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A value that a statement gives; `slot` is subject and attribute, such as `alice/work email`."""

    slot: str
    value: str


@lru_cache(maxsize=4_096)
def read(content: str) -> Reading | None:
    """What a plain statement gives; None where it is anything else: denied, doubted, asked, past, long, of a pronoun. What
    somebody likes, prefers, uses or favours is not read, because several such values stand side by side."""
    if len(content) > _MOST or _NOT_PLAIN.search(content):
        return None
    for pattern in _OWNS:
        found = pattern.fullmatch(content)
        if found is not None:
            return _reading(found, _attribute(found))
    for name, pattern in _DWELLS:
        found = pattern.fullmatch(content)
        if found is not None:
            return _reading(found, name)
    return None


def other_value(draft: str, stored: str) -> str:
    """The slot of which the two statements give different values, empty where there is none. A value that only says more
    or less than the other is not a different one."""
    ours, theirs = read(draft), read(stored)
    if ours is None or theirs is None or ours.slot != theirs.slot:
        return ""
    mine, other = set(text.words(ours.value)), set(text.words(theirs.value))
    return "" if mine <= other or other <= mine else ours.slot


def _attribute(found: re.Match[str]) -> str:
    kinds = (word for word in found["kind"].casefold().split() if word not in _PASSING)
    return " ".join((*kinds, next(name for name in _NAMES if found[name])))


def _reading(found: re.Match[str], attribute: str) -> Reading | None:
    """The speaker is `i` or `we` in every form."""
    own = (found.groupdict().get("my") or "").casefold()
    subject = {"my": "i", "our": "we"}.get(own) or text.canonical_name(found["who"]).removeprefix("the ")
    return None if subject in _PRONOUNS else Reading(f"{subject}/{attribute}", found["value"])
