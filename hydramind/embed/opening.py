"""Opens the embedder and the reranker that the settings name."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

from hydramind.embed import endpoint, offline
from hydramind.embed.checked import CheckedEmbedder, CheckedReranker
from hydramind.embed.endpoint import Form, Profile, ServiceProvider, ServiceScorer
from hydramind.embed.onnx_folder import Wanted, read_folder
from hydramind.embed.onnx_model import open_model
from hydramind.embed.protocol import Embedder, Reranker
from hydramind.embed.service import Place, Service
from hydramind.errors import Misconfigured
from hydramind.mind import gate
from hydramind.mind.gate import Floors
from hydramind.settings import Settings

_log = logging.getLogger(__name__)
_FORMS: Final = {"openai": endpoint.OPENAI, "tei": endpoint.TEI}
_Answer = TypeVar("_Answer")


def open_embedder(settings: Settings) -> Embedder | None:
    """The embedder, or none: because the setting says so, or because it is `auto` and this platform has no offline one.

    A service is asked for one vector, and a folder's model is read and tried, which takes a moment and is waited for: identity
    and dimension are known, and what cannot be used is an error, from the start. Raises `Misconfigured` when the settings
    contradict each other or what they name is not there, and what `Service.ask` raises.
    """
    if settings.embedder == "none":
        return None
    if settings.embedder in _FORMS:
        return _open_service(settings, _FORMS[settings.embedder])
    if settings.embedder == "onnx":
        return _open_folder(settings)
    reason = offline.missing()
    if not reason:
        return CheckedEmbedder(offline.OfflineProvider())
    if settings.embedder == "auto":
        _log.warning("recall works without vectors: %s; HYDRAMIND_EMBEDDER names another embedder, or none", reason)
        return None
    raise Misconfigured(f"HYDRAMIND_EMBEDDER is 'offline', but {reason}")


def open_reranker(settings: Settings) -> Reranker | None:
    """The reranker at `reranker_url`, or none without one; asked for its model's name unless the settings name it."""
    if not settings.reranker_url:
        return None
    place = Place(settings.reranker_url, settings.reranker_key.get_secret_value().strip(), settings.embedder_budget)
    service = Service("the reranker", place)
    model = settings.reranker_model or _met(service, endpoint.reported_model(service))
    return CheckedReranker(ServiceScorer(service, model))


def floors_for(settings: Settings, identity: str) -> Floors | None:
    """The cosine floors of the embedder with this identity: those of the settings, else the calibrated ones; None when
    nobody has measured them, so that keywords alone decide."""
    if settings.embedder_floors is not None:
        return Floors(*settings.embedder_floors)
    return gate.floors(identity)


def _open_folder(settings: Settings) -> Embedder:
    if not settings.embedder_path:
        raise Misconfigured("HYDRAMIND_EMBEDDER is 'onnx', so HYDRAMIND_EMBEDDER_PATH must name the model's folder")
    given = settings.model_fields_set
    wanted = Wanted(
        Path(settings.embedder_path),
        settings.embedder_model,
        settings.embedder_query_prefix if "embedder_query_prefix" in given else None,
        settings.embedder_passage_prefix if "embedder_passage_prefix" in given else None,
    )
    provider = open_model(read_folder(wanted))
    if settings.embedder_dimension not in (0, provider.dimension):
        raise Misconfigured(
            f"HYDRAMIND_EMBEDDER_DIMENSION is {settings.embedder_dimension}, but the model of "
            f"{settings.embedder_path!r} gives {provider.dimension} numbers"
        )
    return CheckedEmbedder(provider)


def _open_service(settings: Settings, form: Form) -> Embedder:
    kind = settings.embedder
    if not settings.embedder_url:
        raise Misconfigured(f"HYDRAMIND_EMBEDDER is {kind!r}, so HYDRAMIND_EMBEDDER_URL must name the service")
    if kind == "openai" and not settings.embedder_model:
        raise Misconfigured("HYDRAMIND_EMBEDDER is 'openai', so HYDRAMIND_EMBEDDER_MODEL must name the model")
    url = settings.embedder_url.rstrip("/").removesuffix("/v1")
    place = Place(url, settings.embedder_key.get_secret_value().strip(), settings.embedder_budget)
    service = Service(f"the {kind} embedder", place)
    profile = Profile(
        settings.embedder_model,
        settings.embedder_dimension,
        settings.embedder_query_prefix,
        settings.embedder_passage_prefix,
    )
    known = _met(service, endpoint.introduce(service, form, profile))
    return CheckedEmbedder(ServiceProvider(service, form, profile, known))


def _met(service: Service, asking: Coroutine[Any, Any, _Answer]) -> _Answer:
    """What `asking` answers, awaited in a thread of its own: the caller may be inside an event loop and is no coroutine."""

    async def ask() -> _Answer:
        try:
            return await asking
        finally:
            await service.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, ask()).result()
