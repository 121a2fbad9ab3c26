"""What only the HTTP client does: addresses, tokens, answers of other servers, and trying again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from hydramind import HydraMind, HydraMindClient
from hydramind.errors import Busy, HydraMindError, Misconfigured, Unauthorized, Unavailable
from hydramind.models import Stats
from tests.sdk.conftest import TOKEN

BUSY = (429, json.dumps({"error": {"code": "busy", "message": "5 writes wait", "retryable": True}}))
STATS = Stats(
    scope="s", revision=0, memories=0, active=0, contradicted=0, superseded=0, forgotten=0, entities=0, mean_trust=1
).model_dump_json()


@asynccontextmanager
async def answering(*answers: tuple[int, str]) -> AsyncIterator[tuple[str, list[bytes]]]:
    """A server that gives these answers one after the other, the last one for ever; its address and what it was asked."""
    asked = list[bytes]()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next((line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), b": 0")
        body = await reader.readexactly(int(length.partition(b":")[2]))
        status, text = answers[min(len(asked), len(answers) - 1)]
        asked.append(head + body)
        data = text.encode()
        writer.write(f"HTTP/1.1 {status} X\r\nContent-Length: {len(data)}\r\nConnection: close\r\n\r\n".encode() + data)
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", asked


@pytest.mark.parametrize("token", [None, "wrong"])
async def test_a_guarded_server_refuses(url: str, token: str | None) -> None:
    """Without its token, for reads of both kinds."""
    async with HydraMindClient(url, token) as client:
        for asked in (client.scopes(), client.recall("x", "s")):
            with pytest.raises(Unauthorized, match="Authorization: Bearer"):
                await asked


async def test_a_read_is_tried_again_while_the_server_is_busy() -> None:
    """And answers as if nothing had been."""
    async with answering(BUSY, (503, "gateway"), (200, STATS)) as (url, asked), HydraMindClient(url) as client:
        assert (await client.stats("s")).memories == 0
    assert len(asked) == 3


async def test_a_keyed_write_is_tried_again_and_another_is_not() -> None:
    """Only a key makes sure that it happens once."""
    async with answering(BUSY) as (url, asked), HydraMindClient(url, attempts=2) as client:
        with pytest.raises(Busy, match="5 writes wait"):
            await client.remember("x", "s", idempotency_key="k")
        assert len(asked) == 2
        with pytest.raises(Busy):
            await client.remember("x", "s")
        assert len(asked) == 3


async def test_only_what_differs_from_the_defaults_is_sent() -> None:
    """So that an older server is not asked for what it does not know."""
    async with answering(BUSY) as (url, asked), HydraMindClient(url, TOKEN) as client:
        with pytest.raises(Busy):
            await client.remember("naïve", "s", source="ada")
    head, _, body = asked[0].partition(b"\r\n\r\n")
    assert json.loads(body) == {"content": "naïve", "scope": "s", "source": "ada"}
    assert f"Authorization: Bearer {TOKEN}".lower().encode() in head.lower()


@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        ((200, "<html>"), HydraMindError, "http_error"),
        ((404, "<html>"), HydraMindError, "http_error"),
        ((302, ""), HydraMindError, "http_error"),
        ((413, '{"error": {"code": "too_large", "message": "m", "retryable": false}}'), HydraMindError, "too_large"),
        ((500, "[1]"), HydraMindError, "http_error"),
        ((504, "<html>"), Unavailable, "unavailable"),
    ],
)
async def test_an_answer_of_something_else_is_a_named_failure(
    answer: tuple[int, str], kind: type[HydraMindError], code: str
) -> None:
    """A proxy's page, a redirect, a code that only the HTTP face has: never a crash, never an empty reply."""
    async with answering(answer) as (url, _), HydraMindClient(url, attempts=1) as client:
        with pytest.raises(kind) as caught:
            await client.recall("x", "s")
    assert caught.value.code == code


async def test_a_server_that_is_not_there_is_unavailable() -> None:
    """After the tries; a server that is silent counts as gone too."""
    async with HydraMindClient("http://127.0.0.1:9", attempts=2) as client:
        with pytest.raises(Unavailable, match="cannot be reached"):
            await client.scopes()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server, HydraMindClient(url, timeout=0.05, attempts=1) as client:
        with pytest.raises(Unavailable, match="did not answer in time"):
            await client.scopes()


@pytest.mark.parametrize(
    "url",
    ["", "127.0.0.1:8788", "bolt://h:1", "http://", "http://ada:pw@h", "http://h:70000", "http://[", "http://h?x"],
)
def test_what_is_no_server_address_is_refused(url: str) -> None:
    """Before anything is sent; a secret in it is not repeated."""
    with pytest.raises(Misconfigured) as caught:
        HydraMindClient(url)
    assert "pw@" not in caught.value.message


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"uri": "http://127.0.0.1:8788"}, "use HydraMindClient"),
        ({"homes": "x"}, "HYDRAMIND_HOMES"),
        ({"uri": "h"}, "Bolt"),
    ],
)
async def test_a_bad_setting_is_refused_at_the_opening(given: dict[str, str], said: str) -> None:
    """By its name."""
    with pytest.raises(Misconfigured, match=said):
        async with HydraMind.open(**given):  # type: ignore[arg-type]
            pass
