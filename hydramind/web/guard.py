"""The gate before every route: Host, Origin and bearer token; and the security headers on every answer."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, MutableMapping
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hydramind.api.problems import problem
from hydramind.errors import HydraMindError, Refused, Unauthorized
from hydramind.web.addresses import Policy

OPEN_PATHS: Final = frozenset({"/", "/app", "/health"})
"""What needs no token: the page that says how to go on, the pages that ask for the token, and liveness."""

OPEN_UNDER: Final = "/app/"
"""The files of the pages; they hold no data."""

CONTENT_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = (
    ("Content-Security-Policy", CONTENT_POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
)


class Guard:
    """ASGI middleware; refuses before any route runs. Forwarding headers are never believed."""

    def __init__(self, app: ASGIApp, policy: Policy) -> None:
        self._app = app
        self._policy = policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, then pass on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, _with_headers(send))
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            admit(Headers(scope=scope), scope["path"], self._policy)
        except Unauthorized as error:
            await problem(error, {"WWW-Authenticate": "Bearer"})(scope, receive, send)
        except HydraMindError as error:
            await problem(error)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def admit(headers: Headers, path: str, policy: Policy) -> None:
    """Raises `Refused` for a foreign Host or Origin, `Unauthorized` for a missing or wrong token."""
    hosts = headers.getlist("host")
    if len(hosts) != 1 or not policy.answers_to(hosts[0]):
        raise Refused("the Host header does not name this server; use the address that it printed at its start")
    origins = headers.getlist("origin")
    if len(origins) > 1 or not all(policy.trusts(origin) for origin in origins):
        raise Refused("pages of another origin may not call this server")
    if policy.token and not _open(path) and not _bears(headers.getlist("authorization"), policy.token):
        raise Unauthorized("send the header 'Authorization: Bearer <HYDRAMIND_HTTP_TOKEN of this server>'")


def _open(path: str) -> bool:
    return path in OPEN_PATHS or path.startswith(OPEN_UNDER)


def _bears(values: Iterable[str], token: str) -> bool:
    given = list(values)
    scheme, _, secret = given[0].partition(" ") if len(given) == 1 else ("", "", "")
    # Header text is Latin-1 of the bytes sent; comparing text would refuse anything outside ASCII.
    same = hmac.compare_digest(secret.strip().encode("latin-1"), token.encode())
    return scheme.lower() == "bearer" and same


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            _add(message)
        await send(message)

    return send_with_headers


def _add(message: MutableMapping[str, Any]) -> None:
    headers = MutableHeaders(scope=message)
    for name, value in _HEADERS:
        headers.setdefault(name, value)
