"""Retrieval is measured through the product: figures, ledger and abstention add up, and failures stay in the denominator."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import abstention, retrieval
from benchmarks.asking import Answer
from benchmarks.corpora import Question
from hydramind.models import OneScope
from hydramind.service import HydraMind
from hydramind.settings import Settings

TALK = {
    "sample_id": "talk",
    "conversation": {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ana", "dia_id": "D1:1", "text": "The kite is red."},
            {"speaker": "Bo", "dia_id": "D1:2", "text": "Yes."},
            {"speaker": "Ana", "dia_id": "D1:3", "text": "Yes."},
        ],
        "session_2_date_time": "1:56 pm on 9 May, 2023",
        "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "The dinner is at seven."}],
    },
    "qa": [
        {"question": "kite red", "evidence": ["D1:1"], "category": 1},
        {"question": "dinner seven", "evidence": ["D2:1"], "category": 4},
        {"question": "submarine captain", "evidence": ["D1:2"], "category": 5},
    ],
}


def question(number: int, *gold: str, answerable: bool = True) -> Question:
    """A question to conversation `c`."""
    return Question(f"q{number}", "c", "?", "1" if answerable else "5", gold, answerable)


ASKED = (
    question(0, "a"),
    question(1, "b", "c"),
    question(2, "d", answerable=False),
    question(3, "e", answerable=False),
)


def answer(**evidence: float) -> Answer:
    """Hits in this order with these values of the signal `s`."""
    return Answer(tuple(evidence), tuple(evidence), tuple({"s": value} for value in evidence.values()))


ANSWERS = {
    "q0": answer(a=0.9, x=0.1),
    "q1": answer(x=0.8, b=0.5),
    "q2": answer(y=0.4),
    "q3": Answer(error="Busy: later"),
}


def test_failures_count_as_nothing_found() -> None:
    """A failed question lowers the mean and is counted."""
    found = retrieval.figures(ASKED[:2], {"q0": ANSWERS["q0"], "q1": Answer(error="Busy: later")})
    assert (found["questions"], found["r_at_10"], found["mrr"], found["failed"]) == (2, 0.5, 0.5, 1)
    assert found["intervals"]["r_at_10"] == (0.0, 1.0)
    assert found["intervals_by_conversation"]["r_at_10"] == (0.5, 0.5)


def test_a_difference_is_paired() -> None:
    """Ahead by what the other lost on the same questions."""
    worse = ANSWERS | {"q0": answer(x=1.0)}
    found = retrieval.difference(ASKED[:2], ANSWERS, worse)
    assert (found["r_at_10"]["gain"], found["r_at_10"]["interval"]) == (0.5, (0.0, 1.0))
    assert retrieval.difference(ASKED[:2], ANSWERS, ANSWERS)["r_at_10"]["p"] == 1.0


def test_silence_is_counted_apart_from_failure() -> None:
    """Of two unanswerable questions one got a hit and one failed: none was answered by silence."""
    assert abstention.point(ASKED, ANSWERS, base=1.0) == {
        "unanswerable_empty": 0.0,
        "answerable_empty": 0.0,
        "r_at_10": 0.75,
        "lost": 0.25,
    }


def test_the_curve_trades_silence_for_recall() -> None:
    """A higher threshold empties more answers and never adds recall; the lowest loses nothing."""
    points = abstention.curve(ASKED, ANSWERS)["s"]["each hit"]
    assert [row["threshold"] for row in points] == [0.0, 0.4, 0.8, 0.9]
    assert [row["unanswerable_empty"] for row in points] == [0.0, 0.0, 0.5, 0.5]
    assert [row["r_at_10"] for row in points] == [0.75, 0.75, 0.5, 0.5]
    assert [row["lost"] for row in points] == [0.0, 0.0, 0.3333, 0.3333]


def test_an_answer_passes_whole_when_one_hit_convinces() -> None:
    """The weaker hits stay with the strong one, so less recall is lost for the same silence."""
    points = abstention.curve(ASKED, ANSWERS)["s"]["whole answer"]
    assert [row["threshold"] for row in points] == [0.0, 0.4, 0.8, 0.9]
    assert [row["unanswerable_empty"] for row in points] == [0.0, 0.0, 0.5, 0.5]
    assert [row["r_at_10"] for row in points] == [0.75, 0.75, 0.75, 0.5]


def test_a_hit_without_the_signal_does_not_pass() -> None:
    """Only what reaches the threshold is left, in the same order."""
    mixed = Answer(("a", "b", "c"), ("a", "b", "c"), ({"s": 0.5}, {}, {"s": 0.6}))
    assert abstention.passing(mixed, "s", 0.0).ranked == ("a", "c")


def test_the_ledger_has_a_row_for_every_question() -> None:
    """Failures too, with measures wherever there is gold."""
    rows = retrieval.ledger([*ASKED, question(4, answerable=False)], {**ANSWERS, "q4": Answer()})
    assert [row["id"] for row in rows] == ["q0", "q1", "q2", "q3", "q4"]
    assert (rows[3]["error"], rows[3]["r_at_10"], "r_at_10" in rows[4]) == ("Busy: later", 0.0, False)


@pytest.mark.engine
async def test_the_product_is_measured(
    embedded_settings: Settings, scope: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every turn is remembered, even two equal ones; both questions find theirs, the odd one nothing; no scope stays."""
    (tmp_path / "talk.json").write_text(json.dumps([TALK]), encoding="utf-8")
    monkeypatch.setenv("HYDRAMIND_HOME", str(embedded_settings.home))
    given = [
        "--ablate",
        "--data",
        str(tmp_path / "talk.json"),
        "--ledger",
        str(tmp_path / "ledger.jsonl"),
        "--prefix",
        f"{scope}-",
    ]
    found = await retrieval.run(retrieval.arguments_of(given))
    assert (found["questions"], found["failed"], found["r_at_10"], found["mrr"]) == (2, 0, 1.0, 1.0)
    assert found["abstention"]["presets"].keys() >= {"as shipped", "off", "hybrid", "lexical"}
    assert found["abstention"]["presets"]["as shipped"]["answerable_empty"] == 0.0
    assert found["ablation"]["without sparse"]["ahead"]["r_at_10"].keys() == {
        "gain",
        "interval",
        "interval_by_conversation",
        "p",
    }
    assert (found["unanswerable"]["questions"], found["conditions"]["turns"]) == (1, 4)
    rows = [json.loads(line) for line in (tmp_path / "ledger.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["category"] for row in rows] == ["1", "4", "5"]
    async with HydraMind.open(embedded_settings) as mind:
        assert (await mind.stats(OneScope.parse({"scope": f"{scope}-talk"}))).memories == 0
