"""One committer for every change: a change set becomes upserts, one op a revision arbitrates between writers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from hydramind.errors import Damaged
from hydramind.graph.connection import Graph, Runner, run
from hydramind.graph.engines import Engine
from hydramind.ids import stable_id
from hydramind.queries import edges, entities, memories, ops
from hydramind.queries.query import Query
from hydramind.records import (
    About,
    ChangeSet,
    Contradicts,
    DerivedFrom,
    Edge,
    Entity,
    Memory,
    Node,
    Op,
    Relates,
    ScopeNode,
    SupersededBy,
    TrustDecay,
    TrustRestore,
)

UPSERTS: Mapping[type[Node | Edge], Query[None]] = {
    ScopeNode: entities.UPSERT_SCOPES,
    Entity: entities.UPSERT,
    Memory: memories.UPSERT,
    About: edges.UPSERT_ABOUT,
    DerivedFrom: edges.UPSERT_DERIVED_FROM,
    Contradicts: edges.UPSERT_CONTRADICTS,
    SupersededBy: edges.UPSERT_SUPERSEDED_BY,
    TrustDecay: edges.UPSERT_TRUST_DECAY,
    TrustRestore: edges.UPSERT_TRUST_RESTORE,
    Relates: edges.UPSERT_RELATES,
}
"""How each record is written, in writing order: ends before the relationships between them."""

_RECORDS = {record.__name__: record for record in (*UPSERTS, Op)}
_COLUMNS = {record: tuple(field.name for field in fields(record)) for record in _RECORDS.values()}
_MAX_ROWS = 1_000
_MAX_BYTES = 1_000_000
"""Content bytes of one statement: the smallest message limit of the engines is 2 MiB."""

PENDING, DONE = "pending", "done"


@dataclass(frozen=True, slots=True)
class Commit:
    """One op with the rows it changes; `keyed` is the stored result of an idempotency key, or None."""

    op: Op
    changes: ChangeSet
    keyed: Op | None = None


def op_id(scope: str, revision: int) -> int:
    """Id of the op that is commit number `revision` of a scope: the same in every process, so that two writers clash."""
    return stable_id("op", scope, revision)


def op_key(scope: str, revision: int) -> str:
    """Readable, sortable key of an op."""
    return f"{scope}:{revision:016d}"


def keyed_id(scope: str, key: str) -> int:
    """Id of the op that stores what an idempotency key returned."""
    return stable_id("key", scope, key)


def checked(op: Op, scope: str, revision: int) -> Op:
    """`op`, or `Damaged` when its id was derived from something else (a hash collision or a foreign writer)."""
    if op.key != op_key(scope, revision):
        raise Damaged(f"op {op.id} of scope {scope!r} holds key {op.key!r}, expected {op_key(scope, revision)!r}")
    return op


def row_of(record: Node | Edge) -> dict[str, Any]:
    """The record's properties as query parameters."""
    return {name: getattr(record, name) for name in _COLUMNS[type(record)]}


def latest(records: Iterable[Node | Edge]) -> dict[type[Node | Edge], list[dict[str, Any]]]:
    """Rows by record type in writing order; of several rows with one id the last stands."""
    by_id: dict[type[Node | Edge], dict[int, dict[str, Any]]] = {kind: {} for kind in UPSERTS}
    for record in records:
        by_id[type(record)][record.id] = row_of(record)
    return {kind: list(rows.values()) for kind, rows in by_id.items() if rows}


def batches(rows: Sequence[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Runs of rows small enough for one statement on every engine."""
    batch: list[dict[str, Any]] = []
    size = 0
    for row in rows:
        weight = 200 + sum(len(value.encode()) for value in row.values() if isinstance(value, str))
        if batch and (len(batch) >= _MAX_ROWS or size + weight > _MAX_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += weight
    if batch:
        yield batch


async def write(runner: Runner, engine: Engine, commits: Sequence[Commit]) -> None:
    """Send everything the commits change inside the caller's transaction; the ops come first and arbitrate."""
    created = [row_of(op) for commit in commits for op in (commit.op, commit.keyed) if op is not None]
    for batch in batches(created):
        await run(runner, engine, ops.CREATE, {"rows": batch})
    await write_rows(runner, engine, (record for commit in commits for record in _records(commit.changes)))


async def write_rows(runner: Runner, engine: Engine, records: Iterable[Node | Edge]) -> None:
    """Upsert records, ends before relationships; idempotent."""
    for kind, rows in latest(records).items():
        for batch in batches(rows):
            await run(runner, engine, UPSERTS[kind], {"rows": batch})


async def write_steps(graph: Graph, commit: Commit) -> bool:
    """Commit on an auto-commit engine: op with its whole change first, then idempotent steps, then the mark.

    Returns False when another writer took the revision; nothing but a refused op row was sent then.
    """
    pending = replace(commit.op, phase=PENDING, payload=dump(commit))
    async with graph.session() as session:
        await run(session, graph.engine, ops.CREATE, {"rows": [row_of(pending)]})
    won = await graph.read_ids(ops.BY_ID, [pending.id], scope=pending.scope)
    if not won or won[0].token != pending.token:
        return False
    await finish(graph, won[0])
    return True


async def finish(graph: Graph, op: Op) -> None:
    """Carry out what a pending op says and mark it done; safe to repeat, safe beside a slower writer of the same op."""
    commit = load(op)
    async with graph.session() as session:
        await write_rows(session, graph.engine, _records(commit.changes))
        if commit.keyed is not None:
            await run(session, graph.engine, ops.CREATE, {"rows": [row_of(commit.keyed)]})
        done = {"id": op.id, "token": op.token, "phase": DONE, "payload": ""}
        await run(session, graph.engine, ops.FINISH, done)


def dump(commit: Commit) -> str:
    """The change as JSON text, from which `load` rebuilds it."""
    records = [[type(record).__name__, row_of(record)] for record in _records(commit.changes)]
    keyed = row_of(commit.keyed) if commit.keyed is not None else None
    return json.dumps({"verb": commit.changes.verb, "records": records, "keyed": keyed}, separators=(",", ":"))


def load(op: Op) -> Commit:
    """The commit that a pending op's payload describes; raises `Damaged` when it is unreadable."""
    try:
        body = json.loads(op.payload)
        records = [_RECORDS[name](**row) for name, row in body["records"]]
        keyed = Op(**body["keyed"]) if body["keyed"] is not None else None
    except (ValueError, KeyError, TypeError) as error:
        raise Damaged(f"pending op {op.key!r} cannot be finished: its payload is unreadable ({error})") from error
    nodes = tuple(record for record in records if isinstance(record, Node))
    edge_rows = tuple(record for record in records if isinstance(record, Edge))
    return Commit(op, ChangeSet(body["verb"], nodes, edge_rows), keyed)


def _records(changes: ChangeSet) -> Iterator[Node | Edge]:
    yield from changes.nodes
    yield from changes.edges
