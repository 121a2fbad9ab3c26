"""The verbs on the command line, in this process, against the embedded node."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from hydramind.cli import main
from hydramind.settings import Settings


class Shell:
    """Runs the command line and keeps what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str, code: int = 0) -> str:
        """Stdout of a run that must end with `code`; stderr when it is a failure."""
        ended = main(words)
        out, err = self._capsys.readouterr()
        assert ended == code, err
        if code:
            assert out == ""
            assert len(err.splitlines()) == 1
            return err
        return out

    def json(self, *words: str) -> dict[str, Any]:
        """The reply of a run with --json."""
        return json.loads(self(*words, "--json"))


@pytest.fixture
def shell(
    embedded_settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Shell:
    """A shell in a folder of its own, on the test run's node."""
    folder = tmp_path / f"project-{tmp_path.name}"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HYDRAMIND_HOME", str(embedded_settings.home))
    monkeypatch.setenv("HYDRAMIND_NODE_IDLE_SECONDS", "20")
    return Shell(capsys)


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Put bytes on standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_a_story_through_every_verb(shell: Shell, scope: str) -> None:
    """What each prints for people; ids are taken from --json."""
    at = ("--scope", scope)
    kept = shell.json("remember", "The staging cache is enabled", "--entity", "staging cache", *at)["memory"]
    plan = shell.json("remember", "Load tests rely on the staging cache", "--from", kept["id"], *at)["memory"]
    assert "already known" in shell("remember", "The staging cache is enabled", *at)
    assert kept["id"] in shell("recall", "is the staging cache enabled?", *at)
    assert "nothing answers that: 0 of 2 memories" in shell("recall", "who won the regatta?", *at)
    checked = shell("check", "The staging cache is not enabled", "--entity", "staging cache", *at)
    assert "contradicts" in checked
    denial = shell("remember", "The staging cache is not enabled", "--entity", "staging cache", *at)
    assert "1.00 -> 0.60" in denial
    assert "1.00 -> 0.85" in denial
    assert "decayed" in shell("explain", plan["id"], *at)
    assert f"-DERIVED_FROM-> {kept['id']}" in shell("trace", plan["id"], *at)
    assert f"derived from  {kept['id']}" in shell("inspect", plan["id"], *at)
    said = f"{plan['id']} depends_on {kept['id']} (0.50)"
    related = shell("relate", plan["id"], kept["id"], "--relation", "depends_on", "--weight", "0.5", *at)
    assert related == f"related {said}\n"
    assert f"-depends_on-> {kept['id']}" in shell("trace", plan["id"], *at)
    between = shell("trace", plan["id"], "--target-id", kept["id"], "--max-hops", "1", *at)
    assert sorted(line.split()[:2] for line in between.splitlines()[1:] if line) == [
        ["-DERIVED_FROM->", kept["id"]],
        ["-depends_on->", kept["id"]],
    ]
    assert f"declared {said}" in " ".join(shell("inspect", kept["id"], *at).split())
    assert "withdrew" in shell("relate", plan["id"], kept["id"], "--relation", "depends_on", "--withdraw", *at)
    revised = shell("revise", plan["id"], "Load tests rely on a warm cache", "--reason", "measured", *at)
    assert revised.startswith(f"revised {plan['id']} -> ")
    assert "staging cache: 2 versions" in shell("timeline", "staging cache", *at)
    assert shell("forget", plan["id"], *at).startswith(f"forgot {plan['id']}")
    assert "contradicted  1" in shell("stats", *at)
    assert scope in shell("scopes")


def test_a_slot_is_named_and_shown(shell: Shell, scope: str) -> None:
    """HYB-13: the later value replaces the earlier, and both say which value they are."""
    at = ("--scope", scope)
    old = shell.json("remember", "Alice gets her post at 4 Oak Lane", "--slot", "Alice/Address", *at)["memory"]["id"]
    told = shell("remember", "Alice gets her post at 7 Elm Street", "--slot", "alice/address", *at)
    assert f"supersedes {old}: slot 'alice/address' has a new value" in told
    assert "slot           alice/address" in shell("inspect", old, *at)
    refused = shell("remember", "hello", "--kind", "turn", "--slot", "a", *at, code=2)
    assert "slot: only a fact fills a slot" in refused


def test_json_is_the_reply_model(shell: Shell, scope: str) -> None:
    """One line, complete, valid UTF-8."""
    shell("remember", "Zoë wrote 数据库 notes 🎉", "--scope", scope)
    out = shell("recall", "数据库", "--scope", scope, "--json")
    found = json.loads(out)
    assert out.count("\n") == 1
    assert [hit["memory"]["content"] for hit in found["hits"]] == ["Zoë wrote 数据库 notes 🎉"]
    assert found["hits"][0]["memory"]["source"] == "cli"
    assert [each["name"] for each in shell.json("scopes")["scopes"]].count(scope) == 1
    assert shell.json("stats", "--scope", scope)["memories"] == 1


def test_the_scope_is_the_current_folder(shell: Shell) -> None:
    """Unless it is named."""
    kept = shell.json("remember", "The cache is on")
    assert kept["memory"]["scope"] == Path.cwd().name


def test_content_comes_from_standard_input(shell: Shell, scope: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dash asks for it; only the last line break is dropped."""
    feed(monkeypatch, "first line\nsecond line 🎉\n".encode())
    kept = shell.json("remember", "-", "--scope", scope)
    assert kept["memory"]["content"] == "first line\nsecond line 🎉"


def test_bad_bytes_on_standard_input_are_refused(shell: Shell, scope: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are not replaced silently."""
    feed(monkeypatch, b"caf\xe9")
    assert "not valid UTF-8 at byte 3" in shell("remember", "-", "--scope", scope, code=2)


def test_a_bad_byte_in_a_word_becomes_a_replacement(shell: Shell, scope: str) -> None:
    """The shell hands it over as half a character; it cannot poison what is stored."""
    kept = shell.json("remember", "caf\udce9 opens early", "--scope", scope)
    assert kept["memory"]["content"] == "caf\ufffd opens early"


def test_nothing_printed_can_steer_the_terminal(shell: Shell, scope: str) -> None:
    """Stored escape codes and line breaks stay on their line."""
    shell("remember", "evil \x1b[31mred\x1b[0m\r\nnext line of evil", "--scope", scope)
    out = shell("recall", "next line of evil", "--scope", scope)
    assert "\x1b" not in out
    assert "\r" not in out
    assert len(out.splitlines()) == 3


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("remember", "  "), 2, "content: must not be blank"),
        (("recall", "x", "--limit", "-1"), 2, "limit: must be at least 0"),
        (("recall", "x", "--scope", " "), 2, "scope: must not be blank"),
        (("inspect", "12x"), 2, "memory_id: must be a decimal memory id"),
        (("inspect", "123"), 3, "no memory '123' in scope"),
        (("forget", "123"), 3, "no memory '123' in scope"),
    ],
)
def test_a_failure_is_one_line_and_a_code(words: tuple[str, ...], code: int, said: str, shell: Shell) -> None:
    """2 for what was typed, 3 for what is not there."""
    assert said in shell(*words, code=code)


