"""Runs an ONNX embedder by onnxruntime, on the tokens of its own tokenizer: batches by length, pooling, threads that end."""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import json
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from hydramind.embed.checked import vectors
from hydramind.embed.onnx_folder import Folder
from hydramind.embed.onnx_weights import fingerprint
from hydramind.embed.protocol import Vectors
from hydramind.errors import BadAnswer, Misconfigured

_log = logging.getLogger(__name__)

MAX_CHARACTERS: Final = 8_000
"""What is read of a text before its tokens are counted."""

THREADS: Final = 4
"""Processors used at most; short texts gain nothing from more."""

SENTENCE: Final = "sentence_embedding"
TOKENS: Final = ("last_hidden_state", "token_embeddings")
"""Outputs that are understood: one vector a text, or one a token. Others by number alone could be a classifier's."""

PROBES: Final = ("a ferry", "nine grey horses crossed the lake by ferry; nobody counted them on the other side, 1924")

_BATCH: Final = 16
_BATCH_TOKENS: Final = 1_024
"""Tokens of a batch with its padding: larger ones are slower on a few cores."""

_ALONE_TOLERANCE: Final = 1e-4
"""Difference to the vector of the same text alone, up to which a batch changes nothing but rounding."""

_NAME: Final = "the onnx embedder"
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
    padding: Mapping[str, Any] | None

    def encode(self, text: str) -> _Encoded: ...


class OnnxProvider:
    """Vectors from a folder's model. Opening reads, hashes and tries it, which takes a moment: not for an event loop.

    Where padding or the texts beside it change a text's vector (models quantised on the fly do that), each text is run alone.
    Queries have a thread of their own, so they wait for each other but at most for one running batch of passages.
    """

    name = _NAME
    unit = False

    def __init__(self, folder: Folder) -> None:
        self._runner = _Runner(folder)
        self._folder = folder
        probe = [self._runner.tokens(text) for text in PROBES]
        self.dimension = self._runner.run(probe[:1]).shape[1]
        self.identity = _identity(folder, self._runner)
        apart = vectors(self, np.concatenate([self._rows([tokens]) for tokens in probe]), len(probe))
        together = vectors(self, self._rows(probe), len(probe))
        self._alone = bool(np.abs(apart - together).max() > _ALONE_TOLERANCE)
        self._queries = ThreadPoolExecutor(1, "hydramind-embed-queries")
        self._passages = ThreadPoolExecutor(1, "hydramind-embed-passages")

    async def embed_queries(self, texts: Sequence[str]) -> object:
        """Vectors of the texts behind the query prefix."""
        return await self._embed(self._queries, self._folder.query_prefix, texts)

    async def embed_passages(self, texts: Sequence[str]) -> object:
        """Vectors of the texts behind the passage prefix."""
        return await self._embed(self._passages, self._folder.passage_prefix, texts)

    async def close(self) -> None:
        """Wait for the running batch and let the threads end."""
        for pool in (self._queries, self._passages):
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)

    async def _embed(self, pool: ThreadPoolExecutor, prefix: str, texts: Sequence[str]) -> Vectors:
        loop = asyncio.get_running_loop()
        tokens = [await loop.run_in_executor(pool, self._runner.tokens, prefix + text) for text in texts]
        found = np.empty((len(texts), self.dimension), np.float32)
        for batch in batches([len(row) for row in tokens], alone=self._alone):
            found[batch] = await loop.run_in_executor(pool, self._rows, [tokens[place] for place in batch])
        return found

    def _rows(self, tokens: Sequence[Tokens]) -> Numbers:
        rows = self._runner.run(tokens)
        if rows.shape[1] != self.dimension:
            raise BadAnswer(self.name, f"vectors of {self.dimension} numbers, not of {rows.shape[1]}")
        return rows


