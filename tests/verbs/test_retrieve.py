"""retrieve: each stage does what the request says, and tells so."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from hydramind.clock import to_datetime
from hydramind.errors import BadAnswer, Invalid, Unavailable
from hydramind.mind import fusion
from hydramind.mind.fusion import Fusion
from hydramind.models import Recall, Remember, Retrieve, Retrieved, Stage
from hydramind.service import HydraMind
from hydramind.settings import Settings
from tests.conftest import TestClock
from tests.embed.provider_server import Script, service
from tests.scoped import DENIAL, FACT, Scoped

TALK = (
    ("Ada", "Have you been to the glass museum in Murano?"),
    ("Bo", "I went there with Clara in the rain."),
    ("Ada", "Clara told me about the blue vases."),
    ("Bo", "My bicycle needs new brakes."),
)
NOISE = ("The weather was mild.", "Dinner is at seven.", "The train left early.")


@pytest.fixture
async def provider() -> AsyncIterator[tuple[str, Script]]:
    """A service that embeds and reranks."""
    with service() as running:
        yield running


@pytest.fixture
async def seeing(
    embedded_settings: Settings, clock: TestClock, provider: tuple[str, Script]
) -> AsyncIterator[HydraMind]:
    """An open memory that embeds and reranks by that service."""
    url, _ = provider
    named = {"embedder": "tei", "embedder_url": url, "reranker_url": url}
    async with HydraMind.open(embedded_settings.model_copy(update=named), clock=clock) as mind:
        yield mind


async def talk(mind: HydraMind, scope: str) -> None:
    """One conversation and three turns outside any."""
    for number, (speaker, content) in enumerate((*TALK, *(("Ada", text) for text in NOISE))):
        values = {
            "content": content,
            "scope": scope,
            "kind": "turn",
            "source": speaker,
            "session": "s1" if number < len(TALK) else "",
            "evidence_id": f"e{number}",
            "event_time": datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=10 * number),
        }
        await mind.remember(Remember.parse(values))
    held = mind._scopes.get(scope)
    await held.index()
    if held.vectors is not None:
        await held.vectors.settled()


async def ask(mind: HydraMind, scope: str, query: str, **more: Any) -> Retrieved:
    """Retrieve without a gate unless told otherwise."""
    return await mind.retrieve(Retrieve.parse({"query": query, "scope": scope, "gate": "off", **more}))


def ids(found: Retrieved) -> list[str]:
    """The callers' ids of the hits, best first."""
    return [hit.memory.evidence_id for hit in found.hits]


def stage(found: Retrieved, name: str) -> Stage:
    """One step of the trace."""
    return next(each for each in found.trace.stages if each.name == name)


@pytest.mark.parametrize("channel", ["sparse", "dense", "graph", "time"])
async def test_a_channel_alone_ranks_as_it_does(seeing: HydraMind, scope: str, channel: str) -> None:
    """SEEDS 6.7.9: the order of a single channel is that of its own scores, and nobody else has a say."""
    await talk(seeing, scope)
    found = await ask(seeing, scope, "What did Clara tell about vases in January 2026?", channels=[channel])
    scores = [place.score for hit in found.hits for place in hit.channels]
    assert {place.channel for hit in found.hits for place in hit.channels} == {channel}
    assert len(found.hits) > 1
    assert scores == sorted(scores, reverse=True)
    assert [hit.channels[0].rank for hit in found.hits] == [1 + sum(s > own for s in scores) for own in scores]
    assert [each.name for each in found.trace.stages if each.executed and each.name in ("sparse", "dense")] == (
        [channel] if channel in ("sparse", "dense") else []
    )


@pytest.mark.parametrize("method", ["rrf", "dbsf", "zscore", "minmax"])
async def test_the_fused_order_follows_from_the_receipts(seeing: HydraMind, scope: str, method: str) -> None:
    """HYB-5: putting the channels' own rankings together by the rule gives the order and the shares of the answer."""
    await talk(seeing, scope)
    weights = {"sparse": 1.5, "dense": 0.5, "graph": 1.0}
    found = await ask(
        seeing, scope, "Who saw the blue vases with Clara?", channels=list(weights), weights=weights, fusion=method
    )
    rankings = []
    for name in weights:
        own = [(hit, place.score) for hit in found.hits for place in hit.channels if place.channel == name]
        own.sort(key=lambda each: -each[1])
        rankings.append(
            fusion.Ranking(name, np.array([int(hit.memory.id) for hit, _ in own]), np.array([s for _, s in own]))
        )
    order, scores = fusion.fuse(rankings, weights, Fusion(method))
    assert [hit.memory.id for hit in found.hits] == [str(id_) for id_ in order]
    low = min(0.0, float(scores.min()))
    assert [hit.relevance for hit in found.hits] == pytest.approx((scores - low) / (scores.max() - low), abs=1e-5)


