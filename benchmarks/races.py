"""Does any interleaving of processes, or kill -9 of clients and server, lose or double an acknowledged change?

Real processes write to one scope; clients and the server are killed at random moments of a printed seed. At the end the
scope is checked against its own log and ledger, and against what every client was told. One JSON line comes last; the exit
code is 1 when anything was lost, doubled, unexplained, unsound or not seen by another process.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.places import ENGINES, Place, environment, place, remove
from benchmarks.race_check import Claims, doubled, lost, read_claims, unexplained
from hydramind.models import OneScope, Verification
from hydramind.opening import open_graph
from hydramind.service import HydraMind
from hydramind.verify import contents

KILLS = ("clients", "node", "both", "none")
NODE_SHARE = 0.3
"""How often a kill of `both` hits the server."""
PAUSE_SECONDS = (0.2, 2.0)
"""Between two kills, besides the time in which the clients get some work done."""
PATIENCE_SECONDS = 90.0
"""For clients to finish what they have begun once they are told to stop."""
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Race:
    """How one round is run."""

    processes: int
    writers: int
    seconds: float
    kill: str
    seed: int
    scope: str


@dataclass(slots=True)
class Field:
    """The clients of a round, one a slot, each in its latest life."""

    race: Race
    folder: Path
    environment: dict[str, str]
    clients: list[subprocess.Popen[bytes]] = field(default_factory=list[subprocess.Popen[bytes]])
    lives: list[int] = field(default_factory=list[int])
    kills: Counter[str] = field(default_factory=Counter[str])
    crashed: list[str] = field(default_factory=list[str])

    def start(self) -> None:
        """Start a client in every slot."""
        self.lives = [0] * self.race.processes
        self.clients = [self._spawn(slot) for slot in range(self.race.processes)]

    def kill_one(self, rng: random.Random) -> None:
        """kill -9 of a random client; another takes its slot and its unfinished keyed calls."""
        slot = rng.randrange(self.race.processes)
        self._note_crash(slot)
        self.clients[slot].kill()
        self.clients[slot].wait()
        self.kills["client"] += 1
        self.lives[slot] += 1
        self.clients[slot] = self._spawn(slot)

    async def ready(self) -> None:
        """Wait until every client is about to write, or has ended."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        for slot, client in enumerate(self.clients):
            await asyncio.to_thread(_wait_for_content, client, self.folder / f"{self._name(slot)}.log", deadline)

    async def finish(self) -> None:
        """Tell all to stop and wait for them; who does not end in time is killed and counts as crashed."""
        (self.folder / "stop").touch()
        deadline = time.monotonic() + PATIENCE_SECONDS
        for client in self.clients:
            await asyncio.to_thread(_wait, client, deadline - time.monotonic())
        for slot, client in enumerate(self.clients):
            if client.poll() is None:
                self.crashed.append(f"client {slot} did not stop within {PATIENCE_SECONDS:g} s")
            self._note_crash(slot)
        self.end()

    def end(self) -> None:
        """Leave no client behind."""
        for client in self.clients:
            if client.poll() is None:
                client.kill()
                client.wait()

    def _note_crash(self, slot: int) -> None:
        code = self.clients[slot].poll()
        if code:
            errors = (self.folder / f"{self._name(slot)}.err").read_text(errors="replace")
            self.crashed.append(f"client {slot} ended with {code}: {errors[-2000:]}")

    def _name(self, slot: int) -> str:
        return f"{slot:02d}-{self.lives[slot]:03d}"

    def _spawn(self, slot: int) -> subprocess.Popen[bytes]:
        race, name, life = self.race, self._name(slot), self.lives[slot]
        after = f"{slot:02d}-{life - 1:03d}" if life else ""
        seed = random.Random(f"{race.seed}/{name}").getrandbits(32)
        command = [sys.executable, "-m", "benchmarks.race_client", "--folder", str(self.folder), "--name", name]
        command += ["--scope", race.scope, "--after", after, "--writers", str(race.writers), "--seed", str(seed)]
        with (self.folder / f"{name}.err").open("wb") as errors:
            return subprocess.Popen(command, cwd=report.ROOT, env=self.environment, stderr=errors)


def _wait(client: subprocess.Popen[bytes], seconds: float) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        client.wait(max(0.0, seconds))


def _wait_for_content(client: subprocess.Popen[bytes], log: Path, deadline: float) -> None:
    while client.poll() is None and not (log.is_file() and log.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.05)


def _acknowledged(folder: Path) -> int:
    return sum(log.read_bytes().count(b'"at": "done"') for log in folder.glob("*.log"))


def _wait_for_progress(race: Race, folder: Path, deadline: float) -> None:
    """Until every writer could have had a call acknowledged, so that kills meet work and not only start-ups."""
    wanted = _acknowledged(folder) + race.processes * race.writers
    while _acknowledged(folder) < wanted and time.monotonic() < deadline:
        time.sleep(0.1)


