"""Server-sent events: order, resumption, heartbeat and end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, MutableMapping
from typing import Any

import httpx2
import pytest

from hydramind.api.event_stream import frame_of, frames
from hydramind.api.state import ServerState
from hydramind.errors import Unavailable
from hydramind.models import Event, Remember
from hydramind.service import HydraMind
from hydramind.web.addresses import Policy
from hydramind.web.app import build_app


def op(revision: int) -> Event:
    """One op of a scope."""
    return Event(scope="s", revision=revision, verb="remember", at="2026-03-01T10:00:00.000Z", memory_ids=("7",))


async def ops(*revisions: int, forever: bool = True) -> AsyncIterator[Event]:
    """A feed that gives these ops and then waits."""
    for revision in revisions:
        yield op(revision)
    if forever:
        await asyncio.Event().wait()


async def test_frames_carry_the_revision_as_their_id() -> None:
    """After the hint how soon to reconnect, in order; a feed that ends ends the stream."""
    seen = [frame async for frame in frames(ops(3, 4, forever=False), asyncio.Event(), 60)]
    assert seen == ["retry: 2000\n\n", frame_of(op(3)), frame_of(op(4))]
    assert seen[1].startswith('id: 3\ndata: {"scope":"s","revision":3,')


async def test_a_quiet_stream_sends_comments() -> None:
    """Proxies cut what is silent; the waiting op is not lost by the comment."""
    gate = asyncio.Event()

    async def later() -> AsyncIterator[Event]:
        await gate.wait()
        yield op(1)

    stream = frames(later(), asyncio.Event(), 0.01)
    first, second, third = [await anext(stream) for _ in range(3)]
    gate.set()
    rest = [frame async for frame in stream]
    assert (first, second, third) == ("retry: 2000\n\n", ": still here\n\n", ": still here\n\n")
    assert [frame for frame in rest if not frame.startswith(":")] == [frame_of(op(1))]


async def test_closing_ends_a_waiting_stream() -> None:
    """So the server can stop while a dashboard is open."""
    closing = asyncio.Event()
    stream = frames(ops(1), closing, 60)
    assert [await anext(stream) for _ in range(2)] == ["retry: 2000\n\n", frame_of(op(1))]
    closing.set()
    assert [frame async for frame in stream] == []


async def test_a_failing_feed_says_why_and_ends() -> None:
    """The reader reconnects from the last id that it saw."""

    async def failing() -> AsyncIterator[Event]:
        yield op(1)
        raise Unavailable("the graph is gone")

    seen = [frame async for frame in frames(failing(), asyncio.Event(), 60)]
    assert seen[2].startswith('event: problem\ndata: {"error":{"code":"unavailable","message":"the graph is gone"')


async def three(mind: HydraMind, scope: str) -> None:
    """Three revisions."""
    for n in (4, 5, 6):
        await mind.remember(Remember(content=f"Locker {n} stores climbing ropes", scope=scope))


@pytest.mark.parametrize(
    ("query", "headers", "ids"),
    [
        ("?after=0", {}, ["1", "2", "3"]),
        ("?after=2", {}, ["3"]),
        ("", {"last-event-id": "1"}, ["2", "3"]),
        ("?after=0", {"last-event-id": "2"}, ["3"]),
    ],
)
async def test_a_reader_gets_what_it_has_not_seen(
    query: str, headers: dict[str, str], ids: list[str], state: ServerState, scope: str
) -> None:
    """From a revision on, or from the last event that the browser names; the header is the newer knowledge."""
    await three(state.mind, scope)
    assert await first_ids(state, f"/api/scopes/{scope}/events", query, headers, len(ids)) == ids


async def test_a_reader_without_a_position_gets_what_comes(state: ServerState, scope: str) -> None:
    """Ops of another client too; what was there before is not sent."""
    await three(state.mind, scope)
    reading = asyncio.create_task(first_ids(state, f"/api/scopes/{scope}/events", "", {}, 1))
    async with HydraMind.open(state.mind.settings) as other:
        n = 0
        while not reading.done():
            n += 1
            await other.remember(Remember(content=f"Drawer {n} holds carabiners", scope=scope))
    assert int((await reading)[0]) > 3


async def first_ids(state: ServerState, path: str, query: str, headers: dict[str, str], count: int) -> list[str]:
    """The ids of the first events of a stream, which is then closed from the server's side."""
    sent: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
    given = {"host": "127.0.0.1:8788"} | headers
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": query.removeprefix("?").encode(),
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
    }
    app = build_app(state, Policy("127.0.0.1", 8788))
    serving = asyncio.create_task(app(scope, asyncio.Event().wait, sent.put))  # pyright: ignore[reportArgumentType]
    text = ""
    while text.count("\nid: ") < count:
        text += (await sent.get()).get("body", b"").decode()
    state.closing.set()
    await serving
    return [line[4:] for line in text.splitlines() if line.startswith("id: ")]


@pytest.mark.parametrize(("query", "headers"), [("?after=-2", {}), ("?after=x", {}), ("", {"last-event-id": "abc"})])
async def test_a_bad_position_is_refused(query: str, headers: dict[str, str], client: httpx2.AsyncClient) -> None:
    """Before the stream starts."""
    reply = await client.get(f"/api/scopes/s/events{query}", headers=headers)
    assert (reply.status_code, reply.json()["error"]["field"]) == (422, "after")


async def test_asking_for_the_head_does_not_open_a_stream(client: httpx2.AsyncClient) -> None:
    """It would never end."""
    assert (await client.head("/api/scopes/s/events")).status_code == 200