async def test_a_named_channel_that_cannot_run_is_an_error_and_a_default_one_is_marked(one: Scoped) -> None:
    """HYB-36, SEEDS 6.7.8: without an embedder the dense channel is refused by name, and told where nobody named it."""
    await one.keep("The gateway uses mutual TLS.")
    with pytest.raises(Unavailable, match="dense channel needs vectors: no embedder"):
        await ask(one.mind, one.scope, "gateway TLS", channels=["dense", "sparse"])
    found = await ask(one.mind, one.scope, "gateway TLS")
    assert [hit.memory.content for hit in found.hits] == ["The gateway uses mutual TLS."]
    assert (stage(found, "dense").requested, stage(found, "dense").executed) == (True, False)
    assert (stage(found, "time").executed, stage(found, "time").note) == (False, "the question names no time")
    with pytest.raises(Unavailable, match="HYDRAMIND_RERANKER_URL"):
        await ask(one.mind, one.scope, "gateway TLS", rerank_pool=10)


async def test_the_graph_leads_to_what_shares_an_entity(one: Scoped) -> None:
    """HYB-2, HYB-30: entities come from the words or from the caller, and a later write is in the graph at once."""
    await talk(one.mind, one.scope)
    found = await ask(one.mind, one.scope, "Tell me about Clara", channels=["graph"])
    assert set(ids(found)) == {"e0", "e1", "e2", "e3"}
    assert ids(found)[:2] in (["e1", "e2"], ["e2", "e1"])
    await one.remember("The loan ends in May.", entity_refs=["Clara"], evidence_id="fact")
    found = await ask(one.mind, one.scope, "anything", channels=["graph"], query_keys=["Clara"])
    assert "fact" in ids(found)
    assert ids(await ask(one.mind, one.scope, "anything at all", channels=["graph"])) == []


async def test_a_walk_may_start_from_another_channel_and_says_so(one: Scoped) -> None:
    """HYB-37: no channel seeds another unless asked; then it is told, and the seed channel is asked for as well."""
    await talk(one.mind, one.scope)
    walk = {"channels": ["graph", "sparse"], "graph_method": "ppr"}
    alone = await ask(one.mind, one.scope, "brakes of bicycle", **walk)
    seeded = await ask(one.mind, one.scope, "brakes of bicycle", ppr_passage_seed_channel="sparse", **walk)
    assert stage(alone, "graph").dependencies == ()
    assert stage(seeded, "graph").dependencies == ("sparse",)
    assert stage(seeded, "graph").identity == "lexical-v1 ppr"
    assert ids(seeded)[0] == "e3"


async def test_shares_is_what_recall_does(seeing: HydraMind, scope: str) -> None:
    """One ranking for both verbs: the same memories, scores and receipts."""
    await talk(seeing, scope)
    asked = {"query": "What did Ada hear about vases on 21 January 2026?", "scope": scope, "gate": "off"}
    recalled = await seeing.recall(Recall.parse(asked))
    around = ["neighbours", "session", "speaker"]
    found = await ask(seeing, fusion="shares", channels=["sparse", "dense", "time"], around=around, **asked)
    assert [hit.model_dump() for hit in found.hits] == [hit.model_dump() for hit in recalled.hits]


