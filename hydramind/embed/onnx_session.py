"""An ONNX text model and its tokenizer, opened by onnxruntime and tokenizers: tokens in, one vector a text out."""

from __future__ import annotations

import hashlib
import importlib
import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from hydramind.embed.onnx_folder import Folder
from hydramind.errors import BadAnswer, Misconfigured

_log = logging.getLogger(__name__)

NAME: Final = "the onnx embedder"
MAX_CHARACTERS: Final = 8_000
"""What is read of a text before its tokens are counted."""

THREADS: Final = 4
"""Processors used at most; short texts gain nothing from more."""

SENTENCE: Final = "sentence_embedding"
TOKENS: Final = ("last_hidden_state", "token_embeddings")
"""Outputs that are understood: one vector a text, or one a token. Others by number alone could be a classifier's."""

_INPUT_TYPES: Final[Mapping[str, type[np.integer[Any]]]] = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
_EXTRA: Final = "install it with the extra: pip install 'hydramind[onnx]'"

Tokens = list[int]
Numbers = NDArray[np.floating[Any]]
Mask = NDArray[np.bool_]


class _Port(Protocol):
    name: str
    type: str


class _Session(Protocol):
    def get_inputs(self) -> Sequence[_Port]: ...

    def get_outputs(self) -> Sequence[_Port]: ...

    def run(self, outputs: Sequence[str], inputs: Mapping[str, NDArray[Any]]) -> Sequence[object]: ...


class _Encoded(Protocol):
    ids: Tokens


class _Tokenizer(Protocol):
    def encode(self, text: str) -> _Encoded: ...


@dataclass(frozen=True, slots=True)
class _Library:
    """onnxruntime and tokenizers, imported when the first folder is opened."""

    runtime: Any
    tokenizers: Any

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        """What a session raises: onnxruntime's own errors share no class of their own."""
        state = importlib.import_module("onnxruntime.capi.onnxruntime_pybind11_state")
        own = [kind for kind in vars(state).values() if isinstance(kind, type) and issubclass(kind, Exception)]
        return (*own, ValueError, RuntimeError)


