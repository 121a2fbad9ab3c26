"""A load reads by pages: every row, whatever the size of a page, and on an engine that reads one row a statement too."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from hydramind.graph.connection import Graph
from hydramind.graph.engines import Engine
from hydramind.queries import pages
from hydramind.queries.query import Capability
from hydramind.records import Memory
from hydramind.service import HydraMind
from hydramind.store import sync
from tests.scoped import Scoped


async def told(mind: HydraMind, scope: str) -> None:
    """Some facts about some entities."""
    scoped = Scoped(mind, scope)
    for number in range(5):
        await scoped.keep(f"Amber {number} is a stone.", entity_refs=[f"amber {number}"])


@pytest.mark.engine
@pytest.mark.parametrize("size", [1, 2, 5, 1_000])
async def test_a_load_holds_every_row_whatever_the_page(
    each_mind: HydraMind, each_graph: Graph, scope: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same rows as a load that streams them, in any order."""
    await told(each_mind, scope)
    monkeypatch.setattr(sync, "_PAGE", size)
    paged = await sync.load(each_graph, scope)
    alone = Engine("alone", "", each_graph.engine.capabilities - {Capability.BATCH_READS})
    monkeypatch.setattr(each_graph, "engine", alone)
    streamed = await sync.load(each_graph, scope)
    assert len(paged) == 5
    assert {row.id: row for row in paged.memories()} == {row.id: row for row in streamed.memories()}
    assert {row.id: row for row in paged.entities()} == {row.id: row for row in streamed.entities()}


def test_a_page_maps_values_in_the_order_of_the_fields() -> None:
    """And a property that an earlier version did not write reads as its default."""
    memory = Memory(1, "s", "amber", "k", 1, 2, 3, session="talk", slot="stone")
    values = [getattr(memory, field.name) for field in fields(Memory)]
    absent = [None if field.name in ("session", "slot") else getattr(memory, field.name) for field in fields(Memory)]
    assert pages.MEMORY_ROWS.row({"rows": [values, absent]}) == [memory, replace(memory, session="", slot="")]
