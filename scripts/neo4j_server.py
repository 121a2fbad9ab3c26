#!/usr/bin/env python3
"""Assembles a Neo4j Community server from its published Maven artifacts and runs it on loopback for tests.

`prepare` downloads it once, `start` and `stop` run it; only the standard library is needed.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import fcntl
import hashlib
import json
import os
import re
import secrets
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

VERSION = "5.26.30"
ARTIFACTS = (("org.neo4j", "neo4j"), ("org.neo4j.app", "neo4j-server"))
LEFT_OUT = ("org.neo4j", "neo4j-udc")  # the usage reporter
COPY_GOAL = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
ENTRY_POINT = "org.neo4j.server.CommunityEntryPoint"
OLDEST_JAVA = 17
LOCK = Path(__file__).with_name("neo4j.lock")
USER = "neo4j"
DATABASE = "neo4j"

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>local</groupId><artifactId>neo4j-for-tests</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>{dependencies}</dependencies></project>
"""
DEPENDENCY = """<dependency><groupId>{0}</groupId><artifactId>{1}</artifactId><version>{2}</version>
<exclusions><exclusion><groupId>{3}</groupId><artifactId>{4}</artifactId></exclusion></exclusions></dependency>
"""
CONFIG = """server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.http.enabled=false
server.https.enabled=false
server.memory.pagecache.size=64m
server.config.strict_validation.enabled=true
server.bolt.telemetry.enabled=false
client.allow_telemetry=false
dbms.usage_report.enabled=false
db.logs.query.enabled=OFF
db.tx_log.preallocate=false
internal.dbms.bolt.netty_server_shutdown_quiet_period=0
"""
JVM = (
    "-Xms64m",
    "-Xmx512m",
    "-XX:+UseSerialGC",
    "-Dlog4j2.disable.jmx=true",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
)
# The shell exits at once, so the server belongs to no caller and nobody has to reap it.
SPAWN = 'log=$1; shift; exec "$@" >>"$log" 2>&1 </dev/null & echo $!'


class ServerError(Exception):
    """The server could not be assembled, started or stopped; the message says what to do."""

    exit_code = 1


class ToolMissing(ServerError):
    """A program that has to be installed first is not on this machine."""

    exit_code = 2


@dataclasses.dataclass(frozen=True)
class Connection:
    """Where a running server answers Bolt, and as whom to log in; `pid` is the server's process."""

    uri: str
    username: str
    password: str
    database: str
    pid: int


def prepare() -> Path:
    """The folder of verified jars, downloaded when the cache lacks it. Safe to run from many processes."""
    target = cache_folder()
    if _is_verified(target):
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="assembling-") as scratch:
        jars = _assemble(Path(scratch))
        _verify(jars)
        with _held(target.parent / "lock"):
            if not _is_verified(target):
                shutil.rmtree(target, ignore_errors=True)
                jars.rename(target)
    return target


def write_lock() -> None:
    """Record the jars that Maven serves now as the expected ones; for a change of VERSION only."""
    with tempfile.TemporaryDirectory() as scratch:
        lines = [f"{digest}  {name}\n" for name, digest in sorted(_digests(_assemble(Path(scratch))).items())]
    LOCK.write_text(f"# Neo4j Community {VERSION}: SHA-256 of every jar on its class path\n" + "".join(lines))


def start(home: Path, port: int | None = None, patience_s: float = 90.0) -> Connection:
    """Start a server in `home` and return once a login and a query succeed; it outlives the caller.

    A new or empty folder gets an empty database; a folder whose server has ended is started again on its data.
    Raises ServerError when a server already runs there, when the folder holds anything else, or after `patience_s`.
    """
    java, jars, home = _java(), prepare(), home.resolve()
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    command = [java, *JVM, "-cp", f"{jars}/*", ENTRY_POINT, f"--home-dir={home}", f"--config-dir={home}/conf"]
    with _held(home / "lock"):
        password = _password(home)
        for _ in range(0 if port else 2):  # a free port may be taken between the choice and the bind
            with contextlib.suppress(_PortTaken):
                return _launch(home, command, _free_port(), password, patience_s)
        return _launch(home, command, port or _free_port(), password, patience_s)


def stop(home: Path, patience_s: float = 30.0) -> bool:
    """End the server of `home` and wait until it is gone; its data stay. False when none was running."""
    home = home.resolve()
    pid = _running(home)
    if pid is None:
        return False
    for sign, wait_s in ((signal.SIGTERM, patience_s), (signal.SIGKILL, patience_s)):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, sign)
        if _until(lambda: _running(home) is None, wait_s):
            (home / "pid").unlink(missing_ok=True)
            return True
    raise ServerError(f"process {pid} of {str(home)!r} does not end: look at it by hand")


