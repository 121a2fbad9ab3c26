"""What memories were believed to be at a moment of the past, read back from their ledgers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hydramind.errors import Damaged
from hydramind.graph.connection import Graph
from hydramind.index.plan import Plan
from hydramind.index.ranking import rank
from hydramind.mind import trust
from hydramind.records import Contradicts, Status
from hydramind.verbs.explain import LedgerRow, entry_of, ledger
from hydramind.verbs.wish import Belief, Knowledge, Limits, Wish, question_of

LOOKED_UP: Final = 500
"""The best by today's trust whose ledgers are read for another moment; those behind them keep today's."""


async def limits(graph: Graph, known: Knowledge, wish: Wish, plan: Plan, given: Limits) -> Limits:
    """The same with what was believed at the moment asked for; unchanged for now. One read of each ledger relationship."""
    if wish.as_of is None:
        return given
    wide = replace(plan, limit=LOOKED_UP)
    ids = [
        ranked.memory_id for ranked in rank(known.index, question_of(wish, known, 0, given), wide, known.mentions).best
    ]
    entries: dict[int, list[LedgerRow]] = {id_: [] for id_ in ids}
    for row in await ledger(graph, known.index.scope, ids):
        entries[row.target].append(row)
    return replace(given, then={id_: at(wish.as_of, rows) for id_, rows in entries.items()})


def at(moment: int, entries: Sequence[LedgerRow]) -> Belief:
    """Belief at a moment (epoch ms) by the entries of one memory, in the order they were applied: trust replayed from those
    made by then, full without any; contradicted where a contradiction stood. Raises `Damaged` when they do not join up."""
    last = max((number for number, row in enumerate(entries, 1) if row.detected_at <= moment), default=0)
    made = entries[:last]
    doubts = [row for row in made if isinstance(row, Contradicts)]
    stands = any(not doubt.withdrawn_at or doubt.withdrawn_at > moment for doubt in doubts)
    try:
        trusted = trust.replay(entry_of(row) for row in made)
    except ValueError as error:
        raise Damaged(f"a trust ledger is damaged: {error}") from error
    return Belief(trusted, Status.CONTRADICTED if stands else Status.ACTIVE)
