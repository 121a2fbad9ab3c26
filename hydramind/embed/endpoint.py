"""Embeddings and scores from a service: OpenAI's `/v1/embeddings`, and the forms of text-embeddings-inference (TEI)."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from hydramind.embed.checked import numbers, vectors
from hydramind.embed.protocol import Vectors
from hydramind.embed.service import Service
from hydramind.errors import BadAnswer

PROBE: Final = "a ferry carried nine grey horses over the lake"
"""Embedded when a service is opened and now and then after: its vector tells one model from another of the same size."""

MAX_CHARACTERS: Final = 8_000
"""What is sent of a text: many services refuse a whole batch for one text beyond their window, often 8,192 tokens."""

_SAME_COSINE: Final = 0.999
"""Below it the probe's vector is another model's; batching and number formats move it by less than 1e-4."""

_TRUSTED_S: Final = 60.0
"""Queries go without the probe for this long after one was answered well; passages never do, for they are kept."""


@dataclass(frozen=True)
class Form:
    """How a kind of service is spoken to. `rows` reads an answer for so many texts: vectors in their order, model."""

    kind: str
    path: str
    batch: int
    body: Callable[[str, list[str]], dict[str, Any]]
    rows: Callable[[str, object, int], tuple[list[object], str]]


@dataclass(frozen=True)
class Profile:
    """What the settings say of a model. `dimension` 0 is whatever the first answer has."""

    model: str = ""
    dimension: int = 0
    query_prefix: str = ""
    passage_prefix: str = ""


@dataclass(frozen=True)
class Known:
    """What the first answers told. `answered` is the model that every answer names, empty where answers name none."""

    model: str
    answered: str
    probe: NDArray[np.float32]


async def introduce(service: Service, form: Form, profile: Profile) -> Known:
    """Ask for the probe's vector; raises `BadAnswer` when it is not of the dimension that the settings name.

    A service whose answers name no model is asked for its name too, unless the settings name one.
    """
    answer = await service.ask(form.path, form.body(profile.model, [PROBE]))
    rows, answered = form.rows(service.name, answer, 1)
    shape = numbers(service.name, rows).shape
    dimension = profile.dimension or (shape[1] if len(shape) == 2 else 0)
    if not dimension:
        raise BadAnswer(service.name, f"one vector, not shape {shape}")
    (probe,) = vectors(_Shape(service.name, dimension), rows, 1)
    return Known(profile.model or answered or await reported_model(service), answered, probe)


class ServiceProvider:
    """Vectors from a service whose model was met by `introduce`; another model that answers later is refused."""

    unit = False

    def __init__(
        self, service: Service, form: Form, profile: Profile, known: Known, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.name = service.name
        self.dimension = known.probe.shape[0]
        self.identity = _identity(form, profile, known)
        self._service = service
        self._form = form
        self._profile = profile
        self._known = known
        self._clock = clock
        self._trusted_until = clock() + _TRUSTED_S

    async def embed_queries(self, texts: Sequence[str]) -> object:
        """Vectors of the texts behind the query prefix."""
        return await self._embed([self._profile.query_prefix + text for text in texts], always=False)

    async def embed_passages(self, texts: Sequence[str]) -> object:
        """Vectors of the texts behind the passage prefix."""
        return await self._embed([self._profile.passage_prefix + text for text in texts], always=True)

    async def close(self) -> None:
        """Close the connections."""
        await self._service.close()

    async def _embed(self, texts: list[str], *, always: bool) -> Vectors:
        step = self._form.batch - 1
        batches = [texts[start : start + step] for start in range(0, len(texts), step)]
        return np.concatenate([await self._batch(batch, always=always) for batch in batches])

    async def _batch(self, texts: list[str], *, always: bool) -> Vectors:
        probed = always or self._clock() >= self._trusted_until
        sent = [_readable(text) for text in texts] + [PROBE] * probed
        answer = await self._service.ask(self._form.path, self._form.body(self._profile.model, sent))
        rows, answered = self._form.rows(self.name, answer, len(sent))
        found = vectors(self, rows, len(sent))
        if answered != self._known.answered or (probed and float(found[-1] @ self._known.probe) < _SAME_COSINE):
            raise BadAnswer(self.name, f"vectors of the model it began with ({self.identity}); restart to use another")
        if probed:
            self._trusted_until = self._clock() + _TRUSTED_S
        return found[: len(texts)]


class ServiceScorer:
    """Scores from TEI's `/rerank`. A text is scored with the query alone, so the batches of one call compare."""

    batch: Final = 32

    def __init__(self, service: Service, model: str) -> None:
        self.name = service.name
        self.identity = f"tei-rerank {model[:200]}"
        self._service = service

    async def scores(self, query: str, texts: Sequence[str]) -> object:
        """One score a text, in the order of the texts."""
        found: list[object] = []
        for start in range(0, len(texts), self.batch):
            part = [_readable(text) for text in texts[start : start + self.batch]]
            body = {"query": _readable(query), "texts": part, "raw_scores": True, "truncate": True}
            found += _by_index(self.name, await self._service.ask("/rerank", body), len(part), "score")
        return found

    async def close(self) -> None:
        """Close the connections."""
        await self._service.close()


