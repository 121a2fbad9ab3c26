"""The keeper's small parts: locks, log, runtime file, and that it stays small."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import hydramind.node
from hydramind.node.keeper.layout import Layout, Runtime, read_runtime, write_runtime
from hydramind.node.keeper.locks import is_held, try_lock, unlock
from hydramind.node.keeper.log import BoundedLog


def test_sharers_keep_an_owner_out_and_an_owner_keeps_all_out(tmp_path: Path) -> None:
    """And the lock is free as soon as they let go."""
    path = tmp_path / "lock"
    first, second = try_lock(path, shared=True), try_lock(path, shared=True)
    assert first is not None
    assert second is not None
    assert try_lock(path) is None
    assert is_held(path) is False
    unlock(first)
    assert try_lock(path) is None
    unlock(second)
    owner = try_lock(path)
    assert owner is not None
    assert is_held(path) is True
    assert try_lock(path, shared=True) is None
    unlock(owner)
    assert is_held(path) is False


def test_a_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    """Nobody has to clean up."""
    path = tmp_path / "lock"
    text = "import sys; from hydramind.node.keeper.locks import try_lock; try_lock(sys.argv[1]); print(1); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", text, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert is_held(path) is True
        process.kill()
        process.wait()
        assert is_held(path) is False


def test_looking_for_a_lock_makes_no_file(tmp_path: Path) -> None:
    """A home that is only looked at stays as it was."""
    assert is_held(tmp_path / "lock") is False
    assert list(tmp_path.iterdir()) == []


def test_the_log_never_grows_past_twice_its_limit(tmp_path: Path) -> None:
    """The newest line is always there."""
    log = BoundedLog(tmp_path / "log", limit_bytes=1_000)
    for number in range(500):
        log.write(f"line {number}\n".encode())
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 2_100
    kept = "".join(path.read_text() for path in tmp_path.iterdir())
    assert "line 499\n" in kept


def test_lines_that_could_not_be_written_are_counted(tmp_path: Path) -> None:
    """The log's folder was away for two lines."""
    folder = tmp_path / "gone"
    log = BoundedLog(folder / "log")
    log.write(b"a\n")
    log.write(b"b\n")
    folder.mkdir()
    log.write(b"c\n")
    assert (folder / "log").read_text() == "keeper: 2 lines lost, the log could not be written\nc\n"


def test_the_runtime_file_comes_back_as_written(tmp_path: Path) -> None:
    """Private, and without leavings."""
    layout = Layout(tmp_path)
    runtime = Runtime("ready", 1, 2, 3, 4, 5.5)
    write_runtime(layout, runtime)
    assert read_runtime(layout) == runtime
    assert [(path.name, path.stat().st_mode & 0o777) for path in tmp_path.iterdir()] == [("node.json", 0o600)]


def test_the_keeper_imports_the_standard_library_only() -> None:
    """It lives as long as the node: no driver, no asyncio, nothing of hydramind."""
    folder = Path(hydramind.node.__file__).parent
    text = "import sys; sys.path.insert(0, sys.argv[1]); import keeper.run; print(*sys.modules)"
    shown = subprocess.run(
        [sys.executable, "-I", "-S", "-c", text, str(folder)], capture_output=True, text=True, check=True
    )
    loaded = set(shown.stdout.split())
    assert loaded & {"hydramind", "neo4j", "pydantic", "asyncio", "http", "ssl", "inspect"} == set()
    outside = {name.split(".")[0] for name in loaded} - set(sys.stdlib_module_names) - {"keeper", "__main__"}
    assert {name for name in outside if not name.startswith("_")} == set()
