"""How well and how fast is recall with this embedder?

The embedder that the environment names (`HYDRAMIND_EMBEDDER` and its path, model, prefixes, floors) embeds a corpus inside the
product. Asked are the dense channel alone, the product as it ships, and the same without the gate, which hides what an
embedder nobody calibrated could find. Speed is the embedder's own, beside nothing else. One JSON line an embedder.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.asking import AS_SHIPPED, UNGATED, Memory, staged
from benchmarks.corpora import Corpus, add_corpus_arguments, load
from benchmarks.places import ENGINES, place, remove
from benchmarks.retrieval import figures
from hydramind.embed.opened import open_models
from hydramind.embed.opening import floors_for
from hydramind.embed.protocol import Embedder
from hydramind.errors import Misconfigured
from hydramind.service import HydraMind

BATCH = 32
"""Texts at a time, as the product embeds them."""

SCALE_BYTES = 4
"""Beside one byte a number, what a vector takes in memory."""

PASSAGES = 512
QUERIES = 100
WARM_UP = 5
DENSE_ALONE = staged("dense alone", ["dense"])
SHOWN = ("r_at_5", "r_at_10", "r_at_20", "ndcg_at_10", "mrr", "failed")


async def speed(embedder: Embedder, corpus: Corpus) -> dict[str, Any]:
    """Passages a second in batches of 32, and percentiles of single queries, after a short warm-up of each."""
    passages = [turn.document for conversation in corpus.conversations for turn in conversation.turns][:PASSAGES]
    queries = [question.text for question in corpus.questions][: QUERIES + WARM_UP]
    await embedder.embed_passages(passages[:WARM_UP])
    started = time.perf_counter()
    for start in range(0, len(passages), BATCH):
        await embedder.embed_passages(passages[start : start + BATCH])
    seconds = time.perf_counter() - started
    return {
        "passages_per_second": round(len(passages) / seconds, 1),
        "passages": len(passages),
        "query": report.percentiles([await _timed(embedder, query) for query in queries][WARM_UP:]),
    }


async def _timed(embedder: Embedder, query: str) -> float:
    started = time.perf_counter()
    await embedder.embed_queries([query])
    return time.perf_counter() - started


async def quality(mind: HydraMind, corpus: Corpus, prefix: str) -> dict[str, Any]:
    """Each way to ask: means over the answerable questions and the intervals of the two that are compared."""
    memory = Memory(mind, corpus, prefix)
    seconds = await memory.remember()
    await memory.warm()
    asked = [question for question in corpus.questions if question.answerable]
    rows: dict[str, Any] = {}
    for variant in (DENSE_ALONE, AS_SHIPPED, UNGATED):
        found = figures(asked, await memory.ask(variant, asked))
        intervals = {name: found["intervals"][name] for name in ("r_at_10", "ndcg_at_10")}
        rows[variant.name] = {name: found[name] for name in SHOWN} | {"intervals": intervals}
    return {"questions": len(asked), "remember_seconds": round(seconds, 2), "recall": rows}


async def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """One embedder: its speed, then its quality through the product; nothing stays behind."""
    corpus = load(arguments.data, arguments.corpus).first(arguments.limit_conversations)
    async with place(arguments.engine) as found:
        settings = found.settings
        async with open_models(settings) as models:
            embedder = models.embedder
            if embedder is None:
                raise Misconfigured("there is no embedder to measure: HYDRAMIND_EMBEDDER must name one")
            quick = await speed(embedder, corpus)
        async with HydraMind.open(settings) as mind:
            origin = report.origin(await mind.health())
            good = await quality(mind, corpus, arguments.prefix)
        for conversation in corpus.conversations:
            await remove(settings, f"{arguments.prefix}{conversation.name}")
    return {
        "embedder": embedder.identity,
        "dimension": embedder.dimension,
        "vector_bytes": embedder.dimension + SCALE_BYTES,
        "calibrated": floors_for(settings, embedder.identity) is not None,
        **quick,
        **good,
        "corpus": corpus.name,
        **origin,
    }


def arguments_of(given: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    add_corpus_arguments(parser)
    parser.add_argument(
        "--engine", choices=ENGINES, help="a server of its own; default: the environment's, else arcadedb"
    )
    parser.add_argument("--prefix", default="embedders-", help="of the scopes' names")
    parser.add_argument("--out", type=Path, help="write the whole result")
    return parser.parse_args(given)


def main() -> int:
    """Measures; the exit code is 1 when a question failed."""
    arguments = arguments_of()
    result = asyncio.run(run(arguments))
    report.emit(result, arguments.out)
    return 1 if any(row["failed"] for row in result["recall"].values()) else 0


if __name__ == "__main__":
    sys.exit(main())