async def disturb(race: Race, found: Place, players: Field) -> None:
    """Kill what the round is to kill, until its time is over."""
    rng = random.Random(race.seed)
    deadline = time.monotonic() + race.seconds
    while (rest := deadline - time.monotonic()) > 0:
        await asyncio.sleep(min(rest, rng.uniform(*PAUSE_SECONDS)))
        await asyncio.to_thread(_wait_for_progress, race, players.folder, deadline)
        if time.monotonic() >= deadline or race.kill == "none":
            continue
        if race.kill == "node" or (race.kill == "both" and rng.random() < NODE_SHARE):
            if await found.kill():
                players.kills["node"] += 1
                await found.bring_back()
        else:
            players.kill_one(rng)


@contextlib.asynccontextmanager
async def lined_up(race: Race, found: Place, folder: Path) -> AsyncGenerator[Field]:
    """Running clients; none is left behind."""
    players = Field(race, folder, environment(found.settings))
    players.start()
    try:
        yield players
    finally:
        players.end()


async def run_round(race: Race, found: Place) -> dict[str, Any]:
    """One round in a scope of its own: what was acknowledged, and what is wrong."""
    with tempfile.TemporaryDirectory(prefix="hydramind-race-") as name:
        folder = Path(name)
        async with HydraMind.open(found.settings) as mind:  # Lets the schema stand before the clients come.
            await mind.stats(OneScope.parse({"scope": race.scope}))
            async with lined_up(race, found, folder) as players:
                await players.ready()
                await disturb(race, found, players)
                await players.finish()
            verification = await mind.verify(OneScope.parse({"scope": race.scope}))
        async with open_graph(found.settings, lambda line: None) as graph:
            stored = await contents.read(graph, race.scope)
        claims = read_claims(folder)
    await remove(found.settings, race.scope)
    return judged(race, players, claims, stored, verification)


def judged(
    race: Race, players: Field, claims: Claims, stored: contents.Contents, verification: Verification
) -> dict[str, Any]:
    """The round's figures; `wrong` holds an example of each kind of trouble."""
    trouble = {
        "lost": list(lost(claims, stored)),
        "doubled": list(doubled(claims, stored)),
        "unexplained": list(unexplained(claims, stored)),
        "unseen": claims.unseen,
        "findings": [f"{finding.name}: {finding.detail}" for finding in verification.findings],
        "crashed": players.crashed,
    }
    acknowledged = Counter(intent["verb"] for intent, _ in claims.done)
    return {
        "seed": race.seed,
        **{name: len(items) for name, items in trouble.items()},
        "acknowledged": {"total": acknowledged.total(), **acknowledged},
        "refused": dict(Counter(row["code"] for _, row in claims.refused)),
        "unknown": claims.unknown,
        "decided_again": claims.decided_again,
        "seen": claims.seen,
        "kills": dict(players.kills),
        "revisions": verification.revision,
        "memories": verification.memories,
        "ledger_entries": verification.ledger_entries,
        "wrong": {name: items[:_SHOWN] for name, items in trouble.items() if items},
    }


async def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Every round, and whether all were clean."""
    started = time.monotonic()
    rounds: list[dict[str, Any]] = []
    async with place(arguments.engine) as found:
        for number in range(arguments.rounds):
            race = Race(
                processes=arguments.processes,
                writers=arguments.writers,
                seconds=arguments.seconds,
                kill=arguments.kill,
                seed=arguments.seed + number,
                scope=f"race-{secrets.token_hex(4)}",
            )
            print(f"round {number + 1}: seed {race.seed}", file=sys.stderr, flush=True)
            rounds.append(await run_round(race, found))
            for name, items in rounds[-1].pop("wrong").items():
                print(*(f"{name}: {item}" for item in items), sep="\n", file=sys.stderr, flush=True)
        async with HydraMind.open(found.settings) as mind:
            origin = report.origin(await mind.health())
    bad = {name: sum(row[name] for row in rounds) for name in TROUBLE}
    shape = {name: getattr(arguments, name) for name in ("processes", "writers", "seconds", "kill")}
    took = round(time.monotonic() - started, 1)
    return {"clean": not any(bad.values()), **bad, **shape, "took_seconds": took, "rounds": rounds, **origin}


TROUBLE = ("lost", "doubled", "unexplained", "unseen", "findings", "crashed")


def arguments_of(given: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--writers", type=int, default=8, help="of each process")
    parser.add_argument("--seconds", type=float, default=20.0, help="of writing, a round")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--kill", choices=KILLS, default="both")
    parser.add_argument("--seed", type=int, default=None, help="default: a random one, printed")
    parser.add_argument(
        "--engine", choices=ENGINES, help="a server of its own; default: the environment's, else arcadedb"
    )
    parser.add_argument("--output", type=Path)
    parsed = parser.parse_args(given)
    parsed.seed = secrets.randbelow(2**31) if parsed.seed is None else parsed.seed
    return parsed


def main() -> int:
    """Races; the exit code is 0 when nothing was wrong."""
    arguments = arguments_of()
    result = asyncio.run(run(arguments))
    report.emit(result, arguments.output)
    return 0 if result["clean"] else 1


if __name__ == "__main__":
    sys.exit(main())
