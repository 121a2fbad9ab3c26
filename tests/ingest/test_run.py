"""How entries are written: bounded, in order where order means something, patiently, and named when they are refused."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from hydramind.errors import Busy, Conflict, Invalid, Unavailable
from hydramind.ingest.order import Order
from hydramind.ingest.run import run
from hydramind.models import MemoryView, Remember, Remembered, Stats


class Shelf:
    """A memory of its own kind: keeps contents in order of arrival, takes a few loop turns for each, and can be full."""

    def __init__(self, full: int = 0, lost_after: int = 10**9) -> None:
        self.kept: dict[str, str] = {}
        self.calls = 0
        self.under_way = 0
        self.most_under_way = 0
        self._full = full
        self._lost_after = lost_after

    async def keep(self, request: Remember) -> Remembered:
        """Raises `Busy` for the first `full` calls, `Unavailable` once enough are kept, `Conflict` for the word no."""
        self.calls += 1
        if self.calls <= self._full:
            raise Busy("full")
        if len(self.kept) >= self._lost_after:
            raise Unavailable("lost")
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        for _ in range(len(request.content)):
            await asyncio.sleep(0)
        self.under_way -= 1
        if request.content == "no":
            raise Conflict("the word is not kept here")
        repeated = request.kind == "fact" and request.content in self.kept.values()
        self.kept[request.idempotency_key] = request.content
        return Remembered(outcome="duplicate" if repeated else "created", memory=view(request))

    async def stats(self, scope: str) -> Stats:
        """How many are kept."""
        counts = dict.fromkeys(("revision", "active", "contradicted", "superseded", "forgotten", "entities"), 0)
        return Stats(scope=scope, memories=len(self.kept), mean_trust=1.0, **counts)


def view(request: Remember) -> MemoryView:
    """A memory with this content."""
    texts = dict.fromkeys(("created_at", "event_time", "valid_from"), "2026-03-01T10:00:00Z")
    return MemoryView(
        id="1",
        scope=request.scope,
        content=request.content,
        kind=request.kind,
        status="active",
        trust=1.0,
        valid_to=None,
        source="",
        **texts,
    )


def order(tmp_path: Path, *lines: object, keep_going: bool = False) -> Order:
    """A file with these values, one a line."""
    file = tmp_path / "file.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return Order.of(file, "s", "auto", "", keep_going)


def turn(content: str, **more: object) -> dict[str, object]:
    """A turn."""
    return {"role": "user", "content": content, **more}


async def test_dated_turns_go_together_up_to_the_bound(tmp_path: Path) -> None:
    """As many as the service takes at once, never more; progress counts each once."""
    shelf, seen = Shelf(), list[tuple[int, int]]()
    lines = [turn("x" * (number % 7 + 1), timestamp=number) for number in range(50)]
    done = await run(shelf, order(tmp_path, *lines), 4, lambda part, total: seen.append((part, total)))
    assert (done.kept, done.memories_before, done.memories_after, shelf.most_under_way) == (50, 0, 50, 4)
    assert seen == [(number, 50) for number in range(1, 51)]


@pytest.mark.parametrize("kind", ["fact", "undated"])
async def test_what_only_its_order_explains_is_written_in_order(tmp_path: Path, kind: str) -> None:
    """Facts, and turns without a time, however long each takes."""
    contents = ["xxxxxxx", "a", "xxx", "b"]
    lines = [{"content": content} if kind == "fact" else turn(content) for content in contents]
    shelf = Shelf()
    await run(shelf, order(tmp_path, *lines), 4)
    assert (list(shelf.kept.values()), shelf.most_under_way) == (contents, 1)


async def test_a_fact_waits_for_the_turns_before_it(tmp_path: Path) -> None:
    """And the turns after it wait for the fact."""
    first = {"content": "xxxxxxxxx", "kind": "turn", "event_time": "2026-03-01"}
    shelf = Shelf()
    await run(shelf, order(tmp_path, first, {"content": "a"}, {**first, "content": "b"}), 4)
    assert list(shelf.kept.values()) == ["xxxxxxxxx", "a", "b"]


async def test_a_busy_service_is_asked_again(tmp_path: Path) -> None:
    """After a short pause, until it takes the entry."""
    shelf = Shelf(full=3)
    assert (await run(shelf, order(tmp_path, turn("a")), 4)).kept == 1
    assert shelf.calls == 4


async def test_what_the_memory_refuses_is_listed_and_the_rest_is_kept(tmp_path: Path) -> None:
    """With its line; a repeated fact is kept and counted."""
    done = await run(Shelf(), order(tmp_path, {"content": "a"}, {"content": "no"}, {"content": "a"}), 4)
    assert (done.kept, done.duplicates, done.bad_total) == (2, 1, 1)
    assert [each.text("f") for each in done.bad] == ["f:2: the word is not kept here"]


async def test_a_lost_memory_ends_the_run_and_another_run_finishes_it(tmp_path: Path) -> None:
    """Nothing is left under way, and what was kept is not kept again."""
    asked = order(tmp_path, *(turn(f"turn {number}", timestamp=number) for number in range(20)))
    shelf = Shelf(lost_after=7)
    with pytest.raises(Unavailable):
        await run(shelf, asked, 3)
    assert shelf.under_way == 0
    assert 7 <= len(shelf.kept) < 20
    whole = Shelf()
    whole.kept = dict(shelf.kept)
    assert (await run(whole, asked, 3)).memories_after == 20


async def test_a_file_without_statements_is_refused(tmp_path: Path) -> None:
    """It is another kind of file than was meant."""
    with pytest.raises(Invalid, match=r"'file\.jsonl' holds nothing that could be kept as auto"):
        await run(Shelf(), order(tmp_path, {"type": "summary"}), 4)
