"""Every way a node cannot start ends in an error that says what to do, and leaves nothing running."""

# ruff: noqa: ASYNC240 - a test looks at files while nothing else runs on its loop

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import sys
from pathlib import Path

import pytest
from node_process import processes_of, until

from hydramind.errors import HydraMindError, Misconfigured, Refused, Unavailable
from hydramind.node import NodeOptions, acquire, status, stop
from hydramind.node.engine import find_engine
from hydramind.node.failures import failed_start, unusable_home

AS_NOBODY = """
import os, sys
from hydramind.node.__main__ import main

if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
sys.exit(main())
"""


def silent(_text: str) -> None:
    """No report."""


def fake_java(path: Path, text: str) -> Path:
    """A script that stands for Java."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.mark.engine
@pytest.mark.parametrize(
    ("script", "error", "says"),
    [
        ("exit 3", Misconfigured, "exit code 3.*HYDRAMIND_URI"),
        ("echo 'java: error while loading shared libraries: libz.so.1'; exit 127", Misconfigured, "libz.so.1"),
        ("echo 'Could not reserve enough space for object heap'; exit 1", Misconfigured, "lower HYDRAMIND"),
        ("echo 'ArcadeDB Server v1 is starting'; echo 'odd page'; exit 1", Unavailable, "odd page.*node.log"),
        ("echo 'java.io.IOException: No space left on device'; exit 1", Unavailable, "free some space"),
        ("echo 'java.io.IOException: Read-only file system'; exit 1", Misconfigured, "cannot write"),
        ("echo 'Unable to listen for BOLT'; exec cat /dev/zero", Unavailable, "no free loopback port"),
    ],
)
async def test_a_java_that_fails_is_explained(
    tmp_path: Path, fresh: Path, script: str, error: type[HydraMindError], says: str
) -> None:
    """By what it printed, or by its exit code."""
    options = NodeOptions(fresh, java=fake_java(tmp_path / "java", script))
    with pytest.raises(error, match=says):
        await acquire(options, silent)
    await until(lambda: processes_of(fresh) == {})
    assert (await status(options)).state == "stopped"


@pytest.mark.engine
async def test_a_java_that_never_gets_ready_is_ended_in_time(tmp_path: Path, fresh: Path) -> None:
    """The keeper gives up by itself."""
    java = fake_java(tmp_path / "java", "exec tail -f /dev/null")
    with pytest.raises(Unavailable, match="not ready in time"):
        await acquire(NodeOptions(fresh, java=java, start_timeout_seconds=0.5), silent)
    await until(lambda: processes_of(fresh) == {})


@pytest.mark.engine
async def test_a_file_that_is_no_program_is_not_run_as_java(tmp_path: Path, fresh: Path) -> None:
    """As with a wheel of another architecture."""
    java = tmp_path / "java"
    java.write_bytes(b"\x7fELF of nothing")
    java.chmod(0o755)
    with pytest.raises(Misconfigured, match=r"java does not run here.*set HYDRAMIND_URI"):
        await acquire(NodeOptions(fresh, java=java), silent)


async def test_a_missing_java_is_said_before_anything_runs(tmp_path: Path, fresh: Path) -> None:
    """The install is incomplete."""
    with pytest.raises(Misconfigured, match=r"java is missing at .*reinstall arcadedb-embedded"):
        await acquire(NodeOptions(fresh, java=tmp_path / "no-java"), silent)


@pytest.mark.engine
async def test_a_second_server_on_the_same_folder_is_refused(home: Path, options: NodeOptions) -> None:
    """A stranger holds the database's own lock; it is left alone, and the node starts once it is gone."""
    await (await acquire(options, silent)).release()
    await stop(options)
    database = home / "node" / "server" / "databases" / "hydramind"
    with (database / "database.lck").open("w") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        with pytest.raises(Refused, match="another server holds the graph"):
            await acquire(options, silent)
    await until(lambda: processes_of(home) == {})
    await (await acquire(options, silent)).release()


async def test_a_home_that_is_a_file_is_refused(tmp_path: Path) -> None:
    """So is one that lies under a file."""
    file = tmp_path / "file"
    file.write_text("x")
    for home in (file, file / "below"):
        with pytest.raises(Misconfigured, match="set HYDRAMIND_HOME to a folder"):
            await acquire(NodeOptions(home), silent)


async def test_a_read_only_home_is_refused(tmp_path: Path) -> None:
    """For an ordinary user: root, who is above modes, becomes nobody for the attempt."""
    tmp_path.chmod(0o555)
    for folder in (tmp_path.parent, tmp_path.parent.parent):
        folder.chmod(0o755)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", AS_NOBODY, "start", "--home", str(tmp_path / "home")),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    tmp_path.chmod(0o700)
    assert (process.returncode, out) == (1, b"")
    assert err.decode() == (
        f"misconfigured: home {str(tmp_path / 'home')!r} cannot be written (permission denied): "
        "set HYDRAMIND_HOME to a folder you own\n"
    )


async def test_a_heap_too_small_to_start_with_is_refused(fresh: Path) -> None:
    """Before anything is made."""
    with pytest.raises(Misconfigured, match="at least 64"):
        await acquire(NodeOptions(fresh, heap_mb=8), silent)
    assert not fresh.exists()


async def test_status_and_stop_of_an_unknown_home_make_nothing(fresh: Path) -> None:
    """They look only."""
    assert (await status(NodeOptions(fresh))).state == "stopped"
    assert await stop(NodeOptions(fresh)) is False
    assert not fresh.exists()


@pytest.mark.parametrize(
    ("number", "error", "says"),
    [
        (errno.ENOSPC, Unavailable, "free some space"),
        (errno.EROFS, Misconfigured, "folder you own"),
        (errno.ENOLCK, Misconfigured, "no file locks"),
    ],
)
def test_an_unusable_folder_is_named_by_what_to_do(number: int, error: type[HydraMindError], says: str) -> None:
    """Of what a system call said."""
    found = unusable_home(Path("/somewhere"), OSError(number, os.strerror(number)))
    assert type(found) is error
    assert says in found.message
    assert "'/somewhere'" in found.message


def test_a_word_the_client_does_not_know_still_becomes_an_error() -> None:
    """A keeper of another version may answer it."""
    found = failed_start("novel", "so it said", Path("/h"), Path("/h/log"))
    assert type(found) is Unavailable
    assert "so it said" in found.message


def test_the_engine_is_found_without_loading_it() -> None:
    """Neither its package nor a JVM bridge is imported, and no jar that opens another way in is on the class path."""
    engine = find_engine()
    assert {"arcadedb_embedded", "jpype"} & set(sys.modules) == set()
    names = {jar.name.rsplit("-", 1)[0] for jar in engine.jars}
    assert "arcadedb-server" in names
    assert not [jar.name for jar in engine.jars if jar.name.startswith(("arcadedb-mcp", "arcadedb-redisw"))]
