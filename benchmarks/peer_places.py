"""Where a peer runs: a virtual environment or npm folder of its own under the cache, and a process that speaks the wire."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from benchmarks.report import ROOT
from hydramind.embed.offline import WAITING

INSTALL_SECONDS = 900
_PACKAGE = "benchmarks.peer_programs"
SHARED_CORES = WAITING
"""Threads of an embedder wait for each other as those of the product do."""
_CAN_EXTEND = "import sqlite3, venv; sqlite3.connect(':memory:').enable_load_extension(True)"
_OTHER_PYTHONS = ("python3.13", "python3.12", "python3.11", "python3", "/usr/bin/python3")


class Missing(Exception):
    """A peer cannot be installed or started here; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Program:
    """A peer: what to install (pip names pinned, or one npm package) and the adapter that drives it."""

    name: str
    module: str
    packages: tuple[str, ...] = ()
    npm: str = ""
    embedder: str = ""
    endpoint: bool = False
    environment: tuple[tuple[str, str], ...] = ()
    sqlite_extensions: bool = False


def cache_folder() -> Path:
    """Where environments and vectors are kept: under $HYDRAMIND_CACHE, else the repository's .cache."""
    return Path(os.environ.get("HYDRAMIND_CACHE") or ROOT / ".cache") / "peers"


def environment_of(packages: Sequence[str], sqlite_extensions: bool = False) -> Path:
    """The Python of a virtual environment with exactly these packages asked for; installs it once."""
    if not packages:
        return Path(sys.executable)
    base = _extending_python() if sqlite_extensions else sys.executable
    digest = hashlib.sha256("\n".join([sys.version, base, *packages]).encode()).hexdigest()[:12]
    folder = cache_folder() / f"venv-{digest}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        _run([base, "-m", "venv", "--without-pip", str(folder)])
        pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
        _run([*pip, "install", "--quiet", *packages])
        (folder / "complete").touch()
    return python


def _extending_python() -> str:
    """A Python whose SQLite loads extensions: this one, else another of the machine; `Missing` without any."""
    for candidate in (sys.executable, *_OTHER_PYTHONS):
        found = shutil.which(candidate)
        if found and subprocess.run([found, "-c", _CAN_EXTEND], capture_output=True, check=False).returncode == 0:
            return found
    raise Missing("no Python here has a SQLite that loads extensions")


def npm_folder(package: str) -> Path:
    """The folder of an installed npm package `name@version`; installs it once."""
    npm = shutil.which("npm")
    if npm is None:
        raise Missing("npm is not on the path")
    folder = cache_folder() / f"npm-{hashlib.sha256(package.encode()).hexdigest()[:12]}"
    installed = folder / "node_modules" / package.rpartition("@")[0]
    if not (folder / "complete").exists():
        folder.mkdir(parents=True, exist_ok=True)
        _run([npm, "install", "--prefix", str(folder), "--no-fund", "--no-audit", "--ignore-scripts", package])
        (folder / "complete").touch()
    return installed


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Missing(f"{Path(command[0]).name}: {error}") from None
    if done.returncode:
        said = [line for line in (done.stderr or done.stdout).strip().splitlines() if line.strip()]
        raise Missing(said[-1][:300] if said else f"exit code {done.returncode}")


class Process:
    """A running peer. Use as a context manager; its files vanish with `folder`, its process at the end."""

    def __init__(self, program: Program, folder: Path, endpoint: str = "") -> None:
        environment = os.environ | SHARED_CORES | dict(program.environment) | _npm_environment(program)
        command = [
            str(environment_of(program.packages, program.sqlite_extensions)),
            "-m",
            f"{_PACKAGE}.{program.module}",
        ]
        command += ["--folder", str(folder), "--cache", str(cache_folder()), "--endpoint", endpoint]
        self._log = (folder / "stderr.txt").open("w+", encoding="utf-8")
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )

    def __enter__(self) -> Self:
        try:
            self.about = self._read()
        except Missing:
            self._close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._log.close()

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """One request and its reply, which holds `error` when the peer failed; `Missing` when the process ended."""
        if self._process.stdin is None:
            raise Missing("its process has no input")
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> dict[str, Any]:
        line = self._process.stdout.readline() if self._process.stdout is not None else ""
        if line:
            return json.loads(line)
        self._process.wait(timeout=20)
        self._log.seek(0)
        said = [line for line in self._log.read().strip().splitlines() if line.strip()]
        raise Missing(said[-1][:300] if said else f"ended with {self._process.returncode}")


def _npm_environment(program: Program) -> dict[str, str]:
    """What the adapter of an npm peer needs to start it."""
    if not program.npm:
        return {}
    node = shutil.which("node")
    if node is None:
        raise Missing("node is not on the path")
    folder = npm_folder(program.npm)
    described = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    script = next(iter(described["bin"].values()))
    return {
        "PEER_NODE": node,
        "PEER_SCRIPT": str(folder / script),
        "PEER_VERSIONS": json.dumps({described["name"]: described["version"]}),
    }
