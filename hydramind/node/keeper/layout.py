"""Where the node's files are, and its runtime file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NamedTuple, cast


class Layout(NamedTuple):
    """The folder of one node. Liveness is told by locks alone; `runtime` also remembers the last port after a stop."""

    root: Path

    @property
    def secret(self) -> Path:
        """The password, mode 0600."""
        return self.root / "secret"

    @property
    def runtime(self) -> Path:
        """What the keeper last said of the node."""
        return self.root / "node.json"

    @property
    def start_lock(self) -> Path:
        """Held by the one client that starts or stops the node."""
        return self.root / "start.lock"

    @property
    def keeper_lock(self) -> Path:
        """Held by the keeper for its life."""
        return self.root / "keeper.lock"

    @property
    def java_lock(self) -> Path:
        """Held by the keeper and, by inheritance, by the Java child (not on Windows)."""
        return self.root / "java.lock"

    @property
    def client_lock(self) -> Path:
        """Held shared by every client; the keeper holds it exclusively while it stops an idle node."""
        return self.root / "clients.lock"

    @property
    def stop_lock(self) -> Path:
        """Held by whoever asks the keeper to stop."""
        return self.root / "stop.lock"

    @property
    def log(self) -> Path:
        """What Java and the keeper print."""
        return self.root / "log" / "node.log"

    @property
    def cache(self) -> Path:
        """Folder of the ahead-of-time class caches."""
        return self.root / "cache"

    @property
    def server(self) -> Path:
        """ArcadeDB's own folder: config, databases, event log."""
        return self.root / "server"


class Runtime(NamedTuple):
    """The runtime file: `state` is starting, ready or stopped; ports and pids of the last start."""

    state: str
    port: int
    http_port: int
    pid: int
    keeper_pid: int
    started_at: float


def read_runtime(layout: Layout) -> Runtime | None:
    """None when there is none, or when it is not one (half written, of another version): liveness never hangs on it."""
    try:
        raw: Any = json.loads(layout.runtime.read_text("utf-8"))
        found = Runtime(**cast("dict[str, Any]", raw))
    except (FileNotFoundError, ValueError, TypeError):
        return None
    expected = Runtime("", 0, 0, 0, 0, 0.0)
    return found if all(type(a) is type(b) for a, b in zip(found, expected, strict=True)) else None


def write_runtime(layout: Layout, runtime: Runtime) -> None:
    """Replaces the runtime file in one step."""
    replace_file(layout.runtime, json.dumps(runtime._asdict()).encode())


def replace_file(path: Path, content: bytes) -> None:
    """Writes a file of mode 0600 that is either the old or the new one at every moment."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
