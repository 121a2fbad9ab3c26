"""Tiny ONNX models, written field by field of onnx.proto, and a tokenizer of a few words: real files for real libraries."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

WORDS: Sequence[str] = "[PAD] [UNK] [CLS] [SEP] query passage : red kite lake ferry horse seven".split()
DIMENSION = 4
TABLE = np.random.default_rng(20260301).normal(size=(len(WORDS), DIMENSION)).astype(np.float32)
"""One vector a word: what the models below make of a token before anything else."""

INPUTS = ("input_ids", "attention_mask")
_FLOAT, _INT32, _INT64 = 1, 6, 7
_KINDS = {"int32": _INT32, "int64": _INT64}


def _varint(value: int) -> bytes:
    low, rest = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])


def field(number: int, value: int | str | bytes) -> bytes:
    """One field of a message: a number, or text, bytes or a message behind their size."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def node(kind: str, inputs: Sequence[str], output: str, **numbers: int) -> bytes:
    """A NodeProto with one output; attributes are whole numbers, `axes` a list of one."""
    message = b"".join(field(1, name) for name in inputs) + field(2, output) + field(4, kind)
    for name, value in numbers.items():
        held = field(8, value) + field(20, 7) if name == "axes" else field(3, value) + field(20, 2)
        message += field(5, field(1, name) + held)
    return message


def tensor(name: str, values: np.ndarray, outside: str = "") -> bytes:
    """A TensorProto of floats, its numbers inside or in the file that `outside` names."""
    shape = b"".join(field(1, size) for size in values.shape)
    if outside:
        entry = field(1, "location") + field(2, outside)
        return shape + field(2, _FLOAT) + field(8, name) + field(13, entry) + field(14, 1)
    return shape + field(2, _FLOAT) + field(8, name) + field(9, values.tobytes())


def _port(name: str, kind: int, axes: Sequence[str]) -> bytes:
    shape = b"".join(field(1, field(2, axis)) for axis in axes)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))


@dataclass(frozen=True)
class Model:
    """A graph: its nodes lead from the inputs and `table` to `output`."""

    nodes: tuple[bytes, ...] = (node("Gather", ["table", "input_ids"], "last_hidden_state"),)
    output: str = "last_hidden_state"
    inputs: tuple[str, ...] = INPUTS
    kind: str = "int64"
    table: np.ndarray = dataclasses.field(default_factory=lambda: TABLE)
    outside: str = ""

    def written(self) -> bytes:
        """The ModelProto."""
        graph = b"".join(field(1, each) for each in self.nodes) + field(2, "tiny")
        graph += field(5, tensor("table", self.table, self.outside))
        graph += b"".join(field(11, _port(name, _KINDS[self.kind], ("n", "t"))) for name in self.inputs)
        graph += field(12, _port(self.output, _FLOAT, ()))
        return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 17))


_STATES = node("Gather", ["table", "input_ids"], "states")
PLAIN = Model()
OF_THE_BATCH = Model(
    (
        _STATES,
        node("ReduceMax", ["states"], "peak", keepdims=0),
        node("Sub", ["states", "peak"], "last_hidden_state"),
    )
)
"""Every vector depends on the largest number in the batch, as in models whose activations are quantised on the fly."""

OF_THE_PADDING = Model(
    (
        _STATES,
        node("ReduceMean", ["states"], "middle", axes=1, keepdims=1),
        node("Add", ["states", "middle"], "last_hidden_state"),
    )
)
"""Every vector depends on how much padding stands behind it: attention without a mask."""

SENTENCE = Model(
    (_STATES, node("ReduceMax", ["states"], "sentence_embedding", axes=1, keepdims=0)), "sentence_embedding"
)
"""One vector a text, made by the model itself."""

FLAT = Model((_STATES, node("ReduceMax", ["states"], "last_hidden_state", axes=1, keepdims=0)))
"""One vector a text under the name of one a token."""

WIDENING = Model(
    (_STATES, node("ReduceMax", ["states"], "sentence_embedding", axes=2, keepdims=0)), "sentence_embedding"
)
"""As many numbers a text as it has tokens."""


def tokenizer(unknown: str | None = "[UNK]") -> Tokenizer:
    """Whole words, between [CLS] and [SEP]."""
    made = Tokenizer(WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token=unknown))
    made.pre_tokenizer = Whitespace()
    made.post_processor = TemplateProcessing("[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    return made


def folder(root: Path, model: Model = PLAIN, **files: Any) -> Path:
    """A folder as hubs publish them; `files` are JSON by name: `pooling`, `modules`, `prompts`, `window` ... see `PLACES`."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "model.onnx").write_bytes(model.written())
    if model.outside:
        (root / model.outside).write_bytes(model.table.tobytes())
    (root / "tokenizer.json").write_text(tokenizer().to_str(), encoding="utf-8")
    for name, value in files.items():
        place = root / PLACES[name]
        place.parent.mkdir(exist_ok=True)
        place.write_text(json.dumps(value), encoding="utf-8")
    return root


PLACES = {
    "pooling": "1_Pooling/config.json",
    "modules": "modules.json",
    "prompts": "config_sentence_transformers.json",
    "window": "sentence_bert_config.json",
    "tokenizer_config": "tokenizer_config.json",
    "config": "config.json",
}


def states(words: str) -> np.ndarray:
    """(t, 4) what `PLAIN` makes of each token of a text, the two around it included."""
    return TABLE[[2, *(WORDS.index(word) for word in words.split()), 3]]


def unit(vector: np.ndarray) -> np.ndarray:
    """The vector at length 1."""
    return vector / np.linalg.norm(vector)
