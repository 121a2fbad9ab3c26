"""Does recall find the turns that answer a question, and stay silent when none does?

A corpus with exact evidence ids goes through the product's own remember and recall. A failed question counts as nothing found.
Intervals are 95 % bootstraps over questions and over whole conversations; `--ablate` turns each channel and default stage off
in turn and gives the paired difference with its interval and p. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import abstention, measures, report, significance
from benchmarks.asking import ABLATIONS, AS_SHIPPED, GATES, UNGATED, Answer, Memory
from benchmarks.corpora import CHUNK_CHARS, Corpus, Question, add_corpus_arguments, load
from benchmarks.places import ENGINES, place, remove
from hydramind.service import HydraMind


def rows_of(questions: Sequence[Question], answers: Mapping[str, Answer]) -> list[dict[str, float]]:
    """Each measure of each question, in order."""
    return [measures.judged(answers[question.id].ranked, question.gold) for question in questions]


def figures(questions: Sequence[Question], answers: Mapping[str, Answer]) -> dict[str, Any]:
    """Means and intervals over questions that have gold."""
    rows = rows_of(questions, answers)
    clusters = [question.conversation for question in questions]
    columns = {name: [row[name] for row in rows] for name in measures.MEASURES}
    return {
        "questions": len(rows),
        **{name: round(sum(column) / len(column), 4) for name, column in columns.items() if column},
        "failed": sum(bool(answers[question.id].error) for question in questions),
        "intervals": {name: significance.interval(column) for name, column in columns.items()},
        "intervals_by_conversation": {
            name: significance.interval(column, clusters) for name, column in columns.items()
        },
    }


def by_category(questions: Sequence[Question], answers: Mapping[str, Answer]) -> dict[str, dict[str, Any]]:
    """The means of each category of the answerable."""
    categories = sorted({question.category for question in questions})
    found: dict[str, dict[str, Any]] = {}
    for category in categories:
        rows = rows_of([question for question in questions if question.category == category], answers)
        means = {name: round(sum(row[name] for row in rows) / len(rows), 4) for name in measures.MEASURES}
        found[category] = {"questions": len(rows), **means}
    return found


def difference(
    questions: Sequence[Question], base: Mapping[str, Answer], other: Mapping[str, Answer]
) -> dict[str, dict[str, Any]]:
    """How much `base` is ahead of `other`, question by question: mean, 95 % interval and permutation p of two measures."""
    pairs = list(zip(rows_of(questions, base), rows_of(questions, other), strict=True))
    clusters = [question.conversation for question in questions]
    found: dict[str, dict[str, Any]] = {}
    for name in ("r_at_10", "ndcg_at_10"):
        gains = [ours[name] - theirs[name] for ours, theirs in pairs]
        found[name] = {
            "gain": round(sum(gains) / len(gains), 4),
            "interval": significance.interval(gains),
            "interval_by_conversation": significance.interval(gains, clusters),
            "p": significance.permutation_p(gains),
        }
    return found


async def silence(memory: Memory, shipped: Mapping[str, Answer], ungated: Mapping[str, Answer]) -> dict[str, Any]:
    """The point of the gate as shipped and of each preset, and the curve over the raw signals of the ungated answers."""
    asked = memory.corpus.questions
    base = abstention.point(asked, ungated)["r_at_10"]
    presets = {AS_SHIPPED.name: shipped, UNGATED.name: ungated}
    presets |= {variant.name: await memory.ask(variant, asked) for variant in GATES}
    points = {name: abstention.point(asked, answers, base) for name, answers in presets.items()}
    return {"presets": points, "curve": abstention.curve(asked, ungated)}


async def ablations(memory: Memory, ungated: Mapping[str, Answer]) -> dict[str, Any]:
    """The ungated product, then each variant's means and how much the ungated product is ahead of it."""
    asked = [question for question in memory.corpus.questions if question.answerable]
    rows: dict[str, Any] = {UNGATED.name: figures(asked, ungated)}
    _say("without gate", rows[UNGATED.name])
    for variant in ABLATIONS:
        answers = await memory.ask(variant, asked)
        rows[variant.name] = figures(asked, answers) | {"ahead": difference(asked, ungated, answers)}
        _say(variant.name, rows[variant.name])
    return rows


def _say(name: str, row: Mapping[str, Any]) -> None:
    ahead = row.get("ahead", {}).get("r_at_10")
    told = f"  ahead {ahead['gain']:+.4f} {list(ahead['interval'])} p {ahead['p']}" if ahead else ""
    print(
        f"{name:24} R@10 {row['r_at_10']:.4f}  nDCG@10 {row['ndcg_at_10']:.4f}  MRR {row['mrr']:.4f}{told}", flush=True
    )


