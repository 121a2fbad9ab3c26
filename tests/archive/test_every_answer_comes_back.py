"""After a restore every verb says what it said before, whatever the scope holds."""

from __future__ import annotations

import os
import resource
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hydramind.archive import restore, snapshot, verify
from hydramind.errors import Unavailable
from hydramind.graph.connection import Graph
from hydramind.models import Remembered
from hydramind.opening import open_graph
from hydramind.queries.query import Query, nothing
from hydramind.service import HydraMind
from hydramind.settings import Settings
from tests.conftest import TestClock
from tests.scoped import DENIAL, FACT, FAR_REST, REST, Scoped
from tests.verbs.test_foreign_properties import told

REMOVE = Query("remove a scope", "MATCH (n) WHERE n.scope = $scope OR n.name = $scope DETACH DELETE n", nothing)
KEYED = {
    "idempotency_key": "once \u2028 \u043a",
    "entity_refs": ["gateway", "x\u00b2"],
    "source": "Ada",
    "slot": "gateway/tls",
}


async def story(one: Scoped, clock: TestClock) -> list[str]:
    """Every kind of memory, every status, every relationship; the ids of those that are not forgotten."""
    root = (await one.remember(FACT, **KEYED)).memory.id
    rest = await one.keep(REST, derived_from=[root], entity_refs=["gateway"], confidence=0.5, fact_type="observation")
    far = await one.keep(FAR_REST, derived_from=[rest, root], valid_from="2026-01-01", valid_until="2026-12-31")
    denial = await one.keep(DENIAL, entity_refs=["Gateway"], event_time="2026-03-01T10:00:00.250Z")
    said = [
        await one.keep(content, kind="turn", session="lunch", source=who, evidence_id=f"D1:{number}")
        for number, (who, content) in enumerate((("Ada", "Which gateway?"), ("Bo", "The blue one \U0001f6d7")))
    ]
    note = await one.keep("Gateways: a \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645\tlist\r\n", kind="note")
    clock.advance(days=1)
    await one.forget(denial)
    again = await one.keep(DENIAL)
    revised = (await one.revise(rest, "Certificates are rotated by hand.", reason="seen")).memory.id
    await one.forget(far)
    await one.reinstate(far)
    await one.keep("api base path is /v1", event_time="2026-02-01")
    await one.keep("api base path is /v2", event_time="2026-02-20")
    await one.relate(note, said[0], relation="led_to", weight=0.25, reason="why")
    return [root, rest, far, *said, note, again, revised]


async def answers(one: Scoped, ids: list[str]) -> list[str]:
    """Those of every reading verb, and of moments of the past."""
    asked = [
        await one.recall(query, gate=gate, **more)
        for query in ("gateway mutual TLS", "blue one", "api base path", "lift")
        for gate in ("auto", "off")
        for more in ({}, {"as_of": "2026-03-01T10:00:00Z"}, {"entity_refs": ["gateway"]}, {"mode": "sparse_only"})
    ]
    return [*await told(one, ids), *(str([hit.model_dump() for hit in reply.hits]) for reply in asked)]


async def keyed(one: Scoped) -> Remembered:
    """The keyed call, retried."""
    return await one.remember(FACT, **KEYED)


@pytest.fixture
async def graph(embedded_settings: Settings) -> AsyncIterator[Graph]:
    """A connection of the test's own."""
    async with open_graph(embedded_settings, lambda line: None) as graph:
        yield graph


async def test_every_verb_answers_as_before(
    mind: HydraMind, scope: str, graph: Graph, clock: TestClock, tmp_path: Path
) -> None:
    """B01: recall, timeline, trace, trust, inspection, counts, entities, drawing and check, and the retry of a keyed call;
    the second snapshot is the first."""
    one = Scoped(mind, scope)
    ids = await story(one, clock)
    before, first = await answers(one, ids), await keyed(one)
    await snapshot(graph, [one.scope], tmp_path / "one.zip")
    await graph.read(REMOVE, scope=one.scope)
    one.mind._scopes.drop(one.scope)
    await restore(graph, tmp_path / "one.zip")
    assert await answers(one, ids) == before
    assert await keyed(one) == first
    await snapshot(graph, [one.scope], tmp_path / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert verify(tmp_path / "one.zip").parts[0].body("memories").rows == 11


@pytest.mark.parametrize("room", [0, 1_000])
async def test_a_full_disk_leaves_no_file(mind: HydraMind, scope: str, graph: Graph, tmp_path: Path, room: int) -> None:
    """B04: what cannot be written to its end is no snapshot, says so, and can be taken again."""
    await Scoped(mind, scope).keep(f"seed {secrets.token_hex(4_000)}")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        with pytest.raises(Unavailable, match=r"one\.zip' cannot be written: file too large; nothing was kept"):
            await snapshot(graph, [scope], tmp_path / "one.zip")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert os.listdir(tmp_path) == []
    assert (await snapshot(graph, [scope], tmp_path / "one.zip")).rows > 0
