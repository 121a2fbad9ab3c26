"""The evidence gate: four fifths of the keywords."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.mind import gate


@pytest.mark.parametrize(
    ("keywords", "needed"), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 4), (6, 5), (9, 8), (10, 8), (25, 20)]
)
def test_how_many_keywords_are_evidence(keywords: int, needed: int) -> None:
    """HYD-27: the smallest count whose share is 0.80 or more passes, one fewer does not."""
    assert gate.covered(np.arange(keywords + 1) / keywords).tolist() == [held >= needed for held in range(keywords + 1)]


@given(st.integers(1, 100_000), st.integers(0, 100_000))
def test_rounding_never_decides(keywords: int, held: int) -> None:
    """In whole numbers: 10 x held >= 8 x keywords."""
    assert bool(gate.covered(held / keywords)) == (held * 10 >= keywords * 8)


def test_no_keywords_are_covered_by_nothing() -> None:
    """A question without keywords has no evidence."""
    assert not gate.covered(0.0)
