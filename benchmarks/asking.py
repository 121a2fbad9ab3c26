"""Drives the product over a corpus: every turn remembered, every question recalled, and what each hit had as evidence.

All that knows the arguments and receipts of recall is here: the variants, `settled` and `strengths`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks import measures
from benchmarks.corpora import Conversation, Corpus, Question, Turn
from hydramind.errors import HydraMindError
from hydramind.models import Hit, Recall, Recalled, Remember, Retrieve
from hydramind.service import HydraMind

WRITERS = 32
WARM_UP = "zxqv warm up"
_POLL_SECONDS = 0.5
_POLLS = 3_600
LIMIT = 20
DEEP_LIMIT = 100
"""Asked for where several turns share a gold id (chunks of a file), so that 20 distinct ones remain."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to ask: arguments beside query, scope and how many; of recall, or of retrieve where `staged`."""

    name: str
    arguments: Mapping[str, Any]
    staged: bool = False


AS_SHIPPED = Variant("as shipped", {})
UNGATED = Variant("off", {"gate": "off"})
"""Everything as shipped but the evidence gate, which would hide what a channel or stage does to the ranking."""
GATES = tuple(Variant(name, {"gate": name}) for name in ("hybrid", "lexical"))
USUAL_CHANNELS = ("sparse", "dense", "time")
USUAL_AROUND = ("neighbours", "session", "speaker")


def staged(name: str, channels: Sequence[str], **more: Any) -> Variant:
    """An ungated retrieval by those channels."""
    return Variant(name, {"gate": "off", "channels": list(channels), **more}, staged=True)


def _ablations() -> Iterator[Variant]:
    whole = {"fusion": "shares", "around": list(USUAL_AROUND)}
    for channel in USUAL_CHANNELS:
        yield staged(f"without {channel}", [name for name in USUAL_CHANNELS if name != channel], **whole)
    for stage in USUAL_AROUND:
        around = [name for name in USUAL_AROUND if name != stage]
        yield staged(f"without {stage}", USUAL_CHANNELS, fusion="shares", around=around)
    yield staged("with graph", (*USUAL_CHANNELS, "graph"), **whole, weights={"graph": 0.25})
    for channel in ("sparse", "dense", "graph"):
        yield staged(f"{channel} alone", [channel])
    yield staged("graph alone, walk", ["graph"], graph_method="ppr")
    every = (*USUAL_CHANNELS, "graph")
    for method in ("rrf", "dbsf", "zscore", "minmax"):
        yield staged(method, every, fusion=method)
    yield staged("rrf, routed", every, route=True)


ABLATIONS = tuple(_ablations())
"""Each channel and stage that is on by default turned off, what is off by default turned on, each channel alone, and every
fusion method over all channels."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one question got: distinct gold ids, best first; for each hit its evidence; `error` when it failed."""

    ranked: tuple[str, ...] = ()
    hits: tuple[str, ...] = ()
    evidence: tuple[Mapping[str, float], ...] = ()
    seconds: float = 0.0
    error: str = ""


class Memory:
    """A corpus inside the product: a scope a conversation."""

    def __init__(self, mind: HydraMind, corpus: Corpus, prefix: str) -> None:
        self.mind = mind
        self.corpus = corpus
        self._prefix = prefix
        self._gold_ids = {
            conversation.name: {turn.evidence_id: turn.gold_id for turn in conversation.turns}
            for conversation in corpus.conversations
        }

    def scope_of(self, conversation: str) -> str:
        """The scope that holds a conversation."""
        return f"{self._prefix}{conversation}"

    def scopes(self) -> list[str]:
        """All of them."""
        return [self.scope_of(conversation.name) for conversation in self.corpus.conversations]

    async def remember(self) -> float:
        """Keep every turn, many at a time, and wait until each can be found by all channels; seconds it took."""
        started = time.perf_counter()
        for conversation in self.corpus.conversations:
            waiting = iter(conversation.turns)
            await asyncio.gather(*(self._write(conversation, waiting) for _ in range(WRITERS)))
        for scope in self.scopes():
            await settled(self.mind, scope)
        return time.perf_counter() - started

    async def _write(self, conversation: Conversation, waiting: Any) -> None:
        for turn in waiting:
            await self.mind.remember(self._turn(conversation, turn))

    def _turn(self, conversation: Conversation, turn: Turn) -> Remember:
        return Remember.parse(
            {
                "kind": "turn",
                "content": turn.text,
                "source": turn.speaker,
                "session": f"{conversation.name}/{turn.session}",
                "evidence_id": turn.evidence_id,
                "event_time": turn.moment,
                "scope": self.scope_of(conversation.name),
                "idempotency_key": f"{conversation.name}/{turn.evidence_id}",
            }
        )

    async def warm(self) -> None:
        """Load each scope's projection by a question that is in no corpus."""
        for scope in self.scopes():
            await self.mind.recall(Recall.parse({"query": WARM_UP, "scope": scope}))

    async def ask(self, variant: Variant, questions: Sequence[Question]) -> dict[str, Answer]:
        """The answers by question id, asked one after the other; a failure is an answer with its error."""
        return {question.id: await self._ask(variant, question) for question in questions}

    async def _ask(self, variant: Variant, question: Question) -> Answer:
        gold_ids = self._gold_ids[question.conversation]
        limit = LIMIT if len(set(gold_ids.values())) == len(gold_ids) else DEEP_LIMIT
        values = {"query": question.text, "scope": self.scope_of(question.conversation), **variant.arguments}
        started = time.perf_counter()
        try:
            if variant.staged:
                found: Recalled = await self.mind.retrieve(Retrieve.parse({**values, "top_k": limit}))
            else:
                found = await self.mind.recall(Recall.parse({**values, "limit": limit}))
        except HydraMindError as error:
            return Answer(error=f"{type(error).__name__}: {error}", seconds=time.perf_counter() - started)
        seconds = time.perf_counter() - started
        hits = tuple(gold_ids[hit.memory.evidence_id] for hit in found.hits)
        evidence = tuple(strengths(hit) for hit in found.hits)
        return Answer(measures.distinct(hits), hits, evidence, seconds)


async def settled(mind: HydraMind, scope: str) -> None:
    """Wait until the trace of a recall says that the vectors of all memories were searched, or that there is no embedder.

    Raises `TimeoutError` with the trace's own note when that does not come about.
    """
    note = ""
    for _ in range(_POLLS):
        found = await mind.recall(Recall.parse({"query": WARM_UP, "scope": scope}))
        dense = next(stage for stage in found.trace.stages if stage.name == "dense")
        if not dense.identity or (dense.executed and not dense.note):
            return
        note = dense.note
        await asyncio.sleep(_POLL_SECONDS)
    raise TimeoutError(f"scope {scope!r} still waits for vectors: {note or 'no reason given'}")


def strengths(hit: Hit) -> dict[str, float]:
    """The raw evidence of a hit that a gate may look at, by signal: keyword coverage, and each channel's own score."""
    return {"coverage": hit.coverage, **{place.channel: place.score for place in hit.channels}}
