"""The rows of a scope: complete, once each, in range, and with validity that fits their status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hydramind.clock import FOREVER
from hydramind.mind import trust
from hydramind.models import Finding
from hydramind.records import Memory, Status
from hydramind.verify.contents import Contents, missing

_CLOSED = frozenset({Status.SUPERSEDED, Status.FORGOTTEN})


def check(contents: Contents) -> Iterator[Finding]:
    """Findings about memories, entities and ops as single rows."""
    for row in contents.incomplete:
        lacking = ", ".join(missing(row))
        yield Finding(name="row_incomplete", detail=f"{type(row).__name__} {row.id} lacks {lacking}")
    for kind, rows in (("memory", contents.memories), ("entity", contents.entities), ("op", contents.ops)):
        for id_, times in Counter(row.id for row in rows).items():
            if times > 1:
                yield Finding(name="row_twice", detail=f"{kind} {id_} is stored {times} times")
    for memory in contents.memories:
        yield from _memory(memory)
    yield from _slots(contents)


def _slots(contents: Contents) -> Iterator[Finding]:
    filled = Counter(memory.slot for memory in contents.memories if memory.slot and memory.status == Status.ACTIVE)
    for slot, times in filled.items():
        if times > 1:
            yield Finding(name="slot_twice", detail=f"slot {slot!r} is filled by {times} active memories")


def _memory(memory: Memory) -> Iterator[Finding]:
    if memory.status not in tuple(Status):
        yield Finding(name="status_unknown", detail=f"memory {memory.id} has status {memory.status!r}")
    if not trust.FLOOR <= memory.trust <= trust.FULL:
        yield Finding(name="trust_range", detail=f"memory {memory.id} has trust {memory.trust!r}")
    # What is current may have an end that the caller stated; what is not current has one.
    unended = memory.status in _CLOSED and memory.valid_to == FOREVER
    if unended or memory.valid_to < memory.valid_from:
        yield Finding(
            name="validity",
            detail=f"memory {memory.id} is {memory.status}, valid from {memory.valid_from} to {memory.valid_to}",
        )
    if memory.write_phase != "done":
        yield Finding(name="memory_unfinished", detail=f"memory {memory.id} is {memory.write_phase!r}")
