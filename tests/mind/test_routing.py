"""Query routing: the cue that decides, and the weights it brings."""

from __future__ import annotations

from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.mind.routing import WEIGHTS, Kind, Route, Weights, route


@pytest.mark.parametrize(
    ("query", "kind", "why"),
    [
        ("When was the cache enabled?", Kind.TEMPORAL, "when"),
        ("What date did the deploy happen", Kind.TEMPORAL, "what date"),
        ("how long ago was the outage", Kind.TEMPORAL, "how long ago"),
        ("the LAST time it failed", Kind.TEMPORAL, "last time"),
        ("which service was started first", Kind.TEMPORAL, "which service was started first"),
        ("What do the two outages have in common?", Kind.MULTIHOP, "in common"),
        ("relationship  between gateway and cache", Kind.MULTIHOP, "relationship between"),
        ("what led to the rollback", Kind.MULTIHOP, "led to"),
        ("services that the gateway depends on", Kind.MULTIHOP, "depends on"),
        ("Who owns billing?", Kind.ENTITY, "who"),
        ("Who\u2019s on call?", Kind.ENTITY, "who's"),
        ("tell me about billing", Kind.ENTITY, "tell me about"),
        ("is the cache warm", Kind.DEFAULT, ""),
        ("do you know when it failed", Kind.TEMPORAL, "know when"),
        ("the cache: when was it cold", Kind.TEMPORAL, "when"),
        ("is it warm when idle", Kind.DEFAULT, ""),
        ("whenever possible", Kind.DEFAULT, ""),
        ("", Kind.DEFAULT, ""),
    ],
)
def test_words_decide_the_route(query: str, kind: Kind, why: str) -> None:
    """A route names the cue it was found by, in lower case with single spaces."""
    assert route(query, has_time=False, entities=0) == Route(kind, WEIGHTS[kind], why)


@pytest.mark.parametrize(
    ("has_time", "entities", "kind", "why"),
    [
        (True, 5, Kind.TEMPORAL, "time expression"),
        (False, 3, Kind.MULTIHOP, "3 entities"),
        (False, 2, Kind.ENTITY, "2 entities"),
        (False, 1, Kind.ENTITY, "1 entity"),
        (False, 0, Kind.DEFAULT, ""),
    ],
)
def test_what_was_found_decides_the_route(has_time: bool, entities: int, kind: Kind, why: str) -> None:
    """A time goes before many entities, these before a single one."""
    assert route("cache warm", has_time, entities) == Route(kind, WEIGHTS[kind], why)


def test_weights_are_the_stated_table() -> None:
    """HYB routing: vector, graph, sparse, time of each kind."""
    assert {
        Kind.TEMPORAL: Weights(0.30, 0.35, 0.15, 0.20),
        Kind.MULTIHOP: Weights(0.20, 0.70, 0.10, 0.0),
        Kind.ENTITY: Weights(0.35, 0.25, 0.40, 0.0),
        Kind.DEFAULT: Weights(0.50, 0.15, 0.35, 0.0),
    } == WEIGHTS
    assert [round(sum(astuple(weights)), 9) for weights in WEIGHTS.values()] == [1.0] * 4


@given(st.text(), st.booleans(), st.integers(min_value=0, max_value=50))
def test_every_query_has_one_route(query: str, has_time: bool, entities: int) -> None:
    """Any text is routed; a default is the only route without a cue."""
    found = route(query, has_time, entities)
    assert found.weights == WEIGHTS[found.kind]
    assert (found.why == "") == (found.kind == Kind.DEFAULT)


@pytest.mark.parametrize("unit", ["who ", "what a ", "both ", "w" * 30 + " ", " ", "who " + "x" * 31 + " "])
def test_long_queries_take_linear_time(unit: str) -> None:
    """100 kB of a cue's beginnings is read without backtracking into the square of its length."""
    assert route(unit * (100_000 // len(unit)), has_time=True, entities=0).why == "time expression"
    assert route(unit * (100_000 // len(unit)), has_time=False, entities=0).kind in Kind
