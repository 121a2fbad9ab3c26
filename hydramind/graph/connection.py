"""One graph over Bolt: the driver pool, its revival after a lost connection, reads, and write units."""

from __future__ import annotations

import asyncio
import functools
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from neo4j import AsyncDriver, AsyncGraphDatabase, AsyncSession, AsyncTransaction, ServerInfo
from neo4j.exceptions import TransientError

from hydramind.errors import Unavailable
from hydramind.graph.engines import Engine, engine_for
from hydramind.graph.failures import FAILURES, LOST_CONNECTION, translated
from hydramind.queries.query import Capability, Query

Row = TypeVar("Row")
Runner = AsyncSession | AsyncTransaction

RECOVERY_SECONDS: Final = 30.0
"""How long a lost server is waited for before a call fails."""
_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 1.0
_WRITTEN_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class Address:
    """Where a graph is and how to log in; an empty `database` is the server's default."""

    uri: str
    username: str
    password: str
    database: str = ""

    def __repr__(self) -> str:
        return f"Address({self.uri!r})"


Revive = Callable[[], Awaitable[Address]]
"""Called after a lost connection: makes the server run again where that is ours to do, and says where it is."""


async def run(runner: Runner, engine: Engine, query: Query[Row], parameters: Mapping[str, Any]) -> list[Row]:
    """Send one query in the form that fits the engine and map its rows."""
    result = await runner.run(query.form(engine.capabilities), dict(parameters))
    return [query.row(record) async for record in result]


async def send(session: AsyncSession, engine: Engine, query: Query[None], rows: Sequence[Mapping[str, Any]]) -> None:
    """One write in a transaction of its own: ArcadeDB makes each row durable alone when it is sent without one."""
    if not engine.can(Capability.TRANSACTIONS):
        await run(session, engine, query, {"rows": rows})
        return
    async with await session.begin_transaction() as transaction:
        await run(transaction, engine, query, {"rows": rows})
        await transaction.commit()


async def by_ids(engine: Engine, read: Callable[..., Awaitable[list[Row]]], ids: Sequence[int]) -> list[Row]:
    """Rows of a read by id: one statement where the engine can batch, else one an id; none for no ids."""
    if not ids:
        return []
    if engine.can(Capability.BATCH_READS):
        return await read(rows=[{"id": id_} for id_ in ids])
    return [row for id_ in ids for row in await read(id=id_)]


