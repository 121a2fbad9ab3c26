"""One client of the race: writers that change one scope and log every intent before and every outcome after a call.

Started by races.py and killed at any moment; what its log says was acknowledged must be in the graph. Ids are chosen here,
before the call, so that every memory found later can be traced to the call that meant it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import secrets
import sys
import time
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hydramind.clock import system_clock
from hydramind.errors import HydraMindError, Unavailable
from hydramind.ids import random_id
from hydramind.models import OneMemory, Remember, Revise
from hydramind.service import HydraMind

THINGS = ("gateway", "mailer", "importer", "scheduler", "cache", "ledger", "search index", "webhook relay")
STATES = ("is enabled", "accepts anonymous calls", "retries failed jobs", "writes audit records", "uses the new parser")
DENIALS = {
    "is enabled": "is not enabled",
    "accepts anonymous calls": "does not accept anonymous calls",
    "retries failed jobs": "does not retry failed jobs",
    "writes audit records": "does not write audit records",
    "uses the new parser": "does not use the new parser",
}
VERBS = ("remember",) * 4 + ("keyed",) * 2 + ("derived",) * 3 + ("deny",) * 3 + ("revise",) * 3 + ("forget",) * 2
LOOK_SECONDS = 0.05
OPENINGS = 30
_next_id: ContextVar[int] = ContextVar("next_id")


@dataclass(slots=True)
class Journal:
    """This client's log; a line that was noted survives the client, one that was sealed survives the machine too."""

    file: int
    calls: int = 0

    def note(self, **line: Any) -> None:
        """Write one line."""
        os.write(self.file, json.dumps(line).encode() + b"\n")

    def seal(self, **line: Any) -> None:
        """Write one line and wait until it is on the disk."""
        self.note(**line)
        os.fsync(self.file)


@dataclass(slots=True)
class Pool:
    """Memories that any client has an acknowledgement for: read from all logs as they grow."""

    folder: Path
    known: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    _offsets: dict[Path, int] = field(default_factory=dict[Path, int])
    _looked_at: float = 0.0

    def refresh(self) -> None:
        """Take in what was logged since the last look, at most some twenty times a second."""
        if time.monotonic() - self._looked_at < LOOK_SECONDS:
            return
        self._looked_at = time.monotonic()
        for path in sorted(self.folder.glob("*.log")):
            with path.open("rb") as file:
                file.seek(self._offsets.get(path, 0))
                fresh = file.read()
            whole = fresh[: fresh.rfind(b"\n") + 1]
            self._offsets[path] = self._offsets.get(path, 0) + len(whole)
            for line in whole.splitlines():
                row = json.loads(line)
                if row["at"] == "done" and row.get("created"):
                    self.known.append(row)


@dataclass(slots=True)
class Client:
    """The writers' shared state."""

    mind: HydraMind
    scope: str
    journal: Journal
    pool: Pool
    clock: CountingClock
    rng: random.Random


class CountingClock:
    """The system clock; the service reads it once for each decision, so `readings` counts the repeated ones too."""

    def __init__(self) -> None:
        self.readings = 0

    def __call__(self) -> int:
        """Epoch milliseconds."""
        self.readings += 1
        return system_clock()


def statement(rng: random.Random) -> dict[str, Any]:
    """A fact about a thing that nobody has named before."""
    thing = f"{rng.choice(THINGS)} {secrets.token_hex(4)}"
    state = rng.choice(STATES)
    return {"content": f"The {thing} {state}", "entity_refs": [thing], "thing": thing, "state": state}


def plan(client: Client) -> dict[str, Any]:
    """The next call: its verb and arguments, about memories that some client has created."""
    kind = client.rng.choice(VERBS)
    client.pool.refresh()
    recent = client.pool.known[-200:]
    if not recent and kind in ("derived", "deny", "revise", "forget"):
        kind = "remember"
    other = client.rng.choice(recent) if recent else {}
    if kind == "deny" and other["state"] in DENIALS:
        denied = {"content": f"The {other['thing']} {DENIALS[other['state']]}", "entity_refs": [other["thing"]]}
        return {"verb": "remember", **denied, "thing": other["thing"], "state": "denied"}
    if kind == "revise":
        state = f"was moved to release {secrets.token_hex(3)}"
        moved = {"content": f"The {other['thing']} {state}", "thing": other["thing"], "state": state}
        return {"verb": "revise", "memory_id": other["id"], **moved}
    if kind == "forget":
        return {"verb": "forget", "memory_id": other["id"]}
    call = {"verb": "remember", **statement(client.rng)}
    if kind == "keyed":
        call["idempotency_key"] = f"call-{secrets.token_hex(6)}"
    if kind == "derived":
        call["derived_from"] = [row["id"] for row in client.rng.sample(recent, min(len(recent), 2))]
    return call


