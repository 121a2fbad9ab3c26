"""Proves an engine by use: every promise of the core, tried through the service in a throwaway scope."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from hydramind.errors import Conflict, HydraMindError, NotFound
from hydramind.graph.engines import ENGINES, OTHER
from hydramind.ids import random_id
from hydramind.models import (
    Draft,
    OneMemory,
    OneScope,
    Recall,
    Remember,
    Remembered,
    Revise,
    TimelineOf,
    TraceFrom,
)
from hydramind.queries.query import Capability
from hydramind.service import HydraMind
from hydramind.settings import Settings

CLOSE: Final = 1e-9
"""Trust values are sums of a few decimals."""
_PATIENCE_SECONDS: Final = 30.0
_ODD_TEXT: Final = "naïve “quotes” \\ ' \" `tick` {brace} $row 数据库 🎉\nsecond line\twith a tab"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: `problem` is empty when it passed, else what was seen."""

    name: str
    problem: str

    @property
    def passed(self) -> bool:
        """Whether the engine kept the promise."""
        return not self.problem


@dataclass(slots=True)
class Trial:
    """What the checks share: two services on one graph, the scope, the ids by a name given when they were kept."""

    settings: Settings
    mind: HydraMind
    other: HydraMind
    scope: str
    ids: dict[str, str] = field(default_factory=dict[str, str])

    async def keep(self, name: str, content: str, *entities: str, derived_from: tuple[str, ...] = ()) -> Remembered:
        """Remember one statement and note its id under `name`."""
        lineage = tuple(self.ids[each] for each in derived_from)
        request = Remember(content=content, scope=self.scope, entity_refs=entities, derived_from=lineage)
        reply = await self.mind.remember(request)
        self.ids[name] = reply.memory.id
        return reply

    async def trust(self, name: str) -> float:
        """The stored trust of a memory."""
        return (await self.other.inspect(self.one(name))).memory.trust

    def one(self, name: str) -> OneMemory:
        """The request that names a memory."""
        return OneMemory(memory_id=self.ids[name], scope=self.scope)


Check = Callable[[Trial], Awaitable[str]]


async def examine(settings: Settings, report: Callable[[Finding], None] = lambda _: None) -> tuple[Finding, ...]:
    """Run every check in order, telling `report` of each; raises only when the engine cannot be opened at all."""
    findings = list[Finding]()
    async with _trial(settings) as trial:
        for name, check in CHECKS:
            findings.append(Finding(name, await _outcome(check, trial)))
            report(findings[-1])
    return tuple(findings)


def capabilities(engine: str) -> dict[Capability, bool]:
    """What an engine of that name is taken to do beyond the portable statements."""
    known = next((each for each in ENGINES if each.name == engine), OTHER)
    return {capability: known.can(capability) for capability in Capability}


@asynccontextmanager
async def _trial(settings: Settings) -> AsyncGenerator[Trial]:
    async with HydraMind.open(settings) as mind, HydraMind.open(settings) as other:
        trial = Trial(settings, mind, other, f"hydramind-doctor-{random_id():x}")
        yield trial
        for memory_id in set(trial.ids.values()):
            await mind.forget(OneMemory(memory_id=memory_id, scope=trial.scope))


async def _outcome(check: Check, trial: Trial) -> str:
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            return await check(trial)
    except TimeoutError:
        return f"no answer within {_PATIENCE_SECONDS:g} s"
    except HydraMindError as error:
        return f"{error.code}: {error.message}"
    except KeyError as error:
        return f"an earlier check left no memory {error.args[0]!r} to go on with"


async def _remember(trial: Trial) -> str:
    first = await trial.keep("cache", "The staging cache is enabled", "staging cache")
    again = await trial.other.remember(
        Remember(content="The staging cache is enabled", scope=trial.scope, entity_refs=("staging cache",))
    )
    return _expect(
        ("outcome", first.outcome, "created"),
        ("trust", first.memory.trust, 1.0),
        ("outcome of the same statement by another client", again.outcome, "duplicate"),
        ("its id", again.memory.id, first.memory.id),
    )


