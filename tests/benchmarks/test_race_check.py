"""The race's bookkeeping: what clients were told against what a graph holds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.race_check import Claims, doubled, lost, read_claims, unexplained
from benchmarks.race_client import unfinished
from hydramind.queries.audit import Link
from hydramind.records import Memory, Op
from hydramind.verify.contents import Contents

KEPT = {"at": "intent", "call": 1, "id": "1", "verb": "remember", "content": "one"}
KEYED = {"at": "intent", "call": 2, "id": "2", "verb": "remember", "content": "two", "idempotency_key": "k"}
REVISED = {"at": "intent", "call": 3, "id": "3", "verb": "revise", "content": "three", "memory_id": "1"}
FORGOTTEN = {"at": "intent", "call": 4, "id": "9", "verb": "forget", "memory_id": "2"}
INTENTS = (KEPT, KEYED, REVISED, FORGOTTEN)
DONE = (
    {"at": "done", "call": 1, "id": "1", "created": True, "decided": 1},
    {"at": "done", "call": 2, "id": "2", "created": True, "decided": 2},
    {"at": "done", "call": 3, "id": "3", "created": True, "replaced": "1", "decided": 4},
    {"at": "done", "call": 4, "id": "2", "changed": True, "decided": 5},
)


def log(folder: Path, rows: Sequence[dict[str, Any]], name: str = "00-000", torn: str = "") -> Claims:
    """A client's log, read back."""
    (folder / f"{name}.log").write_text("".join(json.dumps(row) + "\n" for row in rows) + torn)
    return read_claims(folder)


def memory(id_: int, content: str, status: str = "active") -> Memory:
    """A stored memory."""
    return Memory(id_, "s", content, "", 0, 0, 0, status=status)


def op(revision: int, verb: str, *ids: int) -> Op:
    """A commit."""
    return Op(revision, "s", f"s:{revision:016d}", revision, "", verb, 0, memory_ids=",".join(map(str, ids)))


STORED = Contents(
    scope="s",
    memories=(memory(1, "one", "superseded"), memory(2, "two", "forgotten"), memory(3, "three")),
    entities=(),
    ops=(
        op(1, "remember", 1),
        op(2, "remember", 2),
        op(3, "revise", 3, 1),
        op(4, "forget", 2),
        Op(99, "s", "s!k", 2, "", "remember", 0),
    ),
    links={"SUPERSEDED_BY": (Link("SUPERSEDED_BY", 5, 1, 3, "s", "s"),)},
    scopes=(),
)


def troubles(claims: Claims, stored: Contents) -> tuple[int, int, int]:
    """How much is lost, doubled, unexplained."""
    return (len(list(lost(claims, stored))), len(list(doubled(claims, stored))), len(list(unexplained(claims, stored))))


def test_a_graph_that_holds_what_was_told_is_clean(tmp_path: Path) -> None:
    """Nothing lost, doubled or unexplained; a decision taken twice is counted."""
    claims = log(tmp_path, [row for pair in zip(INTENTS, DONE, strict=True) for row in pair])
    assert troubles(claims, STORED) == (0, 0, 0)
    assert (claims.unknown, claims.decided_again) == (0, 1)


def test_an_intent_without_outcome_may_have_happened_or_not(tmp_path: Path) -> None:
    """A killed client's calls are unknown, and a torn last line counts as not written."""
    claims = log(tmp_path, INTENTS, torn='{"at": "done", "call"')
    assert (claims.unknown, claims.done) == (4, [])
    assert troubles(claims, STORED) == (0, 0, 0)
    assert troubles(claims, replace(STORED, memories=(), ops=(), links={"SUPERSEDED_BY": ()})) == (0, 0, 0)


def test_every_missing_effect_is_lost(tmp_path: Path) -> None:
    """A memory that is gone, another content, a replacement not recorded, a memory not hidden."""
    claims = log(tmp_path, (*INTENTS, *DONE))
    assert len(list(lost(claims, replace(STORED, memories=())))) == 4
    changed = (memory(1, "other", "superseded"), memory(2, "two"), memory(3, "three"))
    told = list(lost(claims, replace(STORED, memories=changed, links={"SUPERSEDED_BY": ()})))
    assert told == [
        "remember of memory 1: it says 'other', not 'one'",
        "revise of memory 3: it does not replace 1",
        "forget of memory 2: it is active",
    ]


def test_every_repeated_effect_is_doubled(tmp_path: Path) -> None:
    """Two ops of one call, two memories of one key, two calls that forgot the same, a creation taken for a duplicate."""
    again = {**KEYED, "call": 5, "id": "7"}
    twice = {**FORGOTTEN, "call": 6, "id": "8"}
    rows = (*INTENTS, *DONE, again, {**DONE[1], "call": 5, "id": "7"}, twice, {**DONE[3], "call": 6})
    rows = (*rows, {**KEPT, "call": 7, "id": "6"}, {"at": "done", "call": 7, "id": "6", "created": False})
    claims = log(tmp_path, rows)
    memories = (*STORED.memories, memory(7, "two"), memory(6, "one"))
    told = list(doubled(claims, replace(STORED, memories=memories, ops=(*STORED.ops, op(5, "remember", 1)))))
    assert told == [
        "2 ops remember memory 1",
        "2 calls were told that they forgot memory 2",
        "the call that created memory 6 was told that it is a duplicate",
        "key 'k' made or returned the memories ['2', '7']",
        "key 'k' made or returned the memories ['2', '7']",
    ]


def test_what_nobody_meant_is_unexplained(tmp_path: Path) -> None:
    """A memory without intent, an op without intent, a refused call that took effect."""
    refused = {"at": "refused", "call": 3, "code": "conflict", "error": "", "decided": 3}
    claims = log(tmp_path, (*INTENTS, DONE[0], DONE[1], refused, DONE[3]))
    stored = replace(STORED, memories=(*STORED.memories, memory(5, "five")), ops=(*STORED.ops, op(5, "forget", 3)))
    assert list(unexplained(claims, stored)) == [
        "memory 5 'five' was meant by nobody",
        "revise of memory 3 was refused, yet it is there",
        "op 's:0000000000000005' (forget 3) was meant by nobody",
    ]


def test_a_memory_that_another_process_did_not_see_is_reported(tmp_path: Path) -> None:
    """Seen and unseen looks are counted apart."""
    claims = log(tmp_path, ({"at": "seen", "id": "1"}, {"at": "unseen", "id": "2", "error": "no memory '2'"}))
    assert (claims.seen, claims.unseen) == (1, ["memory 2 was acknowledged before, yet: no memory '2'"])


def test_a_successor_retries_the_keyed_calls_left_open(tmp_path: Path) -> None:
    """Only keyed calls whose outcome the killed client did not learn, without the id meant for the first try."""
    log(tmp_path, (KEPT, KEYED, {**KEYED, "call": 5, "idempotency_key": "other"}, {**DONE[1], "call": 2}))
    found = list(unfinished(tmp_path / "00-000.log"))
    assert found == [{"verb": "remember", "content": "two", "idempotency_key": "other"}]
    assert list(unfinished(tmp_path / "none.log")) == []
