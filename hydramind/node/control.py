"""Looks at a node, stops it, reads its log."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from pathlib import Path

from hydramind.errors import Unavailable
from hydramind.node.address import NodeOptions, NodeStatus
from hydramind.node.failures import unusable_home
from hydramind.node.home import layout_of
from hydramind.node.keeper.layout import Layout, read_runtime
from hydramind.node.keeper.locks import is_held, try_lock, unlock
from hydramind.node.launch import POLL_SECONDS, gone, kill, retire_orphan
from hydramind.node.lease import running
from hydramind.node.probe import problem

_STOP_SECONDS = 30.0


async def status(options: NodeOptions) -> NodeStatus:
    """What is known of the node of this home; starts and changes nothing."""
    layout = layout_of(options.home)
    try:
        return await _status(layout)
    except OSError as error:
        raise unusable_home(options.home, error) from error


async def stop(options: NodeOptions) -> bool:
    """Stops the node, clients or not; True when one ran. A client that is still attached starts it again when it needs it."""
    layout = layout_of(options.home)
    if not layout.root.is_dir():
        return False
    try:
        starting = await _exclusive(layout.start_lock)
        try:
            return await _stop(layout)
        finally:
            unlock(starting)
    except OSError as error:
        raise unusable_home(options.home, error) from error


def stored_bytes(options: NodeOptions) -> int:
    """What the databases of this home take on disk; files that vanish while they are counted count as 0."""
    folder = layout_of(options.home).server / "databases"
    return sum(_size(path) for path in folder.rglob("*"))


def log_path(options: NodeOptions) -> Path:
    """The log of this home's node; an older one lies beside it with `.1` at the end."""
    return layout_of(options.home).log


def tail(options: NodeOptions, lines: int = 100) -> list[str]:
    """The last lines, oldest first; empty before the first start."""
    last: deque[str] = deque(maxlen=max(lines, 0))
    path = log_path(options)
    for file in (path.with_name(path.name + ".1"), path):
        if file.is_file():
            with file.open(encoding="utf-8", errors="replace") as text:
                last.extend(line.rstrip("\n") for line in text)
    return list(last)


async def _status(layout: Layout) -> NodeStatus:
    last, alive = read_runtime(layout), is_held(layout.keeper_lock)
    address = running(layout)
    answers = address is not None and await problem(address) is None
    return NodeStatus(
        state="running" if address else "starting" if alive else "stopped",
        answers=answers,
        in_use=_in_use(layout),
        uri=f"bolt://127.0.0.1:{last.port}" if last else None,
        pid=last.pid if last and alive else None,
        keeper_pid=last.keeper_pid if last and alive else None,
        started_at=last.started_at if last else None,
        log=layout.log,
    )


def _in_use(layout: Layout) -> bool:
    if not layout.client_lock.exists():
        return False
    alone = try_lock(layout.client_lock)
    if alone is None:
        return True
    unlock(alone)
    return False


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except FileNotFoundError:
        return 0


async def _exclusive(path: Path) -> int:
    deadline = time.monotonic() + _STOP_SECONDS
    while (held := try_lock(path)) is None:
        if time.monotonic() > deadline:
            raise Unavailable(f"{str(path)!r} has been held by another client for {_STOP_SECONDS:g} s: retry")
        await asyncio.sleep(POLL_SECONDS)
    return held


async def _stop(layout: Layout) -> bool:
    if not is_held(layout.keeper_lock):
        return await retire_orphan(layout)
    asking = await _exclusive(layout.stop_lock)
    try:
        if not await gone(layout.keeper_lock, _STOP_SECONDS):
            await _kill(layout)
    finally:
        unlock(asking)
    return True


async def _kill(layout: Layout) -> None:
    """The keeper's lock is held, so the pid in the runtime file is the keeper's."""
    last = read_runtime(layout)
    if last is not None:
        kill(last.keeper_pid)
        await gone(layout.keeper_lock, _STOP_SECONDS)
    await retire_orphan(layout)
