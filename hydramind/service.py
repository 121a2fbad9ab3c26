"""HydraMind: the one object that every face shares. It owns lifetimes and forwards verbs."""

from __future__ import annotations

import functools
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager

from hydramind import __version__, clock
from hydramind.clock import Clock, system_clock
from hydramind.embed.opened import NO_MODELS, Models, open_models
from hydramind.graph.connection import Graph
from hydramind.ids import NewId, random_id
from hydramind.models import (
    ConflictReport,
    DemoClock,
    Draft,
    EntityView,
    Event,
    Forgotten,
    GraphView,
    Health,
    Inspection,
    OneMemory,
    OneScope,
    OpenScopeView,
    Recall,
    Recalled,
    Reinstated,
    Relate,
    Related,
    Remember,
    Remembered,
    Removed,
    Retrieve,
    Retrieved,
    Revise,
    Revised,
    ScopeView,
    SkipDays,
    Stats,
    Timeline,
    TimelineOf,
    Trace,
    TraceFrom,
    TrustStory,
    Verification,
)
from hydramind.opening import open_graph
from hydramind.queries import entities as entity_queries
from hydramind.settings import Settings, load
from hydramind.store.scopes import Scopes
from hydramind.verbs import (
    check,
    demo,
    events,
    explain,
    forget,
    inspect,
    recall,
    reinstate,
    relate,
    remember,
    retrieve,
    revise,
    timeline,
    trace,
)
from hydramind.verbs.knowing import Knowing
from hydramind.verbs.remember import Details, Statement, event_ms
from hydramind.verbs.wish import of_recall, of_retrieve
from hydramind.verify import verify


def _silent(line: str) -> None:
    del line


