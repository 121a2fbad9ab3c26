"""What lies under the protocol: JSON text repaired before it is parsed, and standard streams kept for the protocol alone."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Generator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Final, TextIO

from hydramind.errors import Misconfigured

_STDIN, _STDOUT, _STDERR = range(3)
_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<lone>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


def pair_surrogates(json_text: str) -> str:
    r"""`json_text` with every escaped half of a surrogate pair that stands alone replaced by `\ufffd`.

    JSON parsers refuse such text as a whole, and a request that cannot be parsed has no id to answer to.
    """
    if "\\ud" not in json_text and "\\uD" not in json_text:
        return json_text
    return _ESCAPE.sub(lambda match: "\\ufffd" if match["lone"] else match[0], json_text)


class _Lines(TextIOWrapper):
    def readline(self, size: int = -1, /) -> str:
        """The next line, repaired."""
        return pair_surrogates(super().readline(size))


@contextmanager
def protocol_streams() -> Generator[tuple[TextIO, TextIO]]:
    """Private UTF-8 copies of stdin and stdout, whatever the platform's encoding is.

    Meanwhile the process's own stdin is empty and its stdout is stderr, so that no library's print can reach the client.
    Child processes inherit neither copy. Raises `Misconfigured` when stdin or stdout is closed.
    """
    try:
        source, sink = os.dup(_STDIN), os.dup(_STDOUT)
    except OSError as error:
        raise Misconfigured(f"the stdio server needs stdin and stdout, and one is closed: {error.strerror}") from None
    _divert()
    try:
        # Left open on purpose: a worker thread may still be blocked in a read when the server stops.
        yield (
            _Lines(os.fdopen(source, "rb", closefd=False), encoding="utf-8", errors="replace", newline="\n"),
            TextIOWrapper(os.fdopen(sink, "wb", closefd=False), encoding="utf-8", errors="replace", newline="\n"),
        )
    finally:
        os.dup2(source, _STDIN)
        os.dup2(sink, _STDOUT)


def _divert() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, _STDIN)
    try:
        os.dup2(_STDERR, _STDOUT)
    except OSError:
        os.dup2(nowhere, _STDOUT)
    os.close(nowhere)
