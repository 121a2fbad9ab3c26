"""The keeper's life: start Java, answer the client that asked, watch for idleness, stop Java."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from .cache import RECORD, cache_flags, make_cache
from .child import Child, Command, free_port
from .layout import Layout, Runtime, write_runtime
from .locks import is_held, try_lock, unlock
from .log import BoundedLog
from .order import Order

POLL_SECONDS = 0.5
STOP_SECONDS = 20.0
PORT_ATTEMPTS = 5
LOCK_SECONDS = 3.0


class Failed(Exception):
    """The node did not start; `cause` is one of a few words, `detail` a sentence."""

    def __init__(self, cause: str, detail: str) -> None:
        super().__init__(detail)
        self.cause = cause
        self.detail = detail


class Node(NamedTuple):
    """A started node; `recorded` tells whether Java writes down, as it ends, what a class cache is made from."""

    child: Child
    runtime: Runtime
    recorded: bool


def main(arguments: list[str]) -> int:
    """`launch ORDER` starts `run ORDER` detached and repeats its one line of answer."""
    mode, order = arguments
    if mode == "launch":
        return _launch(order)
    os.umask(0o077)
    asked = Order(**json.loads(order))
    log = BoundedLog(Layout(Path(asked.root)).log)
    try:
        return _run(asked, log)
    except Exception:
        log.note(traceback.format_exc())
        raise


def _launch(order: str) -> int:
    """Ends once the detached keeper has answered, so that the keeper is nobody's child and holds nobody's pipes."""
    detached: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        flags = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
        detached = {"creationflags": flags}
    keeper = subprocess.Popen(  # noqa: S603 - this same interpreter
        [sys.executable, "-I", "-S", "-c", *sys.orig_argv[4:6], "run", order],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        **detached,
    )
    answer = keeper.stdout.readline() if keeper.stdout else b""
    sys.stdout.buffer.write(answer)
    sys.stdout.flush()
    os._exit(0)


def _answer(reply: dict[str, Any]) -> None:
    """One line to whoever asked, who may be gone; afterwards the keeper has no streams but the null device."""
    try:
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()
    except OSError as gone:
        if gone.errno not in (errno.EPIPE, errno.EINVAL):
            raise
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):
        os.dup2(null, stream)
    os.close(null)


def _run(order: Order, log: BoundedLog) -> int:
    layout = Layout(Path(order.root))
    stop = threading.Event()

    def ask(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, ask)
    locks: list[int] = []
    try:
        locks.append(_own(layout.keeper_lock, "another keeper is running"))
        locks.append(_own(layout.java_lock, "a java of an earlier keeper is still running"))
        node = _start(order, layout, log, locks[-1])
    except Failed as failure:
        log.note(f"start failed ({failure.cause}): {failure.detail}")
        _release(locks)
        _answer({"state": "failed", "cause": failure.cause, "detail": failure.detail})
        return 1
    _answer({"state": "ready"})
    _watch(order, layout, node, stop, log)
    write_runtime(layout, node.runtime._replace(state="stopped"))
    _release(locks)
    if node.recorded:
        make_cache(order.cache, [order.java, *order.flags, "-cp", order.class_path], order.environment, log)
    return 0


def _release(locks: list[int]) -> None:
    """The last taken first, so that a free keeper lock means that all are free."""
    for descriptor in reversed(locks):
        unlock(descriptor)


def _own(path: Path, otherwise: str) -> int:
    """Takes a lock; others look at it for an instant now and then, so it is tried for a while."""
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        descriptor = try_lock(path)
        if descriptor is not None:
            return descriptor
        if time.monotonic() > deadline:
            raise Failed("locked", otherwise)
        time.sleep(0.02)


def _start(order: Order, layout: Layout, log: BoundedLog, lock: int) -> Node:
    command = Command(order, str(layout.server))
    cache = cache_flags(order.cache)
    deadline = time.monotonic() + order.start_timeout_seconds
    port = order.port or free_port()
    for _ in range(PORT_ATTEMPTS):
        http_port = free_port()
        child = _spawn(command, command.at(port, http_port, cache), log, lock)
        runtime = Runtime("starting", port, http_port, child.pid, os.getpid(), time.time())
        try:
            write_runtime(layout, runtime)
            cause = _outcome(child, deadline)
            if cause is None:
                ready = runtime._replace(state="ready")
                write_runtime(layout, ready)
                return Node(child, ready, bool(cache) and cache[0] == RECORD)
        except OSError as error:
            child.kill()
            raise Failed(_cause_of(error), str(error)) from error
        code = child.exit_code()
        child.kill()
        if cause != "port":
            raise Failed(cause, f"java exit code {code}: {child.last_line}")
        log.note(f"port {port} or {http_port} is taken, trying others")
        port = free_port()
    raise Failed("port", f"no free port found in {PORT_ATTEMPTS} attempts")


def _spawn(command: Command, line: list[str], log: BoundedLog, lock: int) -> Child:
    log.note(f"starting {' '.join(part for part in line if part != command.order.class_path)}")
    try:
        return Child(line, command, log, lock)
    except OSError as error:
        raise Failed("java", f"{line[0]}: {error.strerror}") from error


def _cause_of(error: OSError) -> str:
    return "disk" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "unwritable"


def _outcome(child: Child, deadline: float) -> str | None:
    """None once it is ready, else the cause of the failure."""
    while True:
        child.wake.wait(0.2)
        if child.ready:
            return None
        if child.cause is not None:
            return child.cause
        if time.monotonic() > deadline:
            return "slow"


def _watch(order: Order, layout: Layout, node: Node, stop: threading.Event, log: BoundedLog) -> None:
    """Returns when Java has ended, by itself or because nobody used it for `idle_seconds` or someone asked."""
    busy_at = time.monotonic()
    while not node.child.ended:
        node.child.wake.clear()
        if not node.child.ended:
            node.child.wake.wait(POLL_SECONDS)
        if stop.is_set() or is_held(layout.stop_lock):
            log.note("asked to stop")
            return _stop(layout, node)
        alone = try_lock(layout.client_lock)
        if alone is None:
            busy_at = time.monotonic()
        elif time.monotonic() - busy_at >= order.idle_seconds:
            log.note(f"no client for {order.idle_seconds:g} s, stopping")
            # Kept until this process ends: whoever comes now waits, and then starts a new node.
            return _stop(layout, node)
        else:
            unlock(alone)
    log.note(f"java ended by itself, exit code {node.child.exit_code()}")
    return None


def _stop(layout: Layout, node: Node) -> None:
    graceful = None
    if sys.platform == "win32":
        from .shutdown import ask_to_stop

        password = layout.secret.read_text("ascii").strip()
        graceful = lambda: ask_to_stop(node.runtime.http_port, password)  # noqa: E731
    node.child.stop(graceful, STOP_SECONDS)