def test_a_failure_in_json_is_the_error_object(shell: Shell) -> None:
    """The same as over HTTP."""
    said = json.loads(shell("recall", "x", "--limit", "-1", "--json", code=2))
    assert said["error"] == {
        "code": "invalid",
        "message": "limit: must be at least 0, got -1",
        "field": "limit",
        "retryable": False,
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "the following arguments are required: command"),
        (("rember", "x"), "invalid choice: 'rember'"),
        (("recall", "x", "--lim", "3"), "unrecognized arguments: --lim 3"),
        (("up", "--port", "70000"), "must be a number from 0 to 65535"),
        (("attach", "emacs"), "invalid choice: 'emacs'"),
    ],
)
def test_a_mistyped_command_is_usage(words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Flags are not guessed from their beginning. (No word at all is the stdio server, so the grammar is asked itself.)"""
    from hydramind.cli.parser import grammar

    with pytest.raises(SystemExit) as caught:
        grammar().parse_args(words)
    assert caught.value.code == 2
    assert said in capsys.readouterr().err


def test_an_unknown_setting_is_refused(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistyped variable is not a silent default."""
    monkeypatch.setenv("HYDRAMIND_SCOPE", "x")
    assert "unknown setting HYDRAMIND_SCOPE" in shell("stats", code=4)


def test_the_node_can_be_looked_at(shell: Shell) -> None:
    """It runs, because the commands before used it; its log has lines."""
    shell("node", "start")
    status = shell.json("node", "status")
    assert (status["state"], status["answers"]) == ("running", True)
    assert "running" in shell("node", "status")
    assert shell.json("node", "logs")["log"] == status["log"]
    assert shell("node", "logs")


def test_attach_prints_without_writing(shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`--print` shows the entry; nothing appears in the home folder."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    assert "hydramind" in shell("attach", "claude", "--print")
    assert list(home.iterdir()) == []