async def test_wordings_are_fused_and_told(one: Scoped) -> None:
    """BDH-14, BDH-15: a memory that a second wording finds comes too, and says which wording found it."""
    await talk(one.mind, one.scope)
    found = await ask(one.mind, one.scope, "bicycle brakes", variants=["train left"], channels=["sparse"])
    told = {hit.memory.evidence_id: hit.wordings for hit in found.hits}
    assert told == {"e3": (0,), "e6": (1,)}
    assert found.routing.model_dump() == {
        "kind": "default",
        "cue": "",
        "multi_query_enabled": True,
        "multi_query_variant_count": 2,
        "query_variants": ("bicycle brakes", "train left"),
        "multi_query_fusion": "rrf",
        "multi_query_unique_notes": 2,
        "multi_query_multivariant_hits": 0,
        "sub_questions": "none",
    }
    best = await ask(
        one.mind, one.scope, "bicycle brakes", variants=["new brakes"], channels=["sparse"], variant_fusion="weighted"
    )
    assert [(hit.memory.evidence_id, hit.wordings, hit.relevance) for hit in best.hits] == [("e3", (0, 1), 1.0)]
    alone = await ask(one.mind, one.scope, "bicycle brakes", channels=["sparse"])
    assert (alone.routing.multi_query_enabled, alone.routing.multi_query_variant_count) == (False, 1)


async def test_sub_questions_are_used_when_they_ask_nothing_new(one: Scoped) -> None:
    """HYB-10: off by default; a name that the query does not hold is refused, and the answer says so."""
    await talk(one.mind, one.scope)
    query = "Did Ada see vases and did Bo have brakes?"
    parts = ["Did Ada see vases?", "Did Bo have brakes?"]
    found = await ask(one.mind, one.scope, query, sub_questions=parts)
    assert (found.routing.sub_questions, found.routing.query_variants) == ("used", (query, *parts))
    refused = await ask(one.mind, one.scope, query, sub_questions=["Did Zoe see vases?", "Did Bo have brakes?"])
    assert (refused.routing.sub_questions, refused.routing.query_variants) == ("refused", (query,))


async def test_salience_prefers_what_is_recent(one: Scoped, clock: TestClock) -> None:
    """HYB-14: at most a tenth, and told; off by default."""
    old = await one.keep("The amber kite flies high over Oslo", kind="note")
    clock.advance(days=300)
    new = await one.keep("The amber kite flies high over Rome", kind="note")
    found = await ask(one.mind, one.scope, "amber kite", channels=["sparse"], salience=True)
    assert [hit.memory.id for hit in found.hits] == [new, old]
    first, second = (hit.salience for hit in found.hits)
    assert first is not None
    assert second is not None
    assert 0.9 <= second < first <= 1.0
    assert [hit.salience for hit in (await ask(one.mind, one.scope, "amber kite")).hits] == [None, None]


async def test_reranking_orders_the_pool_and_lets_trust_speak(
    seeing: HydraMind, provider: tuple[str, Script], scope: str
) -> None:
    """HYB-6, HYB-9: by the reranker's scores times trust, inside the pool; its failure is a failure."""
    one = Scoped(seeing, scope)
    await one.keep(FACT)
    await one.keep(DENIAL)
    await one.keep("The gateway is old.")
    asked = {"channels": ["sparse"], "rerank_pool": 3, "top_k": 3}
    found = await ask(seeing, scope, "The gateway uses mutual TLS.", **asked)
    assert [(hit.memory.content, hit.rerank_score) for hit in found.hits] == [
        (DENIAL, 4.0),
        (FACT, 5.0),
        ("The gateway is old.", 2.0),
    ]
    assert (stage(found, "rerank").executed, stage(found, "rerank").identity) == (
        True,
        "tei-rerank probe-model@abc123",
    )
    assert found.trace.execution["reranker"] == "tei-rerank probe-model@abc123"
    provider[1].faults = ["score"]
    with pytest.raises(BadAnswer, match="the reranker answered badly"):
        await ask(seeing, scope, "The gateway uses mutual TLS.", **asked)


async def test_evidence_is_packed_under_a_budget(one: Scoped) -> None:
    """HYB-7, HYB-34: whole turns only; context says beside which hit it stands, and what did not fit is named."""
    await talk(one.mind, one.scope)
    packed = {"budget_tokens": 60, "strategy": "window", "window": 1}
    found = await ask(one.mind, one.scope, "blue vases", channels=["sparse"], evidence=packed)
    assert found.evidence is not None
    rows = [(item.evidence_id, item.role, item.text) for item in found.evidence.items]
    assert rows == [
        ("e1", "context", "(2026-01-11) Bo: I went there with Clara in the rain."),
        ("e2", "hit", "(2026-01-21) Ada: Clara told me about the blue vases."),
        ("e3", "context", "(2026-01-31) Bo: My bicycle needs new brakes."),
    ]
    hit = found.hits[0].memory.id
    assert [item.expanded_from for item in found.evidence.items] == [hit, None, hit]
    assert found.evidence.tokens == sum(item.tokens for item in found.evidence.items) <= 60
    tight = await ask(one.mind, one.scope, "blue vases", channels=["sparse"], evidence={"budget_tokens": 5})
    assert tight.evidence is not None
    assert (tight.evidence.items, tight.evidence.skipped) == ((), (hit,))
    assert stage(tight, "evidence").note == "0 tokens"


