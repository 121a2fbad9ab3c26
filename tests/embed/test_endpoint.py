"""Embedders and rerankers behind an address, against a real server that misbehaves when told to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest

from hydramind.embed.checked import CheckedEmbedder
from hydramind.embed.endpoint import OPENAI, PROBE, TEI, Form, Profile, ServiceProvider, introduce
from hydramind.embed.opening import open_embedder, open_reranker
from hydramind.embed.service import Place, Service
from hydramind.errors import BadAnswer, Misconfigured, Refused
from hydramind.settings import Settings, load
from tests.conftest import TestClock
from tests.embed.provider_server import Script, score, service, vector

both_forms = pytest.mark.parametrize("form", [OPENAI, TEI], ids=lambda form: form.kind)


def unit(model: str, text: str, dimension: int = 24) -> np.ndarray:
    """What the embedder should give for a text of the server's model."""
    row = np.array(vector(model, text, dimension))
    return (row / np.linalg.norm(row)).astype(np.float32)


@asynccontextmanager
async def embedding(
    url: str, form: Form, profile: Profile | None = None, clock: TestClock | None = None
) -> AsyncIterator[CheckedEmbedder]:
    """A checked embedder over one attempt a request, so that every fault is seen."""
    asked = Service("the probe", Place(url))
    wanted = profile or Profile("probe-model")
    known = await introduce(asked, form, wanted)
    seconds = (lambda: clock.now / 1_000) if clock else (lambda: 0.0)
    opened = CheckedEmbedder(ServiceProvider(asked, form, wanted, known, seconds))
    try:
        yield opened
    finally:
        await opened.close()


@both_forms
async def test_vectors_come_in_the_order_of_the_texts(form: Form) -> None:
    """More texts than one request may hold, each behind its prefix, cut into batches and put together again."""
    texts = [f"text {number}" for number in range(form.batch + 5)]
    with service() as (url, script):
        async with embedding(url, form, Profile("probe-model", 24, "q: ", "p: ")) as embedder:
            passages = await embedder.embed_passages(texts)
            queries = await embedder.embed_queries(texts[:2])
            assert embedder.dimension == 24
    assert np.allclose(passages, [unit("probe-model", f"p: {text}") for text in texts], atol=1e-6)
    assert np.allclose(queries, [unit("probe-model", f"q: {text}") for text in texts[:2]], atol=1e-6)
    assert [len(sent) for sent in script.texts()[-3:]] == [form.batch, 7, 2]


async def test_an_answer_in_another_order_is_put_right() -> None:
    """OpenAI's form numbers its vectors; their place in the answer means nothing."""
    with service() as (url, script):
        async with embedding(url, OPENAI) as embedder:
            script.faults = ["shuffled"]
            found = await embedder.embed_passages(["a", "b", "c"])
    assert np.allclose(found, [unit("probe-model", text) for text in "abc"], atol=1e-6)


@both_forms
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("short", "3"),
        ("long", "3"),
        ("nan", "finite numbers"),
        ("length", "a rectangular list of numbers"),
        ("zero", "vectors that are not zero"),
        ("text", "a rectangular list of numbers"),
        ("object", "3"),
        ("broken", "JSON"),
    ],
)
async def test_a_bad_answer_is_an_error(form: Form, fault: str, said: str) -> None:
    """HYB-19, HYB-20: nothing is kept of it, and the next sound answer is taken."""
    with service() as (url, script):
        async with embedding(url, form) as embedder:
            script.faults = [fault]
            with pytest.raises(BadAnswer, match=f"^the probe answered badly: expected .*{said}"):
                await embedder.embed_passages(["a", "b"])
            assert (await embedder.embed_passages(["a", "b"])).shape == (2, 24)


@pytest.mark.parametrize("fault", ["twice", "unnumbered"])
async def test_numbers_of_vectors_must_be_whole(fault: str) -> None:
    """HYB-20: an index that is missing or there twice leaves it open whose vector is whose."""
    with service() as (url, script):
        async with embedding(url, OPENAI) as embedder:
            script.faults = [fault]
            with pytest.raises(BadAnswer, match="an 'index' of its own from 0 to 2"):
                await embedder.embed_passages(["a", "b"])


