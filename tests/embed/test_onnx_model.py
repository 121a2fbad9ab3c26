"""A folder's model, run: what becomes of tokens, that neighbours change nothing, and what is refused."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("onnxruntime", reason="onnxruntime has no wheel for this platform", exc_type=ImportError)

from hydramind.embed.onnx_model import batches
from hydramind.embed.onnx_session import pooled
from hydramind.embed.opening import open_embedder
from hydramind.embed.protocol import Embedder
from hydramind.errors import BadAnswer, Misconfigured
from hydramind.settings import load
from tests.embed.onnx_models import (
    DIMENSION,
    FLAT,
    OF_THE_BATCH,
    OF_THE_PADDING,
    PLAIN,
    SENTENCE,
    TABLE,
    WIDENING,
    Model,
    folder,
    node,
    states,
    tokenizer,
    unit,
)

MEAN = {"pooling_mode_mean_tokens": True}
TEXTS = [" ".join(["red", "kite", "lake", "ferry", "horse"][: number % 6]) for number in range(40)]


@asynccontextmanager
async def embedding(root: Path, **settings: Any) -> AsyncIterator[Embedder]:
    """The embedder that the settings open."""
    opened = open_embedder(load({}, embedder="onnx", embedder_path=str(root), **settings))
    assert opened is not None
    try:
        yield opened
    finally:
        await opened.close()


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        (MEAN, lambda rows: rows.mean(axis=0)),
        ({"pooling_mode_cls_token": True}, lambda rows: rows[0]),
        ({"pooling_mode_max_tokens": True}, lambda rows: rows.max(axis=0)),
        ({"pooling_mode_lasttoken": True, "pooling_mode_cls_token": False}, lambda rows: rows[-1]),
        ({"pooling_mode": "mean"}, lambda rows: rows.mean(axis=0)),
        ({"pooling_mode": "lasttoken"}, lambda rows: rows[-1]),
        (MEAN | {"pooling_mode_cls_token": True}, lambda rows: np.concatenate([rows[0], rows.mean(axis=0)])),
    ],
    ids=["mean", "cls", "max", "last", "named", "last named", "joined"],
)
async def test_tokens_become_a_vector_as_the_folder_says(
    tmp_path: Path, pooling: dict[str, Any], expected: Any
) -> None:
    """Both forms of the config, for texts of different lengths in one batch; padding counts for nothing."""
    texts = ["red kite", "lake", "red ferry horse seven"]
    async with embedding(folder(tmp_path, pooling=pooling)) as embedder:
        found = await embedder.embed_passages(texts)
    assert np.allclose(found, [unit(expected(states(text))) for text in texts], atol=1e-6)


@pytest.mark.parametrize(
    "model",
    [PLAIN, replace(PLAIN, outside="weights.bin"), OF_THE_BATCH, OF_THE_PADDING, SENTENCE],
    ids=["plain", "weights outside", "batch", "padding", "own"],
)
async def test_a_vector_does_not_depend_on_its_neighbours(tmp_path: Path, model: Model) -> None:
    """Also where the model itself looks over the whole batch or its padding: then it gets one text at a time."""
    async with embedding(folder(tmp_path, model, pooling=MEAN)) as embedder:
        together = await embedder.embed_passages(TEXTS)
        assert together.shape == (len(TEXTS), DIMENSION)
        for place in (0, 5, 22, 39):
            assert np.allclose((await embedder.embed_queries([TEXTS[place]]))[0], together[place], atol=1e-6)


async def test_the_models_own_vector_is_taken_as_it_is(tmp_path: Path) -> None:
    """`sentence_embedding` holds its pooling and its last modules: what the folder says of them is done already."""
    modules = [{"type": "sentence_transformers.models.Dense", "path": "2_Dense"}]
    async with embedding(folder(tmp_path, SENTENCE, pooling=MEAN, modules=modules)) as embedder:
        (found,) = await embedder.embed_passages(["red kite"])
        assert "sentence_embedding" in embedder.identity
    assert np.allclose(found, unit(states("red kite").max(axis=0)), atol=1e-6)


@pytest.mark.parametrize("kind", ["int64", "int32"])
async def test_the_session_gets_the_inputs_that_it_asks_for(tmp_path: Path, kind: str) -> None:
    """Positions count from 0, types are 0, the mask is 1 for text: of the type that the model declares."""
    nodes = (
        node("Add", ["position_ids", "token_type_ids"], "places"),
        node("Add", ["places", "attention_mask"], "shifted"),
        node("Gather", ["table", "shifted"], "last_hidden_state"),
    )
    model = Model(nodes, inputs=("input_ids", "position_ids", "token_type_ids", "attention_mask"), kind=kind)
    root = folder(tmp_path, model, pooling={"pooling_mode_lasttoken": True}, window={"max_seq_length": 8})
    async with embedding(root) as embedder:
        found = await embedder.embed_passages(["red kite", "lake"])
    assert np.allclose(found, [unit(TABLE[4]), unit(TABLE[3])], atol=1e-6)


@pytest.mark.parametrize("text", ["", " ", "\0", "\ud800", "👩‍👩‍👧 ok", "red " * 5_000])
async def test_any_text_has_a_vector(tmp_path: Path, text: str) -> None:
    """Also one of no tokens, of what UTF-8 cannot hold, or far beyond the window."""
    root = folder(tmp_path, pooling=MEAN)
    bare = tokenizer()
    bare.post_processor = None  # type: ignore[assignment]
    (root / "tokenizer.json").write_text(bare.to_str(), encoding="utf-8")
    async with embedding(root) as embedder:
        found = await embedder.embed_passages([text, "red kite"])
    assert found.shape == (2, DIMENSION)


async def test_a_text_is_cut_at_the_window(tmp_path: Path) -> None:
    """Tokens past `max_seq_length` change nothing, the last one before it does; the end mark stays."""
    async with embedding(folder(tmp_path, pooling=MEAN, window={"max_seq_length": 5})) as embedder:
        kept, longer, other = await embedder.embed_passages(["red kite lake", "red kite lake ferry", "red kite seven"])
    assert np.array_equal(kept, longer)
    assert not np.allclose(kept, other)
    assert np.allclose(kept, unit(states("red kite lake").mean(axis=0)), atol=1e-6)


async def test_the_tokenizers_own_padding_is_not_text(tmp_path: Path) -> None:
    """Many files say to pad to a fixed length and to cut short: neither is done, and what pads is masked."""
    root = folder(tmp_path, pooling=MEAN, window={"max_seq_length": 9})
    padding = tokenizer()
    padding.enable_padding(length=20, pad_id=7)
    padding.enable_truncation(max_length=3)
    (root / "tokenizer.json").write_text(padding.to_str(), encoding="utf-8")
    texts = ["red kite", "red lake ferry horse"]
    async with embedding(root) as embedder:
        found = await embedder.embed_passages(texts)
    assert np.allclose(found, [unit(states(text).mean(axis=0)) for text in texts], atol=1e-6)


async def test_prefixes_stand_before_the_text(tmp_path: Path) -> None:
    """Queries and passages are told apart as the settings say."""
    async with embedding(
        folder(tmp_path, pooling=MEAN), embedder_query_prefix="query : ", embedder_passage_prefix="passage : "
    ) as embedder:
        (asked,) = await embedder.embed_queries(["red"])
        (found,) = await embedder.embed_passages(["red"])
    assert np.allclose(asked, unit(states("query : red").mean(axis=0)), atol=1e-6)
    assert np.allclose(found, unit(states("passage : red").mean(axis=0)), atol=1e-6)


@pytest.mark.parametrize(("number", "said"), [(np.nan, "finite numbers"), (np.inf, "finite numbers")])
async def test_numbers_that_are_none_are_refused(tmp_path: Path, number: float, said: str) -> None:
    """HYB-19, HYB-20: one bad row spoils the answer and is named."""
    table = TABLE.copy()
    table[7] = number
    async with embedding(folder(tmp_path, replace(PLAIN, table=table), pooling=MEAN)) as embedder:
        assert (await embedder.embed_passages(["kite"])).shape == (1, DIMENSION)
        with pytest.raises(BadAnswer, match=rf"^the onnx embedder answered badly: expected {said} \(wrong at 1\)"):
            await embedder.embed_passages(["kite", "red", "lake"])


async def test_a_model_that_cannot_read_a_token_is_an_error(tmp_path: Path) -> None:
    """A table with fewer rows than the tokenizer has words: the run fails and says so, and the next text is read."""
    async with embedding(folder(tmp_path, replace(PLAIN, table=TABLE[:12]), pooling=MEAN)) as embedder:
        with pytest.raises(BadAnswer, match=r"expected vectors, and onnxruntime says .*Gather"):
            await embedder.embed_passages(["seven"])
        assert (await embedder.embed_passages(["red"])).shape == (1, DIMENSION)


async def test_a_tokenizer_without_a_word_for_the_unknown_is_an_error(tmp_path: Path) -> None:
    """Its own error is told, not thrown through."""
    root = folder(tmp_path, pooling=MEAN)
    (root / "tokenizer.json").write_text(tokenizer(unknown="[NONE]").to_str(), encoding="utf-8")
    with pytest.raises(BadAnswer, match=r"expected the tokens of a text, and its tokenizer says '.*"):
        open_embedder(load({}, embedder="onnx", embedder_path=str(root)))


@pytest.mark.parametrize(
    ("model", "error", "said"),
    [
        (FLAT, BadAnswer, r"'last_hidden_state' of shape \(1, \d+, 'd'\), not \(1, 4\) of float32"),
        (WIDENING, BadAnswer, r"expected vectors of \d+ numbers, not of \d+"),
        (
            replace(PLAIN, output="logits", nodes=(node("Gather", ["table", "input_ids"], "logits"),)),
            Misconfigured,
            "gives 'logits', not",
        ),
        (
            replace(PLAIN, inputs=("input_ids", "pixel_values")),
            Misconfigured,
            "asks for 'pixel_values'; a text embedder asks for",
        ),
        (
            replace(PLAIN, nodes=(node("Nonsense", ["table"], "last_hidden_state"),)),
            Misconfigured,
            "cannot be opened: .*Nonsense",
        ),
    ],
    ids=["rank", "width", "output", "input", "operator"],
)
def test_a_model_of_another_kind_does_not_open(tmp_path: Path, model: Model, error: type[Exception], said: str) -> None:
    """Nothing is guessed from the number of outputs: a classifier's scores are no vectors."""
    with pytest.raises(error, match=said):
        open_embedder(load({}, embedder="onnx", embedder_path=str(folder(tmp_path, model, pooling=MEAN))))


