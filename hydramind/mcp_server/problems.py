"""The one translator of errors to tool results: what is wrong, what was expected, what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mcp.server.mcpserver.exceptions import ToolError

from hydramind import errors
from hydramind.mind.text import clean

_LONGEST: Final = 2_000

ADVICE: Final[Mapping[type[errors.HydraMindError], str]] = {
    errors.Invalid: "Nothing was changed: correct the argument and call {tool} again.",
    errors.NotFound: "Use an id or a name from a recall, remember or timeline reply of the same scope.",
    errors.Conflict: "Nothing was changed: recall again, then decide with what is stored now.",
    errors.Refused: "The same call will be refused again.",
    errors.Unauthorized: "Ask the user to check HYDRAMIND_USERNAME and HYDRAMIND_TOKEN of this server.",
    errors.Unsupported: "This graph engine cannot do it: go on without {tool}.",
    errors.Busy: "Call {tool} again in a moment.",
    errors.Unavailable: "Go on without memory for now and tell the user; the next call tries again.",
    errors.Misconfigured: "Ask the user to correct the settings of this server.",
    errors.Damaged: "Tell the user: the stored data needs a look; nothing was repaired by itself.",
    errors.HydraMindError: "Tell the user that {tool} failed.",
}
"""What the caller can do, by kind of error; the nearest class counts."""


def tool_error(tool: str, error: errors.HydraMindError) -> ToolError:
    """`error` as the text a model reads: `not_found: ... What to do.`"""
    advice = next(ADVICE[kind] for kind in type(error).__mro__ if kind in ADVICE)
    message = clean(" ".join(error.message.split()))[:_LONGEST]
    stop = "" if message.endswith((".", "!", "?")) else "."
    return ToolError(f"{error.code}: {message}{stop} {advice.format(tool=tool)}")
