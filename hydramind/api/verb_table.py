"""The verbs, in one place: what each is called on every face, what it takes, what it gives, which method does it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from hydramind.models import (
    ConflictReport,
    Draft,
    Forgotten,
    Inspection,
    OneMemory,
    Recall,
    Recalled,
    Reinstated,
    Relate,
    Related,
    Remember,
    Remembered,
    Reply,
    Request,
    Retrieve,
    Retrieved,
    Revise,
    Revised,
    Timeline,
    TimelineOf,
    Trace,
    TraceFrom,
    TrustStory,
)

if TYPE_CHECKING:
    from hydramind.service import HydraMind

Asked = TypeVar("Asked", bound=Request)
Given = TypeVar("Given", bound=Reply)


@dataclass(frozen=True, slots=True)
class Verb(Generic[Asked, Given]):
    """A verb: `name` is its MCP tool and its path, `command` its word on the command line; `writes`: it changes the graph.

    `tool` is False for what people decide or programs tune and agents are not offered: MCP has no tool for it.
    """

    name: str
    command: str
    request: type[Asked]
    reply: type[Given]
    perform: Callable[[HydraMind, Asked], Awaitable[Given]]
    writes: bool
    summary: str
    tool: bool = True

    async def __call__(self, mind: HydraMind, values: dict[str, Any]) -> Given:
        """Parse raw arguments and do it; raises `Invalid` naming the field, or what the service raises."""
        return await self.perform(mind, self.request.parse(values))


VERBS: tuple[Verb[Any, Any], ...] = (
    Verb(
        "remember",
        "remember",
        Remember,
        Remembered,
        lambda mind, request: mind.remember(request),
        writes=True,
        summary="Keep one statement; what it contradicts loses trust, and so does what was concluded from that.",
    ),
    Verb(
        "recall",
        "recall",
        Recall,
        Recalled,
        lambda mind, request: mind.recall(request),
        writes=False,
        summary="Find the memories that answer a question; nothing is returned without evidence.",
    ),
    Verb(
        "retrieve",
        "retrieve",
        Retrieve,
        Retrieved,
        lambda mind, request: mind.retrieve(request),
        writes=False,
        summary="Recall with every stage by request: channels, fusion, reranking, evidence under a budget.",
        tool=False,
    ),
    Verb(
        "revise",
        "revise",
        Revise,
        Revised,
        lambda mind, request: mind.revise(request),
        writes=True,
        summary="Replace an active memory by a new version; the old one stays in the history.",
    ),
    Verb(
        "forget",
        "forget",
        OneMemory,
        Forgotten,
        lambda mind, request: mind.forget(request),
        writes=True,
        summary="Hide a memory from recall and give back the trust it took; its provenance stays.",
    ),
    Verb(
        "reinstate",
        "reinstate",
        OneMemory,
        Reinstated,
        lambda mind, request: mind.reinstate(request),
        writes=True,
        summary="Undo forget: show a memory again; what it contradicted loses trust again.",
        tool=False,
    ),
    Verb(
        "relate",
        "relate",
        Relate,
        Related,
        lambda mind, request: mind.relate(request),
        writes=True,
        summary="Declare how one memory stands to another, or withdraw it; inspect lists what stands.",
    ),
    Verb(
        "check_conflict",
        "check",
        Draft,
        ConflictReport,
        lambda mind, request: mind.check_conflict(request),
        writes=False,
        summary="Compare a draft with what is stored, without storing it.",
    ),
    Verb(
        "timeline",
        "timeline",
        TimelineOf,
        Timeline,
        lambda mind, request: mind.timeline(request),
        writes=False,
        summary="List every version of what is known about an entity, oldest first.",
    ),
    Verb(
        "trace_memory",
        "trace",
        TraceFrom,
        Trace,
        lambda mind, request: mind.trace_memory(request),
        writes=False,
        summary="Show the evidence paths that lead away from a memory, or from it to another.",
    ),
    Verb(
        "explain_trust",
        "explain",
        OneMemory,
        TrustStory,
        lambda mind, request: mind.explain_trust(request),
        writes=False,
        summary="Tell the trust history of a memory from its ledger.",
    ),
    Verb(
        "inspect",
        "inspect",
        OneMemory,
        Inspection,
        lambda mind, request: mind.inspect(request),
        writes=False,
        summary="Show everything stored about a memory and its direct relations.",
    ),
)
"""Every verb that takes a request, in the order the faces list them; each is on every face but where `tool` is False."""