async def carry_out(client: Client, call: dict[str, Any]) -> None:
    """Log the intent, make the call, log what came of it."""
    id_ = random_id()
    _next_id.set(id_)
    client.journal.calls += 1
    number = client.journal.calls
    client.journal.note(at="intent", call=number, id=str(id_), **call)
    try:
        outcome = await _send(client.mind, client.scope, call)
    except Unavailable as error:
        client.journal.seal(at="unknown", call=number, error=str(error))
    except HydraMindError as error:
        client.journal.seal(at="refused", call=number, code=error.code, error=str(error))
    else:
        told = {"thing": call["thing"], "state": call["state"]} if outcome.get("created") else {}
        decided = client.clock.readings
        client.journal.seal(at="done", call=number, verb=call["verb"], decided=decided, **outcome, **told)


async def _send(mind: HydraMind, scope: str, call: dict[str, Any]) -> dict[str, Any]:
    """The outcome: `id` of the memory, and whether it was `created` or `changed` by this call."""
    if call["verb"] == "forget":
        hidden = await mind.forget(OneMemory.parse({"memory_id": call["memory_id"], "scope": scope}))
        return {"id": hidden.memory.id, "changed": hidden.changed}
    if call["verb"] == "revise":
        arguments = {name: call[name] for name in ("memory_id", "content")}
        revised = await mind.revise(Revise.parse({**arguments, "scope": scope, "reason": "a newer release"}))
        return {"id": revised.memory.id, "created": True, "replaced": revised.replaced.id}
    names = ("content", "entity_refs", "derived_from", "idempotency_key")
    kept = await mind.remember(Remember.parse({name: call[name] for name in names if name in call} | {"scope": scope}))
    return {"id": kept.memory.id, "created": kept.outcome == "created", "key": call.get("idempotency_key", "")}


async def look_back(client: Client) -> None:
    """What any client was told is stored must be visible here and now; raises `NotFound` when it is not."""
    client.pool.refresh()
    if not client.pool.known:
        return
    row = client.rng.choice(client.pool.known[-20:])
    try:
        await client.mind.inspect(OneMemory.parse({"memory_id": row["id"], "scope": client.scope}))
    except Unavailable as error:
        client.journal.note(at="unread", id=row["id"], error=str(error))
    except HydraMindError as error:
        client.journal.seal(at="unseen", id=row["id"], error=str(error))
    else:
        client.journal.note(at="seen", id=row["id"])


def told_to_stop(stop: Path) -> bool:
    """Whether the stop file is there."""
    return stop.exists()


async def write(client: Client, stop: Path, seed: int) -> None:
    """One writer, until the stop file appears; keyed calls are sent twice now and then."""
    rng = random.Random(seed)
    while not told_to_stop(stop):
        call = plan(client)
        await carry_out(client, call)
        if call.get("idempotency_key") and rng.random() < 0.5:
            await carry_out(client, call)
        if rng.random() < 0.2:
            await look_back(client)


def unfinished(log: Path) -> Iterator[dict[str, Any]]:
    """The keyed calls of an earlier, killed client whose outcome it did not learn."""
    calls: dict[int, dict[str, Any]] = {}
    if not log.is_file():
        return
    for line in log.read_bytes().split(b"\n")[:-1]:
        row = json.loads(line)
        if row["at"] == "intent":
            calls[row["call"]] = row
        elif row["at"] == "done":
            calls.pop(row["call"], None)
    for row in calls.values():
        if row.get("idempotency_key"):
            yield {key: value for key, value in row.items() if key not in ("at", "call", "id")}


async def race(arguments: argparse.Namespace) -> None:
    """Retry what the killed predecessor left open, then write until told to stop."""
    folder = Path(arguments.folder)
    log = folder / f"{arguments.name}.log"
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
    clock, rng = CountingClock(), random.Random(arguments.seed)
    async with contextlib.AsyncExitStack() as stack:
        mind = await joined(stack, clock)
        client = Client(mind, arguments.scope, Journal(file), Pool(folder), clock, rng)
        client.journal.note(at="ready")
        for call in unfinished(folder / f"{arguments.after}.log"):
            await carry_out(client, call)
        stop = folder / "stop"
        seeds = [rng.getrandbits(32) for _ in range(arguments.writers)]
        await asyncio.gather(*(write(client, stop, seed) for seed in seeds))
    client.journal.seal(at="end", decided=clock.readings)
    os.close(file)


async def joined(stack: contextlib.AsyncExitStack, clock: CountingClock) -> HydraMind:
    """An open memory; the server may be down at the moment, so it is asked for a while."""
    for _ in range(OPENINGS):
        try:
            return await stack.enter_async_context(HydraMind.open(clock=clock, new_id=_next_id.get))
        except Unavailable:
            await asyncio.sleep(1.0)
    return await stack.enter_async_context(HydraMind.open(clock=clock, new_id=_next_id.get))


def main() -> int:
    """Races; ends with 0 when it was told to stop."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    for name in ("--folder", "--name", "--scope"):
        parser.add_argument(name, required=True)
    parser.add_argument("--after", default="", help="name of the killed client that this one follows")
    parser.add_argument("--writers", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    asyncio.run(race(parser.parse_args()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
