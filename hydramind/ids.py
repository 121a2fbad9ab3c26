"""Ids: 63-bit non-negative integers inside, decimal strings at every face."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable

NewId = Callable[[], int]

MAX_ID = 2**63 - 1


def random_id() -> int:
    """A fresh random id in 1..2**63-1."""
    return secrets.randbelow(MAX_ID) + 1


def stable_id(*parts: str | int) -> int:
    """63-bit id that is the same for the same parts on every machine (BLAKE2b over length-prefixed parts)."""
    digest = hashlib.blake2b(digest_size=8)
    for part in parts:
        data = str(part).encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return int.from_bytes(digest.digest(), "big") & MAX_ID


def parse_id(text: str) -> int | None:
    """The integer behind a decimal id, or None when `text` is not one (signs, spaces and leading zeros are not ids)."""
    if not (text.isascii() and text.isdigit()) or (len(text) > 1 and text[0] == "0"):
        return None
    value = int(text) if len(text) <= 19 else MAX_ID + 1
    return value if value <= MAX_ID else None