async def _odd_text(trial: Trial) -> str:
    await trial.keep("odd", _ODD_TEXT, "Zoë 数据")
    seen = (await trial.other.inspect(trial.one("odd"))).memory
    return _expect(
        ("content", seen.content, _ODD_TEXT),
        ("entities", [entity.name for entity in seen.entities], ["Zoë 数据"]),
    )


async def _recall(trial: Trial) -> str:
    found = await trial.other.recall(Recall(query="is the staging cache enabled?", scope=trial.scope))
    nothing = await trial.other.recall(Recall(query="who won the regatta?", scope=trial.scope))
    return _expect(
        ("ids recalled", [hit.memory.id for hit in found.hits], [trial.ids["cache"]]),
        ("hits without evidence", len(nothing.hits), 0),
    )


async def _keys(trial: Trial) -> str:
    call = Remember(content="Deploys happen on Tuesdays", scope=trial.scope, idempotency_key="doctor-1")
    first, again = await trial.mind.remember(call), await trial.other.remember(call)
    trial.ids["keyed"] = first.memory.id
    try:
        await trial.other.remember(call.model_copy(update={"content": "Deploys happen on Fridays"}))
    except Conflict:
        return _expect(("id of the retried call", again.memory.id, first.memory.id))
    return "a used key was accepted for another payload"


async def _scopes(trial: Trial) -> str:
    elsewhere = OneMemory(memory_id=trial.ids["cache"], scope=f"{trial.scope}-other")
    try:
        await trial.mind.inspect(elsewhere)
    except NotFound:
        found = await trial.mind.recall(Recall(query="staging cache enabled", scope=elsewhere.scope))
        return _expect(("hits in another scope", len(found.hits), 0))
    return "an id of one scope was found in another"


async def _contradiction(trial: Trial) -> str:
    await trial.keep("plan", "Load tests rely on the staging cache", "load tests", derived_from=("cache",))
    await trial.keep("budget", "The load test budget is two hours", "budget", derived_from=("plan",))
    draft = Draft(content="The staging cache is not enabled", scope=trial.scope, entity_refs=("staging cache",))
    foreseen = await trial.other.check_conflict(draft)
    reply = await trial.keep("denial", "The staging cache is not enabled", "staging cache")
    stored = (await trial.other.inspect(trial.one("cache"))).memory
    return _expect(
        ("conflict foreseen", [each.memory_id for each in foreseen.conflicts], [trial.ids["cache"]]),
        ("conflict found", [(c.kind, c.memory_id) for c in reply.conflicts], [("contradicts", trial.ids["cache"])]),
        ("status of the contradicted memory", stored.status, "contradicted"),
        ("its trust", stored.trust, 0.6),
    )


async def _decay(trial: Trial) -> str:
    return _expect(
        ("trust one hop away", await trial.trust("plan"), 0.85),
        ("trust two hops away", await trial.trust("budget"), 0.70),
    )


async def _story(trial: Trial) -> str:
    story = await trial.other.explain_trust(trial.one("budget"))
    return _expect(
        ("events", [event.kind for event in story.events], ["created", "decayed"]),
        ("trust replayed from the ledger", story.replayed, story.memory.trust),
    )


async def _trace(trial: Trial) -> str:
    trace = await trial.other.trace_memory(TraceFrom(memory_id=trial.ids["budget"], scope=trial.scope))
    reached = {path.nodes[-1].id for path in trace.paths}
    missing = [name for name in ("plan", "cache") if trial.ids[name] not in reached]
    return f"the paths do not reach {', '.join(missing)}" if missing else ""


async def _restoring(trial: Trial) -> str:
    await trial.mind.forget(trial.one("denial"))
    hidden = await trial.other.recall(Recall(query="is the staging cache enabled?", scope=trial.scope))
    return _expect(
        ("ids recalled", [hit.memory.id for hit in hidden.hits], [trial.ids["cache"]]),
        ("trust of the restored memory", await trial.trust("cache"), 1.0),
        ("trust one hop away", await trial.trust("plan"), 1.0),
        ("trust two hops away", await trial.trust("budget"), 1.0),
    )


