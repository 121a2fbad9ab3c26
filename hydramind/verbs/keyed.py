"""Idempotency keys: the same call under the same key happens once and returns its first result."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from hydramind.errors import Conflict
from hydramind.graph.commit import keyed_id
from hydramind.queries import ops
from hydramind.store.view import KeyedCall, View


def call(key: str, *arguments: str | Sequence[str] | int | None) -> KeyedCall | None:
    """The keyed call of a request; None without a key."""
    if not key:
        return None
    body = json.dumps([list(part) if isinstance(part, tuple) else part for part in arguments], ensure_ascii=True)
    return KeyedCall(key, hashlib.sha256(body.encode()).hexdigest())


async def first_result(view: View, keyed: KeyedCall | None) -> str | None:
    """What this key returned before, or None when it is new; raises `Conflict` for other arguments under the same key."""
    if keyed is None:
        return None
    op_id = keyed_id(view.scope, keyed.key)
    staged = view.keyed(op_id)
    stored = [staged] if staged is not None else await view.read_ids(ops.BY_ID, [op_id])
    if not stored:
        return None
    if stored[0].payload_hash != keyed.payload_hash:
        raise Conflict(f"idempotency_key {keyed.key!r} was used for another call: use a new key")
    return stored[0].result
