"""Compares what the clients of a race were told with what the graph holds."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hydramind.records import Op, Status
from hydramind.verify.contents import Contents

Row = dict[str, Any]


@dataclass(slots=True)
class Claims:
    """Every client's log: `intents` by the id chosen for them, and each outcome beside the intent it belongs to."""

    intents: dict[str, Row] = field(default_factory=dict[str, Row])
    done: list[tuple[Row, Row]] = field(default_factory=list[tuple[Row, Row]])
    refused: list[tuple[Row, Row]] = field(default_factory=list[tuple[Row, Row]])
    unknown: int = 0
    seen: int = 0
    unseen: list[str] = field(default_factory=list[str])
    decided_again: int = 0

    def meant(self, verb: str, name: str) -> set[str]:
        """What the intents of one verb name under `name`."""
        return {row[name] for row in self.intents.values() if row["verb"] == verb}


def read_claims(folder: Path) -> Claims:
    """All logs of a folder; a line that a killed client did not finish counts as not written."""
    claims = Claims()
    for path in sorted(folder.glob("*.log")):
        _read(claims, [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]])
    return claims


def _read(claims: Claims, rows: Iterable[Row]) -> None:
    waiting: dict[int, Row] = {}
    decided = outcomes = 0
    for row in rows:
        at = row["at"]
        decided = max(decided, row.get("decided", 0))
        if at == "intent":
            waiting[row["call"]] = claims.intents[row["id"]] = row
        elif at in ("done", "refused"):
            outcomes += 1
            (claims.done if at == "done" else claims.refused).append((waiting.pop(row["call"]), row))
        elif at == "seen":
            claims.seen += 1
        elif at == "unseen":
            claims.unseen.append(f"memory {row['id']} was acknowledged before, yet: {row['error']}")
    claims.unknown += len(waiting)
    claims.decided_again += max(0, decided - outcomes)


def lost(claims: Claims, contents: Contents) -> Iterator[str]:
    """Acknowledged effects that the graph does not hold."""
    replaced = {(str(link.source), str(link.target)) for link in contents.links["SUPERSEDED_BY"]}
    for intent, outcome in claims.done:
        memory = contents.by_id.get(int(outcome["id"]))
        told = f"{intent['verb']} of memory {outcome['id']}"
        if memory is None:
            yield f"{told}: it is not there"
        elif outcome.get("created") and memory.content != intent["content"]:
            yield f"{told}: it says {memory.content!r}, not {intent['content']!r}"
        elif intent["verb"] == "forget" and memory.status != Status.FORGOTTEN:
            yield f"{told}: it is {memory.status}"
        elif intent["verb"] == "revise" and (outcome["replaced"], outcome["id"]) not in replaced:
            yield f"{told}: it does not replace {outcome['replaced']}"


def doubled(claims: Claims, contents: Contents) -> Iterator[str]:
    """Effects that happened more than once."""
    subjects = Counter((op.verb, subject(op)) for op in contents.commits if op.memory_ids)
    for (verb, id_), times in subjects.items():
        if times > 1:
            yield f"{times} ops {verb} memory {id_}"
    changed = Counter(outcome["id"] for _, outcome in claims.done if outcome.get("changed"))
    yield from (f"{times} calls were told that they forgot memory {id_}" for id_, times in changed.items() if times > 1)
    for intent, outcome in claims.done:
        if intent["verb"] == "remember" and not outcome["created"] and outcome["id"] == intent["id"]:
            yield f"the call that created memory {intent['id']} was told that it is a duplicate"
    yield from _keys(claims, contents)


def _keys(claims: Claims, contents: Contents) -> Iterator[str]:
    stored: dict[str, set[str]] = defaultdict(set)
    told: dict[str, set[str]] = defaultdict(set)
    for id_, intent in claims.intents.items():
        if intent.get("idempotency_key") and int(id_) in contents.by_id:
            stored[intent["idempotency_key"]].add(id_)
    for intent, outcome in claims.done:
        if intent.get("idempotency_key"):
            told[intent["idempotency_key"]].add(outcome["id"])
    for key, ids in (*stored.items(), *told.items()):
        if len(ids) > 1:
            yield f"key {key!r} made or returned the memories {sorted(ids)}"


def unexplained(claims: Claims, contents: Contents) -> Iterator[str]:
    """Memories and ops that no intent asked for, and refused calls that took effect all the same."""
    for memory in contents.memories:
        intent = claims.intents.get(str(memory.id))
        if intent is None or memory.content != intent.get("content"):
            yield f"memory {memory.id} {memory.content!r} was meant by nobody"
    for intent, _ in claims.refused:
        if int(intent["id"]) in contents.by_id:
            yield f"{intent['verb']} of memory {intent['id']} was refused, yet it is there"
    keyed = {op.revision for op in contents.keyed}
    duplicates = {outcome["id"] for intent, outcome in claims.done if intent["verb"] == "remember"}
    meant = {
        "remember": claims.meant("remember", "id") | duplicates,
        "revise": claims.meant("revise", "id"),
        "forget": claims.meant("forget", "memory_id"),
    }
    for op in contents.commits:
        explained = subject(op) in meant.get(op.verb, ()) if op.memory_ids else op.revision in keyed
        if not explained:
            yield f"op {op.key!r} ({op.verb} {op.memory_ids}) was meant by nobody"


def subject(op: Op) -> str:
    """The memory that an op is about: the first it names."""
    return op.memory_ids.partition(",")[0]
