"""The models that a memory works with, open for as long as it is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from hydramind.embed.opening import open_embedder, open_reranker
from hydramind.embed.protocol import Embedder, Reranker
from hydramind.settings import Settings


@dataclass(frozen=True, slots=True)
class Models:
    """What embeds and what reranks; None where there is none."""

    embedder: Embedder | None = None
    reranker: Reranker | None = None


NO_MODELS: Final = Models()


@asynccontextmanager
async def open_models(settings: Settings) -> AsyncGenerator[Models]:
    """The models of the settings. Raises what opening them raises; whatever was opened is closed at the end."""
    embedder = await asyncio.to_thread(open_embedder, settings)
    reranker: Reranker | None = None
    try:
        reranker = await asyncio.to_thread(open_reranker, settings)
        yield Models(embedder, reranker)
    finally:
        for model in (embedder, reranker):
            if model is not None:
                await model.close()
