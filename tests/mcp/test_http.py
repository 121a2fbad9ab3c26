"""MCP over a real HTTP server: who may call, how much, on which path, and the same answers as everywhere."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
import uvicorn
from mcp.client import Client

from hydramind.mcp_server import http_app
from hydramind.service import HydraMind
from hydramind.web.addresses import Policy
from tests.mcp.conftest import LEGACY, MODERN

LIST = {"jsonrpc": "2.0", "id": 7, "method": "tools/list"}
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@dataclass(frozen=True)
class Endpoint:
    """A served MCP endpoint."""

    port: int

    def url(self, path: str = "/mcp") -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}{path}"

    async def post(self, body: Any, path: str = "/mcp", **headers: str) -> httpx2.Response:
        """One request without a session; an empty header value leaves the header out."""
        content = body if isinstance(body, bytes | str) else json.dumps(body)
        async with httpx2.AsyncClient() as client:
            return await client.post(self.url(path), content=content, headers={**HEADERS, **headers})

    async def raw(self, head: str, body: bytes = b"") -> int:
        """The status that a hand-written request gets; every `PORT` in `head` is the server's."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(head.replace("PORT", str(self.port)).replace("\n", "\r\n").encode() + b"\r\n" + body)
        status = int((await reader.readline()).split()[1])
        writer.close()
        return status


@asynccontextmanager
async def serving(mind: HydraMind, **settings: Any) -> AsyncGenerator[Endpoint]:
    """The product's own application on a real server."""

    async def opened() -> HydraMind:
        return mind

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        app = http_app(opened, mind.settings.model_copy(update=settings), Policy("127.0.0.1", port))
        server = uvicorn.Server(uvicorn.Config(app, lifespan="on", log_config=None, timeout_graceful_shutdown=1))
        task = asyncio.create_task(server.serve([listener]))
        try:
            while not server.started:
                await asyncio.wait({task}, timeout=0.01)
            yield Endpoint(port)
        finally:
            server.should_exit = True
            await task


@pytest.fixture
async def endpoint(mind: HydraMind) -> AsyncGenerator[Endpoint]:
    """An endpoint with default settings."""
    async with serving(mind) as served:
        yield served


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
@pytest.mark.parametrize("mode", [LEGACY, MODERN, "auto"])
async def test_clients_of_both_eras_work_on_both_paths(path: str, mode: Any, endpoint: Endpoint, scope: str) -> None:
    """No session, no redirect."""
    async with Client(endpoint.url(path), mode=mode) as client:
        await client.call_tool("remember", {"content": "Over HTTP.", "scope": scope})
        result = await client.call_tool("recall", {"query": "HTTP", "scope": scope})
    assert "Over HTTP." in str(result.content)


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
async def test_single_request_gets_json_without_any_handshake(path: str, endpoint: Endpoint) -> None:
    """Stateless: no session id, no event stream."""
    response = await endpoint.post(LIST, path)
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    assert "mcp-session-id" not in response.headers
    assert response.json()["id"] == 7
    assert len(response.json()["result"]["tools"]) == 10


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ("Host: evil.test:PORT", 403),
        ("Host: localhost.evil.test:PORT", 403),
        ("Host: 127.0.0.1:PORT\nOrigin: https://evil.test", 403),
        ("Host: 127.0.0.1:PORT\nOrigin: null", 403),
        ("Host: 0.0.0.0:PORT", 403),
        ("Host: [::ffff:127.0.0.1]:PORT", 403),
        ("Host: localhost.:PORT", 403),
        ("Host: 127.0.0.1:PORT\nOrigin: http://127.0.0.1:PORT\nOrigin: https://evil.test", 403),
        ("Host: evil.test:PORT\nX-Forwarded-Host: 127.0.0.1:PORT", 403),
        ("Host: 127.0.0.1:PORT", 200),
        ("Host: [::1]:PORT", 200),
        ("Host: LOCALHOST:PORT", 200),
        ("Host: 127.0.0.1:PORT\nOrigin: http://127.0.0.1:PORT", 200),
        ("Host: 127.0.0.1:PORT\nX-Forwarded-Host: evil.test", 200),
    ],
)
async def test_only_this_machines_names_are_answered(headers: str, status: int, endpoint: Endpoint) -> None:
    """A page whose name is rebound to loopback is refused before any tool runs."""
    body = json.dumps(LIST).encode()
    shared = "".join(f"{name}: {value}\n" for name, value in HEADERS.items())
    head = f"POST /mcp HTTP/1.1\n{headers}\n{shared}Content-Length: {len(body)}\nConnection: close\n"
    assert await endpoint.raw(head, body) == status


