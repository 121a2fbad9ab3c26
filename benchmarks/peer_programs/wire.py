"""JSON lines on stdin and stdout between the benchmark and a peer: add texts with ids, find ids for a query."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Item:
    """A text to keep; `at` is epoch seconds of when it was said."""

    id: str
    text: str
    at: float


@dataclass(frozen=True, slots=True)
class Setup:
    """What a peer may use: an empty folder of its own, the embedding cache, and an OpenAI-style endpoint (or "")."""

    folder: Path
    cache: Path
    endpoint: str


class Peer(Protocol):
    """A memory system behind the wire."""

    def add(self, scope: str, items: Sequence[Item]) -> int:
        """Keep the items of a new scope; returns how many the peer refused."""
        ...

    def find(self, scope: str, query: str, limit: int) -> list[str]:
        """Ids of the best items for a query, best first, at most `limit`."""
        ...


def serve(make: Callable[[Setup], Peer], packages: Sequence[str], notes: Sequence[str] = ()) -> None:
    """Answer requests until stdin ends. What the peer prints goes to stderr, so that the wire stays clean."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    peer = make(_setup())
    versions = {name: version(name) for name in packages} | json.loads(os.environ.get("PEER_VERSIONS", "{}"))
    _reply(replies, {"ready": True, "versions": versions, "notes": list(notes)})
    for line in sys.stdin:
        _reply(replies, _answer(peer, json.loads(line)))


def _answer(peer: Peer, request: Mapping[str, Any]) -> dict[str, Any]:
    started = time.perf_counter()
    try:
        if request["do"] == "add":
            items = [Item(**item) for item in request["items"]]
            return {"refused": peer.add(request["scope"], items), "seconds": time.perf_counter() - started}
        found = peer.find(request["scope"], request["query"], request["limit"])
        return {"ids": found, "seconds": time.perf_counter() - started}
    except Exception as error:  # noqa: BLE001 - the outermost frame: a peer's failure is a result to report
        return {"error": f"{type(error).__name__}: {error}"[:500], "seconds": time.perf_counter() - started}


def _reply(stream: Any, value: Mapping[str, Any]) -> None:
    stream.write(json.dumps(value) + "\n")
    stream.flush()


def _setup() -> Setup:
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--endpoint", default="")
    given = parser.parse_args()
    return Setup(given.folder, given.cache, given.endpoint)
