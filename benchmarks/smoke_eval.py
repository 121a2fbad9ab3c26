"""Does an agent's memory hold its six promises on a real graph?

Cross-service continuity, chronology, abstention, contradiction decay, two-hop decay and native tracing, each in a scope of
its own that is removed afterwards. The last line is one JSON object; the exit code is 0 only when every case passed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.places import ENGINES, environment, place, remove
from hydramind.models import (
    Draft,
    MemoryView,
    OneMemory,
    Recall,
    Recalled,
    Remember,
    Remembered,
    Revise,
    TimelineOf,
    TraceFrom,
)
from hydramind.service import HydraMind
from hydramind.settings import Settings

READER = """
import asyncio, json, sys
from hydramind.models import Recall
from hydramind.service import HydraMind

async def main():
    async with HydraMind.open() as mind:
        found = await mind.recall(Recall.parse(json.loads(sys.argv[1])))
        print(json.dumps([hit.memory.id for hit in found.hits]))

asyncio.run(main())
"""
"""Another process with a driver of its own: prints the ids it recalls."""


@dataclass(slots=True)
class Trial:
    """One case at work: an open memory, a scope, and what was checked in it."""

    mind: HydraMind
    scope: str
    checks: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def check(self, what: str, got: object, expected: object) -> None:
        """Note one comparison."""
        self.checks.append({"what": what, "passed": got == expected, "got": got, "expected": expected})

    async def remember(self, content: str, **more: Any) -> Remembered:
        """Remember in this scope."""
        return await self.mind.remember(Remember.parse({"content": content, "scope": self.scope, **more}))

    async def recall(self, query: str, **more: Any) -> Recalled:
        """Recall in this scope."""
        return await self.mind.recall(Recall.parse({"query": query, "scope": self.scope, **more}))

    async def memory(self, memory_id: str) -> MemoryView:
        """A memory as it is stored now."""
        return (await self.mind.inspect(OneMemory.parse({"memory_id": memory_id, "scope": self.scope}))).memory

    async def replayed(self, memory_id: str) -> float:
        """The trust that a memory's ledger alone gives."""
        story = await self.mind.explain_trust(OneMemory.parse({"memory_id": memory_id, "scope": self.scope}))
        return story.replayed


