"""`hydramind up` in a process of its own, spoken to in raw HTTP."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hydramind.settings import Settings

ROOT = Path(__file__).parents[2]


@dataclass
class RunningServer:
    """`hydramind up` in a process of its own."""

    process: subprocess.Popen[str]
    port: int
    said: list[str] = field(default_factory=list[str])

    def raw(self, request: str | bytes, timeout: float = 20) -> tuple[int, Mapping[str, str], str]:
        """Send bytes as they are, so that no client library tidies the headers; status, headers and body of the reply."""
        data = request if isinstance(request, bytes) else request.replace("\n", "\r\n").encode()
        with socket.create_connection(("127.0.0.1", self.port), timeout) as connection:
            connection.sendall(data)
            reply = b"".join(iter(lambda: connection.recv(65_536), b""))
        head, _, body = reply.decode().partition("\r\n\r\n")
        lines = head.split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        return int(lines[0].split()[1]), headers, body

    def status(self, *headers: str, path: str = "/api/scopes", method: str = "GET", body: str = "") -> int:
        """Status of one request with exactly these headers."""
        lines = [f"{method} {path} HTTP/1.1", *headers, f"Content-Length: {len(body.encode())}", "Connection: close"]
        return self.raw("\r\n".join(lines).encode() + b"\r\n\r\n" + body.encode())[0]

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and wait; the exit code."""
        self.process.send_signal(number)
        code = self.process.wait(timeout=30)
        self.said.extend(self.process.stderr or ())
        return code


def environment(settings: Settings, **extra: str) -> dict[str, str]:
    """The variables a child process needs to use the same node."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HYDRAMIND_")}
    own = {"HYDRAMIND_HOME": str(settings.home), "HYDRAMIND_NODE_IDLE_SECONDS": "20", "HYDRAMIND_EMBEDDER": "none"}
    return kept | own | extra


@contextlib.contextmanager
def running(settings: Settings, *words: str, **extra: str) -> Iterator[RunningServer]:
    """Start `hydramind up --port 0` and wait until it has said that it is up."""
    process = subprocess.Popen(
        [sys.executable, "-m", "hydramind", "up", "--port", "0", *words],
        cwd=ROOT,
        env=environment(settings, **extra),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    server = RunningServer(process, 0)
    try:
        assert process.stderr is not None
        for line in process.stderr:
            server.said.append(line)
            if found := re.search(r"^mcp .*:(\d+)/mcp$", line):
                server.port = int(found.group(1))
            if line.startswith("attach  hydramind attach"):
                break
        assert server.port, "".join(server.said)
        yield server
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
