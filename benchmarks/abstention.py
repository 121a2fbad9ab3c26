"""What silence costs: how many unanswerable questions get nothing, against the recall that answerable ones lose."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks import measures
from benchmarks.asking import Answer
from benchmarks.corpora import Question

POINTS = 21
_DEPTH = 10


def point(questions: Sequence[Question], answers: Mapping[str, Answer], base: float | None = None) -> dict[str, Any]:
    """Shares of unanswerable and answerable questions that got nothing, R@10 of the answerable, and what it lost of `base`.

    An answer that failed is no silence: it counts as R@10 of 0 and not among the empty.
    """
    silent = [question for question in questions if not question.answerable]
    asked = [question for question in questions if question.answerable]
    kept = _mean([measures.recall_at(answers[q.id].ranked, q.gold, _DEPTH) for q in asked])
    return {
        "unanswerable_empty": round(_mean([_empty(answers[q.id]) for q in silent]), 4),
        "answerable_empty": round(_mean([_empty(answers[q.id]) for q in asked]), 4),
        "r_at_10": round(kept, 4),
        "lost": 0.0 if not base else round(1 - kept / base, 4),
    }


def curve(questions: Sequence[Question], answers: Mapping[str, Answer]) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """For each raw signal of ungated answers, the points of two gates: `each hit` lets only hits of at least the threshold
    pass, `whole answer` everything as soon as one hit reaches it.

    Thresholds are evenly spaced quantiles of each answer's strongest hit, so they fit signals of any range.
    """
    base = _mean([measures.recall_at(answers[q.id].ranked, q.gold, _DEPTH) for q in questions if q.answerable])
    signals = sorted({name for answer in answers.values() for row in answer.evidence for name in row})
    found: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for name in signals:
        cuts = _cuts(answers, name)
        found[name] = {
            gate: [
                _at(questions, {id_: keep(answer, name, cut) for id_, answer in answers.items()}, cut, base)
                for cut in cuts
            ]
            for gate, keep in GATES.items()
        }
    return found


def _at(questions: Sequence[Question], gated: Mapping[str, Answer], threshold: float, base: float) -> dict[str, Any]:
    return {"threshold": round(threshold, 4)} | point(questions, gated, base)


def passing(answer: Answer, signal: str, threshold: float) -> Answer:
    """The answer with only those hits whose signal reaches the threshold; a hit without the signal does not."""
    pairs = zip(answer.hits, answer.evidence, strict=True)
    hits = tuple(id_ for id_, row in pairs if row.get(signal, -math.inf) >= threshold)
    return Answer(measures.distinct(hits), hits, (), answer.seconds, answer.error)


def convincing(answer: Answer, signal: str, threshold: float) -> Answer:
    """The whole answer when any hit's signal reaches the threshold, else nothing."""
    if any(row.get(signal, -math.inf) >= threshold for row in answer.evidence):
        return answer
    return Answer(seconds=answer.seconds, error=answer.error)


GATES: Mapping[str, Callable[[Answer, str, float], Answer]] = {"each hit": passing, "whole answer": convincing}


def _cuts(answers: Mapping[str, Answer], signal: str) -> list[float]:
    strongest = sorted(max((row.get(signal, 0.0) for row in a.evidence), default=0.0) for a in answers.values())
    places = (round(step * (len(strongest) - 1) / (POINTS - 1)) for step in range(POINTS))
    return sorted({strongest[place] for place in places}) if strongest else []


def _empty(answer: Answer) -> float:
    return float(not answer.ranked and not answer.error)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
