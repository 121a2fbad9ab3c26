"""What the dashboard reads of scopes: their list, and of one its graph, entities, counts and events."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from hydramind.api.event_stream import EventStream
from hydramind.api.problems import as_json
from hydramind.api.state import state_of
from hydramind.errors import Invalid
from hydramind.models import OneScope, Reply


class GraphOf(OneScope):
    """The graph of a scope: its newest `limit` memories, or with `changed_after` what changed past that revision."""

    limit: Annotated[int, Field(ge=1, le=5_000)] = 500
    changed_after: Annotated[int, Field(ge=0, le=2**63 - 1)] | None = None


class EventsOf(OneScope):
    """The events of a scope past revision `after`; -1 means from now on."""

    after: Annotated[int, Field(ge=-1, le=2**63 - 1)] = -1


def reply_json(reply: Reply) -> Response:
    """A reply model as the response."""
    return Response(reply.model_dump_json().encode(), media_type="application/json")


async def scopes(request: Request) -> Response:
    """`{"scopes": [...]}`."""
    _require_known(request, frozenset())
    found = await state_of(request).mind.scopes()
    return as_json({"scopes": [scope.model_dump(mode="json") for scope in found]})


async def graph(request: Request) -> Response:
    """The scope's newest memories, their entities and the edges between; `?limit=` 1 to 5,000, default 500. With
    `?changed_after=` what a drawing of that revision lacks."""
    asked = GraphOf.parse(_values(request, "limit", "changed_after"))
    mind = state_of(request).mind
    if asked.changed_after is not None:
        return reply_json(await mind.graph_changed(OneScope(scope=asked.scope), asked.changed_after))
    return reply_json(await mind.graph(OneScope(scope=asked.scope), asked.limit))


async def entities(request: Request) -> Response:
    """`{"entities": [...]}`."""
    found = await state_of(request).mind.entities(OneScope.parse(_values(request)))
    return as_json({"entities": [entity.model_dump(mode="json") for entity in found]})


async def stats(request: Request) -> Response:
    """Counts of the scope."""
    return reply_json(await state_of(request).mind.stats(OneScope.parse(_values(request))))


async def events(request: Request) -> Response:
    """Server-sent events; `Last-Event-ID` or `?after=` says which revision was the last one seen."""
    values = _values(request, "after")
    if (last_seen := request.headers.get("last-event-id", "")) != "":
        values["after"] = last_seen
    asked = EventsOf.parse(values)
    if request.method == "HEAD":
        return Response(media_type="text/event-stream")
    state = state_of(request)
    return EventStream(state.mind.events(asked.scope, asked.after), state.closing)


def _values(request: Request, *known: str) -> dict[str, object]:
    _require_known(request, frozenset(known))
    return {**request.query_params, "scope": request.path_params["scope"]}


def _require_known(request: Request, known: frozenset[str]) -> None:
    for name in request.query_params:
        if name not in known:
            expected = f"known are {', '.join(sorted(known))}" if known else "none is known"
            raise Invalid(name[:100], f"is not a parameter here; {expected}")
        if len(request.query_params.getlist(name)) > 1:
            raise Invalid(name, "must be given once")