@dataclass(frozen=True, slots=True)
class Runner:
    """A session and a tokenizer. `inputs` are the types of what the session asks for, `pooling` is that of the folder, or
    `sentence_embedding` where the model does it; `failures` are the errors that the session may raise."""

    session: _Session
    tokenizer: _Tokenizer
    tokenizer_sha256: str
    inputs: Mapping[str, type[np.integer[Any]]]
    output: str
    pooling: tuple[str, ...]
    padding: int
    failures: tuple[type[Exception], ...]

    @classmethod
    def open(cls, folder: Folder) -> Self:
        """Read the folder's model and tokenizer; raises `Misconfigured` for what cannot be used."""
        library = _library()
        failures = library.failures
        data = folder.tokenizer.read_bytes()
        tokenizer, padding = _tokenizer(library, folder, data)
        session = _session(library, failures, folder.model)
        output, pooling = _output(session, folder)
        return cls(
            session=session,
            tokenizer=tokenizer,
            tokenizer_sha256=hashlib.sha256(data).hexdigest(),
            inputs=_inputs(session, folder.model),
            output=output,
            pooling=pooling,
            padding=padding,
            failures=failures,
        )

    def tokens(self, text: str) -> Tokens:
        """The ids of a text's tokens, cut to the window; one of padding where it has none, so that it has a vector."""
        readable = text[:MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
        try:
            found = self.tokenizer.encode(readable).ids
        except Exception as error:
            # It raises the class of all errors itself, and nothing else is meant here.
            if type(error) is not Exception:
                raise
            raise BadAnswer(NAME, f"the tokens of a text, and its tokenizer says {_line(error)!r}") from None
        return found or [self.padding]

    def run(self, rows: Sequence[Tokens]) -> Numbers:
        """(n, d) vectors of any length, none of them checked but for what their number is; raises `BadAnswer`."""
        mask = _padded([[1] * len(row) for row in rows], 0) > 0
        given: Mapping[str, NDArray[Any]] = {
            "input_ids": _padded(rows, self.padding),
            "attention_mask": mask,
            "token_type_ids": np.zeros(mask.shape, np.int64),
            "position_ids": _padded([range(len(row)) for row in rows], 0),
        }
        feed = {name: np.ascontiguousarray(given[name], kind) for name, kind in self.inputs.items()}
        try:
            (answer,) = self.session.run([self.output], feed)
        except self.failures as error:
            raise BadAnswer(NAME, f"vectors, and onnxruntime says {_line(error)!r}") from None
        return self._sentences(np.asarray(answer), mask)

    def _sentences(self, answer: Numbers, mask: Mask) -> Numbers:
        expected = (len(mask),) if self.pooling == (SENTENCE,) else mask.shape
        if answer.ndim != len(expected) + 1 or answer.shape[:-1] != expected or answer.dtype.kind != "f":
            raise BadAnswer(NAME, f"{self.output!r} of shape {(*expected, 'd')}, not {answer.shape} of {answer.dtype}")
        numbers = answer.astype(np.float32)
        if self.pooling == (SENTENCE,):
            return numbers
        return np.concatenate([pooled(mode, numbers, mask) for mode in self.pooling], axis=1)


def _library() -> _Library:
    found: list[Any] = []
    for package in ("onnxruntime", "tokenizers"):
        try:
            found.append(importlib.import_module(package))
        except ImportError as error:
            raise Misconfigured(
                f"HYDRAMIND_EMBEDDER is 'onnx', but the package {package!r} cannot be imported ({_line(error)}); {_EXTRA}"
            ) from None
    runtime, tokenizers = found
    runtime.disable_telemetry_events()
    return _Library(runtime, tokenizers)


def _tokenizer(library: _Library, folder: Folder, data: bytes) -> tuple[_Tokenizer, int]:
    """The tokenizer in the file's bytes, told to cut at the window and to leave padding to us; and what it would pad with."""
    try:
        opened = library.tokenizers.Tokenizer.from_buffer(data)
    except ValueError as error:
        raise Misconfigured(f"{str(folder.tokenizer)!r} is not a tokenizer: {_line(error)}") from None
    padding = opened.padding["pad_id"] if opened.padding else 0
    opened.no_padding()
    opened.enable_truncation(folder.window)
    return opened, padding


def _session(library: _Library, failures: tuple[type[Exception], ...], model: Path) -> _Session:
    options = library.runtime.SessionOptions()
    options.intra_op_num_threads = min(THREADS, os.cpu_count() or 1)
    options.inter_op_num_threads = 1
    # What goes wrong is raised, and told in our own words: only what ends the process is printed by the library.
    options.log_severity_level = 4
    # Threads that spin while they wait take the cores from everything else in the process.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return library.runtime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except failures as error:
        raise Misconfigured(f"{str(model)!r} cannot be opened: {_line(error)}") from None


def _inputs(session: _Session, model: Path) -> dict[str, type[np.integer[Any]]]:
    """Type by name of what the session asks for; raises `Misconfigured` for an input that no tokenizer gives."""
    known = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
    asked = {port.name: port.type for port in session.get_inputs()}
    strange = [name for name, kind in asked.items() if name not in known or kind not in _INPUT_TYPES]
    if strange or "input_ids" not in asked:
        raise Misconfigured(
            f"{str(model)!r} asks for {', '.join(map(repr, strange or asked))}; a text embedder asks for whole numbers, "
            f"{', '.join(map(repr, known))}"
        )
    return {name: _INPUT_TYPES[kind] for name, kind in asked.items()}


def _output(session: _Session, folder: Folder) -> tuple[str, tuple[str, ...]]:
    """The output that is read, and how it becomes a vector; raises `Misconfigured` when the model has none that is known."""
    given = [port.name for port in session.get_outputs()]
    if SENTENCE in given:
        return SENTENCE, (SENTENCE,)
    found = next((name for name in TOKENS if name in given), None)
    if found is None:
        raise Misconfigured(
            f"{str(folder.model)!r} gives {', '.join(map(repr, given))}, not {SENTENCE!r} or {TOKENS[0]!r}: "
            "export it as a sentence-transformers model"
        )
    if folder.unknown:
        raise Misconfigured(
            f"{str(folder.model)!r} needs the module {folder.unknown[0]!r} after it: export it with the output {SENTENCE!r}"
        )
    if not folder.pooling:
        _log.warning("the folder of %r does not say how tokens become a vector; their mean is taken", str(folder.model))
    return found, folder.pooling or ("mean",)


def pooled(mode: str, states: Numbers, mask: Mask) -> Numbers:
    """(n, d) one vector a text of (n, t, d) one a token; `mask` (n, t) has what is text, padding stands behind it."""
    held = mask[:, :, None]
    if mode == "cls":
        return states[:, 0]
    if mode == "last":
        return states[np.arange(len(states)), mask.sum(axis=1) - 1]
    if mode == "max":
        return np.where(held, states, -np.inf).max(axis=1)
    return np.where(held, states, 0.0).sum(axis=1) / mask.sum(axis=1)[:, None]


def _padded(rows: Sequence[Sequence[int]], filling: int) -> NDArray[np.int64]:
    found = np.full((len(rows), max(map(len, rows))), filling, np.int64)
    for row, values in zip(found, rows, strict=True):
        row[: len(values)] = values
    return found


def _line(error: Exception) -> str:
    """The first line of what a library says, cut: the rest is its stack or the model's own text."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