async def reported_model(service: Service) -> str:
    """The model that a TEI service says it runs, with its revision; raises `BadAnswer` when `/info` does not say."""
    said = _object(await service.ask("/info"))
    model, revision = said.get("model_id"), said.get("model_sha")
    if not isinstance(model, str) or not model:
        raise BadAnswer(service.name, "'model_id' in the answer of /info")
    return f"{model}@{revision}" if isinstance(revision, str) and revision else model


@dataclass(frozen=True)
class _Shape:
    name: str
    dimension: int
    unit: bool = False


def _identity(form: Form, profile: Profile, known: Known) -> str:
    settled = json.dumps([profile.query_prefix, profile.passage_prefix, MAX_CHARACTERS])
    dimension, model = known.probe.shape[0], known.model[:150]
    return f"{form.kind} {model} d{dimension} probe:{_fingerprint(known.probe)} prefixes:{_digest(settled)}"


def _fingerprint(probe: NDArray[np.float32]) -> str:
    """Digest of sixteen numbers of the vector in steps of a quarter of their usual size: small errors rarely show in it."""
    scaled = probe[:16] * np.sqrt(probe.shape[0])
    return _digest(json.dumps([int(step) for step in np.rint(scaled * 4)]))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]


def _readable(text: str) -> str:
    """What JSON and every service can take: never empty, no NUL, no lone surrogate."""
    cut = text[:MAX_CHARACTERS].replace("\0", " ") or " "
    return cut.encode("utf-8", "replace").decode("utf-8")


def _object(answer: object) -> dict[str, object]:
    return cast("dict[str, object]", answer) if isinstance(answer, dict) else {}


def _by_index(name: str, answer: object, count: int, field: str) -> list[object]:
    """`field` of each entry of a list, in the order of the entries' `index`, which must be 0 to count - 1, each once."""
    entries = [_object(entry) for entry in cast("list[object]", answer)] if isinstance(answer, list) else []
    found = {entry["index"]: entry.get(field) for entry in entries if type(entry.get("index")) is int}
    if len(entries) != count or found.keys() != set(range(count)):
        raise BadAnswer(name, f"{count} entries, each with {field!r} and an 'index' of its own from 0 to {count - 1}")
    return [found[index] for index in range(count)]


def _openai_rows(name: str, answer: object, count: int) -> tuple[list[object], str]:
    said = _object(answer)
    model = said.get("model")
    return _by_index(name, said.get("data"), count, "embedding"), model if isinstance(model, str) else ""


def _tei_rows(name: str, answer: object, count: int) -> tuple[list[object], str]:
    rows = cast("list[object]", answer) if isinstance(answer, list) else []
    if len(rows) != count:
        raise BadAnswer(name, f"a list of {count} vectors, not of {len(rows)}")
    return rows, ""


def _openai_body(model: str, texts: list[str]) -> dict[str, Any]:
    return {"model": model, "input": texts, "encoding_format": "float"}


def _tei_body(model: str, texts: list[str]) -> dict[str, Any]:
    del model
    return {"inputs": texts, "normalize": True, "truncate": True}


OPENAI: Final = Form("openai", "/v1/embeddings", 64, _openai_body, _openai_rows)
TEI: Final = Form("tei", "/embed", 32, _tei_body, _tei_rows)
"""32 texts are what TEI takes in a request unless it is told otherwise."""
