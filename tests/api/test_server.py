"""A server of its own process: what it says, that everything is on its port, and how it ends."""

from __future__ import annotations

import json
import signal
import socket
import time

import httpx2
import pytest

from hydramind.settings import Settings
from tests.api.running import RunningServer, running

END_SECONDS = 5.0
"""The server gives itself one second; the rest is for a machine that runs other tests beside this one."""


def test_everything_is_on_one_port(open_server: RunningServer) -> None:
    """Page, API, REST, probes and MCP, with and without its slash."""
    asked = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }
    accepted = {"accept": "application/json, text/event-stream"}
    with httpx2.Client(base_url=f"http://127.0.0.1:{open_server.port}") as client:
        for path in ("/", "/health", "/ready", "/metrics", "/api/scopes", "/v1/openapi.json"):
            assert client.get(path).status_code == 200, path
        for path in ("/mcp", "/mcp/"):
            reply = client.post(path, json=asked, headers=accepted)
            assert reply.json()["result"]["serverInfo"]["name"] == "hydramind"


def test_it_says_what_to_open_and_how_to_attach_on_stderr(open_server: RunningServer) -> None:
    """One line a thing, with the port it really has; each URL answers."""
    up = next(n for n, line in enumerate(open_server.said) if line.startswith("hydramind ") and " is up" in line)
    words = [line.split(maxsplit=1) for line in open_server.said[up + 1 :]]
    heads = [head for head, *_ in words]
    url = f"http://127.0.0.1:{open_server.port}"
    assert heads == ["open", "mcp", "api", "health", "graph", "token", "attach", "attach", "attach", "attach"]
    assert f"codex mcp add hydramind --url {url}/mcp\n" in [rest for head, rest in words if head == "attach"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_promptly_with_an_open_event_stream(number: signal.Signals, embedded_settings: Settings) -> None:
    """The stream is ended properly, the exit code is 0, nothing is on stdout, and no complaint on stderr."""
    with running(embedded_settings) as server, socket.create_connection(("127.0.0.1", server.port), 20) as reader:
        host = f"Host: 127.0.0.1:{server.port}\r\n"
        reader.sendall(f"GET /api/scopes/quiet/events HTTP/1.1\r\n{host}\r\n".encode())
        received = b""
        while b"retry:" not in received:
            received += reader.recv(4_096)
        started = time.monotonic()
        code = server.stop(number)
        took = time.monotonic() - started
        received += b"".join(iter(lambda: reader.recv(4_096), b""))
        announced = next(i for i, line in enumerate(server.said) if line.startswith("attach  hydramind attach"))
        assert (code, server.said[announced + 1 :]) == (0, [])
        assert received.endswith(b"0\r\n\r\n")
        assert server.process.stdout is not None
        assert server.process.stdout.read() == ""
        assert took < END_SECONDS


def test_a_call_that_the_end_cuts_off_is_told_to_come_back(embedded_settings: Settings) -> None:
    """Its body never came whole: 503, no traceback in the log, and the end is prompt all the same."""
    with running(embedded_settings) as server, socket.create_connection(("127.0.0.1", server.port), 20) as slow:
        slow.sendall(b"POST /v1/recall HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 10\r\n" % server.port)
        slow.sendall(b"Content-Type: application/json\r\n\r\n{")
        assert server.status(f"Host: 127.0.0.1:{server.port}", path="/health") == 200
        started = time.monotonic()
        code = server.stop()
        took = time.monotonic() - started
        reply = b"".join(iter(lambda: slow.recv(4_096), b""))
        assert (code, reply[:12]) == (0, b"HTTP/1.1 503")
        assert b'"retryable":true' in reply
        assert "Traceback" not in "".join(server.said)
        assert took < END_SECONDS


def test_what_is_asked_while_a_reader_hangs_is_answered(open_server: RunningServer) -> None:
    """A client that never finishes its request holds up nobody."""
    with socket.create_connection(("127.0.0.1", open_server.port), 20) as slow:
        slow.sendall(b"POST /v1/recall HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 10\r\n" % open_server.port)
        slow.sendall(b"Content-Type: application/json\r\n\r\n{")
        assert open_server.status(f"Host: 127.0.0.1:{open_server.port}", path="/ready") == 200


def test_garbage_instead_of_http_is_turned_away(open_server: RunningServer) -> None:
    """And the server lives on."""
    status, _, _ = open_server.raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n")
    assert status == 400
    _, _, body = open_server.raw(f"GET /health HTTP/1.1\nHost: 127.0.0.1:{open_server.port}\nConnection: close\n\n")
    assert json.loads(body)["status"] == "ok"
