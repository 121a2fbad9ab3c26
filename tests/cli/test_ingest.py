"""`hydramind ingest` in this process, against the embedded node; its bar."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from hydramind.cli import main
from hydramind.cli.bar import Bar
from hydramind.settings import Settings


@pytest.fixture(autouse=True)
def node(embedded_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test run's node."""
    monkeypatch.setenv("HYDRAMIND_HOME", str(embedded_settings.home))
    monkeypatch.setenv("HYDRAMIND_NODE_IDLE_SECONDS", "20")


def test_a_transcript_and_a_bad_file(scope: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """0 when all of it is kept; 2 and nothing written for a bad line; 1 with --keep-going, naming the line."""
    file = tmp_path / "talk.txt"
    file.write_text("Time: 20260924_20:00\nAda: hello\nBo: hi\n", "utf-8")
    assert main(["ingest", str(file), "--scope", scope]) == 0
    out, err = capsys.readouterr()
    assert (out, err) == (f"kept 2; {scope} has 2 memories, 0 before\n", "")

    bad = tmp_path / "talk.json"
    said = [
        {"role": "user", "content": "a"},
        {"role": "user", "content": "b", "time": "soon"},
        {"role": "tool", "content": "c"},
    ]
    bad.write_text(json.dumps(said), "utf-8")
    words = ["ingest", str(bad), "--scope", scope, "--json"]
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[0].startswith("talk.json:1: event_time: must be a moment")
    assert json.loads(err.splitlines()[1])["error"]["message"].endswith("; nothing was written")

    assert main([*words, "--keep-going"]) == 1
    out, err = capsys.readouterr()
    done = json.loads(out)
    assert (done["kept"], done["skipped"], done["bad_total"], done["memories_after"]) == (1, 1, 1, 3)
    assert len(err.splitlines()) == 1


def test_many_bad_lines_are_named_up_to_a_bound(scope: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The rest is counted."""
    file = tmp_path / "facts.jsonl"
    file.write_text('{"content": ""}\n' * 30, "utf-8")
    assert main(["ingest", str(file), "--scope", scope]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 22
    assert lines[20] == "... and 10 more"
    assert "(and 29 more); nothing was written" in lines[21]


class Terminal(io.StringIO):
    """A stream that someone watches."""

    def isatty(self) -> bool:
        """True."""
        return True


def test_the_bar_is_drawn_in_place_and_not_too_often() -> None:
    """The first, then after a tenth of a second, and the last; wiped at the end."""
    screen, now = Terminal(), [0.0]
    bar = Bar(screen, lambda: now[0])
    for done in (1, 2, 3):
        bar(done, 4)
    now[0] = 0.5
    bar(3, 4)
    bar(4, 4)
    bar.clear()
    drawn = screen.getvalue().split("\r")[1:]
    assert [line.split("]")[1].split(" of")[0].strip() for line in drawn[:-1]] == ["1", "3", "4"]
    assert drawn[1].startswith("[##################......] 3 of 4 6/s")
    assert drawn[-1] == "\x1b[K"


def test_nobody_sees_a_bar_where_nobody_watches() -> None:
    """A pipe or a file gets nothing."""
    pipe = io.StringIO()
    bar = Bar(pipe)
    bar(1, 1)
    bar.clear()
    assert pipe.getvalue() == ""
