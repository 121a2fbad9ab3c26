"""One write unit: the transaction of a group of commits, opened when it is first needed."""

from __future__ import annotations

import functools
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from neo4j import AsyncSession, AsyncTransaction

from hydramind.graph.commit import Commit, write
from hydramind.graph.connection import Graph, by_ids, run
from hydramind.queries.query import Query

Row = TypeVar("Row")


class TransactionUnit:
    """Commits are staged, sent before a read that must see them, and made durable together by `commit`."""

    def __init__(self, graph: Graph, session: AsyncSession) -> None:
        self._graph = graph
        self._session = session
        self._transaction: AsyncTransaction | None = None
        self._waiting: list[Commit] = []

    def stage(self, commit: Commit) -> None:
        """Queue a commit of this transaction."""
        self._waiting.append(commit)

    async def commit(self) -> None:
        """Send what is queued and commit, when there is anything."""
        await self._flush()
        if self._transaction is not None:
            await self._transaction.commit()

    async def read(self, query: Query[Row], **parameters: Any) -> list[Row]:
        """Rows as this transaction sees them."""
        await self._flush()
        return await run(await self._begun(), self._graph.engine, query, parameters)

    async def read_ids(self, query: Query[Row], ids: Sequence[int], **parameters: Any) -> list[Row]:
        """Rows by id as this transaction sees them."""
        return await by_ids(self._graph.engine, functools.partial(self.read, query, **parameters), ids)

    async def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting:
            await write(await self._begun(), self._graph.engine, waiting)

    async def _begun(self) -> AsyncTransaction:
        if self._transaction is None:
            self._transaction = await self._session.begin_transaction()
        return self._transaction


@asynccontextmanager
async def transaction(graph: Graph) -> AsyncGenerator[TransactionUnit]:
    """A write unit; what was not committed when the block ends is rolled back. Driver failures pass through."""
    async with graph.session() as session:
        yield TransactionUnit(graph, session)