def test_a_module_that_only_the_model_could_run_is_refused(tmp_path: Path) -> None:
    """A projection after the pooling would be left out in silence."""
    modules = [
        {"type": f"sentence_transformers.models.{kind}", "path": ""} for kind in ("Transformer", "Pooling", "Dense")
    ]
    with pytest.raises(
        Misconfigured, match=r"needs the module 'Dense' after it: export it with the output 'sentence_embedding'"
    ):
        open_embedder(load({}, embedder="onnx", embedder_path=str(folder(tmp_path, modules=modules))))


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_a_missing_package_says_what_to_install(tmp_path: Path, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The libraries are an extra: without them only this embedder is missing."""
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(Misconfigured, match=rf"the package '{package}' cannot be imported .*hydramind\[onnx\]"):
        open_embedder(load({}, embedder="onnx", embedder_path=str(folder(tmp_path))))


def test_another_dimension_than_the_settings_say_is_refused(tmp_path: Path) -> None:
    """HYB-19: exactly the number that was promised."""
    root = folder(tmp_path, pooling=MEAN)
    with pytest.raises(Misconfigured, match=r"HYDRAMIND_EMBEDDER_DIMENSION is 5, but the model of .* gives 4 numbers"):
        open_embedder(load({}, embedder="onnx", embedder_path=str(root), embedder_dimension=5))


@given(st.lists(st.integers(1, 3_000), max_size=60), st.booleans())
def test_every_text_is_run_once(lengths: list[int], alone: bool) -> None:
    """Batches are short, and hold few tokens unless one text alone has more."""
    made = list(batches(lengths, alone=alone))
    assert sorted(place for batch in made for place in batch) == list(range(len(lengths)))
    assert all(len(batch) <= (1 if alone else 16) for batch in made)
    assert all(len(batch) == 1 or len(batch) * max(lengths[place] for place in batch) <= 1_024 for batch in made)


@pytest.mark.parametrize("mode", ["cls", "max", "mean", "last"])
@given(data=st.data(), size=st.integers(1, 5), padding=st.integers(0, 4))
def test_what_stands_in_the_padding_is_not_read(mode: str, data: st.DataObject, size: int, padding: int) -> None:
    """Whatever a model computes there, not even a number, the vector is that of the text."""
    rows = np.array(
        data.draw(st.lists(st.lists(st.floats(-9, 9), min_size=2, max_size=2), min_size=size, max_size=size))
    )
    padded = np.concatenate([rows, np.full((padding, 2), np.nan)])
    mask = np.arange(size + padding) < size
    assert np.array_equal(pooled(mode, padded[None], mask[None]), pooled(mode, rows[None], np.ones((1, size), bool)))
