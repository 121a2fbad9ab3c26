"""How much a memory is believed."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.mind import trust
from hydramind.mind.trust import Entry

LOSSES = st.lists(
    st.sampled_from([trust.CONTRADICTION_LOSS, trust.derived_loss(1), trust.derived_loss(2)]), max_size=12
)


def test_the_numbers_are_those_promised() -> None:
    """HYD-18, HYD-19, HYD-20, HYD-69: 1.0 to 0.6, 0.85 and 0.70; two hops; floor 0.05."""
    assert trust.after_loss(1.0, trust.CONTRADICTION_LOSS) == 0.6
    assert [trust.after_loss(1.0, trust.derived_loss(hop)) for hop in (1, 2)] == [0.85, 0.7]
    assert (trust.MAX_HOPS, trust.FLOOR, trust.FULL) == (2, 0.05, 1.0)


@given(LOSSES)
def test_losses_stay_in_range_and_all_come_back(losses: list[float]) -> None:
    """SEEDS 6.7, D02: never below the floor, and giving back what each really took, in any order, gives 1.0 exactly."""
    value, entries = trust.FULL, []
    for loss in losses:
        before, value = value, trust.after_loss(value, loss)
        assert trust.FLOOR <= value <= trust.FULL
        entries.append(trust.taken(before, value))
    random.Random(len(entries)).shuffle(entries)
    for gain in entries:
        value = trust.after_gain(value, gain)
    assert value == trust.FULL


def test_a_gain_never_exceeds_full_trust() -> None:
    """Giving back more than was lost ends at 1.0."""
    assert trust.after_gain(0.9, 0.4) == 1.0


@given(st.lists(st.lists(st.sampled_from([0.4, 0.15, 0.3]), max_size=6), max_size=6), st.randoms())
def test_a_replay_of_losses_needs_no_order_of_its_input(ops: list[list[float]], shuffle: random.Random) -> None:
    """The entries of many ops that only lower give the last trust however they are read, at the floor too."""
    value, entries = trust.FULL, []
    for revision, steps in enumerate(ops, start=1):
        for position, step in enumerate(steps):
            after = trust.after_loss(value, step)
            entries.append(Entry(revision, value, after, position))
            value = after
    shuffle.shuffle(entries)
    assert trust.replay(entries) == value


@given(st.lists(st.tuples(st.booleans(), LOSSES), max_size=6), st.randoms())
def test_a_replay_needs_no_order_of_its_input(ops: list[tuple[bool, list[float]]], shuffle: random.Random) -> None:
    """The entries of many ops, each lowering or raising, give the last trust however they are read."""
    value, entries = trust.FULL, []
    for revision, (lower, steps) in enumerate(ops, start=1):
        for position, step in enumerate(steps):
            after = trust.after_loss(value, step) if lower else trust.after_gain(value, step)
            entries.append(Entry(revision, value, after, position))
            value = after
    shuffle.shuffle(entries)
    assert trust.replay(entries) == value


def test_an_empty_ledger_is_full_trust() -> None:
    """Nothing happened: 1.0."""
    assert trust.replay([]) == 1.0


def test_entries_that_do_not_join_are_an_error() -> None:
    """A gap names the revision, the entry's start and the trust reached."""
    with pytest.raises(ValueError, match=r"revision 7 starts at 0\.5, trust was 0\.6"):
        trust.replay([Entry(3, 1.0, 0.6), Entry(7, 0.5, 0.1)])
