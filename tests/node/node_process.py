"""What the node tests see of processes from the outside: /proc, and clients in processes of their own."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

CLIENT = """
import asyncio, sys
from pathlib import Path
from hydramind.node import NodeOptions, acquire

async def main():
    options = NodeOptions(Path(sys.argv[1]), idle_seconds=int(sys.argv[2]))
    lease = await acquire(options, lambda text: sys.stderr.write(text + "\\n"))
    while True:
        address = lease.address
        sys.stderr.write(f"answer {address.pid} {address.uri}\\n")
        sys.stderr.flush()
        wish = (await asyncio.to_thread(sys.stdin.readline)).strip()
        if wish != "revive":
            break
        await lease.revive()
    await lease.release()

asyncio.run(main())
"""


class Client:
    """A client in its own process; it answers on stderr, so that its stdout must stay empty."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.remarks: list[str] = []

    @classmethod
    async def start(cls, home: Path, idle_seconds: int = 600) -> Client:
        """Begins to acquire; ask `answer` for the outcome."""
        pipe = asyncio.subprocess.PIPE
        line = (sys.executable, "-c", CLIENT, str(home), str(idle_seconds))
        return cls(await asyncio.create_subprocess_exec(*line, stdin=pipe, stdout=pipe, stderr=pipe))

    async def answer(self) -> tuple[int, str]:
        """The pid of Java and the address, once the client has them."""
        assert self.process.stderr is not None
        while line := (await self.process.stderr.readline()).decode():
            if line.startswith("answer "):
                _, pid, uri = line.split()
                return int(pid), uri
            self.remarks.append(line)
        raise AssertionError(f"the client ended: {self.remarks}")

    def ask(self, wish: str) -> None:
        """`revive`, or anything else to end."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{wish}\n".encode())

    async def end(self) -> bytes:
        """Everything it wrote to stdout."""
        if self.process.returncode is None:
            self.ask("end")
        out, _ = await self.process.communicate()
        return out


async def until(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    """Polls until it holds; fails past the deadline."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come to hold in time"
        await asyncio.sleep(0.02)


def command_line(pid: int) -> str:
    """Empty when there is no such process, or only its remains."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def processes_of(home: Path) -> dict[int, str]:
    """Every live keeper and Java of this home, by pid."""
    pids = [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]
    lines = {pid: command_line(pid) for pid in pids}
    return {
        pid: line
        for pid, line in lines.items()
        if str(home) in line and ("ArcadeDBServer" in line or "keeper.run" in line)
    }


def javas_of(home: Path) -> list[int]:
    """The live Java servers of this home."""
    return [pid for pid, line in processes_of(home).items() if "ArcadeDBServer" in line and "keeper.run" not in line]


def end_all(home: Path) -> None:
    """Kills what is left of this home's node: the keepers first, so that none starts anything."""
    for pid in sorted(processes_of(home), key=lambda found: "keeper.run" not in command_line(found)):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def listeners(pid: int) -> set[str]:
    """`ADDRESS:PORT` in the kernel's hexadecimal of every TCP socket this process listens on."""
    sockets: set[str] = set()
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = os.readlink(entry)
        except FileNotFoundError:
            continue
        if target.startswith("socket:["):
            sockets.add(target[8:-1])
    rows = [
        line.split() for table in ("tcp", "tcp6") for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]
    ]
    return {row[1] for row in rows if row[3] == "0A" and row[9] in sockets}
