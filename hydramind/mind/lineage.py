"""What rests on a memory: dependents by hop, each once at its smallest hop, cycles cut."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from hydramind.records import DerivedFrom


@dataclass(frozen=True, slots=True)
class Dependent:
    """A memory that rests on the cause: `hop` 1 or more, `via` the DERIVED_FROM edge it was first reached by."""

    memory_id: int
    hop: int
    via: DerivedFrom


def dependents(cause: int, layers: Sequence[Sequence[DerivedFrom]], excluded: Collection[int] = ()) -> list[Dependent]:
    """Dependents of `cause`, ordered by hop, then id. `layers[h]` holds the edges that end in what hop `h` reached
    (`layers[0]` those that end in the cause); a memory of several paths counts once, at its smallest hop."""
    reached: dict[int, Dependent] = {}
    frontier = {cause}
    for hop, layer in enumerate(layers, start=1):
        fresh: dict[int, Dependent] = {}
        for edge in sorted(layer, key=lambda edge: (edge.source, edge.target)):
            new = edge.source not in reached and edge.source != cause and edge.source not in excluded
            if new and edge.target in frontier and edge.source not in fresh:
                fresh[edge.source] = Dependent(edge.source, hop, edge)
        reached.update(fresh)
        frontier = set(fresh)
    return sorted(reached.values(), key=lambda dependent: (dependent.hop, dependent.memory_id))
