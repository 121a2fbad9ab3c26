"""Filters come before ranking: what may be found is found however many better-looking rows may not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from hydramind.archive import restore, snapshot
from hydramind.graph.connection import Graph
from hydramind.queries.query import Query, nothing
from hydramind.service import HydraMind
from hydramind.settings import Settings
from tests.conftest import TestClock
from tests.scoped import Scoped

Result = TypeVar("Result")
Hide = Callable[[Scoped], Awaitable[object]]

QUERY = "parcel depot opens late"
REMOVE = Query("remove a scope", "MATCH (n) WHERE n.scope = $scope OR n.name = $scope DETACH DELETE n", nothing)


async def together(calls: Iterable[Coroutine[Any, Any, Result]]) -> list[Result]:
    """As many at once as a scope lets wait."""
    each = list(calls)
    return [done for at in range(0, len(each), 150) for done in await asyncio.gather(*each[at : at + 150])]


async def rivals(one: Scoped, count: int = 120, **more: object) -> list[str]:
    """Turns that are nearly the query, and their ids."""
    return await together(one.keep(f"parcel depot opens late {n}", kind="turn", **more) for n in range(count))


async def superseded(one: Scoped) -> None:
    """Rivals that were replaced by remarks which were forgotten again."""
    revised = await together(one.revise(id_, "void") for id_ in await rivals(one, 15))
    await together(one.forget(each.memory.id) for each in revised)


async def run_out(one: Scoped) -> None:
    """Rivals whose validity ended."""
    await rivals(one, valid_from="2019-01-01", valid_until="2020-01-01")


async def elsewhere(one: Scoped) -> None:
    """Rivals of another scope."""
    await rivals(Scoped(one.mind, one.scope + " beside"))


async def unlinked(one: Scoped) -> None:
    """Rivals about something else."""
    await rivals(one, entity_refs=["bakery"])


@pytest.mark.parametrize(
    ("hide", "filtered"),
    [(superseded, {}), (run_out, {}), (elsewhere, {}), (unlinked, {"entity_refs": ["e"]})],
)
async def test_the_one_row_that_may_be_found_is_found(one: Scoped, hide: Hide, filtered: dict[str, object]) -> None:
    """R07: behind many rows closer to the query that were replaced, have run out, are in another scope or about something
    else; with the gate off, because it is said in other words; no other row comes, and none comes when none may."""
    await hide(one)
    assert await one.found(QUERY, gate="off", limit=5, **(filtered or {"entity_refs": ["e"]})) == []
    await one.keep("The shop shuts at noon", entity_refs=["e"])
    reply = await one.recall(QUERY, gate="off", limit=5, **filtered)
    assert [hit.memory.content for hit in reply.hits] == ["The shop shuts at noon"]
    assert (reply.considered, reply.passed) == (1, 1)


async def test_the_index_follows_the_record(
    embedded_settings: Settings, clock: TestClock, scope: str, graph: Graph, tmp_path: Path
) -> None:
    """R06: found, found after a restart, gone, gone after another; what a backup brings back while two services run is found
    by both without a restart, and what they add to it as well."""
    async with HydraMind.open(embedded_settings, clock=clock) as mind:
        one = Scoped(mind, scope)
        kept = await one.keep("kestrel flag guards the beta")
        assert await one.found("kestrel") == ["kestrel flag guards the beta"]
    await snapshot(graph, [scope], tmp_path / "one.zip")
    async with HydraMind.open(embedded_settings, clock=clock) as mind:
        one = Scoped(mind, scope)
        assert await one.found("kestrel") == ["kestrel flag guards the beta"]
        await one.forget(kept)
        assert await one.found("kestrel") == []
    async with HydraMind.open(embedded_settings, clock=clock) as mind:
        assert await Scoped(mind, scope).found("kestrel") == []
    await graph.read(REMOVE, scope=scope)
    async with (
        HydraMind.open(embedded_settings, clock=clock) as left,
        HydraMind.open(embedded_settings, clock=clock) as right,
    ):
        here, there = Scoped(left, scope), Scoped(right, scope)
        assert await here.found("kestrel") == await there.found("kestrel") == []
        await restore(graph, tmp_path / "one.zip")
        assert await here.found("kestrel") == await there.found("kestrel") == ["kestrel flag guards the beta"]
        await here.keep("kestrel flag is green")
        assert len(await there.found("kestrel flag")) == 2


async def test_tiny_scopes_score_in_finite_numbers(one: Scoped) -> None:
    """Q04: one memory is found by its own text; equal evidence has equal lexical scores above 0, also where every memory is
    the same and a word tells nothing; with the gate off what lacks the word stands behind."""
    await one.keep("the of and")
    assert await one.found("the of and", limit=50) == []
    await one.keep("amber kite")
    assert await one.found("amber kite", limit=50) == ["amber kite"]
    await one.keep("amber oar")
    await one.keep("lamp")
    hits = (await one.recall("amber", limit=3)).hits
    scores = {hit.memory.content: [place.score for place in hit.channels if place.channel == "sparse"] for hit in hits}
    assert scores["amber kite"] == scores["amber oar"] != []
    assert scores["amber kite"][0] > 0
    ungated = [hit.memory.content for hit in (await one.recall("amber", limit=3, gate="off")).hits]
    assert set(ungated[:2]) == {"amber kite", "amber oar"}
    same = Scoped(one.mind, one.scope + " same")
    for _ in range(4):
        await same.keep("amber kite", kind="turn")
    found = (await same.recall("amber")).hits
    assert len({(hit.score, hit.channels[0].score) for hit in found}) == 1
    assert found[0].channels[0].score > 0
    assert len(found) == 4


@pytest.mark.parametrize("mode", ["hybrid", "sparse_only"])
async def test_a_word_in_common_beats_none(one: Scoped, clock: TestClock, mode: str) -> None:
    """Q04: without a gate a memory below the average still stands by its words, not by its age."""
    for content in ("The kiln is hot", "The kiln is red", "The pager rota is in drawer two"):
        await one.keep(content, kind="note")
        clock.advance(seconds=1)
    ranked = await one.found("odd kiln hot", gate="off", mode=mode)
    assert ranked == ["The kiln is hot", "The kiln is red", "The pager rota is in drawer two"]
