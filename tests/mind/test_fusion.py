"""Fusion: the formulas of every method, ties, refusals and what holds for any rankings."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.mind.fusion import Fusion, Ranking, fuse, minmax, zscores

EVEN = {"a": 1.0, "b": 1.0, "c": 1.0}


def ranking(name: str, scores: Mapping[int, float]) -> Ranking:
    """A channel's ranking as it stands in `scores`."""
    return Ranking(name, np.array(list(scores), np.int64), np.array(list(scores.values()), np.float64))


def fused(rankings: list[Ranking], weights: Mapping[str, float], method: Fusion, rrf_k: int = 60) -> dict[int, float]:
    """Ids with their fused scores, best first."""
    ids, scores = fuse(rankings, weights, method, rrf_k)
    return dict(zip(ids.tolist(), scores.tolist(), strict=True))


def close(found: Mapping[int, float], expected: Mapping[int, float]) -> None:
    """The same ids in the same order, the scores but for rounding."""
    assert list(found) == list(expected)
    assert list(found.values()) == pytest.approx(list(expected.values()))


A = ranking("a", {1: 9.0, 2: 7.0, 3: 2.0})
B = ranking("b", {2: 0.8, 4: 0.4})


def test_rrf_adds_weighted_reciprocal_ranks() -> None:
    """weight / (k + rank), ranks from 1; the scores themselves do not count."""
    expected = {2: 1 / 62 + 2 / 61, 4: 2 / 62, 1: 1 / 61, 3: 1 / 63}
    close(fused([A, B], {"a": 1.0, "b": 2.0}, Fusion.RRF), expected)


def test_rrf_may_have_no_constant() -> None:
    """k = 0 is allowed: the first of a channel then counts 1."""
    close(fused([A, B], EVEN, Fusion.RRF, 0), {2: 1.5, 1: 1.0, 4: 0.5, 3: 1 / 3})


def test_dbsf_places_a_score_between_three_sample_deviations() -> None:
    """(s - (mean - 3 sd)) / (6 sd) with the sample deviation of the channel's own list; an absent one gets 0."""
    a, b = statistics.stdev([9.0, 7.0, 2.0]), statistics.stdev([0.8, 0.4])
    expected = {
        2: (7 - (6 - 3 * a)) / (6 * a) + (0.8 - (0.6 - 3 * b)) / (6 * b),
        1: (9 - (6 - 3 * a)) / (6 * a),
        4: (0.4 - (0.6 - 3 * b)) / (6 * b),
        3: (2 - (6 - 3 * a)) / (6 * a),
    }
    close(fused([A, B], EVEN, Fusion.DBSF), expected)


def test_dbsf_does_not_clip() -> None:
    """One far above many equal ones lies beyond mean + 3 deviations and counts more than 1."""
    many = ranking("a", {0: 100.0, **dict.fromkeys(range(1, 101), 0.0)})
    assert fused([many, ranking("b", {})], EVEN, Fusion.DBSF)[0] > 1


@pytest.mark.parametrize("scores", [{7: 3.0}, {7: 0.1, 8: 0.1, 9: 0.1}])
def test_dbsf_calls_a_single_or_constant_score_one_half(scores: dict[int, float]) -> None:
    """No spread, no place in it."""
    assert fused([ranking("a", scores), ranking("b", {})], EVEN, Fusion.DBSF) == dict.fromkeys(scores, 0.5)


def test_zscore_lets_the_absent_stand_at_the_minimum() -> None:
    """The population deviation is taken over the union, absent candidates included."""
    a, b = {1: 9.0, 2: 7.0, 3: 2.0, 4: 2.0}, {1: 0.4, 2: 0.8, 3: 0.4, 4: 0.4}
    sums = {
        each: (a[each] - 5) / statistics.pstdev(a.values()) + (b[each] - 0.5) / statistics.pstdev(b.values())
        for each in a
    }
    close(fused([A, B], EVEN, Fusion.ZSCORE), {each: sums[each] for each in (2, 1, 3, 4)})


def test_zscore_of_a_constant_channel_is_zero() -> None:
    """Nothing tells its candidates apart; those of the other channel decide."""
    constant = ranking("b", dict.fromkeys([1, 2, 3], 0.1))
    close(fused([A, constant], EVEN, Fusion.ZSCORE), fused([A, ranking("b", {})], EVEN, Fusion.ZSCORE))


def test_minmax_maps_each_channel_to_zero_and_one() -> None:
    """(s - min) / (max - min), weighted; an absent one gets 0."""
    expected = {2: 0.3 * 5 / 7 + 0.7, 1: 0.3, 3: 0.0, 4: 0.0}
    close(fused([A, B], {"a": 0.3, "b": 0.7}, Fusion.MINMAX), expected)


def test_minmax_of_equal_scores_is_zero() -> None:
    """A zero span is no division by zero."""
    assert fused([ranking("a", {5: 2.0, 6: 2.0}), ranking("b", {})], EVEN, Fusion.MINMAX) == {5: 0.0, 6: 0.0}
    assert minmax(np.empty(0)).tolist() == []


@pytest.mark.parametrize("method", list(Fusion))
def test_a_single_channel_passes_through(method: Fusion) -> None:
    """Its own order and its own scores; a channel of weight 0 beside it has no say."""
    assert fused([A], {"a": 0.2}, method) == {1: 9.0, 2: 7.0, 3: 2.0}
    assert fused([A, B], {"a": 0.2, "b": 0.0}, method) == {1: 9.0, 2: 7.0, 3: 2.0}


@pytest.mark.parametrize("method", list(Fusion))
def test_nothing_fuses_to_nothing(method: Fusion) -> None:
    """No channels and empty channels give no candidates."""
    assert fused([], {}, method) == {}
    assert fused([ranking("a", {}), ranking("b", {})], EVEN, method) == {}


