"""What reaches the MCP endpoint: POST requests whose body is of bounded size and can be parsed."""

from __future__ import annotations

import json

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hydramind.mcp_server.wire import pair_surrogates


class Intake:
    """ASGI application in front of the protocol; who may call at all is decided before it, by the web face's guard."""

    def __init__(self, app: ASGIApp, most_bytes: int) -> None:
        self._app = app
        self._most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One ASGI HTTP request."""
        if scope["method"] != "POST":
            # Stateless: there is no session to listen to by GET nor to end by DELETE.
            response = _refuse(405, f"{scope['method']} is not offered here: send POST", {"Allow": "POST"})
            await response(scope, receive, send)
        elif (body := await _read(Headers(scope=scope), receive, self._most_bytes)) is None:
            limit = f"{self._most_bytes:,} bytes (HYDRAMIND_MCP_MAX_BODY_BYTES)"
            await _refuse(413, f"the request body is larger than {limit}")(scope, receive, send)
        else:
            await self._app(scope, _replay(body, receive), send)


async def _read(headers: Headers, receive: Receive, most: int) -> bytes | None:
    declared = headers.get("content-length", "")
    if declared.isdigit() and (len(declared) > 18 or int(declared) > most):
        return None
    body, more = bytearray(), True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message["type"] == "http.request" and message.get("more_body", False)
        if len(body) > most:
            return None
    return _paired(bytes(body))


def _paired(body: bytes) -> bytes:
    if b"\\ud" not in body and b"\\uD" not in body:
        return body
    try:
        return pair_surrogates(body.decode()).encode()
    except UnicodeDecodeError:
        return body


def _replay(body: bytes, receive: Receive) -> Receive:
    sent = False

    async def once() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return once


def _refuse(status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": message}}
    return Response(json.dumps(error), status, headers, "application/json")
