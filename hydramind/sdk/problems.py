"""From a server's problem document back to the exception that it was."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, cast

from hydramind import errors
from hydramind.errors import HydraMindError, Invalid, Unavailable

_KINDS: Final[Mapping[str, type[HydraMindError]]] = {
    kind.code: kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, HydraMindError) and kind is not HydraMindError
}
_GATEWAY: Final = frozenset({502, 503, 504})


class Answered(HydraMindError):
    """A failure of the server that has no class of its own here; `code`, `status` and `retryable` are as it said."""

    def __init__(self, message: str, code: str, status: int, retryable: bool) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.retryable = retryable


def error_of(status: int, body: bytes, base_url: str) -> HydraMindError:
    """The exception that an answer with this status and body stands for."""
    problem = _problem(body)
    if problem is None:
        if status in _GATEWAY:
            return Unavailable(f"{base_url!r} answered {status}")
        return Answered(f"{base_url!r} answered {status} as no HydraMind server does", "http_error", status, False)
    code, message = str(problem.get("code")), str(problem.get("message"))
    if code == Invalid.code:
        field = str(problem.get("field", "arguments"))
        return Invalid(field, message.removeprefix(f"{field}: "))
    kind = _KINDS.get(code)
    return Answered(message, code, status, problem.get("retryable") is True) if kind is None else kind(message)


def _problem(body: bytes) -> dict[str, Any] | None:
    try:
        document: object = json.loads(body)
    except ValueError:
        return None
    found = cast(dict[str, object], document).get("error") if isinstance(document, dict) else None
    return cast(dict[str, Any], found) if isinstance(found, dict) else None
