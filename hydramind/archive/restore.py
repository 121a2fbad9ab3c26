"""Brings the scopes of an archive into a graph, all of them or none: rows first, what makes them visible last."""

from __future__ import annotations

import secrets
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar, cast

from hydramind.archive.checking import records, verify
from hydramind.archive.claim import Claim, take
from hydramind.archive.container import opened
from hydramind.archive.kinds import BY_NAME, Kind, Record
from hydramind.archive.manifest import Manifest, Part
from hydramind.archive.snapshot import Report, silent
from hydramind.archive.writing import create
from hydramind.errors import Conflict, HydraMindError
from hydramind.graph.commit import row_of
from hydramind.graph.connection import Graph, Runner, run
from hydramind.graph.failures import CLASH, FAILURES, LOST_CONNECTION, translated
from hydramind.queries import archive as archive_queries
from hydramind.queries import entities, ops
from hydramind.queries.query import Capability
from hydramind.records import Op
from hydramind.store.sync import newest_revision

_BATCH: Final = 1_000
_HEAD: Final = 128
"""First ops of a log that are written at the very end: without revisions 1 to 64 a scope is empty to every reader."""
_TOLD_EVERY: Final = 20
"""Batches between two lines of progress."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore brought back."""

    manifest: Manifest
    scopes: tuple[str, ...]
    rows: int


async def restore(graph: Graph, path: Path | str, report: Report = silent) -> Restored:
    """Restore every scope of an archive; returns what came back.

    The whole archive is verified before the first write. Raises `Damaged` for an archive that is not sound, `Conflict`
    for a scope that exists already or an id that the graph holds elsewhere. While it runs the scopes are empty to every
    reader and closed to writers; a failure leaves nothing. What a kill leaves stays so until the next restore of that
    scope, which removes it and starts over.
    """
    verify(path)
    with opened(Path(path)) as (archive, manifest):
        for part in manifest.parts:
            await _require_absent(graph, part.scope)
        claims: list[Claim] = []
        try:
            for part in manifest.parts:
                claims.append(await take(graph, _first_op(archive, part), secrets.token_hex(16)))
                await _write_rows(graph, archive, part, report)
            await _reveal(graph, archive, manifest.parts, claims)
        except BaseException as error:
            # A commit whose answer was lost may have been made.
            if not (isinstance(error, LOST_CONNECTION) and await _landed(graph, manifest.parts)):
                await _clean_up(claims, error)
                if isinstance(error, FAILURES):
                    raise _told(error, graph) from error
                raise
    report(f"restored {manifest.rows:,} rows")
    return Restored(manifest, tuple(part.scope for part in manifest.parts), manifest.rows)


def _told(error: Exception, graph: Graph) -> HydraMindError:
    if isinstance(error, CLASH):
        return Conflict(
            f"nothing was restored: the graph refused a row, as it does for an id that another scope holds ({error})"
        )
    return translated(error, graph.address.uri)


async def _require_absent(graph: Graph, scope: str) -> None:
    named = any(node.name == scope for node in await graph.read(entities.SCOPES))
    if named or await newest_revision(graph, scope):
        raise Conflict(f"scope {scope!r} exists already: a restore adds to no scope")


def _first_op(archive: zipfile.ZipFile, part: Part) -> Op:
    return cast(Op, next(records(archive, part, BY_NAME["ops"])))


async def _write_rows(graph: Graph, archive: zipfile.ZipFile, part: Part, report: Report) -> None:
    for kind in (kind for kind in part.kinds() if kind.name != "scope"):
        rows, total = 0, part.body(kind.name).rows
        for number, batch in enumerate(_split(_hidden(archive, part, kind), _BATCH), 1):
            await create(graph, kind, batch)
            rows += len(batch)
            if number % _TOLD_EVERY == 0:
                report(f"{part.scope}: {rows:,} of {total:,} {kind.name}")
        report(f"{part.scope}: {total:,} {kind.name}")


def _hidden(archive: zipfile.ZipFile, part: Part, kind: Kind) -> Iterator[Record]:
    """The rows that nobody sees as long as the first ops are missing."""
    return islice(records(archive, part, kind), _HEAD if kind.name == "ops" else 0, None)


async def _reveal(graph: Graph, archive: zipfile.ZipFile, parts: Sequence[Part], claims: Iterable[Claim]) -> None:
    """Write the first ops and the Scope nodes: in one transaction where the engine has them, else the first op last."""
    for part in parts:
        await _require_whole(graph, part)
    pairs = list(zip(parts, claims, strict=True))
    async with graph.session() as session:
        if not graph.engine.can(Capability.TRANSACTIONS):
            for part, claim in pairs:
                await _show(session, graph, archive, part, claim)
            return
        async with await session.begin_transaction() as transaction:
            for part, claim in pairs:
                await _show(transaction, graph, archive, part, claim)
            await transaction.commit()


async def _require_whole(graph: Graph, part: Part) -> None:
    """The scope holds as many nodes as the archive, which alone may write to it."""
    for kind, query in (("memories", archive_queries.MEMORY_IDS), ("entities", archive_queries.ENTITY_IDS)):
        found, expected = 0, part.body(kind).rows
        async for batch in graph.stream(query, _BATCH, scope=part.scope):
            found += len(batch)
        if found != expected:
            raise Conflict(f"nothing was restored: scope {part.scope!r} holds {found} {kind}, expected {expected}")


async def _show(runner: Runner, graph: Graph, archive: zipfile.ZipFile, part: Part, claim: Claim) -> None:
    node = next(records(archive, part, BY_NAME["scope"]))
    await run(runner, graph.engine, entities.UPSERT_SCOPES, {"rows": [row_of(node)]})
    head = [row_of(op) for op in islice(records(archive, part, BY_NAME["ops"]), 1, _HEAD)]
    if head:
        await run(runner, graph.engine, ops.CREATE, {"rows": head})
    await claim.reveal(runner)


async def _landed(graph: Graph, parts: Sequence[Part]) -> bool:
    for part in parts:
        if await newest_revision(graph, part.scope) != part.revision:
            return False
    return True


async def _clean_up(claims: Sequence[Claim], error: BaseException) -> None:
    try:
        for claim in claims:
            await claim.give_up()
    except Exception as second:  # noqa: BLE001 - the first failure is the one to tell; the next restore cleans up
        error.add_note(f"rows that wait out of sight could not be removed: {second}")


def _split(items: Iterator[Item], size: int) -> Iterator[list[Item]]:
    while batch := list(islice(items, size)):
        yield batch
