"""Joins the running node of a home or starts it, and keeps it alive while the lease is held."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path

from hydramind.errors import Misconfigured, Unavailable
from hydramind.node.address import NodeAddress, NodeOptions
from hydramind.node.engine import DATABASE
from hydramind.node.failures import unusable_home
from hydramind.node.home import USERNAME, prepare, read_secret
from hydramind.node.keeper.layout import Layout, read_runtime
from hydramind.node.keeper.locks import is_held, try_lock, unlock
from hydramind.node.launch import POLL_SECONDS, launch
from hydramind.node.probe import problem

# Beyond the start itself: stopping an idle node, the probe, and the wait for other clients.
_GRACE_SECONDS = 30.0
_MIN_HEAP_MB = 64

Report = Callable[[str], None]


class Lease:
    """A client's hold on the node; the kernel drops it when the client dies."""

    def __init__(self, address: NodeAddress, options: NodeOptions, report: Report, held: int) -> None:
        self.address = address
        self._options = options
        self._report = report
        self._held: int | None = held
        self._reviving = asyncio.Lock()

    async def revive(self) -> NodeAddress:
        """A working address, after a connection failure: the same one, or a restarted node's. Raises as `acquire`."""
        async with self._reviving:
            if self._held is None:
                raise Unavailable("the lease on the graph node was released: acquire a new one")
            self.address = await _ensure(self._options, self._report)
            return self.address

    async def release(self) -> None:
        """Lets the node stop when idle; safe to call twice."""
        if self._held is not None:
            unlock(self._held)
            self._held = None


async def acquire(options: NodeOptions, report: Report) -> Lease:
    """Joins the node of `options.home`, or starts it; one client of several starts it, the others wait.

    Raises Misconfigured (folder, Java, platform), Refused (the folder is another server's), Unavailable (disk, ports, time).
    """
    if options.heap_mb < _MIN_HEAP_MB:
        raise Misconfigured(f"heap of {options.heap_mb!r} MB: give the graph node at least {_MIN_HEAP_MB}")
    try:
        layout = prepare(options.home)
        held = await _hold(layout.client_lock, options.start_timeout_seconds + _GRACE_SECONDS)
    except OSError as error:
        raise unusable_home(options.home, error) from error
    try:
        return Lease(await _ensure(options, report), options, report, held)
    except BaseException:
        unlock(held)
        raise


def running(layout: Layout) -> NodeAddress | None:
    """Where a started node says it is; None while there is none."""
    last, password = read_runtime(layout), read_secret(layout)
    if last is None or password is None or last.state != "ready" or not is_held(layout.keeper_lock):
        return None
    return NodeAddress(f"bolt://127.0.0.1:{last.port}", USERNAME, password, DATABASE, last.pid)


async def _hold(path: Path, seconds: float) -> int:
    """A shared lock; a keeper that is just stopping holds it for a moment."""
    deadline = time.monotonic() + seconds
    while (held := try_lock(path, shared=True)) is None:
        if time.monotonic() > deadline:
            raise Unavailable(f"the graph node has been stopping for {seconds:g} s: end its keeper and retry")
        await asyncio.sleep(POLL_SECONDS)
    return held


async def _ensure(options: NodeOptions, report: Report) -> NodeAddress:
    try:
        return await _join_or_start(options, prepare(options.home), report)
    except OSError as error:
        raise unusable_home(options.home, error) from error


async def _join_or_start(options: NodeOptions, layout: Layout, report: Report) -> NodeAddress:
    deadline = time.monotonic() + options.start_timeout_seconds + _GRACE_SECONDS
    trouble = "another client is starting it"
    while True:
        if address := running(layout):
            found = await problem(address)
            if found is None:
                return address
            trouble = found
        await _start_once(options, layout, report)
        if time.monotonic() > deadline:
            raise Unavailable(
                f"the graph node of {os.fspath(options.home)!r} does not answer ({trouble}): "
                f"run `hydramind node stop` and retry; see {str(layout.log)!r}"
            )
        await asyncio.sleep(POLL_SECONDS)


async def _start_once(options: NodeOptions, layout: Layout, report: Report) -> None:
    """Starts the node unless a keeper lives or another client is at it."""
    starting = try_lock(layout.start_lock)
    if starting is None:
        return
    try:
        if not is_held(layout.keeper_lock):
            report("starting the graph node")
            await launch(options, layout)
    finally:
        unlock(starting)
