"""The verbs over HTTP, against a real service."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from hydramind.api.verb_table import VERBS
from hydramind.models import OneScope
from hydramind.service import HydraMind
from tests.api.conftest import BODY_LIMIT

PREFIXES = ["/v1", "/api"]


async def post(client: httpx2.AsyncClient, path: str, **values: Any) -> dict[str, Any]:
    """The reply of a call that must succeed."""
    reply = await client.post(path, json=values)
    assert reply.status_code == 200, reply.text
    return reply.json()


async def fault(client: httpx2.AsyncClient, path: str, **values: Any) -> tuple[int, dict[str, Any]]:
    """Status and error object of a call that must fail."""
    reply = await client.post(path, json=values)
    return reply.status_code, reply.json()["error"]


async def counts(mind: HydraMind, scope: str) -> tuple[int, int]:
    """Revision and memories of a scope."""
    stats = await mind.stats(OneScope(scope=scope))
    return stats.revision, stats.memories


@pytest.mark.parametrize("prefix", PREFIXES)
async def test_every_verb_answers_with_its_reply_model(prefix: str, client: httpx2.AsyncClient, scope: str) -> None:
    """One story through all of them; each body is exactly the reply model."""
    kept = await post(client, f"{prefix}/remember", content="The cache is on", scope=scope, entity_refs=["cache"])
    one = {"memory_id": kept["memory"]["id"], "scope": scope}
    other = await post(client, f"{prefix}/remember", content="Answers come fast", scope=scope)
    draft = {"content": "The cache is not on", "scope": scope, "entity_refs": ["cache"]}
    calls: dict[str, dict[str, Any]] = {
        "remember": {"content": "The cache is on", "scope": scope},
        "recall": {"query": "is the cache on", "scope": scope},
        "retrieve": {"query": "is the cache on", "scope": scope},
        "revise": {**one, "content": "The cache is on since May"},
        "check_conflict": draft,
        "timeline": {"scope": scope, "entity_ref": "cache"},
        "trace_memory": one,
        "explain_trust": one,
        "inspect": one,
        "forget": one,
        "reinstate": one,
        "relate": {**one, "other_id": other["memory"]["id"], "relation": "supports"},
    }
    assert set(calls) == {verb.name for verb in VERBS}
    for verb in VERBS:
        body = await post(client, f"{prefix}/{verb.name}", **calls[verb.name])
        assert verb.reply.model_validate(body).model_dump(mode="json") == body
        if verb.name == "revise":
            calls["forget"] = calls["reinstate"] = {**one, "memory_id": body["memory"]["id"]}


async def test_the_dashboard_reads_a_scope(client: httpx2.AsyncClient, scope: str) -> None:
    """Its place in the list, its graph, entities and counts."""
    await post(client, "/api/remember", content="The cache is on", scope=scope, entity_refs=["cache"])
    base = f"/api/scopes/{scope}"
    listed = (await client.get("/api/scopes")).json()["scopes"]
    graph = (await client.get(f"{base}/graph?limit=1")).json()
    entities = (await client.get(f"{base}/entities")).json()["entities"]
    stats = (await client.get(f"{base}/stats")).json()
    assert scope in [each["name"] for each in listed]
    assert sorted(node["text"] for node in graph["nodes"]) == ["The cache is on", "cache"]
    assert [(entity["name"], entity["memories"]) for entity in entities] == [("cache", 1)]
    assert (stats["memories"], stats["active"], stats["mean_trust"]) == (1, 1, 1.0)


async def test_a_drawing_is_brought_up_to_date_by_what_changed(client: httpx2.AsyncClient, scope: str) -> None:
    """Merged with it by id, an old drawing equals a new one, through each kind of change; what is old is not repeated."""
    base = f"/api/scopes/{scope}/graph"
    cache = await kept(client, scope, "The cache is enabled.", entity_refs=["cache"])
    await kept(client, scope, "The importer is enabled.")
    before = (await client.get(base)).json()
    rests = await kept(client, scope, "Load tests rely on the cache.", derived_from=[cache])
    denial = await kept(client, scope, "The cache is disabled.", entity_refs=["cache"])
    await post(client, "/api/relate", memory_id=cache, other_id=denial, scope=scope, relation="invalidated_by")
    await post(client, "/api/revise", memory_id=rests, content="Load tests need the cache.", scope=scope)
    for step in (None, "forget", "reinstate"):
        if step is not None:
            await post(client, f"/api/{step}", memory_id=denial, scope=scope)
        lacks = (await client.get(f"{base}?changed_after={before['revision']}")).json()
        now = (await client.get(base)).json()
        nodes = {node["id"]: node for node in (*before["nodes"], *lacks["nodes"])}
        shown = {id_: node for id_, node in nodes.items() if node["status"] != "forgotten"}
        edges = {edge["id"]: edge for edge in (*before["edges"], *lacks["edges"])}
        drawn = {id_: edge for id_, edge in edges.items() if {edge["start"], edge["end"]} <= shown.keys()}
        assert (lacks["revision"], lacks["total_memories"]) == (now["revision"], now["total_memories"])
        assert shown == {node["id"]: node for node in now["nodes"]}
        assert drawn == {edge["id"]: edge for edge in now["edges"]}
        assert "The importer is enabled." not in [node["text"] for node in lacks["nodes"]]


async def kept(client: httpx2.AsyncClient, scope: str, content: str, **more: object) -> str:
    """Remember a statement; its id."""
    return (await post(client, "/api/remember", content=content, scope=scope, **more))["memory"]["id"]


@pytest.mark.parametrize("name", ["a/sub", "a/graph", "数据 🎉", "with space", "q?x=1#y", "100%"])
async def test_a_scope_of_any_name_has_its_page(name: str, client: httpx2.AsyncClient, scope: str) -> None:
    """Slashes, wide characters and URL syntax are percent-encoded by the caller and arrive whole."""
    full = f"{scope} {name}"
    await post(client, "/v1/remember", content="The cache is on", scope=full)
    reply = await client.get(httpx2.URL(f"http://127.0.0.1:8788/api/scopes/{_quoted(full)}/stats"))
    assert (reply.json()["scope"], reply.json()["memories"]) == (full, 1)


def _quoted(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())


@pytest.mark.parametrize("prefix", PREFIXES)
async def test_ids_of_another_scope_are_unknown(prefix: str, client: httpx2.AsyncClient, scope: str) -> None:
    """Every verb that takes an id says not found, and none of them makes the other scope."""
    kept = await post(client, f"{prefix}/remember", content="The cache is on", scope=scope)
    foreign = {"memory_id": kept["memory"]["id"], "scope": f"{scope}-b"}
    for verb in ("forget", "reinstate", "trace_memory", "explain_trust", "inspect"):
        assert (await fault(client, f"{prefix}/{verb}", **foreign))[0] == 404
    assert (await fault(client, f"{prefix}/revise", content="x y", **foreign))[1]["code"] == "not_found"
    hits = await post(client, f"{prefix}/recall", query="cache on", scope=f"{scope}-b")
    assert hits["hits"] == []
    listed = (await client.get("/api/scopes")).json()["scopes"]
    assert f"{scope}-b" not in [each["name"] for each in listed]


@pytest.mark.parametrize(
    ("verb", "values", "field"),
    [
        ("remember", {"content": ""}, "content"),
        ("remember", {"content": " \n\t "}, "content"),
        ("remember", {"content": "\u200b\ufeff"}, "content"),
        ("remember", {"content": None}, "content"),
        ("remember", {"content": True}, "content"),
        ("remember", {"content": {"a": 1}}, "content"),
        ("remember", {"content": "x", "entity_refs": ["ok", "  "]}, "entity_refs.1"),
        ("remember", {"content": "x", "entity_refs": 7}, "entity_refs"),
        ("remember", {"content": "x", "derived_from": ["-1"]}, "derived_from.0"),
        ("remember", {"content": "x", "unknown": 1}, "unknown"),
        ("remember", {"content": "x", "event_time": "yesterday"}, "event_time"),
        ("remember", {}, "content"),
        ("recall", {"query": "   "}, "query"),
        ("recall", {"query": "x", "limit": -1}, "limit"),
        ("recall", {"query": "x", "limit": 2.5}, "limit"),
        ("recall", {"query": "x", "limit": True}, "limit"),
        ("recall", {"query": "x", "limit": "abc"}, "limit"),
        ("recall", {"query": "x", "scope": "  "}, "scope"),
        ("recall", {"query": "x", "scope": None}, "scope"),
        ("trace_memory", {"memory_id": "1", "max_hops": 0}, "max_hops"),
        ("trace_memory", {"memory_id": "1", "target_id": "x"}, "target_id"),
        ("trace_memory", {"memory_id": "1", "target_id": "1"}, "target_id"),
        ("forget", {}, "memory_id"),
        ("forget", {"memory_id": "*"}, "memory_id"),
        ("forget", {"memory_id": "01"}, "memory_id"),
        ("forget", {"memory_id": "1", "filter": {}}, "filter"),
    ],
)
async def test_a_bad_field_is_named_and_nothing_is_written(
    verb: str, values: dict[str, Any], field: str, client: httpx2.AsyncClient, mind: HydraMind, scope: str
) -> None:
    """422 with the field; the scope stays as it was."""
    status, error = await fault(client, f"/v1/{verb}", **{"scope": scope, **values})
    assert (status, error["code"], error["field"], error["retryable"]) == (422, "invalid", field, False)
    assert await counts(mind, scope) == (0, 0)


@pytest.mark.parametrize(("limit", "shown"), [(0, 0), (1, 1), ("2", 2), (10**9, 3), (None, 3), (1e2, 3)])
async def test_limits_are_bounds_not_slices(limit: object, shown: int, client: httpx2.AsyncClient, scope: str) -> None:
    """0 gives none, text and null are read, what is over the cap is cut to it."""
    for n in (4, 5, 6):
        await post(client, "/v1/remember", content=f"Locker {n} stores climbing ropes", scope=scope)
    found = await post(client, "/v1/recall", query="climbing ropes", scope=scope, limit=limit)
    assert (len(found["hits"]), found["passed"]) == (shown, 3)


async def test_reading_what_is_not_there_changes_nothing(
    client: httpx2.AsyncClient, mind: HydraMind, scope: str
) -> None:
    """No read makes a scope, an entity or a revision."""
    await post(client, "/v1/remember", content="The cache is on", scope=scope, entity_refs=["cache"])
    before = await counts(mind, scope), await mind.scopes(), await mind.entities(OneScope(scope=scope))
    await post(client, "/v1/recall", query="x", scope=f"{scope}-ghost")
    await post(client, "/v1/check_conflict", content="The cache is not on", scope=scope, entity_refs=["ghost"])
    ghost = {"memory_id": "123", "scope": scope}
    for verb in ("trace_memory", "explain_trust", "inspect", "forget"):
        assert (await fault(client, f"/v1/{verb}", **ghost))[0] == 404
    for page in ("graph", "entities", "stats"):
        assert (await client.get(f"/api/scopes/{scope}-ghost/{page}")).status_code in (200, 404)
    assert (await counts(mind, scope), await mind.scopes(), await mind.entities(OneScope(scope=scope))) == before


async def test_half_a_character_is_replaced_and_a_pair_is_kept(client: httpx2.AsyncClient, scope: str) -> None:
    """A lone surrogate in escaped JSON becomes U+FFFD; everything that reads it stays valid UTF-8."""
    for escaped in (r"build log \ud83d cut here", r"party \ud83c\udf89 tonight", r"\udf89\ud83c reversed build"):
        body = f'{{"content": "{escaped}", "scope": "{scope}", "entity_refs": ["x\\ud83d"]}}'
        reply = await client.post("/v1/remember", content=body, headers={"content-type": "application/json"})
        assert reply.status_code == 200
    found = await post(client, "/v1/recall", query="build log", scope=scope)
    assert [hit["memory"]["content"] for hit in found["hits"]] == ["build log \ufffd cut here"]
    for path in (f"/api/scopes/{scope}/graph", f"/api/scopes/{scope}/entities"):
        assert (await client.get(path)).content.decode()
    timeline = await post(client, "/v1/timeline", scope=scope, entity_ref="x\ufffd")
    assert "party 🎉 tonight" in [version["memory"]["content"] for version in timeline["versions"]]


async def test_half_a_character_in_an_unknown_name_is_reported(client: httpx2.AsyncClient) -> None:
    """The error itself is valid UTF-8."""
    body = r'{"content": "x", "scope": "s", "\ud83d": 1}'
    reply = await client.post("/v1/remember", content=body, headers={"content-type": "application/json"})
    assert reply.status_code == 422
    json.loads(reply.content.decode())


async def test_a_body_over_the_limit_is_refused(client: httpx2.AsyncClient, scope: str) -> None:
    """Declared or streamed."""

    async def endless() -> AsyncIterator[bytes]:
        for _ in range(BODY_LIMIT // 1_000 + 2):
            yield b" " * 1_000

    declared = await client.post("/v1/remember", json={"content": "x" * BODY_LIMIT, "scope": scope})
    streamed = await client.post("/v1/remember", content=endless(), headers={"content-type": "application/json"})
    assert [reply.status_code for reply in (declared, streamed)] == [413, 413]
    assert {reply.json()["error"]["code"] for reply in (declared, streamed)} == {"too_large"}


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("application/json", 200),
        ("Application/JSON; charset=UTF-8", 200),
        ('application/json;charset="utf-8"', 200),
        ("application/json; charset=latin-1", 415),
        ("application/jsonx", 415),
        ("text/plain", 415),
        ("", 415),
    ],
)
async def test_only_json_is_read(kind: str, status: int, client: httpx2.AsyncClient, scope: str) -> None:
    """The content type decides, not the look of the body."""
    body = json.dumps({"query": "x", "scope": scope})
    reply = await client.post("/v1/recall", content=body, headers={"content-type": kind})
    assert reply.status_code == status


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nope", 404, "unknown_route"),
        ("POST", "/v1/Remember", 404, "unknown_route"),
        ("POST", "/v1/remember/", 404, "unknown_route"),
        ("GET", "/api/scopes/", 404, "unknown_route"),
        ("GET", "/v1/remember", 405, "method_not_allowed"),
        ("DELETE", "/api/scopes/x/graph", 405, "method_not_allowed"),
    ],
)
async def test_a_wrong_route_or_method_is_json_too(
    method: str, path: str, status: int, code: str, client: httpx2.AsyncClient
) -> None:
    """No redirect, no HTML."""
    reply = await client.request(method, path)
    assert (reply.status_code, reply.json()["error"]["code"]) == (status, code)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=-1", "limit"),
        ("limit=x", "limit"),
        ("limit=1&limit=2", "limit"),
        ("changed_after=-1", "changed_after"),
        ("limt=3", "limt"),
        ("scope=other", "scope"),
    ],
)
async def test_bad_parameters_of_a_page_are_named(query: str, field: str, client: httpx2.AsyncClient) -> None:
    """Unknown ones too: a mistyped limit is not a default."""
    reply = await client.get(f"/api/scopes/x/graph?{query}")
    assert (reply.status_code, reply.json()["error"]["field"]) == (422, field)


async def test_the_probes_tell_by_component(client: httpx2.AsyncClient) -> None:
    """And nothing of where the graph is."""
    health, ready = await client.get("/health"), await client.get("/ready")
    assert (health.status_code, health.json()["components"]["graph"]["status"]) == (200, "ok")
    assert (ready.status_code, ready.json()) == (200, {"ready": True})
    assert "bolt://" not in health.text


async def test_requests_are_counted_by_route(client: httpx2.AsyncClient) -> None:
    """By template and status: a caller cannot grow the table with paths of its own."""
    for path in ("/api/scopes/a/stats?bad=1", "/api/scopes/b/stats?bad=1", "/x1", "/x2"):
        await client.get(path)
    text = (await client.get("/metrics")).text
    assert 'requests_total{route="/api/scopes/{scope:path}/stats",method="GET",status="422"} 2' in text
    assert 'requests_total{route="unmatched",method="GET",status="404"} 2' in text
    assert "hydramind_graph_up 1.0" in text
