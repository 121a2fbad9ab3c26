"""Ids of what a scope holds, each kind in one record: a load reads the rows behind them page by page.

A record costs more to receive than a number in it, and a statement that streams a large scope runs into the limit that
engines set to a statement's time.
"""

from __future__ import annotations

from hydramind.queries.query import Columns, Query


def _ids(columns: Columns) -> tuple[int, ...]:
    return tuple(columns["ids"])


MEMORIES = Query(
    "ids of a scope's memories",
    "MATCH (m:Memory {scope: $scope}) RETURN m.scope AS scope, collect(m.id) AS ids",
    _ids,
)
ENTITIES = Query(
    "ids of a scope's entities",
    "MATCH (e:Entity {scope: $scope}) RETURN e.scope AS scope, collect(e.id) AS ids",
    _ids,
)
"""The ids of a kind, in no order; nothing where there is none."""
