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
async def open_embedding(settings: Settings) -> AsyncGenerator[Embedder | None]:
    """The embedder of the settings, opened beside the event loop and closed at the end; None where there is none. Raises
    what opening it raises."""
    embedder = await asyncio.to_thread(open_embedder, settings)
    try:
        yield embedder
    finally:
        if embedder is not None:
            await embedder.close()


@asynccontextmanager
async def open_models(settings: Settings) -> AsyncGenerator[Models]:
    """The models of the settings. Raises what opening them raises; whatever was opened is closed at the end."""
    async with open_embedding(settings) as embedder:
        reranker = await asyncio.to_thread(open_reranker, settings)
        try:
            yield Models(embedder, reranker)
        finally:
            if reranker is not None:
                await reranker.close()
