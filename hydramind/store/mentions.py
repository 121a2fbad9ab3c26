"""What the memories of an open scope mention: built when the graph channel is first asked for, kept up from then on."""

from __future__ import annotations

import asyncio
from itertools import islice
from typing import Final
from weakref import WeakKeyDictionary

from hydramind.index.entity_graph import EntityGraph
from hydramind.index.scope_index import ScopeIndex
from hydramind.mind import extract
from hydramind.records import Memory, MemoryKind

_SLICE: Final = 200
"""Memories read before other work gets its turn."""


class ScopeMentions:
    """Entity graphs by projection; each goes when its projection does."""

    def __init__(self) -> None:
        self._graphs: WeakKeyDictionary[ScopeIndex, EntityGraph] = WeakKeyDictionary()

    async def of(self, index: ScopeIndex) -> EntityGraph:
        """The graph of a projection with every row that it holds at the moment of return. The first call reads them all,
        some 10,000 a second; others wait for nothing."""
        graph = self._graphs.setdefault(index, EntityGraph())
        while len(graph) < len(index):
            for memory in islice(index.memories_from(len(graph)), _SLICE):
                graph.add(len(graph), _mentions(index, memory))
            await asyncio.sleep(0)
        return graph


def _mentions(index: ScopeIndex, memory: Memory) -> tuple[extract.Mention, ...]:
    """The entities that the caller named, else what the words of the memory mention; the speaker of a turn always."""
    speaker = memory.source if memory.kind == MemoryKind.TURN else ""
    named = [entity.name for id_ in memory.entities if (entity := index.entity(id_)) is not None]
    if not named:
        return extract.mentions(memory.content, speaker)
    told = (extract.Mention(name, extract.normal_key(name), extract.NAME) for name in named)
    return (*told, *extract.mentions("", speaker))