async def test_two_hosts_are_refused(endpoint: Endpoint) -> None:
    """Whichever of them a proxy believed."""
    head = "POST /mcp HTTP/1.1\nHost: 127.0.0.1:PORT\nHost: evil.test\nContent-Length: 0\nConnection: close\n"
    assert await endpoint.raw(head) in (400, 403)


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS", "HEAD"])
async def test_other_methods_are_refused_not_held_open(method: str, endpoint: Endpoint) -> None:
    """There is no stream to listen to and no session to end."""
    async with httpx2.AsyncClient() as client:
        response = await client.request(method, endpoint.url(), headers={"Accept": "text/event-stream"})
    assert (response.status_code, response.headers["allow"]) == (405, "POST")
    assert "access-control-allow-origin" not in response.headers


async def test_body_over_the_limit_is_refused_with_the_limit(mind: HydraMind) -> None:
    """Declared or not; at the limit it is served."""
    async with serving(mind, mcp_max_body_bytes=2_048) as endpoint:
        whole = json.dumps(LIST)
        fitting = await endpoint.post(whole + " " * (2_048 - len(whole)))
        assert fitting.status_code == 200
        over = await endpoint.post(whole + " " * (2_049 - len(whole)))
        assert over.status_code == 413
        assert "2,048 bytes (HYDRAMIND_MCP_MAX_BODY_BYTES)" in over.json()["error"]["message"]
        shared = "".join(f"{name}: {value}\n" for name, value in HEADERS.items())
        chunked = f"POST /mcp HTTP/1.1\nHost: 127.0.0.1:PORT\n{shared}Transfer-Encoding: chunked\nConnection: close\n"
        assert await endpoint.raw(chunked, b"1000\r\n" + b" " * 4_096 + b"\r\n0\r\n\r\n") == 413


@pytest.mark.parametrize("body", [b"{", b"", b"\xff\xfe", b"[" * 5_000, b'"x"', b"[]", b"null"])
async def test_malformed_bodies_are_refused_by_the_protocol(body: bytes, endpoint: Endpoint) -> None:
    """A client error with a JSON-RPC body, never a 500."""
    response = await endpoint.post(body)
    assert 400 <= response.status_code < 500
    assert "error" in response.json()


async def test_half_a_surrogate_pair_is_replaced(endpoint: Endpoint, scope: str) -> None:
    """The same as over stdio."""
    call = (
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":{"scope":"'
        + scope
        + '","%s":"%s"}}}'
    )
    await endpoint.post(call % ("remember", "content", r"build log \ud83d cut here"))
    response = await endpoint.post(call % ("recall", "query", "build log"))
    assert "build log \ufffd cut here" in response.content.decode()


async def test_two_servers_on_one_graph_see_each_others_writes(endpoint: Endpoint, mind: HydraMind, scope: str) -> None:
    """A client that is sent to another process finds what it wrote."""
    async with serving(mind) as other, Client(endpoint.url()) as here, Client(other.url()) as there:
        await here.call_tool("remember", {"content": "Written here.", "scope": scope})
        result = await there.call_tool("recall", {"query": "written", "scope": scope})
    assert "Written here." in str(result.content)
