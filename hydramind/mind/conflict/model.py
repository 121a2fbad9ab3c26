"""What a detector compares and what it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """How a draft stands to a stored statement; only CONTRADICTS costs the stored one trust."""

    NONE = "none"
    DUPLICATE = "duplicate"
    REFINES = "refines"
    CONTRADICTS = "contradicts"
    SUPERSEDES = "supersedes"
    UNCERTAIN = "uncertain"


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement; `event_time` is epoch milliseconds when the caller said when it held, else None."""

    content: str
    event_time: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer: `reason` is one sentence for a person, the quotes are cut from the two texts.

    `draft_is_current` is False when the draft is the older of two states (history that arrived late).
    """

    kind: Kind
    reason: str = ""
    draft_quote: str = ""
    stored_quote: str = ""
    draft_is_current: bool = True


Detector = Callable[[Claim, Claim], Verdict]
"""Takes (draft, stored), in this order; must be pure and never raise."""
