"""From the bytes of a request body to the arguments of a verb, strictly: one JSON object, valid UTF-8, no repeated key, no NaN."""

from __future__ import annotations

import asyncio
import json
import math
from typing import Any, Final, NoReturn, cast

from starlette.requests import ClientDisconnect, Request

from hydramind.api.problems import Malformed, TooLarge, TooSlow, WrongType

_DEEPEST: Final = 32
"""Nesting allowed in a body; requests are flat lists inside one object."""

BODY_SECONDS: Final = 30.0
"""A client that sends slower than this for a whole body holds a connection for nothing."""


async def arguments(request: Request, limit: int) -> dict[str, Any]:
    """The JSON object in the body; raises `WrongType`, `TooLarge` (over `limit` bytes), `TooSlow` or `Malformed`."""
    _require_json(request.headers.getlist("content-type"))
    return parse_object(await _read(request, limit))


def parse_object(body: bytes) -> dict[str, Any]:
    """One JSON object of `body`; raises `Malformed` saying where and why."""
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise Malformed(f"the body is not valid UTF-8 at byte {error.start}") from None
    try:
        value: object = json.loads(text, object_pairs_hook=_distinct, parse_constant=_not_json, parse_float=_finite)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise Malformed(f"the body is not JSON: {error.msg.lower()} at {where}") from None
    except RecursionError:
        raise Malformed(f"the body is nested deeper than {_DEEPEST} levels") from None
    except ValueError as error:
        # A number with thousands of digits: the parser of the language refuses it.
        raise Malformed(f"the body is not usable JSON: {str(error).split(';')[0].lower()}") from None
    if not isinstance(value, dict):
        raise Malformed(f"the body must be one JSON object, got {_kind(value)}")
    _require_shallow(cast(object, value))
    return cast(dict[str, Any], value)


def _require_json(types: list[str]) -> None:
    kind, _, parameters = types[0].partition(";") if len(types) == 1 else ("", "", "")
    charset = parameters.replace(" ", "").replace('"', "").lower()
    if kind.strip().lower() != "application/json" or charset not in ("", "charset=utf-8"):
        raise WrongType(f"content-type must be application/json in UTF-8, got {', '.join(types)[:200]!r}")


async def _read(request: Request, limit: int) -> bytes:
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and (len(declared) > 18 or int(declared) > limit):
        raise TooLarge(f"the body may be at most {limit:,} bytes")
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _joined(request, limit)
    except TimeoutError:
        raise TooSlow(f"the body did not arrive within {BODY_SECONDS:g} s") from None
    except ClientDisconnect:
        raise Malformed("the body ended early") from None


async def _joined(request: Request, limit: int) -> bytes:
    chunks, size = list[bytes](), 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > limit:
            raise TooLarge(f"the body may be at most {limit:,} bytes")
        chunks.append(chunk)
    return b"".join(chunks)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise Malformed(f"the key {repeated[:100]!r} stands twice in one object")
    return found


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise Malformed(f"{digits[:40]} is too large a number")
    return number


def _not_json(constant: str) -> NoReturn:
    raise Malformed(f"{constant} is not a JSON value")


def _require_shallow(value: object) -> None:
    level = [value]
    for _ in range(_DEEPEST):
        level = [child for item in level for child in _children(item)]
        if not level:
            return
    raise Malformed(f"the body is nested deeper than {_DEEPEST} levels")


def _children(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(cast(dict[str, object], value).values())
    return cast(list[object], value) if isinstance(value, list) else []


def _kind(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "null" if value is None else "a boolean"
    return "a list" if isinstance(value, list) else "text" if isinstance(value, str) else "a number"
