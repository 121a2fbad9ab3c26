"""The one translator of errors to HTTP: a status and `{"error": {"code", "message", "field"?, "retryable"}}`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from hydramind.errors import HydraMindError, Invalid
from hydramind.mind.text import clean

_LONGEST_MESSAGE: Final = 2_000
_CODES: Final[Mapping[int, str]] = {404: "unknown_route", 405: "method_not_allowed", 413: "too_large"}


class Malformed(HydraMindError):
    """The body is not the JSON object that was asked for."""

    code = "malformed"
    status = 400


class TooLarge(HydraMindError):
    """The body is over the limit of this server."""

    code = "too_large"
    status = 413


class TooSlow(HydraMindError):
    """The body did not arrive in time."""

    code = "too_slow"
    status = 408
    retryable = True


class WrongType(HydraMindError):
    """The body is declared as something else than JSON."""

    code = "unsupported_media_type"
    status = 415


def document(error: HydraMindError) -> dict[str, object]:
    """The JSON body of an error; texts are valid UTF-8 and bounded."""
    body: dict[str, object] = {"code": error.code, "message": _fit(error.message)}
    if isinstance(error, Invalid):
        body["field"] = _fit(error.field)
    return {"error": {**body, "retryable": error.retryable}}


def problem(error: HydraMindError, headers: Mapping[str, str] | None = None) -> Response:
    """The response for an error this project explains."""
    return as_json(document(error), error.status, headers)


def as_json(content: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A compact JSON response."""
    return Response(as_text(content).encode(), status, headers, "application/json")


def as_text(content: object) -> str:
    """Compact JSON on one line; `ValueError` for NaN, which JSON does not have."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


async def on_hydramind_error(_: Request, error: Exception) -> Response:
    """Starlette's handler for the error tree."""
    assert isinstance(error, HydraMindError)  # noqa: S101
    return problem(error)


async def on_http_error(request: Request, error: Exception) -> Response:
    """Starlette's handler for its own refusals: unknown route, method, body limit."""
    assert isinstance(error, HTTPException)  # noqa: S101
    message = {
        404: f"no route {request.url.path!r}; /v1/openapi.json lists them",
        405: f"{request.method} is not offered here; allowed: {(error.headers or {}).get('Allow', 'nothing')}",
    }.get(error.status_code, error.detail.lower())
    code = _CODES.get(error.status_code, "http_error")
    body = {"error": {"code": code, "message": _fit(message), "retryable": False}}
    return as_json(body, error.status_code, error.headers)


async def on_crash(_: Request, __: Exception) -> Response:
    """The answer to a defect: no detail leaves the process, the log has it."""
    return as_json({"error": {"code": "internal", "message": "internal error; see the log", "retryable": False}}, 500)


def _fit(text: str) -> str:
    cleaned = clean(text)
    return cleaned if len(cleaned) <= _LONGEST_MESSAGE else cleaned[:_LONGEST_MESSAGE] + "..."