async def _revision(trial: Trial) -> str:
    await trial.keep("office", "The team meets in room 4", "the team")
    request = Revise(
        memory_id=trial.ids["office"], content="The team meets in room 9", scope=trial.scope, reason="moved"
    )
    reply = await trial.mind.revise(request)
    trial.ids["office, moved"] = reply.memory.id
    versions = (await trial.other.timeline(TimelineOf(scope=trial.scope, entity_ref="the team"))).versions
    return _expect(
        ("timeline", [v.memory.id for v in versions], [trial.ids["office"], trial.ids["office, moved"]]),
        ("statuses", [v.memory.status for v in versions], ["superseded", "active"]),
        ("link to the new version", versions[0].superseded_by, trial.ids["office, moved"]),
    )


async def _two_writers(trial: Trial) -> str:
    before = (await trial.mind.stats(OneScope(scope=trial.scope))).revision
    writers = (trial.mind, trial.other) * 8
    calls = [
        mind.remember(Remember(content=f"Shelf {n} holds box number {n * 7}", scope=trial.scope))
        for n, mind in enumerate(writers, start=1)
    ]
    replies = await asyncio.gather(*calls)
    trial.ids.update({f"shelf {n}": reply.memory.id for n, reply in enumerate(replies)})
    after = [await mind.stats(OneScope(scope=trial.scope)) for mind in (trial.mind, trial.other)]
    return _expect(
        ("distinct ids", len({reply.memory.id for reply in replies}), len(writers)),
        ("revisions taken", [stats.revision - before for stats in after], [len(writers)] * 2),
    )


async def _feed(trial: Trial) -> str:
    newest = (await trial.other.stats(OneScope(scope=trial.scope))).revision
    feed = trial.other.events(trial.scope, 0)
    seen = [(await anext(feed)).revision for _ in range(newest)]
    return _expect(("revisions in the feed", seen, list(range(1, newest + 1))))


async def _reopening(trial: Trial) -> str:
    before = await trial.mind.stats(OneScope(scope=trial.scope))
    async with HydraMind.open(trial.settings) as fresh:
        after = await fresh.stats(OneScope(scope=trial.scope))
        found = await fresh.recall(Recall(query="where does the team meet, room?", scope=trial.scope))
    return _expect(
        ("counts", after, before),
        ("ids recalled", [hit.memory.id for hit in found.hits], [trial.ids["office, moved"]]),
    )


def _expect(*claims: tuple[str, object, object]) -> str:
    """What is wrong with the first claim (name, seen, expected) that does not hold; empty when all do."""
    for name, seen, expected in claims:
        if not _same(seen, expected):
            return f"{name}: expected {expected!r}, got {seen!r}"
    return ""


def _same(seen: object, expected: object) -> bool:
    if isinstance(seen, float) and isinstance(expected, float):
        return abs(seen - expected) <= CLOSE
    return seen == expected


CHECKS: Final[tuple[tuple[str, Check], ...]] = (
    ("a statement is kept once, for every client", _remember),
    ("text comes back exactly as it was sent", _odd_text),
    ("recall finds it and abstains without evidence", _recall),
    ("a retried key changes nothing, a reused one is refused", _keys),
    ("scopes do not see each other", _scopes),
    ("a contradiction is found and costs trust", _contradiction),
    ("what was concluded from it decays over two hops", _decay),
    ("the ledger explains the trust it left", _story),
    ("native paths lead back along the lineage", _trace),
    ("forgetting the contradiction gives the trust back", _restoring),
    ("a revision keeps both versions in order", _revision),
    ("two clients writing at once lose and double nothing", _two_writers),
    ("the change feed holds every revision once", _feed),
    ("everything is there after reopening", _reopening),
)
"""In order: later checks build on what earlier ones kept."""
