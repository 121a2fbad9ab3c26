"""Salience: the formula, part by part, and its bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.mind.salience import EFFECT, Parts, Usage, multiplier, salience

DAY = 86_400_000
NOW = 1_000 * DAY


def usage(*rows: tuple[float, float, int, int]) -> Usage:
    """Memories as days since told, days since used, uses and degree."""
    told, used, uses, degrees = np.array(rows, np.float64).reshape(-1, 4).T
    return Usage(
        (NOW - told * DAY).astype(np.int64), (NOW - used * DAY).astype(np.int64), uses.astype(int), degrees.astype(int)
    )


def only(part: str) -> Parts:
    """All weight on one part."""
    return Parts(**{name: float(name == part) for name in ("recency", "frequency", "centrality")})


def valued(rows: Sequence[tuple[float, float, int, int]], parts: Parts) -> list[float]:
    """Saliences of such memories."""
    return salience(usage(*rows), NOW, parts).tolist()


def test_recency_halves_in_thirty_days() -> None:
    """Now and later count 1."""
    rows = [(0, 0, 0, 0), (30, 0, 0, 0), (90, 0, 0, 0), (-5, 0, 0, 0)]
    assert valued(rows, only("recency")) == pytest.approx([1, 0.5, 0.125, 1])


def test_frequency_grows_to_twenty_uses_and_fades_by_half() -> None:
    """min(1, ln(1 + n) / ln 21) x (0.5 + 0.5 x 2^(-age / 14 d))."""
    rows = [(0, 0, 0, 0), (0, 0, 20, 0), (0, 0, 500, 0), (0, 14, 20, 0), (0, 0, 3, 0), (0, 900, 20, 0)]
    expected = [0, 1, 1, 0.75, math.log(4) / math.log(21), 0.5]
    assert valued(rows, only("frequency")) == pytest.approx(expected)


def test_centrality_is_relative_to_the_most_connected() -> None:
    """And 0 where nothing is connected."""
    assert valued([(0, 0, 0, 8), (0, 0, 0, 2), (0, 0, 0, 0)], only("centrality")) == [1, 0.25, 0]
    assert valued([(0, 0, 0, 0)], only("centrality")) == [0]


def test_parts_are_weighed_by_their_share() -> None:
    """0.45, 0.35 and 0.20 by default; only the proportions count."""
    rows = [(30, 14, 20, 1), (0, 0, 0, 4)]
    expected = [0.45 * 0.5 + 0.35 * 0.75 + 0.20 * 0.25, 0.45 + 0.20]
    assert salience(usage(*rows), NOW).tolist() == pytest.approx(expected)
    assert valued(rows, Parts(4.5, 3.5, 2.0)) == pytest.approx(expected)


def test_the_effect_takes_away_up_to_its_share() -> None:
    """A tenth by default; none at all turns it off."""
    saliences = np.array([0.0, 0.5, 1.0])
    assert multiplier(saliences).tolist() == pytest.approx([0.9, 0.95, 1.0])
    assert multiplier(saliences, 0.0).tolist() == [1.0, 1.0, 1.0]
    assert EFFECT == 0.10


@pytest.mark.parametrize("effect", [-0.1, 1.1, math.nan])
def test_an_effect_is_a_share(effect: float) -> None:
    """Other numbers are refused."""
    with pytest.raises(ValueError, match="give a number from 0 to 1"):
        multiplier(np.zeros(1), effect)


@pytest.mark.parametrize("parts", [(0, 0, 0), (-1, 1, 1), (math.nan, 1, 1), (math.inf, 1, 1)])
def test_weights_must_weigh(parts: tuple[float, float, float]) -> None:
    """Nothing negative, not finite or all zero."""
    with pytest.raises(ValueError, match="give finite numbers"):
        Parts(*parts)


ROWS = st.tuples(st.floats(-10, 1e4), st.floats(-10, 1e4), st.integers(0, 10**9), st.integers(0, 10**9))


@given(st.lists(ROWS, max_size=6), st.floats(0, 1))
def test_salience_and_its_effect_stay_in_bounds(rows: list[tuple[float, float, int, int]], effect: float) -> None:
    """0..1 for any history, and a multiplier that never lifts."""
    saliences = salience(usage(*rows), NOW)
    assert saliences.shape == (len(rows),)
    assert ((saliences >= 0) & (saliences <= 1 + 1e-12)).all()
    factors = multiplier(saliences, effect)
    assert ((factors >= 1 - effect - 1e-12) & (factors <= 1 + 1e-12)).all()


@given(ROWS, st.integers(0, 100))
def test_more_use_never_counts_less(row: tuple[float, float, int, int], more: int) -> None:
    """All else equal."""
    told, used, uses, degree = row
    less, much = salience(usage(row, (told, used, uses + more, degree)), NOW).tolist()
    assert much >= less
