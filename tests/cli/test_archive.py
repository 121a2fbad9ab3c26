"""`snapshot`, `restore`, `verify` and `rebuild` on the command line, in this process, against the embedded node."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest

from hydramind.cli import main
from hydramind.settings import Settings


@pytest.fixture(autouse=True)
def home(embedded_settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder of its own, on the test run's node."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HYDRAMIND_HOME", str(embedded_settings.home))
    monkeypatch.setenv("HYDRAMIND_NODE_IDLE_SECONDS", "20")


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    """Stdout of a run that must end with `code`; stderr when that is a failure without any."""
    ended = main(words)
    out, err = capsys.readouterr()
    assert ended == code, err
    return out or err


def test_the_life_of_a_snapshot(capsys: pytest.CaptureFixture[str], scope: str) -> None:
    """Write, check, refuse to overwrite or to restore over what is there; then the live scope."""
    at = ("--scope", scope)
    run(capsys, "remember", "The mill grinds barley", "--entity", "mill", *at)
    assert re.search(rf"wrote a\.zip: .* rows.*\n.*\n{scope} +1 +1 +1", run(capsys, "snapshot", "a.zip", *at))
    assert run(capsys, "verify", "a.zip").startswith("sound: a.zip: ")
    assert json.loads(run(capsys, "verify", "a.zip", "--json"))["parts"][0]["scope"] == scope
    assert "exists: name another file" in run(capsys, "snapshot", "a.zip", *at, code=3)
    assert f"scope '{scope}' exists already" in run(capsys, "restore", "a.zip", code=3)
    assert "--scope: goes without a FILE" in run(capsys, "verify", "a.zip", *at, code=2)
    assert run(capsys, "verify", *at) == f"sound: {scope}, revision 1, 1 memories, 0 ledger entries\n"
    assert json.loads(run(capsys, "verify", *at, "--json"))[0]["sound"] is True
    assert "1 memories, 1 entities, 1 rankings identical" in run(capsys, "rebuild", *at)
    assert json.loads(run(capsys, "rebuild", *at, "--json"))[0]["rankings"] == 1


def test_a_damaged_snapshot_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Exit code 1, and what was expected."""
    (tmp_path / "bad.zip").write_bytes(b"PK\x03\x04 no zip")
    assert run(capsys, "verify", "bad.zip", code=1).startswith("hydramind: bad.zip: expected a whole zip file")
    assert run(capsys, "restore", "bad.zip", code=1).startswith("hydramind: bad.zip: expected a whole zip file")


def test_progress_is_for_terminals(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, scope: str
) -> None:
    """What was read is told on a terminal's stderr, line by line."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    run(capsys, "remember", "The mill grinds barley", "--scope", scope)
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    assert main(["snapshot", "b.zip", "--scope", scope]) == 0
    assert f"{scope}: read 1 memories\n" in terminal.getvalue()
