"""Decides a batch of waiting writes against one view of the scope and commits them together, one op each."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hydramind.clock import Clock
from hydramind.errors import HydraMindError
from hydramind.graph.commit import PENDING, Commit, finish, keyed_id, op_id, op_key, write_steps
from hydramind.graph.connection import Graph
from hydramind.graph.unit import transaction
from hydramind.index.scope_index import ScopeIndex
from hydramind.queries import ops
from hydramind.queries.query import Capability
from hydramind.records import Op
from hydramind.store.view import Decide, Decision, Reader, Staged, View

TOKEN_BYTES: Final = 8


class LostRace(Exception):
    """Another writer took the revision: nothing was changed, decide again."""


@dataclass(slots=True)
class Pending:
    """A write that waits; `future` gets the decision's result once it is committed."""

    verb: str
    decide: Decide[Any]
    future: asyncio.Future[Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one pending write."""

    pending: Pending
    result: Any = None
    error: BaseException | None = None

    def settle(self) -> None:
        """Hand the outcome to whoever waits; a caller that went away is skipped."""
        if self.pending.future.done():
            return
        if self.error is not None:
            self.pending.future.set_exception(self.error)
        else:
            self.pending.future.set_result(self.result)


@dataclass(slots=True)
class Group:
    """One attempt at a batch; `commits` and `outcomes` fill up as it goes."""

    graph: Graph
    index: ScopeIndex
    clock: Clock
    staged: Staged = field(init=False)
    token: str = field(default_factory=lambda: secrets.token_hex(TOKEN_BYTES))
    commits: list[Commit] = field(default_factory=list[Commit])
    outcomes: list[Outcome] = field(default_factory=list[Outcome])

    def __post_init__(self) -> None:
        self.staged = Staged(self.index)

    async def carry_out(self, batch: Sequence[Pending]) -> None:
        """Decide and commit; raises `LostRace` or the driver's failure, after which nothing but an unfinished op of an
        auto-commit engine can have been written."""
        if self.graph.engine.can(Capability.TRANSACTIONS):
            async with transaction(self.graph) as unit:
                for pending in batch:
                    commit = await self._decide(pending, unit)
                    if commit is not None:
                        unit.stage(commit)
                await unit.commit()
            return
        for pending in batch:
            commit = await self._decide(pending, self.graph)
            if commit is not None and not await write_steps(self.graph, commit):
                raise LostRace(f"revision {commit.op.revision} is taken")

    async def landed(self) -> bool:
        """After a lost connection: whether this attempt's commit happened. An unfinished op is finished first."""
        if not self.commits:
            return False
        last = self.commits[-1].op
        found = await self.graph.read_ids(ops.BY_ID, [last.id], scope=last.scope)
        if not found or found[0].token != self.token:
            return False
        if found[0].phase == PENDING:
            await finish(self.graph, found[0])
        return True

    def take_over(self) -> None:
        """Bring the projection to what was committed."""
        for commit in self.commits:
            self.index.apply(commit.changes)
            self.index.revision = max(self.index.revision, commit.op.revision)

    async def _decide(self, pending: Pending, reader: Reader) -> Commit | None:
        """The commit of one decision; None when it changes nothing or was refused."""
        view = View(self.staged, reader, self.clock())
        try:
            decision = await pending.decide(view)
        except HydraMindError as error:
            self.outcomes.append(Outcome(pending, error=error))
            return None
        self.outcomes.append(Outcome(pending, decision.result))
        if not decision.changes and decision.keyed is None:
            return None
        commit = self._commit(pending.verb, decision, view)
        self.staged.add(decision.changes, commit.keyed)
        self.commits.append(commit)
        return commit

    def _commit(self, verb: str, decision: Decision[Any], view: View) -> Commit:
        scope, revision = view.scope, view.revision
        op = Op(
            id=op_id(scope, revision),
            scope=scope,
            key=op_key(scope, revision),
            revision=revision,
            token=self.token,
            verb=verb,
            created_at=view.now,
            memory_ids=",".join(str(memory.id) for memory in decision.changes.memories()),
            entity_ids=",".join(str(entity.id) for entity in decision.changes.entities()),
        )
        return Commit(op, decision.changes, self._keyed(op, decision))

    def _keyed(self, op: Op, decision: Decision[Any]) -> Op | None:
        if decision.keyed is None:
            return None
        return Op(
            id=keyed_id(op.scope, decision.keyed.key),
            scope=op.scope,
            key=f"{op.scope}!{decision.keyed.key}",
            revision=op.revision,
            token=op.token,
            verb=op.verb,
            created_at=op.created_at,
            memory_ids=op.memory_ids,
            payload_hash=decision.keyed.payload_hash,
            result=decision.stored,
        )
