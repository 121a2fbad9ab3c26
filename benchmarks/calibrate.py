"""Which cosines mean "close in meaning" to this embedder? Measures the floors that the evidence gate needs.

The embedder that the environment names reads every turn and every question of a corpus. `best` is the cosine that all but one
in a hundred answerable questions reach with their best turn, `each` what all but one in a hundred turns of the evidence reach;
questions about other conversations show how much stays below `best`. No server is needed. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import report
from benchmarks.corpora import Conversation, Corpus, Question, add_corpus_arguments, load
from hydramind.embed.opened import open_models
from hydramind.embed.opening import floors_for
from hydramind.embed.protocol import Embedder, Vectors
from hydramind.errors import Misconfigured
from hydramind.index.vectors import VectorTable, quantised
from hydramind.mind.gate import Floors
from hydramind.settings import load as load_settings

BATCH = 32
PERCENTILE = 1.0

Cosines = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Awaitable[Vectors]]


@dataclass(frozen=True, slots=True)
class Sample:
    """Cosines by conversation: `best` of each answerable question, `evidence` of each turn that answers one, `others` of all
    other turns, and `unrelated`, the best of each question that was asked about another conversation."""

    best: Mapping[str, Sequence[float]]
    evidence: Mapping[str, Sequence[float]]
    others: Mapping[str, Sequence[float]]
    unrelated: Mapping[str, Sequence[float]]


async def sample(embedder: Embedder, corpus: Corpus) -> Sample:
    """Every cosine as the product would compute it, eight bits a number."""
    asked = [question for question in corpus.questions if question.answerable and question.gold]
    vectors = await _embedded(embedder.embed_queries, [question.text for question in asked])
    found: dict[str, dict[str, list[float]]] = {name: {} for name in ("best", "evidence", "others", "unrelated")}
    for conversation in corpus.conversations:
        table = await _table(embedder, conversation)
        rows = {name: found[name].setdefault(conversation.name, []) for name in found}
        for question, vector in zip(asked, vectors, strict=True):
            cosines = table.scores(vector, len(conversation.turns))
            if question.conversation == conversation.name:
                evidence, others = _parted(conversation, question, cosines)
                rows["best"].append(float(cosines.max()))
                rows["evidence"] += evidence
                rows["others"] += others
            else:
                rows["unrelated"].append(float(cosines.max()))
    return Sample(**found)


def _parted(conversation: Conversation, question: Question, cosines: Cosines) -> tuple[list[float], list[float]]:
    """The cosine of each gold id, that of its best turn, and those of all other turns."""
    evidence: dict[str, float] = {}
    others: list[float] = []
    for turn, cosine in zip(conversation.turns, cosines.tolist(), strict=True):
        if turn.gold_id in question.gold:
            evidence[turn.gold_id] = max(cosine, evidence.get(turn.gold_id, -1.0))
        else:
            others.append(cosine)
    return list(evidence.values()), others


async def _table(embedder: Embedder, conversation: Conversation) -> VectorTable:
    table = VectorTable(embedder.dimension)
    for ordinal, vector in enumerate(
        await _embedded(embedder.embed_passages, [turn.document for turn in conversation.turns])
    ):
        table.put(ordinal, *quantised(vector))
    return table


async def _embedded(embed: Embed, texts: Sequence[str]) -> Vectors:
    return np.concatenate([await embed(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)])


def floors(found: Sample, percentile: float = PERCENTILE, only: str | None = None) -> tuple[float, float]:
    """`best` and `each`: that percentile of the best cosines and of the evidence's, of one conversation or of all."""
    best, each = (np.percentile(_all(values, only), percentile) for values in (found.best, found.evidence))
    return float(best), float(min(each, best))


def judged(found: Sample, best: float, each: float) -> dict[str, float]:
    """What the floors do: shares of answerable questions and of evidence that are lost, of unrelated questions that get
    nothing, and of turns beside the evidence that stay out where the question itself passes `best`."""
    return {
        "answerable_below_best": _below(_all(found.best), best),
        "evidence_below_each": _below(_all(found.evidence), each),
        "unrelated_below_best": _below(_all(found.unrelated), best),
        "other_turns_below_each": _below(_all(found.others), each),
    }


def _all(values: Mapping[str, Sequence[float]], only: str | None = None) -> list[float]:
    return [value for name, row in values.items() if only in (None, name) for value in row]


def _below(values: Sequence[float], floor: float) -> float:
    return round(sum(value < floor for value in values) / len(values), 4) if values else 0.0


def down(value: float) -> float:
    """Three decimals, never more than the value, so that rounding loses no evidence; not below 0."""
    return max(0.0, math.floor(value * 1_000 + 1e-6) / 1_000)


def summary(found: Sample, identity: str, percentile: float, used: Floors | None = None) -> dict[str, Any]:
    """The floors and what they do, how far apart single conversations would put them, and what the floors in use do."""
    best, each = floors(found, percentile)
    alone = [floors(found, percentile, name) for name, row in found.best.items() if row]
    kept = (down(best), down(each))
    return {
        "identity": identity,
        "percentile": percentile,
        "best": round(best, 4),
        "each": round(each, 4),
        "floors": kept,
        **judged(found, *kept),
        "best_by_conversation": [round(pair[0], 4) for pair in alone],
        "each_by_conversation": [round(pair[1], 4) for pair in alone],
        "questions": len(_all(found.best)),
        "evidence": len(_all(found.evidence)),
        "unrelated": len(_all(found.unrelated)),
        "in_use": {} if used is None else asdict(used) | judged(found, used.best, used.each),
    }


def told(result: Mapping[str, Any]) -> str:
    """The setting, and the row for `CALIBRATED` in hydramind/mind/gate.py."""
    best, each = result["floors"]
    return (
        f"HYDRAMIND_EMBEDDER_FLOORS={best},{each}\n"
        f"    {result['identity']!r}: Floors(best={best}, each={each}),\n"
        f"of {result['questions']} answerable questions {result['answerable_below_best']:.1%} stay below best, "
        f"of {result['unrelated']} unrelated ones {result['unrelated_below_best']:.1%}; below each stay "
        f"{result['evidence_below_each']:.1%} of the evidence and {result['other_turns_below_each']:.1%} of all other turns"
    )


async def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Measure the embedder of the environment."""
    corpus = load(arguments.data, arguments.corpus).first(arguments.limit_conversations)
    settings = load_settings()
    async with open_models(settings) as models:
        embedder = models.embedder
        if embedder is None:
            raise Misconfigured("there is no embedder to calibrate: HYDRAMIND_EMBEDDER must name one")
        found = await sample(embedder, corpus)
    used = floors_for(settings, embedder.identity)
    return summary(found, embedder.identity, arguments.percentile, used) | {
        "corpus": corpus.name,
        "conversations": len(corpus.conversations),
        "commit": report.commit(),
        "machine": report.machine(),
    }


def arguments_of(given: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    add_corpus_arguments(parser)
    parser.add_argument("--percentile", type=float, default=PERCENTILE, help="of what belongs together, left below")
    parser.add_argument("--out", type=Path, help="write the whole result")
    return parser.parse_args(given)


def main() -> int:
    """Measures and prints; 0."""
    arguments = arguments_of()
    result = asyncio.run(run(arguments))
    print(told(result), flush=True)
    report.emit(result, arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
