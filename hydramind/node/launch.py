"""Starts a keeper for a home that has none; the caller holds the start lock."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from hydramind.errors import Misconfigured, Refused, Unavailable
from hydramind.node.address import NodeOptions
from hydramind.node.engine import MAIN, Engine, environment, find_engine, flags, keeper_environment
from hydramind.node.failures import failed_start
from hydramind.node.home import furnish, read_secret
from hydramind.node.keeper.layout import Layout, read_runtime
from hydramind.node.keeper.locks import is_held
from hydramind.node.keeper.shutdown import ask_to_stop

ORPHAN_SECONDS = 5.0
POLL_SECONDS = 0.05
# The keeper's package runs under its own name: importing hydramind would cost it tens of megabytes for good.
_BOOTSTRAP = "import sys; sys.path.insert(0, sys.argv[1]); from keeper.run import main; sys.exit(main(sys.argv[2:]))"


async def launch(options: NodeOptions, layout: Layout) -> None:
    """Returns once Java says it is started. Raises what `failures` words, and OSError."""
    engine = find_engine(options.java)
    await retire_orphan(layout)
    furnish(layout)
    reply = await _reply(_order(options, layout, engine), options.start_timeout_seconds)
    if reply.get("state") != "ready":
        cause, detail = str(reply.get("cause", "")), str(reply.get("detail", "the keeper gave no answer"))
        raise failed_start(cause, detail, options.home, layout.log)


async def retire_orphan(layout: Layout) -> bool:
    """Ends a Java whose keeper was killed; True when there was one. Raises Refused when it does not end."""
    if not is_held(layout.java_lock):
        return False
    last, password = read_runtime(layout), read_secret(layout)
    if last and password:
        await asyncio.to_thread(ask_to_stop, last.http_port, password)
    if await gone(layout.java_lock, ORPHAN_SECONDS):
        return True
    if last and _is_java_of(last.pid, layout):
        kill(last.pid)
        if await gone(layout.java_lock, ORPHAN_SECONDS):
            return True
    raise Refused(f"an earlier java of {str(layout.root)!r} does not end: end it and retry")


async def gone(lock: Path, seconds: float) -> bool:
    """Whether the lock's owner went away within the time."""
    deadline = time.monotonic() + seconds
    while is_held(lock):
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(POLL_SECONDS)
    return True


def kill(pid: int) -> None:
    """Ends a process at once; one that has just ended by itself is as good."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))


def _is_java_of(pid: int, layout: Layout) -> bool:
    """Guards against a pid that has passed to another process."""
    if sys.platform == "win32":
        return False
    if sys.platform == "linux":
        try:
            return os.fsencode(layout.server) in Path(f"/proc/{pid}/cmdline").read_bytes()
        except FileNotFoundError:
            return False
    shown = subprocess.run(["ps", "-o", "command=", "-p", str(pid)], capture_output=True, check=False)  # noqa: S603, S607
    return os.fsencode(layout.server) in shown.stdout


def _order(options: NodeOptions, layout: Layout, engine: Engine) -> str:
    last = read_runtime(layout)
    return json.dumps(
        {
            "root": str(layout.root),
            "java": str(engine.java),
            "flags": flags(options, layout),
            "class_path": engine.class_path,
            "main": MAIN,
            "environment": environment(),
            "port": last.port if last else 0,
            "idle_seconds": options.idle_seconds,
            "start_timeout_seconds": options.start_timeout_seconds,
            "cache": str(layout.cache / f"{engine.version}-{engine.key}.aot") if options.class_cache else "",
        }
    )


async def _reply(order: str, timeout_seconds: float) -> dict[str, Any]:
    if not sys.executable:
        raise Misconfigured("this python does not know its own executable: set HYDRAMIND_URI to a Bolt server")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", "-c", _BOOTSTRAP, str(Path(__file__).parent), "launch", order),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=Path(sys.executable).anchor,
        env=keeper_environment(),
        **_detached(),
    )
    try:
        answer, _ = await asyncio.wait_for(process.communicate(), timeout_seconds + ORPHAN_SECONDS)
    except TimeoutError as late:
        raise Unavailable(f"the graph node's keeper gave no answer in {timeout_seconds:g} s: retry") from late
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return json.loads(answer) if answer.strip() else {}


def _detached() -> dict[str, Any]:
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}