@both_forms
async def test_another_model_of_the_same_size_is_refused(form: Form) -> None:
    """Passages carry the probe in every request, so not one vector of another model is kept."""
    with service() as (url, script):
        async with embedding(url, form) as embedder:
            script.model = "another"
            with pytest.raises(BadAnswer, match="the model it began with"):
                await embedder.embed_passages(["a"])
            script.model = "probe-model"
            assert (await embedder.embed_passages(["a"])).shape == (1, 24)


async def test_a_model_of_another_size_is_refused() -> None:
    """HYB-19: exactly the dimension of the first answer."""
    with service() as (url, script):
        async with embedding(url, TEI) as embedder:
            script.dimension = 25
            with pytest.raises(BadAnswer, match="2 vectors of 24 numbers, not shape"):
                await embedder.embed_passages(["a"])


async def test_queries_meet_the_probe_once_a_minute(clock: TestClock) -> None:
    """A query is one text for a minute after a probe was answered well, then two."""
    with service() as (url, script):
        async with embedding(url, TEI, clock=clock) as embedder:
            await embedder.embed_queries(["a"])
            clock.advance(seconds=61)
            await embedder.embed_queries(["b"])
            await embedder.embed_queries(["c"])
            assert script.texts()[1:] == [["a"], ["b", PROBE], ["c"]]
            clock.advance(seconds=61)
            script.model = "another"
            with pytest.raises(BadAnswer, match="the model it began with"):
                await embedder.embed_queries(["d"])


async def test_an_answer_that_names_another_model_is_refused() -> None:
    """OpenAI's form names the model that answered: a change is seen by the first query after it."""
    with service() as (url, script):
        async with embedding(url, OPENAI) as embedder:
            script.reported = "probe-model-2"
            with pytest.raises(BadAnswer, match="the model it began with"):
                await embedder.embed_queries(["a"])


async def identity(script: Script, form: Form, profile: Profile) -> str:
    """The identity that a service gets."""
    with service(script) as (url, _):
        async with embedding(url, form, profile) as embedder:
            return embedder.identity


async def test_the_identity_changes_with_whatever_changes_a_vector() -> None:
    """Model, name, dimension, prefixes and form; a restart at another port changes nothing."""
    profile = Profile("probe-model")
    first = await identity(Script(), OPENAI, profile)
    others = [
        await identity(Script(model="another"), OPENAI, profile),
        await identity(Script(dimension=25), OPENAI, profile),
        await identity(Script(), OPENAI, Profile("other-name")),
        await identity(Script(), OPENAI, Profile("probe-model", query_prefix="q: ")),
        await identity(Script(), OPENAI, Profile("probe-model", passage_prefix="q: ")),
        await identity(Script(), TEI, profile),
    ]
    assert first == await identity(Script(), OPENAI, profile)
    assert len({first, *others}) == 7
    assert max(map(len, others)) <= 300


@both_forms
@pytest.mark.parametrize("text", ["", "\0", "\ud800", "x" * 9_000])
async def test_any_text_can_be_sent(form: Form, text: str) -> None:
    """Services refuse an empty text, JSON a lone surrogate, and a window too long a text."""
    with service() as (url, script):
        async with embedding(url, form) as embedder:
            assert (await embedder.embed_queries([text])).shape == (1, 24)
    assert script.texts()[-1] == [{"": " ", "\0": " ", "\ud800": "?"}.get(text, "x" * 8_000)]


@pytest.mark.parametrize("fault", ["short", "nan", "zero", "object", "flat"])
async def test_a_service_that_cannot_be_used_is_not_opened(fault: str) -> None:
    """HYB-19: told at the start, not by the first memory."""
    with (
        service(Script(faults=[fault])) as (url, _),
        pytest.raises(BadAnswer, match=r"^the tei embedder answered badly"),
    ):
        open_embedder(settings("tei", url))


def settings(kind: str, url: str, **more: Any) -> Settings:
    """Settings that name a service."""
    return load({}, embedder=kind, embedder_url=url, **more)


