"""The Java child: starts it, reads what it prints, and tells why it failed."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import IO, NamedTuple, cast

from .log import BoundedLog
from .order import Order

_LAST_MOMENT_SECONDS = 0.5
GREETING = "ArcadeDB Server v"
READY = "ArcadeDB Server started in"
# The first line that matches decides; the keeper tries `port` again on others. A start that ends without any of them
# is `java` when the server never spoke, else `server`.
CAUSES = (
    ("Unable to listen", "port"),
    ("No space left on device", "disk"),
    ("locked by another process", "locked"),
    ("Read-only file system", "unwritable"),
    ("Permission denied", "unwritable"),
    ("AccessDeniedException", "unwritable"),
    ("Could not reserve enough space", "memory"),
    ("Could not create the Java Virtual Machine", "java"),
    ("error while loading shared libraries", "java"),
)
_PR_SET_PDEATHSIG = 1


class Command(NamedTuple):
    """How to start Java in its folder."""

    order: Order
    folder: str

    def at(self, port: int, http_port: int, extra: Sequence[str]) -> list[str]:
        """The full command line; no secret is on it."""
        ports = (f"-Darcadedb.bolt.port={port}", f"-Darcadedb.server.httpIncomingPort={http_port}")
        order = self.order
        return [order.java, *extra, *order.flags, "-cp", order.class_path, *ports, order.main]


class Child:
    """A Java server. `cause` is set once its start has failed; `wake` is set whenever something changed."""

    def __init__(self, line: Sequence[str], command: Command, log: BoundedLog, lock: int) -> None:
        self.ready = False
        self.ended = False
        self.cause: str | None = None
        self.last_line = ""
        self._greeted = False
        self.wake = threading.Event()
        self._log = log
        self._process = _spawn(line, command, lock)
        self.pid = self._process.pid
        threading.Thread(target=self._read, daemon=True).start()

    def exit_code(self) -> int | None:
        """None while it runs. Its output ends a moment before it does, so that moment is waited for."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_LAST_MOMENT_SECONDS)
        return self._process.poll()

    def stop(self, graceful: Callable[[], None] | None, timeout_seconds: float) -> None:
        """Ends it: asks, waits, then kills. `graceful` asks where signals cannot (Windows)."""
        if self._process.poll() is None:
            if graceful is not None:
                graceful()
            else:
                self._process.terminate()
            try:
                self._process.wait(timeout_seconds)
            except subprocess.TimeoutExpired:
                self._log.note(f"java did not stop in {timeout_seconds:g} s, killing it")
                self.kill()

    def kill(self) -> None:
        """Ends it at once; its write-ahead log brings every acknowledged write back."""
        self._process.kill()
        self._process.wait()

    def _read(self) -> None:
        for line in cast("IO[bytes]", self._process.stdout):
            self._log.write(line)
            if not self.ready:
                self._judge(line.decode("utf-8", "replace").strip())
        if not self.ready and self.cause is None:
            self.cause = "server" if self._greeted else "java"
        self.ended = True
        self.wake.set()

    def _judge(self, line: str) -> None:
        self.last_line = line or self.last_line
        self._greeted = self._greeted or GREETING in line
        if READY in line:
            self.ready = True
        elif self.cause is None:
            self.cause = next((cause for text, cause in CAUSES if text in line), None)
        if self.ready or self.cause:
            self.wake.set()


def free_port() -> int:
    """A loopback port nobody listens on at this moment."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if sys.platform == "win32":

    def _spawn(line: Sequence[str], command: Command, lock: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603 - the bundled Java
            line,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=command.folder,
            env=command.order.environment,
            creationflags=subprocess.CREATE_NO_WINDOW,
        )

else:

    def _spawn(line: Sequence[str], command: Command, lock: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603 - the bundled Java
            line,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=command.folder,
            env=command.order.environment,
            pass_fds=(lock,),
            preexec_fn=_die_with_keeper(),
        )


def _die_with_keeper() -> Callable[[], None] | None:
    """On Linux the kernel ends Java when the keeper is killed; elsewhere the next client finds it and ends it."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)

    def ask() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        os.setsid()

    return ask
