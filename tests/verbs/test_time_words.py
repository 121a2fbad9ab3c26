"""The words of a time told from now on are no evidence that a memory must hold."""

from __future__ import annotations

import pytest

from hydramind.mind import times
from tests.scoped import Scoped

HOME = "Alice lives in Paris."
KILN = "The kiln cracked."
SHOW = "Ann watches the Today show."


@pytest.mark.parametrize(
    "asked", ["today", "this week", "3 weeks ago", "the day before yesterday", "in the past month"]
)
async def test_a_relative_time_in_a_question_takes_no_coverage(one: Scoped, asked: str) -> None:
    """Asked with or without it, the same fact is evidence, and another is none."""
    await one.keep(HOME)
    await one.keep(KILN)
    assert await one.found(f"Where does Alice live {asked}?") == [HOME]
    assert await one.found(f"Where does Bob live {asked}?") == []


async def test_a_date_stays_evidence(one: Scoped) -> None:
    """What is dated says so: a fact of another date is none."""
    for said in ("The party was in Rome in March 2024.", "The party was in Oslo in May 2023."):
        await one.keep(said)
    assert await one.found("Where was the party in March 2024?") == ["The party was in Rome in March 2024."]


@pytest.mark.parametrize("asked", ["Who watches the Today show?", "Who watches the today show?", "today"])
async def test_what_is_named_like_a_time_is_found(one: Scoped, asked: str) -> None:
    """A capital inside a sentence marks a name; where nothing else is asked, the words are looked for."""
    await one.keep(SHOW)
    await one.keep(KILN)
    assert await one.found(asked) == [SHOW]


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Where is Al today?", "Where is Al  ?"),
        ("Today Al left, and tomorrow?", "  Al left, and  ?"),
        ("What did the Last Week paper say last week?", "What did the Last Week paper say  ?"),
        ("in May 2024, 3 days ago", "in May 2024,  "),
        ("nothing of the kind", "nothing of the kind"),
    ],
)
def test_relative_times_are_left_out(said: str, left: str) -> None:
    """And only they: dates and names stay."""
    assert times.without_relative(said).split() == left.split()
