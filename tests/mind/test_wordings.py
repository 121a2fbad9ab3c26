"""Several wordings of one question: one ranking, which says who found what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.mind.wordings import OTHER_WORDING, Joined, Wording, join

FOUND = [[(7, 1.0), (3, 0.5)], [(3, 1.0), (9, 0.9)]]


def test_ranks_add_up_over_the_wordings() -> None:
    """BDH-14: 1 / (60 + rank) from each; the best one is 1, and equal ones go by id."""
    first, second, third = 1 / 62 + 1 / 61, 1 / 61, 1 / 62
    assert join(FOUND, Wording.RRF) == [
        Joined(3, 1.0, (0, 1)),
        Joined(7, second / first, (0,)),
        Joined(9, third / first, (1,)),
    ]


def test_the_best_relevance_counts_a_little_less_in_another_wording() -> None:
    """BDH-14: weighted maximum."""
    assert join(FOUND, Wording.WEIGHTED) == [
        Joined(7, 1.0, (0,)),
        Joined(3, OTHER_WORDING, (0, 1)),
        Joined(9, OTHER_WORDING * 0.9, (1,)),
    ]


@pytest.mark.parametrize("method", list(Wording))
def test_nothing_found_is_an_empty_list(method: Wording) -> None:
    """By no wording, or by none of several."""
    assert join([], method) == join([[]], method) == join([[], []], method) == []


@given(st.lists(st.dictionaries(st.integers(0, 30), st.floats(0.01, 1.0), max_size=8), min_size=1, max_size=4))
def test_one_ranking_of_everything_found(found: list[dict[int, float]]) -> None:
    """Each id once, descending from 1, with every wording that found it; a single wording keeps its order."""
    told = [sorted(rows.items(), key=lambda each: (-each[1], each[0])) for rows in found]
    for method in Wording:
        joined = join(told, method)
        assert {each.id: each.wordings for each in joined} == {
            id_: tuple(number for number, rows in enumerate(found) if id_ in rows) for rows in found for id_ in rows
        }
        shares = [each.relevance for each in joined]
        assert shares == sorted(shares, reverse=True)
        assert not shares or shares[0] == 1.0
        if len(found) == 1:
            assert [each.id for each in joined] == [id_ for id_, _ in told[0]]
