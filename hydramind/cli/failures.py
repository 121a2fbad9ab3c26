"""The one translator of errors to the command line: one line on stderr and an exit code by kind."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from hydramind.errors import (
    Busy,
    Conflict,
    HydraMindError,
    Invalid,
    Misconfigured,
    NotFound,
    Refused,
    Unauthorized,
    Unavailable,
    Unsupported,
)
from hydramind.mind.text import clean

OTHER: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130

_EXIT_CODES: Final[Mapping[type[HydraMindError], int]] = {
    Invalid: USAGE,
    NotFound: 3,
    Conflict: 3,
    Refused: 3,
    Unavailable: 4,
    Busy: 4,
    Misconfigured: 4,
    Unauthorized: 4,
    Unsupported: 4,
}


def exit_code(error: HydraMindError) -> int:
    """2 invalid, 3 not found, conflict or refused, 4 unavailable or misconfigured, 1 anything else."""
    return next((_EXIT_CODES[kind] for kind in type(error).__mro__ if kind in _EXIT_CODES), OTHER)


def error_line(error: HydraMindError, *, as_json: bool) -> str:
    """What to print: `hydramind: ...`, or the error object that the HTTP faces send."""
    message = " ".join(clean(error.message).split())
    if not as_json:
        return f"hydramind: {message}"
    field = {"field": clean(error.field)} if isinstance(error, Invalid) else {}
    body = {"code": error.code, "message": message, **field, "retryable": error.retryable}
    return json.dumps({"error": body}, ensure_ascii=False)
