"""The ledger replays to the stored trust also where one change moves a memory more than once."""

from __future__ import annotations

from tests.scoped import DENIAL, FACT, REST, Scoped

THINGS = ["cache", "mirror", "importer", "scheduler", "dashboard", "mailer"]


async def test_one_statement_that_contradicts_two_premises_decays_twice(one: Scoped) -> None:
    """HYD-19, SEEDS 1.3: two causes in one op take 0.15 each from what rests on both; forgetting gives both back."""
    first = await one.keep("The cache is enabled.")
    second = await one.keep("Cache is currently enabled in Oslo.")
    derived = await one.keep(REST, derived_from=[first, second])
    denial = await one.remember("The cache is not enabled.")
    assert {conflict.memory_id for conflict in denial.conflicts if conflict.kind == "contradicts"} == {first, second}
    assert await one.trust(derived) == 0.7
    await one.forget(denial.memory.id)
    assert [await one.trust(id_) for id_ in (first, second, derived)] == [1.0, 1.0, 1.0]


async def test_a_loss_of_nothing_at_the_floor_replays(each: Scoped) -> None:
    """HYD-20, D02: the second of two losses found the floor and took nothing; giving both back in one op joins up."""
    others = [await each.keep(f"The {thing} is enabled.") for thing in THINGS]
    pair = [await each.keep(FACT), await each.keep("The gateway uses mutual TLS in Oslo.")]
    derived = await each.keep(REST, derived_from=[*others, *pair])
    for thing in THINGS:
        await each.keep(f"The {thing} is disabled.")
    denial = await each.keep(DENIAL)
    assert len((await each.inspect(denial)).contradicts) == 2
    assert await each.trust(derived) == 0.05
    await each.forget(denial)
    assert await each.trust(derived) == 0.1


async def test_a_revision_that_gives_and_takes_replays(one: Scoped) -> None:
    """D02: the contradictor is revised into another one: what rests on both targets gains and loses in one op."""
    first, second = await one.keep(FACT), await one.keep("The cache is enabled.")
    derived = await one.keep(REST, derived_from=[first, second])
    denial = await one.keep(DENIAL)
    await one.revise(denial, "The cache is disabled.")
    assert [await one.trust(id_) for id_ in (first, second, derived)] == [1.0, 0.6, 0.85]
