"""The demo scope: what it shows, its clock, and that nothing else can be moved or removed."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from hydramind.graph.connection import Graph
from hydramind.models import OneScope
from hydramind.opening import open_graph
from hydramind.service import HydraMind
from hydramind.settings import Settings
from tests.api.test_handlers import fault, post
from tests.conftest import TestClock
from tests.scoped import Scoped, counts


async def seeded(client: httpx2.AsyncClient) -> dict[str, Any]:
    """A fresh demo."""
    return await post(client, "/api/demo")


async def test_the_demo_shows_what_the_memory_is_for(client: httpx2.AsyncClient, mind: HydraMind) -> None:
    """1.0 to 0.60, 0.85 and 0.70, a revision, a trace back to the cause, an answer and an abstention; all of it sound."""
    seed = await seeded(client)
    one, cast = Scoped(mind, seed["scope"]), seed["cast"]
    shown = ("premise", "conclusion", "far_conclusion", "contradiction", "release_revised")
    assert [await one.trust(cast[name]) for name in shown] == [0.6, 0.85, 0.7, 1.0, 1.0]
    assert (await one.status(cast["premise"]), await one.status(cast["release"])) == ("contradicted", "superseded")
    trace = await one.trace(cast["far_conclusion"], max_hops=3)
    assert cast["premise"] in {path.nodes[-1].id for path in trace.paths}
    answered = (await one.recall(seed["questions"]["answered"])).hits
    assert {hit.memory.id for hit in answered} >= {cast["premise"], cast["contradiction"]}
    assert (await one.recall(seed["questions"]["abstained"])).hits == ()
    assert (await mind.verify(OneScope(scope=one.scope))).findings == ()


async def test_the_story_ends_now_and_took_a_month(client: httpx2.AsyncClient, mind: HydraMind) -> None:
    """Its memories are as old as the story says, in order, none in the future; the clock is the real one afterwards."""
    seed = await seeded(client)
    one = Scoped(mind, seed["scope"])
    order = ("premise", "conclusion", "far_conclusion", "release_revised", "contradiction")
    days = [(await one.memory(seed["cast"][name])).created_at[:10] for name in order]
    assert days == ["2026-01-30", "2026-02-05", "2026-02-12", "2026-02-20", "2026-03-01"]
    clock = await post(client, f"/api/demo/{seed['scope']}/clock", skip_days=0)
    assert clock == {"scope": seed["scope"], "skipped_days": 0.0, "now": "2026-03-01T10:00:00.000Z"}


async def test_skipped_days_hold_for_that_scope_alone(
    client: httpx2.AsyncClient, mind: HydraMind, scope: str, clock: TestClock
) -> None:
    """They add up, move what is written from then on, and no other scope."""
    seed = await seeded(client)
    await post(client, f"/api/demo/{seed['scope']}/clock", skip_days=7)
    moved = await post(client, f"/api/demo/{seed['scope']}/clock", skip_days=3)
    assert (moved["skipped_days"], moved["now"]) == (10.0, "2026-03-11T10:00:00.000Z")
    clock.advance(days=1)
    later = await Scoped(mind, seed["scope"]).remember("The mailer sends on port 587.")
    plain = await Scoped(mind, scope).remember("The mailer sends on port 587.")
    assert later.memory.created_at == "2026-03-12T10:00:00.000Z"
    assert plain.memory.created_at == "2026-03-02T10:00:00.000Z"
    assert [each.skipped_days for each in mind.open_scopes()] == [10.0, 0.0]


async def test_the_clock_of_any_other_scope_is_refused(client: httpx2.AsyncClient, scope: str) -> None:
    """And so are days backwards, days beyond a century, and arguments that it does not take."""
    assert (await fault(client, f"/api/demo/{scope}/clock", skip_days=1))[0] == 403
    path = "/api/demo/demo:ffffffff/clock"
    assert await fault(client, path, skip_days=-1) == (
        422,
        {
            "code": "invalid",
            "message": "skip_days: must be at least 0, got -1",
            "field": "skip_days",
            "retryable": False,
        },
    )
    assert (await fault(client, path))[1]["field"] == "skip_days"
    assert (await fault(client, path, skip_days=1, hours=2))[1]["field"] == "hours"
    assert (await fault(client, "/api/demo", scope="mine"))[1]["field"] == "scope"
    await post(client, path, skip_days=36_500)
    assert (await fault(client, path, skip_days=1))[0] == 422


async def test_removing_a_demo_leaves_no_node_of_it(
    client: httpx2.AsyncClient, mind: HydraMind, embedded_settings: Settings
) -> None:
    """The whole graph counts what it counted before; the scope is gone from the list and empty when asked."""
    async with open_graph(embedded_settings, lambda _: None) as graph:
        before = await counts(graph)
        seed = await seeded(client)
        reply = await client.delete(f"/api/demo/{seed['scope']}")
        assert reply.json() == {"scope": seed["scope"], "memories": 7, "entities": 6, "ops": 7}
        assert await _positive(graph) == {kind: n for kind, n in (*before[0].items(), *before[1].items()) if n}
    assert seed["scope"] not in [each.name for each in await mind.scopes()]
    assert (await Scoped(mind, seed["scope"]).stats()).memories == 0
    assert (await client.delete(f"/api/demo/{seed['scope']}")).status_code == 404


async def test_a_removed_name_can_be_used_again(client: httpx2.AsyncClient, mind: HydraMind) -> None:
    """From revision 1, sound, on the real clock."""
    seed = await seeded(client)
    await post(client, f"/api/demo/{seed['scope']}/clock", skip_days=7)
    await client.delete(f"/api/demo/{seed['scope']}")
    kept = await Scoped(mind, seed["scope"]).remember("The mailer sends on port 587.")
    assert kept.memory.created_at == "2026-03-01T10:00:00.000Z"
    found = await mind.verify(OneScope(scope=seed["scope"]))
    assert (found.revision, found.findings) == (1, ())
    await client.delete(f"/api/demo/{seed['scope']}")


@pytest.mark.parametrize("name", ["plain", "Demo:12345678", "x demo:12345678"])
async def test_no_other_scope_can_be_removed(
    name: str, client: httpx2.AsyncClient, mind: HydraMind, scope: str
) -> None:
    """Whatever its name resembles: refused, and every memory stays."""
    one = Scoped(mind, f"{name} {scope}")
    await one.keep("The cache is on.")
    assert (await client.delete(f"/api/demo/{one.scope}")).status_code == 403
    assert (await one.stats()).memories == 1


async def _positive(graph: Graph) -> dict[str, int]:
    nodes, edges = await counts(graph)
    return {kind: n for kind, n in (*nodes.items(), *edges.items()) if n}
