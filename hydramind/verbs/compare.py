"""Finds the stored memories that a draft may clash with and judges each pair."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, Protocol

from hydramind.clock import FOREVER
from hydramind.mind import slots
from hydramind.mind.conflict import Claim, Kind, Verdict, detect
from hydramind.records import Memory

CANDIDATES: Final = 32
"""Stored memories judged for one draft: those that share its most telling words."""

SHARED: Final = 0.2
"""Smallest share of the draft's word weight that a memory must hold to be judged."""

_ORDER = {Kind.CONTRADICTS: 0, Kind.SUPERSEDES: 1, Kind.DUPLICATE: 2, Kind.UNCERTAIN: 3, Kind.REFINES: 4}


@dataclass(frozen=True, slots=True)
class Found:
    """A stored memory and how the draft relates to it."""

    memory: Memory
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was found, strongest first, and how many memories were judged."""

    found: tuple[Found, ...]
    judged: int

    def of(self, kind: Kind) -> list[Found]:
        """The findings of one kind."""
        return [found for found in self.found if found.verdict.kind is kind]


class Related(Protocol):
    """Where active memories that share words with a text are found."""

    def related(self, content: str, limit: int, floor: float) -> list[Memory]:
        """The most telling first."""
        ...


def filling(comparison: Comparison, held: Memory | None, draft: Claim, now: int) -> Comparison:
    """The comparison where `draft` fills the slot that `held` fills: it replaces `held`, whatever their words say of one
    another, unless it is dated before it; then it is history, or holds until then. A draft without a date gives the value
    of `now`; a value that starts later than that is dated at its start."""
    if held is None:
        return comparison
    starts = held.valid_from if held.valid_from > now else held.event_time
    current = (now if draft.event_time is None else draft.event_time) >= starts
    reason = f"slot {held.slot!r} {'has a new value' if current else 'had a later value already'}"
    mine = Found(held, Verdict(Kind.SUPERSEDES, reason, draft_is_current=current))
    found = (mine, *(each for each in comparison.found if each.memory.id != held.id))
    return Comparison(tuple(sorted(found, key=lambda each: _ORDER[each.verdict.kind])), comparison.judged)


def claim_of(memory: Memory) -> Claim:
    """A stored memory as the detector sees it."""
    return Claim(memory.content, memory.event_time if memory.dated else None)


def compare(
    source: Related, draft: Claim, entities: Collection[int], excluded: Collection[int] = (), now: int = FOREVER
) -> Comparison:
    """Judge `draft` against active memories. Where both name entities they must share one (HYD-39). `now` is the time of
    telling, in epoch milliseconds: what a draft without a date speaks of when it meets a dated memory."""
    wanted = frozenset(entities)
    candidates = [
        memory
        for memory in source.related(draft.content, CANDIDATES, SHARED)
        if memory.id not in excluded and (not wanted or not memory.entities or not wanted.isdisjoint(memory.entities))
    ]
    judged = (Found(memory, judge(draft, memory, now)) for memory in candidates)
    found = [each for each in judged if each.verdict.kind in _ORDER]
    found.sort(key=lambda each: (_ORDER[each.verdict.kind], -each.memory.created_at, each.memory.id))
    return Comparison(tuple(found), len(candidates))


def judge(draft: Claim, memory: Memory, now: int = FOREVER) -> Verdict:
    """The detector's verdict; where its words see no clash but both give a value of which there is one at a time, that
    is worth a look and costs nobody trust."""
    verdict = detect(*_placed(draft, memory, now))
    if verdict.kind is not Kind.NONE:
        return verdict
    slot = slots.other_value(draft.content, memory.content)
    reason = f"both give {slot}: revise memory {memory.id} if the value has changed"
    return Verdict(Kind.UNCERTAIN, reason) if slot else verdict


def _placed(draft: Claim, memory: Memory, now: int) -> tuple[Claim, Claim]:
    """Both claims. Where one alone is dated, the other speaks of the time at which it was told, so that a statement of
    an earlier time is history whichever of the two arrives first."""
    if draft.event_time is not None:
        return draft, Claim(memory.content, memory.event_time)
    return (replace(draft, event_time=now) if memory.dated else draft), claim_of(memory)