def batches(lengths: Sequence[int], *, alone: bool = False) -> Iterator[list[int]]:
    """Places of texts to run together, shortest first: at most 16, of little padding; every place once."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lambda place: lengths[place]):
        if batch and (alone or len(batch) == _BATCH or (len(batch) + 1) * lengths[place] > _BATCH_TOKENS):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


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


class _Runner:
    """A session and a tokenizer. `pooling` is that of the folder, or `sentence_embedding` where the model does it."""

    def __init__(self, folder: Folder) -> None:
        library = _library()
        self.tokenizer_sha256, self._tokenizer = _tokenizer(library, folder)
        self.weights_sha256 = fingerprint(folder.model)
        self._failures = library.failures
        self._session = _session(library, self._failures, folder.model)
        self._inputs = _inputs(self._session, folder.model)
        self._output, self.pooling = _output(self._session, folder)
        self._pad = int((self._tokenizer.padding or {}).get("pad_id", 0))
        cast(Any, self._tokenizer).no_padding()
        cast(Any, self._tokenizer).enable_truncation(folder.window)

    def tokens(self, text: str) -> Tokens:
        """The ids of a text's tokens, cut to the window; one of padding where it has none, so that it has a vector."""
        readable = text[:MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
        try:
            found = self._tokenizer.encode(readable).ids
        except Exception as error:
            # It raises the class of all errors itself, and nothing else is meant here.
            if type(error) is not Exception:
                raise
            raise BadAnswer(_NAME, f"the tokens of a text, and its tokenizer says {_line(error)!r}") from None
        return found or [self._pad]

    def run(self, rows: Sequence[Tokens]) -> Numbers:
        """(n, d) vectors of any length, none of them checked but for what their number is; raises `BadAnswer`."""
        mask = _padded([[1] * len(row) for row in rows], 0) > 0
        given: Mapping[str, NDArray[Any]] = {
            "input_ids": _padded(rows, self._pad),
            "attention_mask": mask,
            "token_type_ids": np.zeros(mask.shape, np.int64),
            "position_ids": _padded([range(len(row)) for row in rows], 0),
        }
        feed = {name: np.ascontiguousarray(given[name], kind) for name, kind in self._inputs.items()}
        try:
            (answer,) = self._session.run([self._output], feed)
        except self._failures as error:
            raise BadAnswer(_NAME, f"vectors, and onnxruntime says {_line(error)!r}") from None
        return self._sentences(np.asarray(answer), mask)

    def _sentences(self, answer: Numbers, mask: Mask) -> Numbers:
        expected = (len(mask),) if self.pooling == (SENTENCE,) else mask.shape
        if answer.ndim != len(expected) + 1 or answer.shape[:-1] != expected or answer.dtype.kind != "f":
            raise BadAnswer(
                _NAME, f"{self._output!r} of shape {(*expected, 'd')}, not {answer.shape} of {answer.dtype}"
            )
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


def _tokenizer(library: _Library, folder: Folder) -> tuple[str, _Tokenizer]:
    data = folder.tokenizer.read_bytes()
    try:
        opened = library.tokenizers.Tokenizer.from_buffer(data)
    except ValueError as error:
        raise Misconfigured(f"{str(folder.tokenizer)!r} is not a tokenizer: {_line(error)}") from None
    return hashlib.sha256(data).hexdigest(), opened


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


def _identity(folder: Folder, runner: _Runner) -> str:
    """The name, then all that a vector depends on: two folders that agree from `sha256:` on give the same vectors."""
    prefixes = json.dumps([folder.query_prefix, folder.passage_prefix, MAX_CHARACTERS])
    told = hashlib.sha256(prefixes.encode("utf-8", "replace")).hexdigest()
    pooling = "+".join(runner.pooling)
    return (
        f"onnx {folder.name[:120]} sha256:{runner.weights_sha256[:16]} tokenizer:{runner.tokenizer_sha256[:12]} "
        f"{pooling} {folder.window} prefixes:{told[:12]}"
    )


def _padded(rows: Sequence[Sequence[int]], filling: int) -> NDArray[np.int64]:
    found = np.full((len(rows), max(map(len, rows))), filling, np.int64)
    for row, values in zip(found, rows, strict=True):
        row[: len(values)] = values
    return found


def _line(error: Exception) -> str:
    """The first line of what a library says, cut: the rest is its stack or the model's own text."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
