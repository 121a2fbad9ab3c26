"""Server-sent events of one scope: `id:` is the revision, so a browser that reconnects misses nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final

from starlette.responses import StreamingResponse

from hydramind.api.problems import as_text, document
from hydramind.errors import HydraMindError
from hydramind.models import Event

HEARTBEAT_SECONDS: Final = 15.0
_RECONNECT_MS: Final = 2_000


class EventStream(StreamingResponse):
    """The live ops of a scope until the reader leaves or `closing` is set; comments keep idle connections open."""

    def __init__(
        self, events: AsyncIterator[Event], closing: asyncio.Event, heartbeat: float = HEARTBEAT_SECONDS
    ) -> None:
        super().__init__(
            frames(events, closing, heartbeat),
            media_type="text/event-stream",
            headers={"X-Accel-Buffering": "no"},
        )


async def frames(events: AsyncIterator[Event], closing: asyncio.Event, heartbeat: float) -> AsyncGenerator[str]:
    """Text frames: first how soon to reconnect, then events and, every `heartbeat` idle seconds, a comment.

    A failure of the feed is a last frame of type `problem`.
    """
    closed = asyncio.ensure_future(closing.wait())
    coming = asyncio.ensure_future(anext(events))
    try:
        yield f"retry: {_RECONNECT_MS}\n\n"
        while not closed.done():
            await asyncio.wait({coming, closed}, timeout=heartbeat, return_when=asyncio.FIRST_COMPLETED)
            if coming.done():
                yield frame_of(coming.result())
                coming = asyncio.ensure_future(anext(events))
            elif not closed.done():
                yield ": still here\n\n"
    except StopAsyncIteration:
        return
    except HydraMindError as error:
        yield f"event: problem\ndata: {as_text(document(error))}\n\n"
    finally:
        # Cancelled, not awaited: the server may be cancelling this generator as well.
        closed.cancel()
        coming.cancel()


def frame_of(event: Event) -> str:
    """One op as a frame of the default event type."""
    return f"id: {event.revision}\ndata: {event.model_dump_json()}\n\n"
