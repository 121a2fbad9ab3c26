"""The evidence gate: four fifths of the keywords."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.mind import gate


@pytest.mark.parametrize(
    ("keywords", "needed"), [(0, 1), (1, 1), (2, 2), (3, 3), (4, 4), (5, 4), (6, 5), (9, 8), (10, 8), (25, 20)]
)
def test_how_many_keywords_are_evidence(keywords: int, needed: int) -> None:
    """HYD-27: the smallest count whose share is 0.80 or more; no keywords are covered by nothing."""
    assert gate.needed(keywords) == needed


@given(st.integers(1, 100_000))
def test_the_count_is_the_smallest_that_passes(keywords: int) -> None:
    """In whole numbers, free of rounding: 10 x needed >= 8 x keywords, and one fewer does not do."""
    needed = gate.needed(keywords)
    assert needed * 10 >= keywords * 8
    assert needed == 1 or (needed - 1) * 10 < keywords * 8