async def continuity(trial: Trial) -> None:
    """What one service wrote, another process and another driver recall at once, and back."""
    kept = await trial.remember("The checkout service deploys from the release branch", entity_refs=["checkout"])
    question = {"query": "Which branch does the checkout service deploy from?", "scope": trial.scope}
    command = [sys.executable, "-c", READER, json.dumps(question)]
    reading = await asyncio.to_thread(
        subprocess.run,
        command,
        env=environment(trial.mind.settings),
        cwd=report.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    trial.check("another process ends well", (reading.returncode, reading.stderr), (0, ""))
    trial.check("another process recalls it", json.loads(reading.stdout or "null"), [kept.memory.id])
    async with HydraMind.open(trial.mind.settings) as other:
        answer = await other.remember(
            Remember.parse({"content": "The ledger service stores invoices in Frankfurt", "scope": trial.scope})
        )
    back = await trial.recall("Where does the ledger service store invoices?")
    trial.check("the first service recalls the other's", [hit.memory.id for hit in back.hits], [answer.memory.id])


async def chronology(trial: Trial) -> None:
    """A fact revised twice: the timeline holds every version in order, recall only the current one."""
    versions = [
        "The search cluster runs in Dublin",
        "The search cluster runs in Madrid",
        "The search cluster runs in Oslo",
    ]
    first = await trial.remember(versions[0], entity_refs=["search cluster"])
    ids = [first.memory.id]
    for content in versions[1:]:
        request = {"memory_id": ids[-1], "content": content, "scope": trial.scope, "reason": "moved"}
        ids.append((await trial.mind.revise(Revise.parse(request))).memory.id)
    line = await trial.mind.timeline(TimelineOf.parse({"entity_ref": "search cluster", "scope": trial.scope}))
    shown = [version.memory for version in line.versions]
    trial.check("versions, oldest first", [memory.content for memory in shown], versions)
    trial.check("status", [memory.status for memory in shown], ["superseded", "superseded", "active"])
    trial.check("replaced by", [version.superseded_by for version in line.versions], [*ids[1:], ""])
    trial.check(
        "each version ends where the next begins",
        [memory.valid_to for memory in shown],
        [*[memory.valid_from for memory in shown[1:]], None],
    )
    found = await trial.recall("Where does the search cluster run?")
    trial.check("recall gives the current one", [hit.memory.id for hit in found.hits], ids[-1:])


async def abstention(trial: Trial) -> None:
    """Questions without evidence get nothing, also where the topic is known."""
    for content in (
        "The billing service retries failed payments three times",
        "The billing service is owned by the payments team",
        "Nadia reviews every schema migration on Thursdays",
        "The mobile app caches invoices for one day",
    ):
        await trial.remember(content)
    for query in (
        "What is the capital of Mongolia?",
        "Which database does the billing service use?",
        "Who approved the billing service budget?",
        "Which day does Nadia take her vacation?",
        "How large are invoices that the mobile app encrypts?",
        "Which?",
    ):
        found = await trial.recall(query)
        trial.check(f"nothing for {query!r}", [hit.memory.content for hit in found.hits], [])
    found = await trial.recall("How often does the billing service retry failed payments?")
    trial.check("evidence is still found", len(found.hits), 1)


async def contradiction(trial: Trial) -> None:
    """A contradicted memory falls from 1.0 to 0.6 and ranks below what contradicts it."""
    old = await trial.remember("The billing API uses REST", entity_refs=["billing API"])
    draft = {"content": "The billing API does not use REST", "scope": trial.scope, "entity_refs": ["billing API"]}
    warned = await trial.mind.check_conflict(Draft.parse(draft))
    trial.check(
        "caught before the write", [(c.kind, c.memory_id) for c in warned.conflicts], [("contradicts", old.memory.id)]
    )
    trial.check("checking changed nothing", (await trial.memory(old.memory.id)).trust, 1.0)
    new = await trial.mind.remember(Remember.parse(draft))
    after = await trial.memory(old.memory.id)
    trial.check("1.0 -> 0.6", (old.memory.trust, after.trust, after.status), (1.0, 0.6, "contradicted"))
    trial.check("the new one stays at", new.memory.trust, 1.0)
    trial.check("the ledger replays to", await trial.replayed(old.memory.id), 0.6)
    found = await trial.recall("Does the billing API use REST?")
    trial.check("the doubted one ranks below", [hit.memory.id for hit in found.hits], [new.memory.id, old.memory.id])


async def two_hops(trial: Trial) -> None:
    """What rests on a contradicted memory falls to 0.85 at one hop and 0.70 at two; three hops are out of reach."""
    chain = [await trial.remember("The import job runs every night")]
    for content in (
        "Reports are complete at breakfast",
        "Managers may read reports at breakfast",
        "The breakfast meeting can start early",
    ):
        chain.append(await trial.remember(content, derived_from=[chain[-1].memory.id]))
    await trial.remember("The import job does not run every night")
    trusts = [(await trial.memory(link.memory.id)).trust for link in chain]
    trial.check("trust by hop", trusts, [0.6, 0.85, 0.7, 1.0])
    trial.check("the ledgers replay to", [await trial.replayed(link.memory.id) for link in chain], trusts)
    before = (await trial.recall("managers read reports at breakfast")).revision
    again = await trial.remember("The import job does not run every night")
    trial.check("saying it again costs nothing", [(await trial.memory(c.memory.id)).trust for c in chain], trusts)
    trial.check(
        "and is no new memory",
        (again.outcome, (await trial.recall("managers read reports at breakfast")).revision),
        ("duplicate", before),
    )


async def tracing(trial: Trial) -> None:
    """The engine's own paths lead over all four relationship types, and never out of the scope."""
    root = await trial.remember("The cache keeps sessions in Redis", entity_refs=["cache"])
    derived = await trial.remember("A Redis outage logs everybody out", derived_from=[root.memory.id])
    await trial.remember("The cache does not keep sessions in Redis", entity_refs=["cache"])
    request = {"memory_id": derived.memory.id, "content": "A Redis outage logs nobody out", "scope": trial.scope}
    await trial.mind.revise(Revise.parse(request))
    wanted = {"memory_id": root.memory.id, "scope": trial.scope, "max_hops": 2, "max_paths": 100}
    found = await trial.mind.trace_memory(TraceFrom.parse(wanted))
    types = {step.type for path in found.paths for step in path.steps}
    trial.check("types walked", sorted(types), ["ABOUT", "CONTRADICTS", "DERIVED_FROM", "SUPERSEDED_BY"])
    trial.check("shortest and longest path", [len(found.paths[0].steps), len(found.paths[-1].steps)], [1, 2])
    starts = {path.nodes[0].id for path in found.paths}
    trial.check("every path starts at the memory", starts == {root.memory.id}, True)
    memories = {node.id for path in found.paths for node in path.nodes if node.label == "Memory"}
    inside = [(await trial.memory(id_)).scope for id_ in sorted(memories)]
    trial.check("every memory is of the scope", set(inside) == {trial.scope}, True)


Case = Callable[[Trial], Awaitable[None]]
CASES: dict[str, Case] = {
    "continuity": continuity,
    "chronology": chronology,
    "abstention": abstention,
    "contradiction_decay": contradiction,
    "two_hop_decay": two_hops,
    "native_tracing": tracing,
}


async def evaluate(settings: Settings, say: Callable[[str], None] = print) -> dict[str, Any]:
    """Run every case and say one line for each; the result names what passed, with every check made."""
    rows: list[dict[str, Any]] = []
    run = secrets.token_hex(4)
    async with HydraMind.open(settings) as mind:
        for name, case in CASES.items():
            trial = Trial(mind, f"smoke-{run}-{name}")
            started = time.perf_counter()
            await case(trial)
            failed = [check for check in trial.checks if not check["passed"]]
            rows.append(
                {
                    "case": name,
                    "passed": bool(trial.checks) and not failed,
                    "ms": round((time.perf_counter() - started) * 1_000, 1),
                    "checks": trial.checks,
                }
            )
            say(f"{'FAILED' if failed else 'passed'}  {name}: {(case.__doc__ or '').strip()}")
            for check in failed:
                say(f"        {check['what']}: got {check['got']!r}, expected {check['expected']!r}")
            await remove(settings, trial.scope)
        origin = report.origin(await mind.health())
    passed = sum(row["passed"] for row in rows)
    return {"passed": passed, "failed": len(rows) - passed, "cases": rows, **origin}


async def _main(arguments: argparse.Namespace) -> int:
    async with place(arguments.engine) as found:
        result = await evaluate(found.settings)
    if arguments.output is not None:
        report.keep(result, arguments.output)
    brief = [{key: row[key] for key in ("case", "passed", "ms")} for row in result["cases"]]
    report.emit({**result, "cases": brief})
    return 0 if result["failed"] == 0 else 1


def main() -> int:
    """Evaluates; the exit code says whether every case passed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--engine", choices=ENGINES, help="a server of its own; default: the environment's, else arcadedb"
    )
    parser.add_argument("--output", type=Path, help="file for the raw run, with every check")
    return asyncio.run(_main(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