class HydraMind:
    """An open memory. Verbs take a request model and return a reply model; failures are `HydraMindError`s."""

    def __init__(
        self, settings: Settings, graph: Graph, scopes: Scopes, new_id: NewId, models: Models = NO_MODELS
    ) -> None:
        self.settings = settings
        self._graph = graph
        self._scopes = scopes
        self._new_id = new_id
        self._knowing = Knowing(settings, models.embedder)
        self._reranker = models.reranker

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        settings: Settings | None = None,
        *,
        clock: Clock = system_clock,
        new_id: NewId = random_id,
        report: Callable[[str], None] = _silent,
    ) -> AsyncGenerator[HydraMind]:
        """Connect and set up the schema; `report` gets lines about slow steps. Raises `Unavailable`, `Unauthorized` or
        `Misconfigured`. Waiting writes finish before it closes."""
        chosen = load() if settings is None else settings
        async with open_models(chosen) as models, open_graph(chosen, report) as graph:
            scopes = Scopes(graph, clock, chosen.max_inflight_writes, chosen.max_open_scopes, models.embedder)
            try:
                yield cls(chosen, graph, scopes, new_id, models)
            finally:
                await scopes.close()

    async def remember(self, request: Remember) -> Remembered:
        """Keep one statement; raises `NotFound` or `Conflict` for its premises or key, `Busy` under too much load."""
        source = request.source or self.settings.source
        statement = Statement(
            self._new_id(),
            request.content,
            request.entity_refs,
            event_ms(request.event_time),
            source,
            Details.of(request),
        )
        decide = functools.partial(remember.decide, request=request, statement=statement)
        return await self._scopes.get(request.scope).submit("remember", decide)

    async def recall(self, request: Recall) -> Recalled:
        """What the scope holds as evidence for a question; no hits when nothing passes the gate."""
        wish = of_recall(request)
        known = await self._knowing.of(self._scopes.get(request.scope), self._scopes.now(request.scope), wish)
        return await recall.run(self._graph, known, wish, request)

    async def retrieve(self, request: Retrieve) -> Retrieved:
        """The same with each stage by request; raises `Unavailable` when one that was asked for cannot run."""
        now = self._scopes.now(request.scope)
        wish = of_retrieve(request, now)
        known = await self._knowing.of(self._scopes.get(request.scope), now, wish)
        return await retrieve.run(self._graph, known, wish, request, self._reranker)

    async def revise(self, request: Revise) -> Revised:
        """Replace an active memory by a new version; raises `NotFound`, or `Conflict` when it is no longer active."""
        statement = Statement(self._new_id(), request.content, request.entity_refs or (), None, self.settings.source)
        decide = functools.partial(revise.decide, request=request, statement=statement)
        return await self._scopes.get(request.scope).submit("revise", decide)

    async def forget(self, request: OneMemory) -> Forgotten:
        """Hide a memory; raises `NotFound`."""
        decide = functools.partial(forget.decide, request=request)
        return await self._scopes.get(request.scope).submit("forget", decide)

    async def reinstate(self, request: OneMemory) -> Reinstated:
        """Undo forget; raises `NotFound`, or `Conflict` when the memory is not forgotten or has an active copy."""
        decide = functools.partial(reinstate.decide, request=request)
        return await self._scopes.get(request.scope).submit("reinstate", decide)

    async def relate(self, request: Relate) -> Related:
        """Declare how one memory stands to another, or withdraw it; raises `NotFound`, or `Conflict` for a forgotten one."""
        decide = functools.partial(relate.decide, request=request)
        return await self._scopes.get(request.scope).submit("relate", decide)

    async def check_conflict(self, request: Draft) -> ConflictReport:
        """Compare a draft with what is stored; stores nothing."""
        return check.run(await self._scopes.get(request.scope).index(), request, self._scopes.now(request.scope))

    async def timeline(self, request: TimelineOf) -> Timeline:
        """Every version of what is known about an entity, oldest first."""
        return await timeline.run(self._graph, await self._scopes.get(request.scope).index(), request)

    async def trace_memory(self, request: TraceFrom) -> Trace:
        """Native evidence paths out of one memory; raises `NotFound`."""
        return await trace.run(self._graph, await self._scopes.get(request.scope).index(), request)

    async def explain_trust(self, request: OneMemory) -> TrustStory:
        """The ordered trust history of a memory; raises `NotFound`."""
        return await explain.run(self._graph, await self._scopes.get(request.scope).index(), request)

    async def inspect(self, request: OneMemory) -> Inspection:
        """Everything stored about one memory; raises `NotFound`."""
        return await inspect.memory(self._graph, await self._scopes.get(request.scope).index(), request)

    async def stats(self, request: OneScope) -> Stats:
        """Counts of one scope."""
        return inspect.stats(await self._scopes.get(request.scope).index())

    async def graph(self, request: OneScope, limit: int = 500) -> GraphView:
        """A scope for drawing: its newest `limit` memories and what links them."""
        return await inspect.drawn(self._graph, await self._scopes.get(request.scope).index(), limit)

    async def graph_changed(self, request: OneScope, after: int) -> GraphView:
        """What a drawing of revision `after` lacks."""
        return await inspect.changed(self._graph, await self._scopes.get(request.scope).index(), after)

    async def entities(self, request: OneScope) -> tuple[EntityView, ...]:
        """The entities of a scope, the most linked first."""
        return inspect.entities(await self._scopes.get(request.scope).index())

    async def scopes(self) -> tuple[ScopeView, ...]:
        """Every scope, by name."""
        found = await self._graph.read(entity_queries.SCOPES)
        return tuple(ScopeView(name=scope.name, created_at=clock.to_iso(scope.created_at)) for scope in found)

    async def verify(self, request: OneScope) -> Verification:
        """Check a scope's log, ledger, links and projection; raises `Busy` when others keep writing to it."""
        return await verify(self._graph, request.scope, await self._scopes.get(request.scope).index())

    def events(self, scope: str, after: int) -> AsyncIterator[Event]:
        """Ops of a scope with a revision above `after` (-1: from now on), in order, then live; never ends by itself."""
        return events.run(self._graph, self._scopes.get(scope), after)

    def start_demo(self, scope: str, days: int) -> DemoClock:
        """Put the clock of a demo scope back to `days` ago, so that a story can be told; `Refused` for any other."""
        return demo.start(self._scopes, scope, days)

    def shift_demo(self, request: SkipDays) -> DemoClock:
        """Move the clock of a demo scope in this process; raises `Refused` for any other scope."""
        return demo.skip(self._scopes, request)

    async def remove_demo(self, request: OneScope) -> Removed:
        """Delete a demo scope for good; raises `Refused` for any other scope, `NotFound` when there is none."""
        return await demo.remove(self._graph, self._scopes, request)

    def open_scopes(self) -> tuple[OpenScopeView, ...]:
        """The scopes that this process holds in memory, by name."""
        return inspect.held(self._scopes)

    async def health(self) -> Health:
        """The engine as it is now; raises `Unavailable` when it does not answer."""
        latency = round(await self._graph.ping_ms(), 3)
        return self.described().model_copy(update={"status": "ok", "latency_ms": latency})

    def described(self) -> Health:
        """The engine as it was settled at the opening, without asking it: status `unknown`, latency 0."""
        return Health(
            status="unknown",
            latency_ms=0.0,
            engine=self._graph.engine.name,
            agent=self._graph.agent,
            uri=self._graph.address.uri,
            embedded=self.settings.embedded,
            version=__version__,
            open_scopes=len(self._scopes),
        )
