"""The projection in memory: equal, row for row and in its rankings, to one loaded afresh and to the graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Final, TypeVar

from hydramind.index.ranking import rank_keywords
from hydramind.index.scope_index import ScopeIndex
from hydramind.mind import text
from hydramind.models import Finding
from hydramind.records import Entity, Memory
from hydramind.verify.contents import Contents

PROBES: Final = 50
"""Memories whose own words are searched for in both projections."""
_LIMIT: Final = 10

Row = TypeVar("Row", Memory, Entity)


def check(contents: Contents, fresh: ScopeIndex, held: ScopeIndex | None) -> Iterator[Finding]:
    """Findings about `fresh` against the graph, and about `held` against `fresh`."""
    damaged = {row.id for row in contents.incomplete}
    memories = (row for row in fresh.memories() if row.id not in damaged)
    yield from _rows("a fresh projection", contents.memories, memories)
    yield from _rows("a fresh projection", contents.entities, fresh.entities())
    if held is None:
        return
    if held.revision != fresh.revision:
        yield Finding(
            name="projection_late", detail=f"the projection is at revision {held.revision}, the log at {fresh.revision}"
        )
    yield from _rows("the projection", fresh.memories(), held.memories())
    yield from _rows("the projection", fresh.entities(), held.entities())
    yield from _rankings(fresh, held)


def _rows(holder: str, expected: Iterable[Row], got: Iterable[Row]) -> Iterator[Finding]:
    wanted, held = {row.id: row for row in expected}, {row.id: row for row in got}
    for id_ in sorted(wanted.keys() | held.keys()):
        here, there = held.get(id_), wanted.get(id_)
        if here != there:
            yield Finding(name="projection_differs", detail=f"{holder}, row {id_}: {_difference(here, there)}")


def _difference(here: Memory | Entity | None, there: Memory | Entity | None) -> str:
    if here is None or there is None:
        return "is missing" if here is None else "should not be there"
    names = (field.name for field in fields(here))
    differing = [name for name in names if getattr(here, name) != getattr(there, name)]
    return f"differs in {', '.join(differing)}"


def _rankings(fresh: ScopeIndex, held: ScopeIndex) -> Iterator[Finding]:
    memories = sorted(fresh.memories(), key=lambda memory: memory.id)
    for memory in memories[:: max(1, len(memories) // PROBES)]:
        words = text.keywords(memory.content)
        expected, got = rank_keywords(fresh, words, _LIMIT), rank_keywords(held, words, _LIMIT)
        if expected != got:
            yield Finding(
                name="ranking_differs", detail=f"the words of memory {memory.id} find {got}, expected {expected}"
            )
