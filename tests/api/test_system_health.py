"""What the health page is given: engine, node, scopes in memory, and how fast requests were answered."""

from __future__ import annotations

import httpx2

from hydramind.service import HydraMind
from hydramind.web.traffic import RECENT, Traffic
from tests.api.test_handlers import post


async def test_health_tells_of_engine_node_scopes_and_requests(
    client: httpx2.AsyncClient, mind: HydraMind, scope: str
) -> None:
    """Each part as it is now, and equal to what the service says."""
    await post(client, "/api/remember", content="The cache is on", scope=scope, entity_refs=["cache"])
    body = (await client.get("/api/health")).json()
    known = mind.described()
    assert (body["status"], body["reason"], body["engine"]) == ("ok", "", "arcadedb")
    assert (body["agent"], body["uri"], body["version"]) == (known.agent, known.uri, known.version)
    assert body["latency_ms"] > 0
    assert body["scopes"] == [{"name": scope, "revision": 1, "memories": 1, "entities": 1, "skipped_days": 0.0}]
    assert (body["node"]["state"], body["node"]["answers"], body["node"]["in_use"]) == ("running", True, True)
    assert body["node"]["stored_bytes"] > 10_000
    (route,) = body["routes"]
    assert (route["route"], route["requests"], route["recent"]) == ("/api/remember", 1, 1)
    assert 0 < route["p50_ms"] == route["p95_ms"] == route["max_ms"]


def test_timings_are_of_the_last_requests_of_a_route() -> None:
    """Nearest rank over what is kept: a slow start falls out of the window, the count stays whole."""
    traffic = Traffic()
    traffic.record("/api/recall", "POST", 200, 9.0)
    for n in range(1, RECENT + 1):
        traffic.record("/api/recall", "POST", 200, n / 1_000)
    (timing,) = traffic.timings()
    assert (timing.requests, timing.recent) == (RECENT + 1, RECENT)
    assert (timing.p50_ms, timing.p95_ms, timing.max_ms) == (128.0, 244.0, 256.0)
