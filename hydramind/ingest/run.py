"""Carries an ingest out: checks the whole file, then writes it, a bounded number of entries at a time."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Final

from hydramind.errors import Invalid
from hydramind.ingest.entries import entries
from hydramind.ingest.order import Order
from hydramind.ingest.report import LISTED, BadFile, BadLine, Ingested, Progress
from hydramind.ingest.writing import Memory, Writing

_BREATH: Final = 256
"""Entries read before others in this process get a turn."""


async def run(memory: Memory, order: Order, in_flight: int, progress: Progress | None = None) -> Ingested:
    """Keep every entry of a file, `in_flight` at a time. Each has a key, so a second run, or one after a failure, keeps
    nothing twice. Entries that the memory refuses (a premise it does not hold, a key used for other words) are among the
    bad ones of the reply. Raises `BadFile` before anything is written, unless the order says to keep going; `Invalid` for a
    file that cannot be read or holds nothing; what the memory raises when it is lost."""
    found = await _check(order)
    if found.bad_total and not order.keep_going:
        raise BadFile(order.name, found.bad, found.bad_total)
    if not found.good and not found.bad_total:
        raise Invalid("path", f"{order.name!r} holds nothing that could be kept as {order.format}")
    before = await memory.stats(order.scope)
    writing = Writing(memory, in_flight, found.good, progress)
    try:
        for entry in entries(order):
            if entry.request is not None:
                await writing.put(entry, entry.request)
        await writing.finish()
    finally:
        await writing.abandon()
    after = await memory.stats(order.scope)
    return Ingested(
        scope=order.scope,
        kept=writing.kept,
        duplicates=writing.duplicates,
        skipped=found.skipped,
        bad_total=found.bad_total + writing.refused_total,
        bad=(*found.bad, *writing.refused)[:LISTED],
        memories_before=before.memories,
        memories_after=after.memories,
    )


@dataclass(slots=True)
class _Found:
    good: int = 0
    skipped: int = 0
    bad_total: int = 0
    bad: list[BadLine] = field(default_factory=list[BadLine])


async def _check(order: Order) -> _Found:
    found = _Found()
    for number, entry in enumerate(entries(order)):
        if entry.request is not None:
            found.good += 1
        elif entry.bad is None:
            found.skipped += 1
        else:
            found.bad_total += 1
            if len(found.bad) < LISTED:
                found.bad.append(entry.bad)
        if number % _BREATH == 0:
            await asyncio.sleep(0)
    return found