def test_ties_go_to_the_earlier_in_the_corpus() -> None:
    """Without an order the smaller id is first; with one, the id whose place is smaller."""
    a, b = ranking("a", {2: 1.0, 1: 0.5}), ranking("b", {1: 1.0, 2: 0.5})
    places = np.array([0, 9, 3])
    assert fuse([a, b], EVEN, Fusion.RRF)[0].tolist() == [1, 2]
    assert fuse([a, b], EVEN, Fusion.RRF, order=places.take)[0].tolist() == [2, 1]


def test_swapped_ranks_in_three_channels_are_a_tie() -> None:
    """1/61 + 1/62 + 1/63 is the same number in any order of addition."""
    channels = [ranking("a", {3: 3.0, 2: 2.0, 1: 1.0}), ranking("b", {2: 3.0, 1: 2.0, 3: 1.0})]
    ids, scores = fuse([*channels, ranking("c", {1: 3.0, 3: 2.0, 2: 1.0})], EVEN, Fusion.RRF)
    assert ids.tolist() == [1, 2, 3]
    assert len(set(scores.tolist())) == 1


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_a_score_must_be_finite(score: float) -> None:
    """A channel that answers badly is named."""
    with pytest.raises(ValueError, match="'dense': a score is not finite"):
        ranking("dense", {1: score})


def test_a_channel_names_each_candidate_once() -> None:
    """A repeated id is an error of that channel, by name."""
    with pytest.raises(ValueError, match="'dense': id 4 stands there more than once"):
        Ranking("dense", np.array([4, 2, 4]), np.array([3.0, 2.0, 1.0]))


@pytest.mark.parametrize("shape", [(2,), (3, 1)])
def test_every_id_has_one_score(shape: tuple[int, ...]) -> None:
    """Other shapes are refused."""
    with pytest.raises(ValueError, match="give one each"):
        Ranking("dense", np.arange(3), np.zeros(shape))
    with pytest.raises(ValueError, match="give one each"):
        Ranking("dense", np.zeros(shape, np.int64), np.zeros(3 if shape == (2,) else shape))


@pytest.mark.parametrize(
    ("rankings", "weights", "rrf_k", "said"),
    [
        ([A, A], EVEN, 60, "'a' is given more than once"),
        ([A, B], {"a": 1.0}, 60, "'b' has no weight"),
        ([A, B], {"a": 1.0, "b": -0.1}, 60, "'b': weight -0.1"),
        ([A, B], {"a": math.nan, "b": 1.0}, 60, "'a': weight nan"),
        ([A, B], {"a": math.inf, "b": 1.0}, 60, "'a': weight inf"),
        ([A, B], {"a": 0.0, "b": 0.0}, 60, "all have weight 0"),
        ([A, B], EVEN, -1, "rrf_k -1"),
    ],
)
def test_what_cannot_be_fused_is_refused(
    rankings: list[Ranking], weights: Mapping[str, float], rrf_k: int, said: str
) -> None:
    """Weights are finite and 0 or more, names distinct, k not negative."""
    with pytest.raises(ValueError, match=said):
        fuse(rankings, weights, Fusion.RRF, rrf_k)


def test_zscores_have_mean_zero_and_deviation_one() -> None:
    """Over a whole scope's scores; nothing where they are equal or there are none."""
    assert zscores(np.array([1.0, 2.0, 3.0])).tolist() == pytest.approx([-math.sqrt(1.5), 0, math.sqrt(1.5)])
    assert zscores(np.array([0.1, 0.1, 0.1])).tolist() == [0.0, 0.0, 0.0]
    assert zscores(np.empty(0)).tolist() == []


SCORES = st.floats(-1e6, 1e6, allow_subnormal=False)
LISTS = st.lists(
    st.dictionaries(st.integers(0, 30), SCORES, max_size=12).map(
        lambda scores: dict(sorted(scores.items(), key=lambda item: -item[1]))
    ),
    min_size=1,
    max_size=3,
)
METHODS = st.sampled_from(list(Fusion))


@given(LISTS, METHODS)
def test_fusion_ranks_every_candidate_once(lists: list[dict[int, float]], method: Fusion) -> None:
    """The ids are the union of the channels', the scores finite and falling, ties rising by id."""
    rankings = [ranking(name, scores) for name, scores in zip("abc", lists, strict=False)]
    found = fused(rankings, EVEN, method)
    assert set(found) == {each for scores in lists for each in scores}
    if len(lists) > 1:
        assert list(found.items()) == sorted(found.items(), key=lambda item: (-item[1], item[0]))
    assert np.isfinite(list(found.values())).all()


@given(LISTS, METHODS)
def test_the_order_of_channels_does_not_matter(lists: list[dict[int, float]], method: Fusion) -> None:
    """Equal to the last bit."""
    rankings = [ranking(name, scores) for name, scores in zip("abc", lists, strict=False)]
    assert fused(rankings, EVEN, method) == fused(rankings[::-1], EVEN, method)


@given(LISTS, METHODS, st.integers(-3, 3))
def test_the_scale_of_a_channel_does_not_matter(lists: list[dict[int, float]], method: Fusion, power: int) -> None:
    """Fusing a channel whose scores are all doubled (a power of two rounds nothing) changes nothing."""
    rankings = [ranking(name, scores) for name, scores in zip("ab", [*lists, {}], strict=False)]
    scaled = [Ranking(each.name, each.ids, each.scores * 2.0**power) for each in rankings]
    flat = any(len(each.scores) and float(each.scores.std()) < 1e-7 for each in rankings)
    if not flat:
        close(fused(scaled, EVEN, method), fused(rankings, EVEN, method))
