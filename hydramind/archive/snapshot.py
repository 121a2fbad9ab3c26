"""Writes scopes, each at one revision, into one zip; the same content gives the same bytes on every engine."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hydramind import __version__
from hydramind.archive.checking import verify
from hydramind.archive.container import entry, excessive, write_body
from hydramind.archive.kinds import KINDS, Record
from hydramind.archive.manifest import NAME, Manifest, Part, file_of
from hydramind.archive.runs import Sorter
from hydramind.errors import Busy, NotFound, Refused, Unavailable
from hydramind.graph.connection import Graph
from hydramind.queries import archive as archive_queries
from hydramind.queries import audit, entities, memories
from hydramind.queries.query import Query
from hydramind.records import Op, ScopeNode
from hydramind.store.sync import newest_revision, ops_after

Report = Callable[[str], None]

_ATTEMPTS: Final = 8
_BATCH: Final = 2_000
_BODIES: Final[Mapping[str, Query[Any]]] = {
    "entities": entities.OF_SCOPE,
    "memories": memories.OF_SCOPE,
    "about": archive_queries.ABOUT,
    "derived_from": archive_queries.DERIVED_FROM,
    "contradicts": archive_queries.CONTRADICTS,
    "superseded_by": archive_queries.SUPERSEDED_BY,
    "trust_decay": archive_queries.TRUST_DECAY,
    "trust_restore": archive_queries.TRUST_RESTORE,
    "relates": archive_queries.RELATES,
    "ops": audit.OPS,
}
"""What fills each body; the ops of idempotency keys come with the others."""


@dataclass(frozen=True, slots=True)
class _Scope:
    """One scope read whole at `revision`."""

    node: ScopeNode
    revision: int
    bodies: Mapping[str, Sorter]


def silent(line: str) -> None:
    """No progress."""
    del line


async def snapshot(graph: Graph, scopes: Sequence[str], path: Path | str, report: Report = silent) -> Manifest:
    """Write the scopes (none named: all) to `path`; returns its manifest.

    Nothing stands at `path` before the archive is complete and has passed `verify`. Each scope is read between two
    looks at its newest revision and again when others wrote meanwhile; `Busy` when they never pause. Raises `NotFound`
    for a scope that holds nothing, `Refused` when the file exists, `Unavailable` when it cannot be written, `Damaged` when
    the graph holds unsound rows.
    """
    target = _free(Path(path))
    try:
        return await _taken(graph, scopes, target, report)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Unavailable(
            f"{str(target)!r} cannot be written: {reason}; nothing was kept, make room or name another folder"
        ) from error


async def _taken(graph: Graph, scopes: Sequence[str], target: Path, report: Report) -> Manifest:
    nodes = {node.name: node for node in await graph.read(entities.SCOPES)}
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    with ExitStack() as closing:
        read: list[_Scope] = []
        for name in sorted(set(scopes) or nodes):
            if name not in nodes:
                raise NotFound(f"no scope {name!r}")
            read.append(await _read(graph, nodes[name], closing, report))
        try:
            _write(unfinished, read, report)
            manifest = verify(unfinished)
            # A hard link fails when somebody made the file meanwhile; a rename would replace theirs.
            _publish(unfinished, target)
        finally:
            unfinished.unlink(missing_ok=True)
    return manifest


def _free(target: Path) -> Path:
    if target.exists():
        raise Refused(f"{str(target)!r} exists: name another file, a snapshot replaces none")
    if not target.parent.is_dir():
        raise NotFound(f"no folder {str(target.parent)!r}")
    return target


async def _read(graph: Graph, node: ScopeNode, closing: ExitStack, report: Report) -> _Scope:
    for _ in range(_ATTEMPTS):
        before = await newest_revision(graph, node.name)
        if not before:
            raise NotFound(f"scope {node.name!r} holds nothing")
        # Only the newest op can be unfinished; this finishes it.
        await ops_after(graph, node.name, before - 1)
        with ExitStack() as attempt:
            bodies = await _bodies(graph, node, attempt, report)
            if await newest_revision(graph, node.name) == before:
                closing.push(attempt.pop_all())
                return _Scope(node, before, bodies)
        report(f"{node.name}: written to meanwhile, reading it again")
    raise Busy(f"scope {node.name!r} was written to while it was read, {_ATTEMPTS} times: retry when it is quieter")


async def _bodies(graph: Graph, node: ScopeNode, closing: ExitStack, report: Report) -> dict[str, Sorter]:
    bodies = {kind.name: Sorter(kind) for kind in KINDS}
    for sorter in bodies.values():
        closing.callback(sorter.close)
    bodies["scope"].add(node)
    for name, query in _BODIES.items():
        rows = 0
        async for batch in graph.stream(query, _BATCH, scope=node.name):
            _sort(bodies, name, batch)
            rows += len(batch)
        report(f"{node.name}: read {rows:,} {name}")
    return bodies


def _sort(bodies: Mapping[str, Sorter], name: str, batch: Iterable[Record]) -> None:
    for record in batch:
        keyed = isinstance(record, Op) and record.key.startswith(f"{record.scope}!")
        bodies["keyed" if keyed else name].add(record)


def _write(path: Path, read: Sequence[_Scope], report: Report) -> None:
    """Write the zip; what compresses beyond belief is stored as it is, so that it is believed when read."""
    stored: set[str] = set()
    while True:
        found = _written(path, read, stored, report)
        if found <= stored:
            return
        stored |= found


def _written(path: Path, read: Sequence[_Scope], stored: set[str], report: Report) -> set[str]:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        parts: list[Part] = []
        for position, scope in enumerate(read):
            bodies = tuple(
                write_body(archive, file, name, sorter.lines(), stored=file in stored)
                for name, sorter in scope.bodies.items()
                for file in (file_of(position, name),)
            )
            report(f"{scope.node.name}: wrote {sum(body.rows for body in bodies):,} rows")
            identity = str(getattr(scope.node, "embedder", ""))
            parts.append(Part(scope=scope.node.name, revision=scope.revision, embedder=identity, bodies=bodies))
        manifest = Manifest(made_by=f"hydramind {__version__}", parts=tuple(parts))
        archive.writestr(entry(NAME), manifest.text())
        return {info.filename for info in archive.infolist() if excessive(info.file_size, info.compress_size)}


def _publish(unfinished: Path, target: Path) -> None:
    with unfinished.open("rb") as written:
        os.fsync(written.fileno())
    try:
        os.link(unfinished, target)
    except FileExistsError:
        raise Refused(f"{str(target)!r} was made meanwhile: name another file") from None