def ledger(questions: Sequence[Question], answers: Mapping[str, Answer]) -> list[dict[str, Any]]:
    """One row a question, unanswerable ones too; measures only where there is gold."""
    rows: list[dict[str, Any]] = []
    for question in questions:
        answer = answers[question.id]
        row = {
            "id": question.id,
            "category": question.category,
            "answerable": question.answerable,
            "question": question.text,
            "gold": question.gold,
            "ranked": answer.ranked,
            "evidence": answer.evidence,
            "ms": round(answer.seconds * 1_000, 3),
            "error": answer.error,
        }
        rows.append(row | (measures.judged(answer.ranked, question.gold) if question.gold else {}))
    return rows


async def measure(mind: HydraMind, corpus: Corpus, arguments: argparse.Namespace) -> dict[str, Any]:
    """The whole run on an open memory."""
    memory = Memory(mind, corpus, arguments.prefix)
    remember_seconds = await memory.remember()
    await memory.warm()
    answers = await memory.ask(AS_SHIPPED, corpus.questions)
    if arguments.ledger is not None:
        lines = [json.dumps(row, ensure_ascii=False) for row in ledger(corpus.questions, answers)]
        arguments.ledger.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    ungated = await memory.ask(UNGATED, corpus.questions)
    answerable = [question for question in corpus.questions if question.answerable]
    unanswerable = [question for question in corpus.questions if not question.answerable and question.gold]
    found = figures(answerable, answers)
    _say(AS_SHIPPED.name, found)
    return {
        **found,
        "categories": by_category(answerable, answers),
        "unanswerable": figures(unanswerable, answers) if unanswerable else {},
        "abstention": await silence(memory, answers, ungated),
        "ablation": await ablations(memory, ungated) if arguments.ablate else {},
        "recall": report.percentiles([answer.seconds for answer in answers.values()]),
        "remember_seconds": round(remember_seconds, 2),
    }


def conditions(corpus: Corpus, arguments: argparse.Namespace) -> dict[str, Any]:
    """What was measured: file, counts, depth of chunks."""
    return {
        "corpus": corpus.name,
        "sha256": hashlib.sha256(_file(arguments.data).read_bytes()).hexdigest()[:16],
        "conversations": len(corpus.conversations),
        "turns": sum(len(conversation.turns) for conversation in corpus.conversations),
        "dropped_gold_ids": corpus.dropped,
        "skipped_questions": corpus.skipped,
        "chunk_chars": arguments.chunk if corpus.name == "lihua" else None,
        "warm_up": "one foreign question a scope",
    }


def _file(data: Path) -> Path:
    return next(iter(sorted(data.glob("*.zip")))) if data.is_dir() else data


async def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Measure on a server of our own or the one that the environment names, and leave nothing behind unless told."""
    corpus = load(arguments.data, arguments.corpus, arguments.chunk).first(arguments.limit_conversations)
    async with place(arguments.engine) as found:
        async with HydraMind.open(found.settings) as mind:
            origin = report.origin(await mind.health())
            result = await measure(mind, corpus, arguments)
        if not arguments.keep:
            for conversation in corpus.conversations:
                await remove(found.settings, f"{arguments.prefix}{conversation.name}")
    return {**result, "conditions": conditions(corpus, arguments), **origin}


def arguments_of(given: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    add_corpus_arguments(parser)
    parser.add_argument(
        "--chunk", type=int, default=CHUNK_CHARS, help="characters a chunk of a chat file; 0: whole files"
    )
    parser.add_argument("--ablate", action="store_true", help="turn each channel and default stage off in turn")
    parser.add_argument("--ledger", type=Path, help="write one JSON line a question")
    parser.add_argument("--out", type=Path, help="write the whole result")
    parser.add_argument(
        "--engine", choices=ENGINES, help="a server of its own; default: the environment's, else arcadedb"
    )
    parser.add_argument("--prefix", default="retrieval-", help="of the scopes' names")
    parser.add_argument(
        "--keep", action="store_true", help="leave the scopes, so that the next run need not write them"
    )
    return parser.parse_args(given)


def main() -> int:
    """Measures; the exit code is 1 when a question failed."""
    arguments = arguments_of()
    result = asyncio.run(run(arguments))
    report.emit(result, arguments.out)
    return 1 if result["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