async def test_recall_keeps_within_a_budget(one: Scoped) -> None:
    """HYB-7: a hit that does not fit is left out whole, a smaller one behind it is taken."""
    await one.keep("The amber kite " + "flies over the wide green hills beyond the old town " * 3)
    await one.keep("The amber kite is new.")
    whole = await one.recall("amber kite")
    assert len(whole.hits) == 2
    assert whole.evidence is None
    found = await one.recall("amber kite", budget_tokens=20)
    assert [hit.memory.content for hit in found.hits] == ["The amber kite is new."]
    assert found.evidence is not None
    assert found.evidence.skipped == tuple(h.memory.id for h in whole.hits if len(h.memory.content) > 40)


async def test_exact_values_narrow_what_is_looked_at(one: Scoped) -> None:
    """HYB-12: a filter by kind, conversation, speaker and sort of fact; all of them must hold."""
    await talk(one.mind, one.scope)
    await one.keep("Clara owns the museum.", fact_type="world", entity_refs=["Clara"])
    found = await ask(one.mind, one.scope, "Clara", where={"source": "Ada", "session": "s1"}, fusion="shares")
    assert sorted(ids(found)) == ["e0", "e2"]
    assert found.considered == 2
    facts = await ask(one.mind, one.scope, "Clara", where={"fact_type": "world"}, entity_refs=["Clara"])
    assert [hit.memory.content for hit in facts.hits] == ["Clara owns the museum."]


async def test_what_was_believed_then_has_the_trust_of_then(one: Scoped, clock: TestClock) -> None:
    """HYB-33: before the contradiction the fact was fully trusted, while it stood it was doubted, though now it is trusted
    again; both verbs show each moment."""
    await one.keep(FACT)
    trusted = to_datetime(clock.now)
    clock.advance(days=1)
    denial = await one.keep(DENIAL)
    doubted = to_datetime(clock.now)
    clock.advance(days=1)
    await one.forget(denial)
    assert [(hit.memory.content, hit.memory.trust) for hit in (await one.recall("gateway mutual TLS")).hits] == [
        (FACT, 1.0)
    ]
    for moment, shown in (
        (trusted, [(FACT, 1.0, "active")]),
        (doubted, [(DENIAL, 1.0, "active"), (FACT, 0.6, "contradicted")]),
    ):
        for found in (
            await one.recall("gateway mutual TLS", as_of=moment),
            await ask(one.mind, one.scope, "gateway mutual TLS", fusion="shares", as_of=moment),
        ):
            assert [(hit.memory.content, hit.memory.trust, hit.memory.status) for hit in found.hits] == shown
            assert found.trace.execution["as_of"] == moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


async def test_the_trace_of_the_same_settings_has_the_same_hash(one: Scoped) -> None:
    """HYB-35: the configuration's hash tells settings apart, the execution's what they ran on."""
    await one.keep("The amber kite is new.")
    first = await ask(one.mind, one.scope, "amber kite", weights={"sparse": 2})
    again = await ask(one.mind, one.scope, "amber kite", weights={"sparse": 2})
    other = await ask(one.mind, one.scope, "amber kite", weights={"sparse": 3})
    assert first.trace.config_sha256 == again.trace.config_sha256 != other.trace.config_sha256
    assert first.trace.execution_sha256 == again.trace.execution_sha256
    assert first.trace.execution["revision"] == first.revision == 1
    await one.keep("The amber kite is sold.")
    later = await ask(one.mind, one.scope, "amber kite", weights={"sparse": 2})
    assert later.trace.execution_sha256 != first.trace.execution_sha256


