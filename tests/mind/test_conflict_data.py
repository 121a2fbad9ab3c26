"""The bars of conflict detection on labelled sentence pairs, where the data is at hand."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from hydramind.mind.conflict import Claim, Kind, detect

DATA = Path(os.environ.get("HYDRAMIND_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
PAIRS = DATA / "contradiction" / "pairs_dev.jsonl"

pytestmark = pytest.mark.skipif(
    not PAIRS.exists(), reason=f"labelled pairs not found at {str(PAIRS)!r}: set HYDRAMIND_DATA to the data folder"
)


def counted(group: str) -> tuple[Counter[str], Counter[str]]:
    """How many pairs of each label a set has, and how many of them are flagged as contradictions."""
    labels: Counter[str] = Counter()
    flagged: Counter[str] = Counter()
    for line in PAIRS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["set"] == group:
            labels[row["label"]] += 1
            flagged[row["label"]] += detect(Claim(row["b"]), Claim(row["a"])).kind is Kind.CONTRADICTS
    return labels, flagged


def test_plain_contradictions_are_found_and_few_others_flagged() -> None:
    """Precision 0.92 and recall 0.80 at least, and at most 2 % of entailed pairs flagged."""
    labels, flagged = counted("sick")
    precision = flagged["contradiction"] / flagged.total()
    recall = flagged["contradiction"] / labels["contradiction"]
    assert precision >= 0.92
    assert recall >= 0.80
    assert flagged["entailment"] / labels["entailment"] <= 0.02


@pytest.mark.parametrize("group", ["negation-snli", "negation-mnli"])
def test_pairs_that_need_inference_do_little_harm(group: str) -> None:
    """At most 5 % of entailed pairs are flagged, and a flag says more than the base rate."""
    labels, flagged = counted(group)
    assert flagged["entailment"] / labels["entailment"] <= 0.05
    assert flagged["contradiction"] / flagged.total() > labels["contradiction"] / labels.total()
