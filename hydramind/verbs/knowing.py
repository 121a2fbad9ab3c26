"""Gathers what a wish is carried out on: the newest rows, its wordings as the embedder sees them, what memories mention."""

from __future__ import annotations

import asyncio

from hydramind.embed.opening import floors_for
from hydramind.embed.protocol import Embedder
from hydramind.index.plan import GRAPH
from hydramind.index.scope_index import ScopeIndex
from hydramind.settings import Settings
from hydramind.store.mentions import ScopeMentions
from hydramind.store.scope import OpenScope
from hydramind.verbs.sight import QuestionVectors, Sight
from hydramind.verbs.wish import Knowledge, Wish


class Knowing:
    """What a process remembers between questions: their vectors, and the entity graphs of its scopes."""

    def __init__(self, settings: Settings, embedder: Embedder | None) -> None:
        self._settings = settings
        self._questions = QuestionVectors(embedder)
        self._mentions = ScopeMentions()

    async def of(self, scope: OpenScope, now: int, wish: Wish) -> Knowledge:
        """A scope as a wish needs it; `now` is its clock in epoch milliseconds."""
        index, seen = await self._seen(scope, wish)
        return Knowledge(
            index=index,
            sights=seen,
            now=now,
            mentions=await self._mentions.of(index) if GRAPH in wish.channels else None,
            floors=floors_for(self._settings, seen[0].identity) if seen else None,
            vector_note=scope.vectors.note(scope.name) if scope.vectors is not None else "",
        )

    async def _seen(self, scope: OpenScope, wish: Wish) -> tuple[ScopeIndex, tuple[Sight, ...]]:
        if scope.held is not None and wish.wants_vector(scope.held):
            # What is wanted of the rows held so far is wanted of the newest: the embedder works while the log is looked at.
            return await asyncio.gather(scope.index(), self._questions.see_all(wish.wordings))
        index = await scope.index()
        return index, await self._questions.see_all(wish.wordings if wish.wants_vector(index) else ())
