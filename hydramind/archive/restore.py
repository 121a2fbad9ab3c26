"""Brings the scopes of an archive into a graph, all of them or none: staged out of sight, then moved in one transaction."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

from hydramind.archive.checking import records, verify
from hydramind.archive.container import opened
from hydramind.archive.kinds import BY_NAME, KINDS, Kind, Record
from hydramind.archive.manifest import Manifest, Part
from hydramind.archive.snapshot import Report, silent
from hydramind.errors import Conflict
from hydramind.graph.commit import batches, row_of, write_rows
from hydramind.graph.connection import Graph, Runner, run
from hydramind.graph.failures import CLASH, FAILURES, translated
from hydramind.queries import archive as archive_queries
from hydramind.queries import entities, ops, removal
from hydramind.queries.query import Capability, Query
from hydramind.store.sync import newest_revision

_BATCH: Final = 1_000
_TOLD_EVERY: Final = 20
"""Batches between two lines of progress."""
_STAGED: Final = tuple(kind for kind in KINDS if kind.name not in ("scope", "keyed", "ops"))
_CREATES: Final[Mapping[str, Query[None]]] = {
    "memories": archive_queries.CREATE_MEMORIES,
    "entities": archive_queries.CREATE_ENTITIES,
    "about": archive_queries.CREATE_ABOUT,
    "derived_from": archive_queries.CREATE_DERIVED_FROM,
    "contradicts": archive_queries.CREATE_CONTRADICTS,
    "superseded_by": archive_queries.CREATE_SUPERSEDED_BY,
    "trust_decay": archive_queries.CREATE_TRUST_DECAY,
    "trust_restore": archive_queries.CREATE_TRUST_RESTORE,
}
_LEFTOVERS: Final[tuple[tuple[Query[int], Query[None]], ...]] = (
    (archive_queries.MEMORY_IDS, removal.MEMORIES),
    (archive_queries.ENTITY_IDS, removal.ENTITIES),
)

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore brought back."""

    manifest: Manifest
    scopes: tuple[str, ...]
    rows: int


def staging(scope: str) -> str:
    """The scope under which rows wait out of sight: no caller can name it, because a scope's name is one line."""
    return f"restoring\n{scope}"


async def restore(graph: Graph, path: Path | str, report: Report = silent) -> Restored:
    """Restore every scope of an archive; returns what came back.

    The whole archive is verified before the first write. Raises `Damaged` for an archive that is not sound, `Conflict`
    for a scope that exists already or is written to meanwhile. After a failure nothing of the scopes is there; rows that
    a kill left behind are out of sight and removed by the next restore of the same scope.
    """
    verify(path)
    with opened(Path(path)) as (archive, manifest):
        for part in manifest.parts:
            await _require_absent(graph, part.scope)
        try:
            for part in manifest.parts:
                await _remove_staged(graph, part.scope)
                await _stage(graph, archive, part, report)
            await _reveal(graph, archive, manifest.parts)
        except BaseException as error:
            await _clean_up(graph, manifest.parts, error)
            if isinstance(error, CLASH):
                raise Conflict(
                    "a scope of the archive was written to meanwhile, or the graph holds one of its ids in another "
                    "scope: nothing was restored"
                ) from error
            if isinstance(error, FAILURES):
                raise translated(error, graph.address.uri) from error
            raise
    report(f"restored {manifest.rows:,} rows")
    return Restored(manifest, tuple(part.scope for part in manifest.parts), manifest.rows)


async def _require_absent(graph: Graph, scope: str) -> None:
    named = any(node.name == scope for node in await graph.read(entities.SCOPES))
    if named or await newest_revision(graph, scope):
        raise Conflict(f"scope {scope!r} exists already: a restore adds to no scope")


async def _stage(graph: Graph, archive: zipfile.ZipFile, part: Part, report: Report) -> None:
    for kind in _STAGED:
        rows = 0
        for number, batch in enumerate(_split(records(archive, part, kind), _BATCH), 1):
            await _send(graph, kind, batch, part.scope)
            rows += len(batch)
            if number % _TOLD_EVERY == 0:
                report(f"{part.scope}: {rows:,} of {part.body(kind.name).rows:,} {kind.name}")
        report(f"{part.scope}: {rows:,} {kind.name}")


