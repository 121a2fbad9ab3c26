"""What rests on a memory: each dependent once, at its smallest hop."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hydramind.mind.lineage import Dependent, dependents
from hydramind.records import DerivedFrom


def edge(source: int, target: int) -> DerivedFrom:
    """`source` was derived from `target`."""
    return DerivedFrom(source * 1_000 + target, source, target)


def layered(cause: int, edges: list[DerivedFrom], hops: int = 2) -> list[list[DerivedFrom]]:
    """The edges as they are read hop by hop."""
    layers, frontier = [], {cause}
    for _ in range(hops):
        layer = [each for each in edges if each.target in frontier]
        layers.append(layer)
        frontier = {each.source for each in layer}
    return layers


def test_a_chain_ends_at_two_hops() -> None:
    """HYD-19: the third memory of a chain is not reached when two layers are read."""
    chain = [edge(2, 1), edge(3, 2), edge(4, 3)]
    assert dependents(1, layered(1, chain)) == [Dependent(2, 1, chain[0]), Dependent(3, 2, chain[1])]


def test_a_diamond_is_reached_once_by_the_smallest_way() -> None:
    """L05: by two ways of one length the edge with the smaller end counts; by two lengths the shorter."""
    edges = [edge(2, 1), edge(3, 1), edge(4, 3), edge(4, 2), edge(5, 2), edge(5, 1)]
    assert dependents(1, layered(1, edges)) == [
        Dependent(2, 1, edge(2, 1)),
        Dependent(3, 1, edge(3, 1)),
        Dependent(5, 1, edge(5, 1)),
        Dependent(4, 2, edge(4, 2)),
    ]


def test_circles_and_self_loops_are_cut() -> None:
    """The cause never depends on itself, and nobody is reached twice."""
    edges = [edge(1, 1), edge(2, 1), edge(1, 2), edge(2, 2)]
    assert [each.memory_id for each in dependents(1, layered(1, edges, 5))] == [2]


def test_the_excluded_are_left_out_with_what_only_they_lead_to() -> None:
    """A memory that contradicts its own premise is no dependent of it, and its own dependents are not reached by it."""
    edges = [edge(2, 1), edge(3, 2), edge(4, 1)]
    assert [each.memory_id for each in dependents(1, layered(1, edges), excluded={2})] == [4]


def test_edges_that_end_elsewhere_are_ignored() -> None:
    """A layer may hold more than the frontier asked for."""
    assert dependents(1, [[edge(2, 9)], [edge(3, 2)]]) == []


@given(st.lists(st.tuples(st.integers(1, 8), st.integers(1, 8)), max_size=20))
def test_hops_are_the_shortest_distances(pairs: list[tuple[int, int]]) -> None:
    """Against a breadth-first walk of its own, on any graph."""
    edges = [edge(source, target) for source, target in dict.fromkeys(pairs)]
    distance, frontier = {1: 0}, [1]
    for hop in (1, 2):
        frontier = [each.source for each in edges if each.target in frontier and each.source not in distance]
        distance.update(dict.fromkeys(frontier, hop))
    del distance[1]
    found = dependents(1, layered(1, edges))
    assert {each.memory_id: each.hop for each in found} == distance
    assert len(found) == len(distance)
    assert found == sorted(found, key=lambda each: (each.hop, each.memory_id))
