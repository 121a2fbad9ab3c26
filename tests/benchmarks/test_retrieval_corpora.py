"""Corpora are read with repaired gold ids, counted, and judged by measures whose values can be computed by hand."""

from __future__ import annotations

import json
import math
import os
import zipfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import corpora, measures, significance

DATA = Path(os.environ.get("HYDRAMIND_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
LOCOMO = DATA / "locomo" / "locomo_dev.json"
LIHUA = DATA / "lihua" / "LiHuaWorld.zip"


def absent(path: Path) -> str:
    """Why a test of third-party data was skipped."""
    return f"corpus not found at {str(path)!r}: set HYDRAMIND_DATA to the data folder"


def sample(*questions: dict[str, Any]) -> dict[str, Any]:
    """A conversation of two sessions, written out of order, with one shared image."""
    return {
        "sample_id": "talk",
        "conversation": {
            "speaker_a": "Ana",
            "session_10": [{"speaker": "Ana", "dia_id": "D10:1", "text": "Bye."}],
            "session_10_date_time": "12:05 am on 1 March, 2024",
            "session_2": [
                {"speaker": "Ana", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a red kite"},
                {"speaker": "Bo", "dia_id": "D2:2", "text": "Nice."},
            ],
            "session_2_date_time": "1:56 pm on 8 May, 2023",
        },
        "qa": list(questions),
    }


@pytest.mark.parametrize(
    ("entries", "ids"),
    [
        (["D1:3"], ("D1:3",)),
        (["D8:6; D9:17"], ("D8:6", "D9:17")),
        (["D:11:26"], ("D11:26",)),
        (["D30:05"], ("D30:5",)),
        (["D9:1 D4:4 D4:6", "D4:4"], ("D9:1", "D4:4", "D4:6")),
        (["D"], ()),
        ([], ()),
    ],
)
def test_gold_ids_are_repaired(entries: list[str], ids: tuple[str, ...]) -> None:
    """Joined, padded and misplaced ids become plain ones, each once."""
    assert corpora.repaired(entries) == ids


def test_turns_come_in_spoken_order_with_captions_and_seconds() -> None:
    """Session 2 before session 10, a second between turns, the caption behind the text."""
    turns = corpora.read_locomo([sample()]).conversations[0].turns
    assert [(turn.evidence_id, turn.session, turn.document) for turn in turns] == [
        ("D2:1", "2", "Ana: Look! [shared image: a red kite]"),
        ("D2:2", "2", "Bo: Nice."),
        ("D10:1", "10", "Ana: Bye."),
    ]
    assert [turn.moment for turn in turns] == [
        datetime(2023, 5, 8, 13, 56, 0, tzinfo=UTC),
        datetime(2023, 5, 8, 13, 56, 1, tzinfo=UTC),
        datetime(2024, 3, 1, 0, 5, 0, tzinfo=UTC),
    ]


def test_ids_that_do_not_exist_are_dropped_and_questions_without_gold_skipped() -> None:
    """What is left keeps its number in the file, and category 5 is unanswerable."""
    found = corpora.read_locomo(
        [
            sample(
                {"question": "one", "evidence": ["D2:1; D7:7"], "category": 1},
                {"question": "two", "evidence": ["D7:7"], "category": 1},
                {"question": "three", "evidence": [], "category": 2},
                {"question": "four", "evidence": ["D2:2"], "category": 5},
            )
        ]
    )
    assert (found.dropped, found.skipped) == (2, 2)
    assert [(q.id, q.text, q.category, q.gold, q.answerable) for q in found.questions] == [
        ("talk/0", "one", "1", ("D2:1",), True),
        ("talk/3", "four", "5", ("D2:2",), False),
    ]


def test_a_corpus_can_be_cut_to_its_first_conversations() -> None:
    """Their questions go with them."""
    other = sample({"question": "mine", "evidence": ["D2:1"], "category": 1}) | {"sample_id": "other"}
    found = corpora.read_locomo([sample({"question": "one", "evidence": ["D2:1"], "category": 1}), other])
    assert [question.text for question in found.first(1).questions] == ["one"]
    assert found.first(None) == found
    assert [question.text for question in found.of("other")] == ["mine"]


@pytest.mark.parametrize(("limit", "texts"), [(0, ["A: 1\nB: 22\nC: 333"]), (11, ["A: 1\nB: 22", "C: 333"])])
def test_files_are_chunked_between_messages(limit: int, texts: list[str]) -> None:
    """Chunks share the file as their gold id and have ids of their own; the time line is no message."""
    found = list(corpora.chunks("20260102_0304", "Time: 20260102_03:04\nA: 1\n\nB: 22\nC: 333\n", limit))
    assert [turn.text for turn in found] == texts
    assert {turn.gold_id for turn in found} == {"20260102_0304"}
    assert len({turn.evidence_id for turn in found}) == len(texts)
    assert found[0].moment == datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


@given(st.lists(st.text(st.characters(categories=("L",)), min_size=1, max_size=30)), st.integers(1, 60))
def test_chunks_hold_every_message_once_and_in_order(lines: list[str], limit: int) -> None:
    """None is cut; a chunk above the limit is a single message."""
    groups = [turn.text.split("\n") for turn in corpora.chunks("20260102", "\n".join(lines), limit)]
    assert [line for group in groups for line in group] == lines
    assert all(len(group) == 1 or sum(len(line) + 1 for line in group) <= limit for group in groups)


def test_a_folder_of_files_is_one_conversation(tmp_path: Path) -> None:
    """Gold names files with or without a colon; a question without an answer keeps no gold; an unknown file is dropped."""
    with zipfile.ZipFile(tmp_path / "chats.zip", "w") as archive:
        archive.writestr("world/week2/20260103_0900.txt", "Time: 20260103_09:00\nA: later")
        archive.writestr("world/week1/20260102_0304.txt", "Time: 20260102_03:04\nA: first")
        archive.writestr("world/cakes/20260101.txt", "A: cake")
    rows = {
        "0": {"question": "both", "evidence": "20260102_03:04<and>20260103_09:00", "type": "Multi"},
        "1": {"question": "lost", "evidence": "20300101_00:00", "type": "Single"},
        "2": {"question": "none", "evidence": "N/A", "type": "Null"},
        "3": {"question": "day", "evidence": "20260101", "type": "Single"},
    }
    (tmp_path / "query_set.json").write_text(json.dumps(rows), encoding="utf-8")
    for path in (tmp_path, tmp_path / "chats.zip", tmp_path / "query_set.json"):
        found = corpora.load(path)
        assert [turn.text for turn in found.conversations[0].turns] == ["A: cake", "A: first", "A: later"]
        assert [(question.text, question.gold, question.answerable) for question in found.questions] == [
            ("both", ("20260102_0304", "20260103_0900"), True),
            ("none", (), False),
            ("day", ("20260101",), True),
        ]
        assert (found.dropped, found.skipped) == (1, 1)


@pytest.mark.skipif(not LOCOMO.exists(), reason=absent(LOCOMO))
def test_the_dialogue_half_has_its_known_counts() -> None:
    """786 of the 1,536 answerable questions of all ten conversations, over 2,960 turns; two without gold."""
    found = corpora.load(LOCOMO)
    assert sum(len(conversation.turns) for conversation in found.conversations) == 2_960
    assert Counter(question.category for question in found.questions) == {
        "1": 151,
        "2": 157,
        "3": 59,
        "4": 419,
        "5": 232,
    }
    assert (sum(question.answerable for question in found.questions), found.dropped, found.skipped) == (786, 1, 2)


@pytest.mark.skipif(not LIHUA.exists(), reason=absent(LIHUA))
def test_the_chat_files_have_their_known_counts() -> None:
    """442 files, 571 questions with gold files, 65 without an answer and one that names none."""
    found = corpora.load(LIHUA)
    assert len({turn.gold_id for turn in found.conversations[0].turns}) == 442
    assert Counter(question.category for question in found.questions) == {"Single": 505, "Multi": 66, "Null": 65}
    assert (found.dropped, found.skipped) == (0, 1)


def test_measures_of_a_known_ranking() -> None:
    """Gold at ranks 2 and 6 of 7."""
    ranked = ("x1", "g1", "x2", "x3", "x4", "g2", "x5")
    found = measures.judged(ranked, ("g1", "g2", "g3", "g4"))
    ideal = sum(1 / math.log2(rank + 1) for rank in (1, 2, 3, 4))
    gained = 1 / math.log2(3) + 1 / math.log2(7)
    assert found == {
        "r_at_5": 0.25, "r_at_10": 0.5, "r_at_20": 0.5, "ndcg_at_10": pytest.approx(gained / ideal), "mrr": 0.5,
    }  # fmt: skip
    assert measures.judged((), ("g1",)) == dict.fromkeys(measures.MEASURES, 0.0)
    assert measures.distinct(("b", "a", "b", "c", "a")) == ("b", "a", "c")


@given(st.permutations([f"d{number}" for number in range(25)]), st.integers(1, 25))
def test_measures_stay_between_nothing_and_the_ideal(ranked: list[str], gold: int) -> None:
    """0..1 always, and 1 for a ranking that begins with its gold."""
    wanted = tuple(ranked[:gold]) if gold <= 5 else tuple(sorted(ranked)[:gold])
    found = measures.judged(ranked, wanted)
    assert all(0.0 <= value <= 1.0 + 1e-12 for value in found.values())
    if gold <= 5:
        assert found == {name: pytest.approx(1.0) for name in measures.MEASURES}


def test_intervals_hold_the_mean_and_repeat() -> None:
    """1.96 standard errors of 400 coin flips on either side, the same by the same seed; all equal values leave no width."""
    values = [float(number % 2) for number in range(400)]
    low, high = significance.interval(values)
    assert (low, high) == significance.interval(values)
    assert (low, high) == pytest.approx((0.5 - 1.96 * 0.025, 0.5 + 1.96 * 0.025), abs=0.006)
    assert significance.interval([0.25] * 10) == (0.25, 0.25)
    assert significance.interval([]) == (0.0, 0.0)


def test_whole_clusters_widen_the_interval_of_values_that_move_together() -> None:
    """Two groups of 200, one all right and one all wrong: between 0 and 1."""
    values = [1.0] * 200 + [0.0] * 200
    assert significance.interval(values, ["a"] * 200 + ["b"] * 200) == (0.0, 1.0)


def test_permutations_tell_a_gain_from_noise() -> None:
    """No difference is certain, a gain of every question cannot be chance, and gains that cancel can."""
    assert significance.permutation_p([0.0] * 50) == 1.0
    assert significance.permutation_p([]) == 1.0
    assert significance.permutation_p([0.1] * 50) == pytest.approx(1 / 10_001, abs=1e-5)
    assert significance.permutation_p([0.1, -0.1] * 50) == 1.0
    assert significance.permutation_p([1.0, 1.0, 1.0]) == pytest.approx(0.25, abs=0.02)