async def _send(graph: Graph, kind: Kind, batch: Sequence[Record], scope: str) -> None:
    """Write one batch out of sight. Nodes are created, never merged: an id that exists is somebody's, and refused."""
    hidden = {"scope": staging(scope)} if kind.ends is None else {}
    rows = [row_of(record) | hidden for record in batch]
    apart = kind.ends is not None and graph.engine.can(Capability.TRANSACTIONS)
    for part in batches(rows):
        await _write(graph, _CREATES[kind.name], [_link(row) for row in part] if apart else part)


async def _write(graph: Graph, query: Query[None], rows: Sequence[Mapping[str, Any]]) -> None:
    """One statement in a transaction of its own: ArcadeDB makes each row durable alone when it is sent without one."""
    async with graph.session() as session:
        if not graph.engine.can(Capability.TRANSACTIONS):
            await run(session, graph.engine, query, {"rows": rows})
            return
        async with await session.begin_transaction() as transaction:
            await run(transaction, graph.engine, query, {"rows": rows})
            await transaction.commit()


def _link(row: Mapping[str, Any]) -> dict[str, Any]:
    """A relationship's ends apart from its properties."""
    ends = {name: row[name] for name in ("source", "target")}
    return ends | {"properties": {name: row[name] for name in row if name not in ends} | {"event_id": row["id"]}}


async def _reveal(graph: Graph, archive: zipfile.ZipFile, parts: Sequence[Part]) -> None:
    """Move what waits into its scopes and write the logs: one transaction where the engine has them, else log last."""
    async with graph.session() as session:
        if not graph.engine.can(Capability.TRANSACTIONS):
            for part in parts:
                await _move(session, graph, archive, part)
            return
        async with await session.begin_transaction() as transaction:
            for part in parts:
                await _move(transaction, graph, archive, part)
            await transaction.commit()


async def _move(runner: Runner, graph: Graph, archive: zipfile.ZipFile, part: Part) -> None:
    moves = (("memories", archive_queries.MOVE_MEMORIES, archive_queries.MEMORY_IDS),)
    moves += (("entities", archive_queries.MOVE_ENTITIES, archive_queries.ENTITY_IDS),)
    for name, move, ids in moves:
        for batch in _split(records(archive, part, BY_NAME[name]), _BATCH):
            rows = [{"id": record.id, "scope": part.scope} for record in batch]
            await run(runner, graph.engine, move, {"rows": rows})
        found = await run(runner, graph.engine, ids, {"scope": part.scope})
        if len(found) != part.body(name).rows:
            raise Conflict(f"scope {part.scope!r} was written to meanwhile: nothing was restored")
    await write_rows(runner, graph.engine, records(archive, part, BY_NAME["scope"]))
    await _create(runner, graph, records(archive, part, BY_NAME["keyed"]))
    # The first revisions last: without them a scope is empty to every reader, should the engine have no transactions.
    count = part.body("ops").rows
    if count > _BATCH:
        await _create(runner, graph, islice(records(archive, part, BY_NAME["ops"]), _BATCH, None))
    await _create(runner, graph, islice(records(archive, part, BY_NAME["ops"]), _BATCH))


async def _create(runner: Runner, graph: Graph, rows: Iterable[Record]) -> None:
    for chunk in _split(iter(rows), _BATCH):
        for batch in batches([row_of(record) for record in chunk]):
            await run(runner, graph.engine, ops.CREATE, {"rows": batch})


async def _remove_staged(graph: Graph, scope: str) -> None:
    """Remove what an earlier restore left out of sight."""
    for ids, remove in _LEFTOVERS:
        found = await graph.read(ids, scope=staging(scope))
        for batch in _split(iter(found), _BATCH):
            await _write(graph, remove, [{"id": id_} for id_ in batch])


async def _clean_up(graph: Graph, parts: Sequence[Part], error: BaseException) -> None:
    try:
        for part in parts:
            await _remove_staged(graph, part.scope)
    except Exception as second:
        # What remains is out of sight and the next restore removes it: the first failure is the one to tell.
        error.add_note(f"rows that wait out of sight could not be removed: {second}")
        raise error from second


def _split(items: Iterator[Item], size: int) -> Iterator[list[Item]]:
    while batch := list(islice(items, size)):
        yield batch
