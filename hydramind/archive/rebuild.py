"""Drops a scope's projection and builds it again from the graph, and proves that both rank alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hydramind.errors import Busy, Damaged
from hydramind.graph.connection import Graph
from hydramind.index.ranking import rank_keywords
from hydramind.index.scope_index import ScopeIndex
from hydramind.mind import text
from hydramind.store.sync import catch_up, load

_PROBES: Final = 200
"""Memories whose own words are searched for in both projections."""
_LIMIT: Final = 20
_ATTEMPTS: Final = 5


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A projection built again at `revision`; `rankings` queries gave the same hits, scores and order before and after."""

    scope: str
    revision: int
    memories: int
    entities: int
    rankings: int


async def rebuild(graph: Graph, scope: str, held: ScopeIndex | None = None) -> Rebuilt:
    """Build the projection of a scope again and compare it with `held`, by default one that is loaded first.

    Raises `Damaged` naming the first row or ranking that differs, `Busy` when others keep writing.
    """
    before = held if held is not None else await load(graph, scope)
    for _ in range(_ATTEMPTS):
        await catch_up(graph, before)
        after = await load(graph, scope)
        await catch_up(graph, after)
        await catch_up(graph, before)
        if before.revision == after.revision:
            return _compared(before, after)
    raise Busy(f"scope {scope!r} was written to while it was rebuilt, {_ATTEMPTS} times: retry when it is quieter")


def _compared(before: ScopeIndex, after: ScopeIndex) -> Rebuilt:
    memories = sorted(after.memories(), key=lambda memory: memory.id)
    for row in memories:
        if before.memory(row.id) != row:
            raise Damaged(f"memory {row.id} of scope {after.scope!r} differs in the projection built again")
    entities = list(after.entities())
    if len(before) != len(after) or {row.id: row for row in before.entities()} != {row.id: row for row in entities}:
        raise Damaged(f"scope {after.scope!r}: the projection built again holds other rows than the one before")
    probes = memories[:: max(1, len(memories) // _PROBES)]
    for row in probes:
        words = text.keywords(row.content)
        if rank_keywords(before, words, _LIMIT) != rank_keywords(after, words, _LIMIT):
            raise Damaged(f"the words of memory {row.id} of scope {after.scope!r} rank differently after a rebuild")
    return Rebuilt(after.scope, after.revision, len(memories), len(entities), len(probes))