class Graph:
    """An open graph. Reads retry while a lost server comes back; writes are retried by whoever can decide again."""

    def __init__(self, address: Address, driver: AsyncDriver, engine: Engine, revive: Revive) -> None:
        self.address: Address = address
        self.engine = engine
        self.agent = ""
        self._driver = driver
        self._revive = revive
        self._reviving = asyncio.Lock()
        self._generation = 0

    @classmethod
    async def connect(cls, address: Address, revive: Revive, override: str = "") -> Graph:
        """Connect, check the login and settle the engine; raises `Unavailable`, `Unauthorized` or `Misconfigured`."""
        driver = _driver(address)
        try:
            info = await _server_info(driver)
        except FAILURES as error:
            await driver.close()
            raise translated(error, address.uri) from error
        graph = cls(address, driver, engine_for(info.agent, override), revive)
        graph.agent = info.agent
        return graph

    async def close(self) -> None:
        """Close the pool."""
        await self._driver.close()

    async def ping_ms(self) -> float:
        """Milliseconds of one round trip that checks the server's answer."""
        started = time.perf_counter()
        await self._attempt(_server_info)
        return (time.perf_counter() - started) * 1_000

    async def read(self, query: Query[Row], **parameters: Any) -> list[Row]:
        """All rows of a read in an auto-commit transaction."""

        async def once(driver: AsyncDriver) -> list[Row]:
            async with _session(driver, self.address) as session:
                return await run(session, self.engine, query, parameters)

        return await self._attempt(once)

    async def read_ids(self, query: Query[Row], ids: Sequence[int], **parameters: Any) -> list[Row]:
        """Rows of a read by id: one statement where the engine can batch, else one an id. Order is the engine's."""
        return await by_ids(self.engine, functools.partial(self.read, query, **parameters), ids)

    async def write(self, query: Query[None], rows: Sequence[Mapping[str, Any]]) -> None:
        """Send a write that may safely happen twice, such as an upsert of derived rows or a removal: after a lost connection
        it is repeated. Each batch of rows is a transaction."""
        for start in range(0, len(rows), _WRITTEN_AT_ONCE):
            batch = rows[start : start + _WRITTEN_AT_ONCE]

            async def once(driver: AsyncDriver, batch: Sequence[Mapping[str, Any]] = batch) -> None:
                async with _session(driver, self.address) as session:
                    await send(session, self.engine, query, batch)

            await self._attempt(once)

    async def stream(self, query: Query[Row], size: int, **parameters: Any) -> AsyncIterator[list[Row]]:
        """Rows in batches of up to `size` as they arrive; not retried, because the caller has consumed some."""
        try:
            async with _session(self._driver, self.address, size) as session:
                result = await session.run(query.form(self.engine.capabilities), dict(parameters))
                while records := await result.fetch(size):
                    yield [query.row(record) for record in records]
        except FAILURES as error:
            raise translated(error, self.address.uri) from error

    @asynccontextmanager
    async def session(self) -> AsyncGenerator[AsyncSession]:
        """A session for one write unit; driver failures pass through to whoever decides again."""
        async with _session(self._driver, self.address) as session:
            yield session

    async def recover(self, seen: int) -> None:
        """Make the graph reachable again after a failure at generation `seen`; one caller does it for all."""
        async with self._reviving:
            if self._generation != seen:
                return
            address = await self._revive()
            if address != self.address:
                old, self._driver, self.address = self._driver, _driver(address), address
                await old.close()
            self._generation += 1

    @property
    def generation(self) -> int:
        """Grows with each recovery; pass it to `recover`."""
        return self._generation

    async def _attempt(self, call: Callable[[AsyncDriver], Awaitable[Row]]) -> Row:
        deadline, pause = time.monotonic() + RECOVERY_SECONDS, _FIRST_PAUSE
        while True:
            seen = self._generation
            try:
                return await call(self._driver)
            except LOST_CONNECTION as error:
                if time.monotonic() + pause > deadline:
                    raise translated(error, self.address.uri) from error
                await self.recover(seen)
            except TransientError as error:
                if time.monotonic() + pause > deadline:
                    raise translated(error, self.address.uri) from error
            except FAILURES as error:
                raise translated(error, self.address.uri) from error
            await asyncio.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)


def external(address: Address) -> Revive:
    """A server that is not ours to start: it is waited for, not revived."""

    async def revive() -> Address:
        return address

    return revive


async def _server_info(driver: AsyncDriver) -> ServerInfo:
    return await driver.get_server_info()  # pyright: ignore[reportUnknownMemberType]


def _session(driver: AsyncDriver, address: Address, fetch_size: int = 1_000) -> AsyncSession:
    return driver.session(database=address.database or None, fetch_size=fetch_size)  # pyright: ignore[reportUnknownMemberType]


def _driver(address: Address) -> AsyncDriver:
    # A new graph lacks most labels and properties; the driver would log a warning for each query that names one.
    logging.getLogger("neo4j.notifications").setLevel(logging.ERROR)
    try:
        return AsyncGraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType]
            address.uri,
            auth=(address.username, address.password),
            connection_timeout=5.0,
            connection_acquisition_timeout=RECOVERY_SECONDS,
            max_connection_lifetime=3_600.0,
            liveness_check_timeout=60.0,
            user_agent="hydramind",
        )
    except (*FAILURES, ValueError) as error:
        raise Unavailable(f"HYDRAMIND_URI {address.uri!r} is not a Bolt URI: {error}") from error
