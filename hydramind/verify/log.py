"""The log of a scope: revisions dense from 1, every op whole, finished and true to the rows it names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from pydantic import ValidationError

from hydramind.graph.commit import DONE, keyed_id, op_id, op_key
from hydramind.ids import stable_id
from hydramind.models import Finding, Remembered
from hydramind.records import Op
from hydramind.verify.contents import Contents


def check(contents: Contents) -> Iterator[Finding]:
    """Findings about ops, idempotency keys and the scope's own node."""
    yield from _dense(contents)
    for op in contents.commits:
        yield from _commit(contents, op)
    for op in contents.keyed:
        yield from _keyed(contents, op)
    yield from _named(contents)
    ids = [node.id for node in contents.scopes]
    if contents.commits and ids != [stable_id("scope", contents.scope)]:
        yield Finding(name="scope_node", detail=f"the scope has the Scope nodes {ids}, expected exactly its own")


def _dense(contents: Contents) -> Iterator[Finding]:
    revisions = Counter(op.revision for op in contents.commits)
    for revision, times in sorted(revisions.items()):
        if times > 1:
            yield Finding(name="revision_twice", detail=f"revision {revision} was committed {times} times")
    last = max(revisions, default=0)
    for revision in range(1, last + 1):
        if revision not in revisions:
            yield Finding(name="revision_missing", detail=f"no op has revision {revision}, the newest is {last}")


def _commit(contents: Contents, op: Op) -> Iterator[Finding]:
    if op.key != op_key(op.scope, op.revision) or op.id != op_id(op.scope, op.revision):
        yield Finding(name="op_key", detail=f"op {op.id} of revision {op.revision} has key {op.key!r}")
    if op.phase != DONE or op.payload:
        yield Finding(name="op_unfinished", detail=f"op {op.key!r} is {op.phase!r}")
    unknown = [id_ for id_ in (*ids_of(op.memory_ids), *ids_of(op.entity_ids)) if id_ not in contents.ids]
    if unknown:
        yield Finding(name="op_names_unknown", detail=f"op {op.key!r} names {unknown}, which the scope does not hold")


def _keyed(contents: Contents, op: Op) -> Iterator[Finding]:
    key = op.key.removeprefix(f"{op.scope}!")
    if op.id != keyed_id(op.scope, key) or not 1 <= op.revision <= len(contents.commits):
        yield Finding(name="op_key", detail=f"keyed op {op.id} of revision {op.revision} has key {op.key!r}")
    try:
        result = Remembered.model_validate_json(op.result)
    except ValidationError:
        yield Finding(name="key_result", detail=f"key {key!r} stores a result that cannot be read")
        return
    if int(result.memory.id) not in contents.ids:
        yield Finding(name="key_result", detail=f"key {key!r} returned memory {result.memory.id}, which is not there")


def _named(contents: Contents) -> Iterator[Finding]:
    """Each row carries the revision of an op that names it."""
    touched: dict[int, set[int]] = defaultdict(set)
    for op in contents.commits:
        for id_ in ids_of(op.memory_ids):
            touched[id_].add(op.revision)
    for memory in contents.memories:
        last = max(touched[memory.id], default=0)
        if not last:
            yield Finding(name="memory_unlogged", detail=f"no op names memory {memory.id}")
        elif memory.revision != last:
            yield Finding(
                name="memory_revision",
                detail=f"memory {memory.id} has revision {memory.revision}, the last op that names it has {last}",
            )


def ids_of(joined: str) -> list[int]:
    """The ids of an op's comma-joined list, in its order."""
    return [int(part) for part in joined.split(",") if part]