async def test_settings_name_an_openai_service() -> None:
    """Address with or without `/v1`, key, model, dimension and prefixes all reach the service."""
    with service() as (url, script):
        for address in (url, f"{url}/v1", f"{url}/v1/"):
            opened = open_embedder(
                settings("openai", address, embedder_model="m", embedder_key="k-probe", embedder_query_prefix="query: ")
            )
            assert opened is not None
            assert (await opened.embed_queries(["x"])).shape == (1, 24)
            await opened.close()
            assert opened.identity.startswith("openai m d24 probe:")
        path, body, authorization = script.requests[-1]
    assert (path, authorization) == ("/v1/embeddings", "Bearer k-probe")
    assert body == {"model": "m", "input": ["query: x"], "encoding_format": "float"}


async def test_settings_name_a_tei_service() -> None:
    """Its model and revision come from `/info` when the settings do not name it."""
    with service() as (url, script):
        opened = open_embedder(settings("tei", url))
        assert opened is not None
        assert opened.identity.startswith("tei probe-model@abc123 d24 probe:")
        assert (await opened.embed_queries(["x"])).shape == (1, 24)
        await opened.close()
        script.reported = None
        with pytest.raises(BadAnswer, match="'model_id' in the answer of /info"):
            open_embedder(settings("tei", url))


@pytest.mark.parametrize(
    ("changed", "error", "said"),
    [
        ({"embedder_url": ""}, Misconfigured, "HYDRAMIND_EMBEDDER_URL must name the service"),
        ({"embedder_model": ""}, Misconfigured, "HYDRAMIND_EMBEDDER_MODEL must name the model"),
        ({"embedder_url": "localhost:80"}, Misconfigured, "is not the address of a service"),
        ({"embedder_url": "ftp://127.0.0.1"}, Misconfigured, "is not the address of a service"),
        ({"embedder_url": "http://u:hunter2@127.0.0.1"}, Misconfigured, "holds neither credentials"),
        ({"embedder_url": "https://service.invalid"}, Refused, "set HYDRAMIND_EMBEDDER_BUDGET"),
        ({"embedder_url": "http://192.0.2.1:80"}, Refused, "is not on this machine"),
        ({"embedder_dimension": 25}, BadAnswer, "1 vectors of 25 numbers"),
    ],
)
def test_settings_that_contradict_each_other_do_not_open(changed: dict[str, Any], error: type, said: str) -> None:
    """HYB-21: what may cost money needs a budget, and nothing is sent before that is known."""
    with service() as (url, _):
        given = {"embedder": "openai", "embedder_url": url, "embedder_model": "m"} | changed
        with pytest.raises(error, match=said) as caught:
            open_embedder(load({}, **given))
    assert "hunter2" not in str(caught.value)


async def test_a_reranker_scores_every_text_in_its_place() -> None:
    """HYB-9: TEI answers best first; scores come back in the order of the texts, over several requests."""
    texts = [f"alpha {number} beta" if number % 3 else "gamma" for number in range(40)]
    with service() as (url, script):
        reranker = open_reranker(load({}, reranker_url=url, reranker_key="k-probe"))
        assert reranker is not None
        assert reranker.identity == "tei-rerank probe-model@abc123"
        found = await reranker.scores("alpha beta", texts)
        assert (await reranker.scores("alpha", [])).shape == (0,)
        await reranker.close()
    assert found.tolist() == [score("alpha beta", text) for text in texts]
    assert [len(sent) for sent in script.texts()] == [0, 32, 8]
    assert script.requests[-1][2] == "Bearer k-probe"


@pytest.mark.parametrize(
    ("fault", "said"),
    [("short", "2 entries"), ("twice", "2 entries"), ("score", "finite scores"), ("object", "2 entries")],
)
async def test_a_bad_answer_of_a_reranker_is_an_error(fault: str, said: str) -> None:
    """HYB-9, HYB-20: it did not run, so nobody may think that it did."""
    with service() as (url, script):
        reranker = open_reranker(load({}, reranker_url=url, reranker_model="judge"))
        assert reranker is not None
        assert reranker.identity == "tei-rerank judge"
        script.faults = [fault]
        with pytest.raises(BadAnswer, match=f"^the reranker answered badly: expected {said}"):
            await reranker.scores("alpha", ["alpha", "beta"])
        await reranker.close()


def test_no_reranker_is_the_default() -> None:
    """Nothing is asked of anyone."""
    assert open_reranker(load({})) is None
