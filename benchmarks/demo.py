"""Shows in one minute what the memory does: provenance, doubt before and after a write, explanation and abstention.

It runs in a scope of its own on a server of its own. With --keep it runs on your own node and leaves the scope there.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import secrets
import sys
from collections.abc import AsyncGenerator
from typing import Any

from benchmarks import report
from benchmarks.places import ENGINES, place
from hydramind.models import Draft, OneMemory, OneScope, Recall, Remember
from hydramind.service import HydraMind
from hydramind.settings import Settings, load
from hydramind.store.scopes import DEMO_PREFIX

FACT = "The checkout service uses Postgres"
HOPS = ("Nightly checkout backups are taken with pg_dump", "A restore drill takes forty minutes")
DENIAL = "The checkout service does not use Postgres"
EXPECTED = {"contradicted": 0.6, "one hop": 0.85, "two hops": 0.7}


async def tell(mind: HydraMind, scope: str) -> dict[str, float]:
    """Tell the story and print each step; returns the trust that the three memories end with."""
    chain: list[str] = []
    for content in (FACT, *HOPS):
        values = {"content": content, "scope": scope, "derived_from": chain[-1:], "entity_refs": ["checkout service"]}
        chain.append((await mind.remember(Remember.parse(values))).memory.id)
        print(f"remembered  {content}" + ("  (rests on the one above)" if len(chain) > 1 else ""))
    draft = {"content": DENIAL, "scope": scope, "entity_refs": ["checkout service"]}
    for conflict in (await mind.check_conflict(Draft.parse(draft))).conflicts:
        print(
            f"\nbefore writing: {DENIAL!r} {conflict.kind} memory {conflict.memory_id}\n            {conflict.reason}"
        )
    print(f"\nremembered  {DENIAL}")
    for change in (await mind.remember(Remember.parse(draft))).trust_changes:
        print(
            f"            trust {change.before:.2f} -> {change.after:.2f} at {change.hop} hops: memory {change.memory_id}"
        )
    await _ask(mind, scope, "Does the checkout service use Postgres?")
    await _ask(mind, scope, "Which region does the checkout service run in?")
    print("\nwhy is the restore drill trusted less?")
    stories = [await mind.explain_trust(OneMemory.parse({"memory_id": id_, "scope": scope})) for id_ in chain]
    for event in stories[-1].events:
        print(f"            {event.narration}")
    return dict(zip(EXPECTED, (story.replayed for story in stories), strict=True))


async def _ask(mind: HydraMind, scope: str, query: str) -> None:
    found = await mind.recall(Recall.parse({"query": query, "scope": scope}))
    print(f"\nasked       {query}")
    for hit in found.hits:
        print(f"            {hit.score:.2f}  {hit.memory.content}  ({hit.memory.status}, trust {hit.memory.trust:.2f})")
    if not found.hits:
        print(f"            nothing: none of {found.considered} memories is evidence")


@contextlib.asynccontextmanager
async def _settings(arguments: argparse.Namespace) -> AsyncGenerator[Settings]:
    if arguments.keep:
        yield load()
        return
    async with place(arguments.engine) as found:
        yield found.settings


async def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Tell it once; `passed` when trust ended as it should."""
    scope = f"{DEMO_PREFIX}{secrets.token_hex(4)}"
    async with _settings(arguments) as settings, HydraMind.open(settings) as mind:
        trust = await tell(mind, scope)
        origin = report.origin(await mind.health())
        if not arguments.keep:
            await mind.remove_demo(OneScope.parse({"scope": scope}))
    return {"passed": trust == EXPECTED, "trust": trust, "scope": scope, "kept": arguments.keep, **origin}


def main() -> int:
    """Shows it; the exit code is 1 when trust did not end as it should."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--keep", action="store_true", help="run on your own node and keep the scope")
    parser.add_argument(
        "--engine", choices=ENGINES, help="a server of its own; default: the environment's, else arcadedb"
    )
    result = asyncio.run(run(parser.parse_args()))
    print()
    report.emit(result)
    return 0 if result["passed"] else 1


if __name__ == "__main__":
    sys.exit(main())