@contextlib.contextmanager
def serve(home: Path) -> Iterator[Connection]:
    """A running server in `home` for the length of the block, for test fixtures."""
    connection = start(home)
    try:
        yield connection
    finally:
        stop(home)


def cache_folder() -> Path:
    """Where the jars of this version are kept: under $HYDRAMIND_CACHE, else the repository's .cache."""
    root = os.environ.get("HYDRAMIND_CACHE") or Path(__file__).resolve().parents[1] / ".cache"
    return Path(root).expanduser().resolve() / "neo4j" / VERSION


def _assemble(scratch: Path) -> Path:
    mvn = _tool("mvn", "maven")
    dependencies = "".join(DEPENDENCY.format(*artifact, VERSION, *LEFT_OUT) for artifact in ARTIFACTS)
    (scratch / "pom.xml").write_text(POM.format(dependencies=dependencies))
    jars = scratch / "jars"
    command = [mvn, "-B", "-q", COPY_GOAL, f"-DoutputDirectory={jars}", "-DincludeScope=runtime"]
    done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False)
    if done.returncode or not jars.is_dir():
        raise ServerError(f"maven could not fetch neo4j {VERSION}:\n{(done.stdout + done.stderr)[-2000:].strip()}")
    return jars


def _verify(jars: Path) -> None:
    """Compare every jar with the lock file, and leave a stamp that names the lock it was compared with."""
    found, expected = _digests(jars), _expected()
    wrong = sorted(name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name))
    if wrong:
        raise ServerError(
            f"{len(wrong)} jars differ from {LOCK.name}, first {wrong[:5]!r}: "
            "do not use them; after a wanted change of version run `neo4j_server.py lock` and review the diff"
        )
    (jars / "verified").write_text(_sha256(LOCK))


def _is_verified(jars: Path) -> bool:
    stamp = jars / "verified"
    names = {path.name for path in jars.glob("*.jar")}
    return stamp.is_file() and stamp.read_text() == _sha256(LOCK) and names == _expected().keys()


def _expected() -> dict[str, str]:
    if not LOCK.is_file():
        raise ServerError(f"{str(LOCK)!r} is missing: restore it from version control")
    entries = [line.split() for line in LOCK.read_text().splitlines() if line and not line.startswith("#")]
    return {name: digest for digest, name in entries}


