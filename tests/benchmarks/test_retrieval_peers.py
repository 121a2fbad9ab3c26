"""Peers run in their own process on the same work, count failures, and are named when they cannot be installed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import peers
from benchmarks.corpora import load
from benchmarks.peer_places import Missing, Process, Program, environment_of
from hydramind.settings import Settings

TALK = {
    "sample_id": "talk",
    "conversation": {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ana", "dia_id": "D1:1", "text": "The kite is red."},
            {"speaker": "Bo", "dia_id": "D1:2", "text": "Dinner at seven."},
            {"speaker": "Ana", "dia_id": "D1:3", "text": "The kite flew."},
        ],
    },
    "qa": [
        {"question": "Which kite is red?", "evidence": ["D1:1"], "category": 1},
        {"question": "What about dinner?", "evidence": ["D1:2"], "category": 1},
        {"question": "Whose kite was bought?", "evidence": ["D1:3"], "category": 5},
    ],
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A corpus of one conversation."""
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([TALK]), encoding="utf-8")
    return path


def run(data: Path, *more: str) -> dict[str, Any]:
    """The result of a run."""
    return peers.run(peers.arguments_of(["--data", str(data), *more]))


def test_a_peer_answers_every_answerable_question(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The word overlap finds both; the adversarial question is not asked; the row says so."""
    found = run(data, "--only", "overlap")
    row = found["peers"]["overlap"]
    assert (found["corpus"], found["conversations"], found["turns"]) == ("locomo", 1, 3)
    assert (row["questions"], row["r_at_10"], row["mrr"], row["failed"], row["recall"]["n"]) == (2, 1.0, 1.0, 0, 2)
    assert capsys.readouterr().out.startswith("overlap                    R@10 1.0000 [1.000, 1.000]  nDCG@10 1.0000")


@pytest.mark.engine
def test_the_product_does_the_same_work(
    data: Path, embedded_settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its row has the same figures as a peer's, in the same table."""
    monkeypatch.setenv("HYDRAMIND_HOME", str(embedded_settings.home))
    row = run(data, "--only", peers.OURS)["peers"][peers.OURS]
    assert (row["questions"], row["r_at_10"], row["failed"], row["recall"]["n"]) == (2, 1.0, 0, 2)
    assert capsys.readouterr().out.startswith("hydramind                  R@10 1.0000")


def test_a_question_without_an_answer_counts_as_nothing_found(data: Path) -> None:
    """One of two answered: half of the recall."""
    corpus = load(data)
    answers = peers.Answers(ranked={"talk/0": ("D1:1",)}, errors=["boom"])
    found = peers.figures(corpus, answers)
    assert (found["questions"], found["r_at_10"], found["failed"], found["first_failure"]) == (2, 0.5, 1, "boom")


def test_a_peer_that_fails_says_why_for_each_question(tmp_path: Path) -> None:
    """An unknown scope is the peer's error, and the next request is answered."""
    with Process(Program("overlap", "overlap"), tmp_path) as process:
        assert process.about == {"ready": True, "versions": {}, "notes": []}
        failed = process.ask({"do": "find", "scope": "none", "query": "x", "limit": 5})
        assert failed["error"] == "KeyError: 'none'"
        assert process.ask({"do": "add", "scope": "none", "items": []})["refused"] == 0


def test_a_peer_that_cannot_be_installed_is_named(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It stays in the result with its reason, and the table shows it."""
    monkeypatch.setenv("HYDRAMIND_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(peers, "PEERS", (Program("lost", "overlap", (str(tmp_path / "absent"),)),))
    found = run(data, "--only", "lost")
    assert list(found["peers"]["lost"]) == ["missing"]
    assert "absent" in found["peers"]["lost"]["missing"]
    assert capsys.readouterr().out.startswith("lost                       not run: ")


def test_a_program_that_ends_at_once_gives_its_last_words(tmp_path: Path) -> None:
    """The reason is the last line of what it said."""
    with pytest.raises(Missing, match="No module named"), Process(Program("lost", "absent"), tmp_path):
        pass


def test_a_peer_without_packages_runs_in_this_python() -> None:
    """No environment is made for it."""
    assert environment_of(()) == Path(sys.executable)
