"""Asks a node one question over Bolt: the only proof that it is ours and answers."""

from __future__ import annotations

import asyncio

import neo4j
from neo4j.exceptions import DriverError, Neo4jError

from hydramind.node.address import NodeAddress

PROBE_SECONDS = 5.0


async def problem(address: NodeAddress) -> str | None:
    """None when a query on the database succeeded, else one line of why not."""
    try:
        async with asyncio.timeout(PROBE_SECONDS), _driver(address) as driver:
            await driver.execute_query("RETURN 1 AS one", database_=address.database)
    except TimeoutError:
        return f"no answer within {PROBE_SECONDS:g} s"
    except (DriverError, Neo4jError, OSError) as error:
        return str(error).splitlines()[0] if str(error) else type(error).__name__
    return None


def _driver(address: NodeAddress) -> neo4j.AsyncDriver:
    return neo4j.AsyncGraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType]
        address.uri,
        auth=(address.username, address.password),
        connection_timeout=PROBE_SECONDS,
        max_transaction_retry_time=0,
    )
