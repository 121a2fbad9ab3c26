"""Checks a scope against its own log and ledger, and says by name what does not hold."""

from __future__ import annotations

from typing import Final

from hydramind.errors import Busy
from hydramind.graph.connection import Graph
from hydramind.index.scope_index import ScopeIndex
from hydramind.models import Finding, Verification
from hydramind.store.sync import load, newest_revision
from hydramind.verify import ledger, links, log, projection, rows
from hydramind.verify.contents import Contents, read

__all__ = ["verify"]

_ATTEMPTS: Final = 5


async def verify(graph: Graph, scope: str, held: ScopeIndex | None = None) -> Verification:
    """Read the whole scope from the graph and check it; `held` is a projection to compare with a fresh one.

    Cost: linear in the scope, with a scan of all ops. Raises `Busy` when others keep writing while it reads.
    """
    for _ in range(_ATTEMPTS):
        before = await newest_revision(graph, scope)
        contents = await read(graph, scope)
        fresh = await load(graph, scope)
        if await newest_revision(graph, scope) == before == fresh.revision:
            return _checked(contents, fresh, held)
    raise Busy(f"scope {scope!r} was written to while it was read, {_ATTEMPTS} times: retry when it is quiet")


def _checked(contents: Contents, fresh: ScopeIndex, held: ScopeIndex | None) -> Verification:
    found: list[Finding] = []
    for check in (log.check, rows.check, links.check, ledger.check):
        found.extend(check(contents))
    found.extend(projection.check(contents, fresh, held))
    return Verification(
        scope=contents.scope,
        revision=len(contents.commits),
        memories=len(contents.memories),
        entities=len(contents.entities),
        ledger_entries=len(contents.ledger),
        sound=not found,
        findings=tuple(sorted(found, key=lambda finding: (finding.name, finding.detail))),
    )
