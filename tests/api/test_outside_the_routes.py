"""The layers around the routes: guard, counters, defects."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hydramind.api.problems import on_crash
from hydramind.errors import HydraMindError, Refused, Unauthorized
from hydramind.web.addresses import Policy
from hydramind.web.guard import Guard, admit
from hydramind.web.traffic import Traffic

HOST = ("host", "127.0.0.1:8788")
POLICY = Policy("127.0.0.1", 8788, "tök-probe")


def refusal(path: str, *headers: tuple[str, str]) -> type[HydraMindError] | None:
    """The kind of error that the guard raises for such a request, if any."""
    raw = [(name.encode(), value.encode()) for name, value in headers]
    try:
        admit(Headers(raw=raw), path, POLICY)
    except HydraMindError as error:
        return type(error)
    return None


@pytest.mark.parametrize(
    ("path", "headers", "kind"),
    [
        ("/v1/recall", [HOST, ("authorization", "Bearer tök-probe")], None),
        ("/v1/recall", [HOST, ("authorization", "BEARER  tök-probe ")], None),
        ("/health", [HOST], None),
        ("/v1/recall", [HOST], Unauthorized),
        ("/v1/recall", [HOST, ("authorization", "Bearer tok-probe")], Unauthorized),
        ("/v1/recall", [HOST, ("authorization", "Bearer tök-probe"), ("authorization", "Bearer x")], Unauthorized),
        ("/health", [], Refused),
        ("/health", [HOST, HOST], Refused),
        ("/health", [("host", "evil.test")], Refused),
        ("/health", [HOST, ("origin", "null")], Refused),
        ("/health", [HOST, ("origin", "http://127.0.0.1:8788"), ("origin", "http://127.0.0.1:8788")], Refused),
    ],
)
def test_the_guard_decides_by_headers_and_path(
    path: str, headers: list[tuple[str, str]], kind: type[HydraMindError] | None
) -> None:
    """Host before Origin before token; a token need not be ASCII."""
    assert refusal(path, *headers) is kind


async def test_the_guard_closes_what_is_not_http() -> None:
    """There are no websockets here."""
    sent = list[MutableMapping[str, Any]]()

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "websocket.connect"}

    await Guard(Starlette(), POLICY)({"type": "websocket", "path": "/", "headers": []}, receive, send)
    assert sent == [{"type": "websocket.close", "code": 1008}]


async def test_a_defect_is_500_without_detail() -> None:
    """What went wrong is for the log."""

    async def broken(_: Request) -> Response:
        raise ValueError("hunter2 at line 7")

    app = Starlette(routes=[Route("/", broken)], exception_handlers={Exception: on_crash})
    transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        reply = await client.get("/")
    expected = {"code": "internal", "message": "internal error; see the log", "retryable": False}
    assert (reply.status_code, reply.json()) == (500, {"error": expected})


def test_counters_are_written_in_the_prometheus_format() -> None:
    """Labels are escaped, unknown methods share one name."""
    traffic = Traffic()
    traffic.record('/a"b\\c', "BREW", 200, 0.25)
    traffic.record('/a"b\\c', "BREW", 200, 0.5)
    lines = traffic.text({"hydramind_open_scopes": 2}).splitlines()
    assert [line for line in lines if not line.startswith("#")] == [
        'hydramind_http_requests_total{route="/a\\"b\\\\c",method="OTHER",status="200"} 2',
        'hydramind_http_request_seconds_sum{route="/a\\"b\\\\c"} 0.75',
        'hydramind_http_request_seconds_count{route="/a\\"b\\\\c"} 2',
        "hydramind_http_requests_in_flight 0",
        "hydramind_open_scopes 2",
    ]
