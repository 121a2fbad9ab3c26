"""Keeps secrets out of everything the process prints: those of the environment, and the user part of any URI."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import unquote

_SECRET_NAMES: Final = (
    "HYDRAMIND_TOKEN",
    "HYDRAMIND_PASSWORD",
    "HYDRAMIND_HTTP_TOKEN",
    "HYDRAMIND_EMBEDDER_KEY",
    "HYDRAMIND_RERANKER_KEY",
)
_USER_PART: Final = re.compile(r"(://[^/\s:@'\"]*):[^\s'\"]*@")
_SHORT: Final = 4
"""A shorter secret is masked as a whole word only, or every text would be full of stars."""
MASK: Final = "***"


def masked(text: str, environ: Mapping[str, str] | None = None) -> str:
    """`text` without the secrets of `environ` (default: this process's) and without passwords inside URIs."""
    names = os.environ if environ is None else environ
    for secret in sorted(_secrets(names), key=len, reverse=True):
        pattern = re.escape(secret)
        text = re.sub(rf"(?<!\w){pattern}(?!\w)" if len(secret) < _SHORT else pattern, MASK, text)
    return _USER_PART.sub(rf"\1:{MASK}@", text)


def _secrets(environ: Mapping[str, str]) -> set[str]:
    upper = {name.upper(): value for name, value in environ.items()}
    found = {upper.get(name, "").strip() for name in _SECRET_NAMES}
    found.update(_uri_password(upper.get("HYDRAMIND_URI", "")))
    return found - {""}


def _uri_password(uri: str) -> Iterable[str]:
    user_part = uri.partition("://")[2].rpartition("@")[0]
    password = user_part.partition(":")[2]
    return (password, unquote(password))


class MaskingFormatter(logging.Formatter):
    """A log format whose lines and tracebacks are masked."""

    def format(self, record: logging.LogRecord) -> str:
        """The masked line."""
        return masked(super().format(record))
