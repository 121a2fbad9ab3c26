"""The values callers see: options in, an address and a status out."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class NodeOptions:
    """How to run the node of `home`. the client that starts the node decides.

    `java` replaces the bundled runtime; `class_cache` makes later starts faster (50 MB in the home, made after the first stop).
    """

    home: Path
    heap_mb: int = 512
    idle_seconds: int = 600
    start_timeout_seconds: float = 60.0
    statement_timeout_ms: int = 30_000
    java: Path | None = None
    class_cache: bool = True


@dataclass(frozen=True, slots=True)
class NodeAddress:
    """Where the node answers Bolt, and the credentials of this home; `pid` is the Java process."""

    uri: str
    username: str
    password: str = field(repr=False)
    database: str
    pid: int


@dataclass(frozen=True, slots=True)
class NodeStatus:
    """`state` is stopped, starting or running; the rest is of the last start, None when there was none.

    `answers` is whether a query succeeded just now; `in_use` whether a live client holds the node; `started_at` is in
    seconds since the epoch.
    """

    state: str
    answers: bool
    in_use: bool
    uri: str | None
    pid: int | None
    keeper_pid: int | None
    started_at: float | None
    log: Path