async def test_routing_takes_the_weights_from_the_query(one: Scoped) -> None:
    """SEEDS 4.3: what the query asks for decides the weights; the trace shows them."""
    await one.keep("The amber kite was sold in May 2025.", kind="note")
    found = await ask(one.mind, one.scope, "When was the kite sold?", route=True)
    assert (found.routing.kind, found.routing.cue) == ("temporal", "when")
    weights = {name: value for name, value in found.trace.config.items() if name.startswith("weight_")}
    assert weights == {"weight_sparse": 0.15, "weight_graph": 0.35, "weight_time": 0.2}


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"top_k": 0}, "top_k"),
        ({"top_k": 201}, "top_k"),
        ({"channel_k": 1_001}, "channel_k"),
        ({"rrf_k": -1}, "rrf_k"),
        ({"channels": ["sparse", "sparse"]}, "channels"),
        ({"channels": ["smell"]}, "channels.0"),
        ({"weights": {"sparse": -1}}, "weights"),
        ({"weights": {"sparse": float("inf")}}, "weights"),
        ({"weights": {"sparse": 0}}, "weights"),
        ({"weights": "not json"}, "weights"),
        ({"weights": {"graph": 1}, "channels": ["sparse"]}, "arguments"),
        ({"weights": {"sparse": 1}, "route": True}, "arguments"),
        ({"around": ["session"]}, "arguments"),
        ({"dense_mode": "hnsw"}, "dense_mode"),
        ({"fusion": "best"}, "fusion"),
        ({"rerank_pool": 5, "top_k": 10}, "arguments"),
        ({"rerank_pool": 101}, "rerank_pool"),
        ({"ppr_passage_seed_channel": "sparse"}, "arguments"),
        ({"ppr_passage_seed_channel": "sparse", "graph_method": "ppr", "channels": ["graph"]}, "arguments"),
        ({"evidence": {}}, "evidence.budget_tokens"),
        ({"evidence": {"budget_tokens": 0}}, "evidence.budget_tokens"),
        ({"evidence": {"budget_tokens": 9, "window": 11}}, "evidence.window"),
        ({"evidence": {"budget_tokens": 9, "lambda": 1.5}}, "evidence.lambda"),
        ({"evidence": {"budget_tokens": 9, "colour": 1}}, "evidence.colour"),
        ({"where": {"colour": "red"}}, "where.colour"),
        ({"as_of": "2026-03-01T10:00:00"}, "as_of"),
        ({"as_of": "yesterday"}, "as_of"),
        ({"variants": ["a", "b", "c", "d"]}, "variants"),
        ({"variants": ["a", "a"]}, "variants"),
        ({"query": " "}, "query"),
        ({"query": "x" * 20_001}, "query"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_bad_arguments_are_named(more: dict[str, Any], field: str) -> None:
    """HYB-33, HYB-36: ranges, combinations and unknown fields."""
    with pytest.raises(Invalid) as refused:
        Retrieve.parse({"query": "q", "scope": "s", **more})
    assert refused.value.field == field


def test_a_preset_fills_in_what_is_not_given() -> None:
    """HYP-26: five for a prompt, ten for a search, packed evidence for a reader; an argument of one's own holds."""
    asked = {"query": "q", "scope": "s"}
    assert Retrieve.parse({**asked, "preset": "inject"}).top_k == 5
    assert Retrieve.parse({**asked, "preset": "search", "top_k": 7}).top_k == 7
    packed = Retrieve.parse({**asked, "preset": "evidence"})
    assert packed.evidence is not None
    assert (packed.top_k, packed.evidence.budget_tokens, packed.evidence.strategy) == (20, 4_000, "window")
    assert Retrieve.parse({**asked, "preset": None}) == Retrieve.parse(asked)
    with pytest.raises(Invalid) as refused:
        Retrieve.parse({**asked, "preset": "all"})
    assert refused.value.field == "preset"


def test_objects_may_be_given_as_json_text() -> None:
    """The command line and some clients send nested arguments as text."""
    asked = Retrieve.parse(
        {
            "query": "q",
            "scope": "s",
            "weights": '{"sparse": 2}',
            "evidence": '{"budget_tokens": 9, "lambda": 0.5}',
            "where": None,
            "as_of": "2026-03-01T10:00:00+02:00",
        }
    )
    assert (asked.weights, asked.evidence and asked.evidence.decay, asked.where.given()) == ({"sparse": 2.0}, 0.5, {})
    assert asked.as_of == datetime(2026, 3, 1, 8, tzinfo=UTC)
