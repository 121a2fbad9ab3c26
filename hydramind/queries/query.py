"""A query is a value: its text in the portable form and, by capability, in a better or the only other form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, LiteralString, TypeVar

from hydramind.errors import Unsupported

Row_co = TypeVar("Row_co", covariant=True)
Columns = Mapping[str, Any]


class Capability(StrEnum):
    """What an engine can do beyond the portable form (HydraDB's documented subset)."""

    TRANSACTIONS = "explicit transactions, unique constraints, a label in MERGE"
    BATCH_READS = "UNWIND before a labelled MATCH, and a filter after WITH"
    PATTERN_PATHS = "bounded variable-length patterns over several types, returned as lists"
    GUARDED_UPSERT = "an upsert that skips rows not newer than what is stored"
    PROCEDURE_PATHS = "algo.SSpaths"
    DDL = "CREATE CONSTRAINT and CREATE INDEX"


@dataclass(frozen=True)
class Query(Generic[Row_co]):
    """`text` is the portable form; empty text means that one of the forms in `when` is needed.

    `row` maps one record's columns. `when` is looked through in order; the first capability the engine has wins.
    """

    name: str
    text: LiteralString
    row: Callable[[Columns], Row_co]
    when: Mapping[Capability, LiteralString] = field(default_factory=dict[Capability, LiteralString])

    def form(self, capabilities: frozenset[Capability]) -> LiteralString:
        """The text to send; raises `Unsupported` when no form fits."""
        for capability, text in self.when.items():
            if capability in capabilities:
                return text
        if not self.text:
            needed = " or ".join(capability.value for capability in self.when)
            raise Unsupported(f"this engine cannot run {self.name!r}: it needs {needed}")
        return self.text

    def forms(self) -> tuple[LiteralString, ...]:
        """Every form, the portable one first when there is one."""
        return ((self.text,) if self.text else ()) + tuple(self.when.values())


def nothing(columns: Columns) -> None:
    """Row mapper of writes: the portable form returns no rows."""
    del columns
