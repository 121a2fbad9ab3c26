"""Calls as models and clients really make them, over a real graph."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from mcp.server import MCPServer

from hydramind.service import HydraMind
from tests.conftest import TestClock
from tests.mcp.conftest import LEGACY, MODERN, Ask, asker, server_of

FACT = "The billing service stores invoices in Postgres."


async def remember(ask: Ask, scope: str, content: str = FACT, **more: Any) -> str:
    """Store a statement; its id."""
    answer = await ask("remember", content=content, scope=scope, **more)
    assert not answer.failed, answer.text
    found = re.search(r"memory (\d+)", answer.text)
    assert found is not None
    return found[1]


async def test_a_slot_is_quoted_back_for_the_next_call(server: MCPServer[Any], scope: str) -> None:
    """HYB-13: what an agent reads with a memory names the value that a later one replaces."""
    ask = asker(server, MODERN)
    old = await remember(ask, scope, slot="Billing/Store")
    assert 'slot "billing/store"' in (await ask("recall", query="billing Postgres invoices", scope=scope)).text
    told = await ask("remember", content="Invoices are kept by a vendor.", scope=scope, slot="billing/store")
    assert f"supersedes {old}: " in told.text
    assert 'slot "billing/store"' in (await ask("inspect", memory_id=old, scope=scope)).text


async def test_every_tool_answers_with_ids_for_the_next_call(
    server: MCPServer[Any], scope: str, era: Any, clock: TestClock
) -> None:
    """A whole session: contradiction, decay, revision, history, withdrawal, in both protocol eras."""
    ask = asker(server, era)
    old = await remember(ask, scope, entity_refs=["billing service"])
    derived = await remember(ask, scope, "Invoices survive a crash.", entity_refs=["invoices"], derived_from=[old])
    clock.advance(seconds=1)
    clash = await ask(
        "remember",
        content="The billing service does not store invoices in Postgres.",
        scope=scope,
        entity_refs=["billing service"],
    )
    assert f"contradicts {old}: " in clash.text
    assert f"trust of {old}: 1.00 -> 0.60" in clash.text
    assert f"trust of {derived}: 1.00 -> 0.85 (derived, hop 1)" in clash.text
    new = re.findall(r"memory (\d+)", clash.text)[0]
    assert f"- {old}: " in (await ask("recall", query="billing Postgres invoices", scope=scope)).text
    assert (
        f"contradicts {new}: "
        in (await ask("check_conflict", content=FACT, entity_refs=["billing service"], scope=scope)).text
    )
    assert f"by {new}" in (await ask("explain_trust", memory_id=old, scope=scope)).text
    assert f"{old} <-DERIVED_FROM- {derived}" in (await ask("trace_memory", memory_id=old, scope=scope)).text
    between = (await ask("trace_memory", memory_id=old, target_id=derived, scope=scope)).text
    assert between.startswith("1 paths from memory")
    assert between.endswith(f"Only paths that end at memory {derived} were looked for.")
    because = {"scope": scope, "relation": "invalidated_by", "reason": "a migration", "weight": 0.5}
    said = f"memory {old} invalidated_by {new}"
    assert f"related: {said} (weight 0.50)" in (await ask("relate", memory_id=old, other_id=new, **because)).text
    shown = (await ask("inspect", memory_id=new, scope=scope)).text
    assert f'declared: {old} invalidated_by this (weight 0.50, because "a migration")' in shown
    assert f"{new} <-invalidated_by- {old}" in (await ask("trace_memory", memory_id=new, scope=scope)).text
    taken = {"memory_id": old, "other_id": new, "withdraw": True, **because}
    assert (await ask("relate", **taken)).text.startswith(f"withdrew: {said}")
    revised = await ask("revise", memory_id=new, content="Invoices moved to a vendor.", scope=scope, reason="migration")
    assert f"replaces {new}" in revised.text
    timeline = (await ask("timeline", scope=scope, entity_ref="Billing Service")).text
    assert timeline.index(f"- {old}: ") < timeline.index(f"- {new}: ")
    assert 'because "migration"' in timeline
    assert f"derived: {derived}" in (await ask("inspect", memory_id=old, scope=scope)).text
    assert f"forgot memory {derived}" in (await ask("forget", memory_id=derived, scope=scope)).text
    assert "forgotten already" in (await ask("forget", memory_id=derived, scope=scope)).text


async def test_optional_arguments_as_null_mean_their_defaults(ask: Ask, scope: str) -> None:
    """Clients send an explicit null for what the model left out."""
    await remember(ask, scope)
    bare = await ask("recall", query="billing invoices", scope=scope)
    assert await ask("recall", query="billing invoices", scope=scope, entity_refs=None, limit=None) == bare
    nulls = {"entity_refs": None, "derived_from": None, "idempotency_key": None}
    memory = await remember(ask, scope, "Deploys run on Fridays.", **nulls)
    assert not (
        await ask("revise", memory_id=memory, content="Deploys run daily.", scope=scope, reason=None, entity_refs=None)
    ).failed
    traced = await ask("trace_memory", memory_id=memory, scope=scope)
    assert await ask("trace_memory", memory_id=memory, scope=scope, max_hops=None, max_paths=None) == traced
    assert not (await ask("check_conflict", content=FACT, scope=scope, entity_refs=None)).failed


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("remember", {"content": ""}),
        ("remember", {"content": " \n\t "}),
        ("remember", {"content": "\u200b\ufeff"}),
        ("remember", {"content": None}),
        ("remember", {"content": True}),
        ("remember", {"content": "x", "scope": "  "}),
        ("remember", {"content": "x", "entity_refs": ["ok", "  "]}),
        ("remember", {"content": "x", "entity_refs": {"name": "a"}}),
        ("remember", {"content": "x", "entity_refs": "[broken"}),
        ("remember", {"content": "x", "entity_refs": '[{"name":"a"}]'}),
        ("remember", {"content": "x", "derived_from": ["abc"]}),
        ("remember", {}),
        ("recall", {"query": "   "}),
        ("recall", {"query": "x", "limit": -1}),
        ("recall", {"query": "x", "limit": 2.5}),
        ("recall", {"query": "x", "limit": True}),
        ("recall", {"query": "x", "limit": "abc"}),
        ("timeline", {"entity_ref": "x", "limit": -1}),
        ("trace_memory", {"memory_id": "1", "max_hops": 0}),
        ("revise", {"memory_id": "1", "content": "  "}),
        ("inspect", {"memory_id": "-1"}),
        ("inspect", {"memory_id": "1e3"}),
    ],
)
async def test_bad_argument_is_an_error_that_names_it_and_stores_nothing(
    tool: str, arguments: dict[str, Any], ask: Ask, scope: str
) -> None:
    """The model can correct itself; a blank scope does not become a scope."""
    answer = await ask(tool, **{"scope": scope, **arguments})
    assert answer.failed
    assert re.match(
        r"invalid: \w+(\.\d+)?: .+ Nothing was changed: correct the argument and call \w+ again\.\Z", answer.text
    )
    assert "pydantic" not in answer.text
    assert "0 were looked at" in (await ask("recall", query="anything", scope=scope)).text


async def test_unknown_argument_is_refused_by_name(ask: Ask, scope: str) -> None:
    """A misspelt limit must not silently be the default one."""
    answer = await ask("recall", query="x", scope=scope, limt=3)
    assert answer.failed
    assert "limt: is not an argument of recall; it takes query, scope, entity_refs, limit" in answer.text


async def test_arguments_of_other_faces_are_not_offered(ask: Ask, scope: str) -> None:
    """The tools take what they list, nothing more."""
    assert (await ask("remember", content="x", scope=scope, source="forged")).failed


@pytest.mark.parametrize(
    ("limit", "shown"),
    [(0, 0), (1, 1), ("2", 2), (2.0, 2), (10**9, 3), (None, 3), (1e2, 3)],
)
async def test_limits_are_honoured_or_cut_with_a_note(limit: Any, shown: int, ask: Ask, scope: str) -> None:
    """What was left out is counted."""
    for name in ("alpha", "beta", "gamma"):
        await remember(ask, scope, f"Deploy of {name} is green.")
    answer = await ask("recall", query="deploy green", scope=scope, limit=limit)
    assert answer.text.count("\n- ") == shown
    assert ("limit was cut to 100" in answer.text) is (limit == 10**9)
    assert ("more matched" in answer.text) is (0 < shown < 3)


@pytest.mark.parametrize("content", ['{"a":1}', "[1,2]", "null", "true", "0042", '"quoted"', "1e3"])
async def test_text_that_looks_like_json_stays_text(content: str, ask: Ask, scope: str) -> None:
    """A memory may hold a snippet of JSON."""
    memory = await remember(ask, scope, content)
    assert f"content: {json.dumps(content)}" in (await ask("inspect", memory_id=memory, scope=scope)).text


async def test_numbers_where_text_belongs_become_their_json_text(ask: Ask, scope: str) -> None:
    """`7` and `007` stay two entities."""
    memory = await remember(ask, scope, 12345, entity_refs=[7, "007"])  # pyright: ignore[reportArgumentType]
    inspected = (await ask("inspect", memory_id=int(memory), scope=scope)).text
    assert 'content: "12345"' in inspected
    assert 'about: "7", "007"' in inspected or 'about: "007", "7"' in inspected


@pytest.mark.parametrize(
    ("given", "names"),
    [('["lint", "ui, kit"]', {"lint", "ui, kit"}), ("lint", {"lint"}), (["lint", "lint"], {"lint"}), ("", set[str]())],
)
async def test_lists_given_as_text_are_read_whole(given: Any, names: set[str], ask: Ask, scope: str) -> None:
    """Several clients send a list as a string."""
    memory = await remember(ask, scope, entity_refs=given)
    about = re.search(r"about: (.*)", (await ask("inspect", memory_id=memory, scope=scope)).text)
    assert about is not None
    assert set(re.findall(r'"([^"]+)"', about[1])) == names


async def test_ids_of_another_scope_are_unknown(ask: Ask, scope: str) -> None:
    """No tool reaches across scopes."""
    memory = await remember(ask, f"{scope}-other")
    for tool in ("inspect", "forget", "explain_trust", "trace_memory"):
        answer = await ask(tool, memory_id=memory, scope=scope)
        assert answer.failed
        assert answer.text.startswith("not_found: ")
    assert (await ask("revise", memory_id=memory, content="x", scope=scope)).failed
    assert (await ask("remember", content="y", scope=scope, derived_from=[memory])).failed


async def test_nothing_known_says_so_instead_of_saying_nothing(ask: Ask, scope: str) -> None:
    """Empty content reads like a success to some clients."""
    await remember(ask, scope)
    answer = await ask("recall", query="quantum zebra", scope=scope)
    assert not answer.failed
    assert answer.text.startswith("no memory passes the evidence gate; 1 were looked at")


async def test_same_key_happens_once_and_another_payload_is_refused(ask: Ask, scope: str) -> None:
    """A retried call is safe."""
    first = await remember(ask, scope, idempotency_key="k1")
    assert await remember(ask, scope, idempotency_key="k1") == first
    assert (await ask("remember", content="Something else.", scope=scope, idempotency_key="k1")).text.startswith(
        "conflict: "
    )


async def test_long_memories_are_cut_with_their_length_told(ask: Ask, scope: str) -> None:
    """No reply is longer than clients show in full, however much is stored."""
    for number in range(30):
        await remember(ask, scope, f"release note {number} " + "word " * 600)
    answer = await ask("recall", query="release note", scope=scope, limit=100)
    assert len(answer.text) <= 20_000
    assert "[cut, 3,0" in answer.text
    assert answer.text.count("\n- ") == 30


async def test_oversized_text_is_refused_with_the_limit(ask: Ask, scope: str) -> None:
    """Nothing is cut silently on the way in."""
    answer = await ask("remember", content="x" * 100_001, scope=scope)
    assert answer.failed
    assert "at most 100,000 characters, got 100,001" in answer.text


async def test_structured_content_only_when_asked_for(mind: HydraMind, scope: str, era: Any) -> None:
    """Clients that get it show the model nothing else, so it is off by default."""
    await remember(asker(server_of(mind)), scope)
    plain = await asker(server_of(mind), era)("recall", query="billing invoices", scope=scope)
    assert plain.structured is None
    full = await asker(server_of(mind, mcp_structured=True), era)("recall", query="billing invoices", scope=scope)
    assert full.text == plain.text
    assert [hit["memory"]["content"] for hit in full.structured["hits"]] == [FACT]


async def test_both_eras_say_the_same(server: MCPServer[Any], scope: str) -> None:
    """The revision of the protocol changes nothing that a model reads."""
    await remember(asker(server), scope)
    asked = {"query": "billing invoices", "scope": scope}
    assert await asker(server, LEGACY)("recall", **asked) == await asker(server, MODERN)("recall", **asked)
