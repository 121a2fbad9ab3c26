"""A real driver seen through a window: every statement is counted, one may fail, and an engine without transactions
can be played on one that has them.

Nothing of the product or of the driver is replaced: each statement goes to a real server. Two things are added.
A failure can be raised just before the k-th statement is sent or just after the server has done it. And where
`auto_commit` is asked for, transactions are refused as HydraDB refuses them, each statement must lie inside its
documented subset, and its upsert guard (`x.__hydradb_update_if_newer_by = row.p`: a row whose stored `p` is not older
is skipped whole) is kept by reading `p` first, one guarded statement at a time.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from hydradb_subset import violations
from neo4j import AsyncDriver, AsyncGraphDatabase, AsyncSession, AsyncTransaction, Record

from hydramind.graph.connection import Address, Graph, external
from hydramind.graph.engines import Engine, engine_for
from hydramind.queries.query import Capability

PORTABLE = Engine("portable", "", frozenset({Capability.GUARDED_UPSERT, Capability.PATTERN_PATHS}))
"""HydraDB's way of writing, and the path pattern that the playing server knows instead of its procedure."""

_GUARD = re.compile(r", (\w)\.__hydradb_update_if_newer_by = row\.(\w+)")
_RELATIONSHIP = re.compile(r"MERGE \(s\)-\[r:(\w+) \{id: row\.id\}\]")


class Killed(Exception):
    """The process ends here: nobody handles this."""


@dataclass
class Wire:
    """Counts statements from `arm` on; the `at`-th raises `failure`, before it is sent or after it was carried out."""

    auto_commit: bool = False
    sent: list[str] = field(default_factory=list)
    at: int = 0
    late: bool = False
    failure: Exception | None = None
    dead: bool = False
    guard: asyncio.Lock = field(default_factory=asyncio.Lock)

    def arm(self, at: int = 0, late: bool = False, failure: Exception | None = None) -> None:
        """Count anew; a `Killed` failure ends every later statement too, until armed again."""
        self.sent, self.at, self.late, self.failure, self.dead = [], at, late, failure, False

    async def passes(self, text: str, send: Callable[[], Awaitable[Rows]]) -> Rows:
        """Send one statement, or fail."""
        self.sent.append(text)
        if self.dead:
            raise Killed
        hit = len(self.sent) == self.at and self.failure is not None
        if hit and not self.late:
            self._fail()
        rows = await send()
        if hit:
            self._fail()
        return rows

    def _fail(self) -> None:
        assert self.failure is not None
        self.dead = isinstance(self.failure, Killed)
        raise self.failure


class Rows:
    """Records that have all arrived."""

    def __init__(self, records: list[Record]) -> None:
        self._records = records

    async def __aiter__(self) -> AsyncIterator[Record]:
        for record in self._records:
            yield record

    async def fetch(self, size: int) -> list[Record]:
        """The next records."""
        taken, self._records = self._records[:size], self._records[size:]
        return taken


class WatchedTransaction:
    """A real transaction; its commit counts as a statement."""

    def __init__(self, transaction: AsyncTransaction, wire: Wire) -> None:
        self._transaction = transaction
        self._wire = wire

    async def run(self, text: str, parameters: dict[str, Any]) -> Rows:
        """Send one statement."""
        return await self._wire.passes(text, lambda: _sent(self._transaction, text, parameters))

    async def commit(self) -> None:
        """Commit."""

        async def send() -> Rows:
            await self._transaction.commit()
            return Rows([])

        await self._wire.passes("COMMIT", send)


class WatchedSession:
    """A real session."""

    def __init__(self, session: AsyncSession, wire: Wire) -> None:
        self._session = session
        self._wire = wire

    async def __aenter__(self) -> WatchedSession:
        await self._session.__aenter__()
        return self

    async def __aexit__(self, *raised: Any) -> None:
        await self._session.__aexit__(*raised)

    async def run(self, text: str, parameters: dict[str, Any]) -> Rows:
        """Send one statement in an auto-commit transaction."""
        if not self._wire.auto_commit:
            return await self._wire.passes(text, lambda: _sent(self._session, text, parameters))
        assert "MATCH p = (" in text or violations(text) == [], text
        return await self._wire.passes(text, lambda: self._guarded(text, parameters))

    async def begin_transaction(self) -> WatchedTransaction:
        """Begin."""
        assert not self._wire.auto_commit, "an engine without transactions is asked for one"
        return WatchedTransaction(await self._session.begin_transaction(), self._wire)

    async def _guarded(self, text: str, parameters: dict[str, Any]) -> Rows:
        guard = _GUARD.search(text)
        if guard is None:
            return await _sent(self._session, text, parameters)
        edge = _RELATIONSHIP.search(text)
        look = f"MATCH ()-[x:{edge.group(1)} {{id: $id}}]->()" if edge else "MATCH (x {id: $id})"
        async with self._wire.guard:
            newer = []
            for row in parameters["rows"]:
                found = await self._session.run(f"{look} RETURN x.{guard.group(2)} AS stored", {"id": row["id"]})  # pyright: ignore[reportArgumentType]
                stored = [record["stored"] async for record in found]
                if not stored or stored[0] is None or stored[0] < row[guard.group(2)]:
                    newer.append(row)
            return await _sent(self._session, text.replace(guard.group(), ""), {**parameters, "rows": newer})


class WatchedDriver:
    """A real driver."""

    def __init__(self, driver: AsyncDriver, wire: Wire) -> None:
        self._driver = driver
        self._wire = wire

    def session(self, **config: Any) -> WatchedSession:
        """A session of the real driver."""
        return WatchedSession(self._driver.session(**config), self._wire)

    async def close(self) -> None:
        """Close the pool."""
        await self._driver.close()


async def _sent(runner: AsyncSession | AsyncTransaction, text: str, parameters: dict[str, Any]) -> Rows:
    result = await runner.run(text, parameters)  # pyright: ignore[reportArgumentType]
    return Rows([record async for record in result])


@asynccontextmanager
async def watched(address: Address, wire: Wire) -> AsyncGenerator[Graph]:
    """A graph over a watched driver; its schema is already there."""
    driver = AsyncGraphDatabase.driver(address.uri, auth=(address.username, address.password))
    try:
        engine = PORTABLE if wire.auto_commit else engine_for((await driver.get_server_info()).agent)
        yield Graph(address, WatchedDriver(driver, wire), engine, external(address))  # pyright: ignore[reportArgumentType]
    finally:
        await driver.close()
