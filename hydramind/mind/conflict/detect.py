"""The lexical detector: compares two statements clause by clause."""

from __future__ import annotations

from hydramind.mind.conflict.model import Claim, Kind, Verdict


def detect(draft: Claim, stored: Claim) -> Verdict:
    """Says how `draft` stands to `stored`; never raises."""
    if draft.content.strip() and draft.content.split() == stored.content.split():
        return Verdict(Kind.DUPLICATE, "both say the same", draft.content, stored.content)
    return Verdict(Kind.NONE)
