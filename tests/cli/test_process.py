"""The command as a process: what it imports, where it writes, what it hides, how it ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hydramind.settings import Settings

ROOT = Path(__file__).parents[2]


def hydramind(*words: str, stdin: bytes = b"", **environ: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command with no other HYDRAMIND_* variables than these, and without an embedder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HYDRAMIND_")}
    return subprocess.run(
        [sys.executable, "-m", "hydramind", *words],
        cwd=ROOT,
        env=kept | {"HYDRAMIND_EMBEDDER": "none"} | environ,
        input=stdin,
        capture_output=True,
        timeout=90,
        check=False,
    )


def test_help_is_quick_to_import() -> None:
    """Neither the protocol nor the driver nor a server is loaded for it."""
    heavy = ("mcp", "neo4j", "starlette", "uvicorn", "numpy")
    code = (
        "import sys\nfrom hydramind.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit as end: assert end.code == 0\n"
        f"sys.exit(str([name for name in {heavy!r} if name in sys.modules] or '') or 0)"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("usage: hydramind")


def test_without_words_it_is_the_stdio_server() -> None:
    """It answers the protocol on stdout alone, and the end of input ends it, with no graph opened."""
    request = (
        b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
        b'"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n'
    )
    for words in ((), ("mcp",)):
        ended = hydramind(*words, stdin=request, HYDRAMIND_URI="bolt://127.0.0.1:1", HYDRAMIND_TOKEN="x-probe")
        assert ended.returncode == 0, ended.stderr
        assert [line.startswith(b'{"') for line in ended.stdout.splitlines()] == [True]


@pytest.mark.parametrize(
    "words",
    [("stats",), ("remember", "x"), ("doctor",), ("up", "--port", "0"), ("recall", "x", "--json"), ("stats", "--bad")],
)
def test_no_secret_is_printed_when_the_graph_cannot_be_reached(words: tuple[str, ...]) -> None:
    """Not in the error, not in the log, not in what doctor shows; the host may be."""
    ended = hydramind(
        *words,
        HYDRAMIND_URI="bolt://neo4j:hunter2-probe@127.0.0.1:1",
        HYDRAMIND_TOKEN="tok-probe",
        HYDRAMIND_HTTP_TOKEN="web-probe",
        HYDRAMIND_LOG_LEVEL="DEBUG",
    )
    assert ended.returncode == (2 if "--bad" in words else 4)
    for secret in (b"hunter2", b"tok-probe", b"web-probe"):
        assert secret not in ended.stdout + ended.stderr


def test_a_defect_shows_a_masked_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1; the text of the exception may hold a URI."""
    from hydramind.cli import _framed  # pyright: ignore[reportPrivateUsage]

    def broken(_: object) -> int:
        raise RuntimeError("lost bolt://neo4j:hunter2-probe@h and tok-probe")

    monkeypatch.setenv("HYDRAMIND_TOKEN", "tok-probe")
    assert _framed(broken, as_json=False) == 1
    said = capsys.readouterr().err
    assert "RuntimeError: lost bolt://neo4j:***@h and ***" in said
    assert "tok-probe" not in said
    assert "hunter2" not in said


def test_a_reader_that_left_is_no_crash(embedded_settings: Settings) -> None:
    """`hydramind ... | head` ends without a traceback."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HYDRAMIND_")}
    home = str(embedded_settings.home)
    own = {"HYDRAMIND_HOME": home, "HYDRAMIND_NODE_IDLE_SECONDS": "20", "HYDRAMIND_EMBEDDER": "none"}
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [sys.executable, "-m", "hydramind", "scopes"],
        cwd=ROOT,
        env=kept | own,
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=90,
        check=False,
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (1, b"")


def test_the_aliases_take_their_own_address() -> None:
    """`hydramind-http` and `hydramind-ui` refuse an open bind of their own setting."""
    for name, variable in (("main_http", "HYDRAMIND_MCP_HOST"), ("main_ui", "HYDRAMIND_UI_HOST")):
        kept = {key: value for key, value in os.environ.items() if not key.startswith("HYDRAMIND_")}
        code = f"import sys; from hydramind.cli import {name}; sys.exit({name}([]))"
        ended = subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=kept | {variable: "192.0.2.1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 4
        assert "'192.0.2.1' can be reached from other machines" in ended.stderr
