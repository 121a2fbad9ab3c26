"""`hydramind snapshot|restore|verify|rebuild|reembed`: results on stdout, progress line by line on stderr."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final

from hydramind import archive
from hydramind.archive import Manifest
from hydramind.cli.console import Console
from hydramind.cli.failures import OTHER
from hydramind.cli.layout import plain, table
from hydramind.embed.opened import open_embedding
from hydramind.errors import Invalid, Misconfigured
from hydramind.models import OneScope, Verification
from hydramind.opening import open_graph
from hydramind.settings import Settings
from hydramind.verbs import reembed
from hydramind.verify import verify

_Run = Callable[[argparse.Namespace, Settings, Console], Awaitable[int]]


async def run_archive(args: argparse.Namespace, settings: Settings, console: Console) -> int:
    """Run the command that was chosen."""
    return await _RUNS[args.command](args, settings, console)


async def _snapshot(args: argparse.Namespace, settings: Settings, console: Console) -> int:
    scopes = [_named(scope) for scope in args.scopes or ()]
    async with open_graph(settings, console.progress) as graph:
        manifest = await archive.snapshot(graph, scopes, args.file, console.progress)
    _say_manifest(f"wrote {args.file}", manifest, args.json, console)
    return 0


async def _restore(args: argparse.Namespace, settings: Settings, console: Console) -> int:
    async with open_graph(settings, console.progress) as graph:
        restored = await archive.restore(graph, args.file, console.progress)
    _say_manifest(f"restored {args.file}", restored.manifest, args.json, console)
    return 0


async def _verify(args: argparse.Namespace, settings: Settings, console: Console) -> int:
    if args.file is None:
        return await _verify_scopes(args, settings, console)
    if args.scopes:
        raise Invalid("--scope", "goes without a FILE: a snapshot is checked whole")
    _say_manifest(f"sound: {args.file}", archive.verify(args.file), args.json, console)
    return 0


async def _verify_scopes(args: argparse.Namespace, settings: Settings, console: Console) -> int:
    async with open_graph(settings, console.progress) as graph:
        found = [await verify(graph, scope) for scope in _scopes(args)]
    if args.json:
        console.say(json.dumps([each.model_dump(mode="json") for each in found], ensure_ascii=False))
    else:
        console.say("\n".join(_verified(each) for each in found))
    return 0 if all(each.sound for each in found) else OTHER


async def _rebuild(args: argparse.Namespace, settings: Settings, console: Console) -> int:
    async with open_graph(settings, console.progress) as graph:
        found = [await archive.rebuild(graph, scope) for scope in _scopes(args)]
    if args.json:
        console.say(json.dumps([dataclasses.asdict(each) for each in found], ensure_ascii=False))
        return 0
    for each in found:
        console.say(
            f"rebuilt {plain(each.scope)} at revision {each.revision:,}: {each.memories:,} memories, "
            f"{each.entities:,} entities, {each.rankings:,} rankings identical"
        )
    return 0


async def _reembed(args: argparse.Namespace, settings: Settings, console: Console) -> int:
    async with open_embedding(settings) as embedder:
        if embedder is None:
            raise Misconfigured(
                "HYDRAMIND_EMBEDDER is none, or no embedder is installed here: there is nothing to embed with"
            )
        async with open_graph(settings, console.progress) as graph:
            found = [await reembed.run(graph, scope, embedder, _progress_of(scope, console)) for scope in _scopes(args)]
    if args.json:
        console.say(json.dumps([dataclasses.asdict(each) for each in found], ensure_ascii=False))
        return 0
    for each in found:
        console.say(
            f"{plain(each.scope)}: {each.vectors:,} memories have vectors, {each.made:,} made now, "
            f"{each.removed:,} of other embedders removed"
        )
    return 0


def _progress_of(scope: str, console: Console) -> Callable[[int, int], Awaitable[None]]:
    async def report(done: int, total: int) -> None:
        console.progress(f"embedding {plain(scope)}: {done:,} of {total:,}")

    return report


_RUNS: Final[Mapping[str, _Run]] = {
    "snapshot": _snapshot,
    "restore": _restore,
    "verify": _verify,
    "rebuild": _rebuild,
    "reembed": _reembed,
}


def _scopes(args: argparse.Namespace) -> list[str]:
    return [_named(scope) for scope in args.scopes or (Path.cwd().name,)]


def _named(scope: str) -> str:
    return OneScope.parse({"scope": scope}).scope


def _say_manifest(head: str, manifest: Manifest, as_json: bool, console: Console) -> None:
    if as_json:
        console.say(manifest.model_dump_json())
        return
    rows = [
        (plain(part.scope), f"{part.revision:,}", f"{part.body('memories').rows:,}", f"{part.body('entities').rows:,}")
        for part in manifest.parts
    ]
    lines = table(("SCOPE", "REVISION", "MEMORIES", "ENTITIES"), rows, console.screen)
    console.say("\n".join(filter(None, (f"{head}: {manifest.rows:,} rows, {manifest.made_by}", lines))))


def _verified(found: Verification) -> str:
    counts = f"revision {found.revision:,}, {found.memories:,} memories, {found.ledger_entries:,} ledger entries"
    head = f"{'sound' if found.sound else 'UNSOUND'}: {plain(found.scope)}, {counts}"
    return "\n".join((head, *(f"  {finding.name}: {plain(finding.detail)}" for finding in found.findings)))
