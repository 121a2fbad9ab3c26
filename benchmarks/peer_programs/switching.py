"""Tells the shared endpoint whether the texts that come next are passages or queries, at most once a change."""

from __future__ import annotations

import urllib.request


class Switch:
    """The state that the endpoint was last told."""

    def __init__(self, endpoint: str) -> None:
        self._endpoint = endpoint
        self._told = ""

    def to(self, what: str) -> None:
        """`passages` or `queries`."""
        if what != self._told:
            request = urllib.request.Request(f"{self._endpoint}/{what}", data=b"", method="POST")
            with urllib.request.urlopen(request, timeout=10):
                self._told = what