def _digests(jars: Path) -> dict[str, str]:
    return {path.name: _sha256(path) for path in jars.glob("*.jar")}


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _tool(name: str, package: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise ToolMissing(f"{name!r} is not on PATH: install it, on Debian `apt-get install {package}`")
    return found


def _java() -> str:
    java = _tool("java", "openjdk-17-jre-headless")
    told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(\d+)', told)
    if version is None or int(version[1]) < OLDEST_JAVA:
        raise ToolMissing(
            f"java {OLDEST_JAVA} or newer is needed, found {told.strip().splitlines()[:1]!r}: "
            "install it, on Debian `apt-get install openjdk-17-jre-headless`"
        )
    return java


class _PortTaken(ServerError):
    """Another process listens on the chosen port."""


def _password(home: Path) -> str:
    """The password of `home`, made with its first start and kept readable by the owner alone."""
    secret = home / "password"
    if secret.is_file():
        if (pid := _running(home)) is not None:
            raise ServerError(f"a server (process {pid}) already runs in {str(home)!r}: stop it first")
        return secret.read_text()
    if {path.name for path in home.iterdir()} - {"lock"}:
        raise ServerError(f"{str(home)!r} is not empty and holds no server: give another folder")
    password = secrets.token_urlsafe(24)
    accounts = home / "data" / "dbms" / "auth.ini"
    accounts.parent.mkdir(parents=True)
    _write_private(accounts, f"{USER}:{_credential(password)}:\n")
    _write_private(secret, password)
    return password


def _credential(password: str) -> str:
    """The stored form of a password: SHA-256 over salt and password, hashed 1,024 times in all.

    Writing it ourselves keeps the password off every command line and saves a run of the admin tool.
    """
    salt = secrets.token_bytes(32)
    digest = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(1023):
        digest = hashlib.sha256(digest).digest()
    return f"SHA-256,{digest.hex()},{salt.hex()},1024"


def _launch(home: Path, command: list[str], port: int, password: str, patience_s: float) -> Connection:
    (home / "conf").mkdir(exist_ok=True)
    (home / "conf" / "neo4j.conf").write_text(CONFIG.format(port=port))
    spawning = ["/bin/sh", "-c", SPAWN, "sh", str(home / "console.log"), *command]
    spawned = subprocess.run(spawning, stdout=subprocess.PIPE, text=True, check=True, start_new_session=True)
    (home / "pid").write_text(spawned.stdout.strip())
    try:
        settled = _until(lambda: _running(home) is None or _answers(port, password), patience_s)
    except BaseException:
        stop(home)
        raise
    pid = _running(home)
    if pid is None:
        kind = _PortTaken if "already in use" in _log_tail(home) else ServerError
        raise kind(f"the server ended while starting on port {port}:\n{_log_tail(home)}")
    if not settled:
        stop(home)
        raise ServerError(f"no login on port {port} within {patience_s:.0f} s:\n{_log_tail(home)}")
    return Connection(f"bolt://127.0.0.1:{port}", USER, password, DATABASE, pid)


def _running(home: Path) -> int | None:
    """The process of `home` if it lives; a reused process id and a zombie do not count."""
    recorded = home / "pid"
    if not recorded.is_file():
        return None
    pid = recorded.read_text()
    listing = [_tool("ps", "procps"), "-ww", "-o", "args=", "-p", pid]
    shown = subprocess.run(listing, capture_output=True, text=True, check=False)
    return int(pid) if f"--home-dir={home} " in shown.stdout else None


def _log_tail(home: Path) -> str:
    logs = [home / "logs" / "neo4j.log", home / "console.log"]
    return "\n".join(path.read_text(errors="replace")[-3000:] for path in logs if path.is_file())


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _until(done: Callable[[], bool], patience_s: float) -> bool:
    deadline = time.monotonic() + patience_s
    while not done():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def _write_private(path: Path, text: str) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)


@contextlib.contextmanager
def _held(lock: Path) -> Iterator[None]:
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _answers(port: int, password: str) -> bool:
    """Whether a login and `RETURN 1` on the database succeed now, asked in Bolt 5.1's own bytes."""
    login = {"scheme": "basic", "principal": USER, "credentials": password}
    requests = (
        b"\xb1\x01" + _map({"user_agent": "hydramind-tests/1"}),
        b"\xb1\x6a" + _map(login),
        b"\xb3\x10" + _string("RETURN 1") + _map({}) + _map({"db": DATABASE}),
    )
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as peer, peer.makefile("rwb") as bolt:
            bolt.write(bytes.fromhex("6060b017 00000105 00000000 00000000 00000000"))
            bolt.flush()
            return bolt.read(4) == b"\0\0\1\5" and all(_succeeds(bolt, request) for request in requests)
    except (OSError, struct.error):  # refused, reset, or closed in the middle of a message
        return False


def _succeeds(bolt: Any, request: bytes) -> bool:
    bolt.write(struct.pack(">H", len(request)) + request + b"\0\0")
    bolt.flush()
    reply = b""
    while size := struct.unpack(">H", bolt.read(2))[0]:
        reply += bolt.read(size)
    return reply[1:2] == b"\x70"


def _map(values: dict[str, str]) -> bytes:
    return bytes([0xA0 + len(values)]) + b"".join(_string(key) + _string(values[key]) for key in values)


def _string(text: str) -> bytes:
    return b"\xd0" + bytes([len(text.encode())]) + text.encode()


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit code is 0, 1 on failure, 2 when a program has to be installed first."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("prepare", help="download and verify the server")
    commands.add_parser("lock", help="rewrite the lock file after a change of version")
    for verb, purpose in (("start", "start a server, print its connection as one JSON line"), ("stop", "stop it")):
        commands.add_parser(verb, help=purpose).add_argument("--home", type=Path, required=True)
    commands.choices["start"].add_argument("--port", type=int)
    options = parser.parse_args(arguments)
    try:
        print(_run(options))
    except ServerError as error:
        print(f"neo4j_server: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def _run(options: argparse.Namespace) -> str:
    if options.command == "start":
        return json.dumps(dataclasses.asdict(start(options.home, options.port)))
    if options.command == "stop":
        return "stopped" if stop(options.home) else "not running"
    if options.command == "lock":
        write_lock()
        return str(LOCK)
    return str(prepare())


if __name__ == "__main__":
    sys.exit(main())
