"""A file that a crash or a careless program left: what can be read is kept once, what cannot is counted by its line."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
from pathlib import Path

import pytest

from hydramind import HydraMind
from hydramind.ingest.entries import entries
from hydramind.ingest.order import Order
from hydramind.ingest.report import BadFile, Ingested
from hydramind.service import HydraMind as Service
from tests.scoped import Scoped


def line(role: str, content: str, **more: object) -> bytes:
    """A record as an agent's log has it."""
    return json.dumps({"type": role, "message": {"role": role, "content": content}, **more}).encode()


TOO_LONG = b'{"role": "user", "content": "' + b"x" * 20_000_000 + b'"}'
LINES = (
    b'{"type": "summary", "summary": "Kiln talk"}',
    b'{"type": "file-history-snapshot", "id": 1}',
    line("user", "Which kiln is free?"),
    b'{"type": "user", "message": {"role": "us',
    b"",
    b"[1, 2]",
    TOO_LONG,
    line("assistant", "The blue one is."),
    line("user", "Thanks a lot"),
)
"""The last one ends without a line feed."""


async def ingested(service: Service, scope: str, file: Path) -> Ingested:
    """What an ingest that goes on past damage says."""
    return await HydraMind(service).ingest(file, scope, format="chat", keep_going=True)


@pytest.mark.parametrize("packed", [False, True])
async def test_both_sides_of_a_damaged_log_are_kept_once(
    mind: Service, scope: str, tmp_path: Path, packed: bool
) -> None:
    """B03: bookkeeping, a cut line, a list and 20 MB on a line are counted, the latter with their numbers; one more line is
    one more memory; a file replaced by a shorter one takes nothing away."""
    file = tmp_path / ("log.jsonl.gz" if packed else "log.jsonl")

    def write(*lines: bytes) -> None:
        data = b"\n".join(lines)
        file.write_bytes(gzip.compress(data, 1) if packed else data)

    write(*LINES)
    first = await ingested(mind, scope, file)
    assert (first.kept, first.skipped, first.bad_total, first.memories_after) == (3, 2, 3, 3)
    assert [bad.line for bad in first.bad] == [4, 6, 7]
    write(*LINES, line("assistant", "It is fired on Friday."))
    second = await ingested(mind, scope, file)
    assert (second.kept, second.memories_before, second.memories_after) == (4, 3, 4)
    write(*LINES[:3])
    assert (await ingested(mind, scope, file)).memories_after == 4
    assert sorted(await Scoped(mind, scope).found("kiln free blue thanks lot fired Friday", gate="off")) == [
        "It is fired on Friday.",
        "Thanks a lot",
        "The blue one is.",
        "Which kiln is free?",
    ]


async def test_two_at_once_keep_each_turn_once(mind: Service, scope: str, tmp_path: Path) -> None:
    """B03: whoever comes second finds it kept."""
    file = tmp_path / "log.jsonl"
    file.write_bytes(b"\n".join(line("user", f"Visitor {number}") for number in range(20)))
    both = await asyncio.gather(*(ingested(mind, scope, file) for _ in range(2)))
    assert [done.kept for done in both] == [20, 20]
    assert (await Scoped(mind, scope).stats()).memories == 20


SEPARATED = "first\u2028second\x85third\x0bfourth\x1cfifth\rsixth"


async def test_only_line_feeds_separate_records(mind: Service, scope: str, tmp_path: Path) -> None:
    """B08: line and paragraph separators, vertical tab, file separator and a lone return stay inside their record, written
    raw; one more record is exactly one more; lines are counted by line feeds."""
    file = tmp_path / "log.jsonl"
    record = json.dumps({"role": "user", "content": "?"}, ensure_ascii=False).replace("?", SEPARATED).encode()
    file.write_bytes(record + b"\r\n")
    assert (await ingested(mind, scope, file)).memories_after == 1
    assert await Scoped(mind, scope).found("second third fifth sixth") == [
        "first\u2028second\x85third fourth fifth\rsixth"
    ]
    file.write_bytes(record + b"\r\n" + line("assistant", "seventh") + b"\n{")
    again = await ingested(mind, scope, file)
    assert (again.memories_before, again.memories_after, again.bad[0].line) == (1, 2, 3)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_transcript_is_cut_at_line_feeds_alone(tmp_path: Path, end: str) -> None:
    """B08: what looks like a line end inside a turn of a plain transcript is part of what was said."""
    file = tmp_path / "talk.txt"
    file.write_bytes(f"Ada: {SEPARATED}{end}Bo: yes{end}".encode())
    found = [entry for entry in entries(Order.of(file, "s", "auto", "", False)) if entry.request]
    assert [(entry.line, entry.request.source, entry.request.content) for entry in found if entry.request] == [
        (1, "Ada", "first\u2028second\x85third fourth fifth\rsixth"),
        (2, "Bo", "yes"),
    ]


@pytest.fixture
def unreadable_name(tmp_path: Path) -> Path:
    """A log with a good and a bad line, whose name holds a byte that is no UTF-8."""
    file = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.jsonl"))
    file.write_bytes(line("user", "The kiln is hot") + b"\n{")
    return file


async def test_a_file_name_that_is_no_text_is_replaced(mind: Service, scope: str, unreadable_name: Path) -> None:
    """U05: the byte becomes U+FFFD in the session and in messages, which are valid UTF-8."""
    with pytest.raises(BadFile) as refused:
        await HydraMind(mind).ingest(unreadable_name, scope)
    assert str(refused.value).startswith("caf\ufffd.jsonl:2: ")
    assert refused.value.file == "caf\ufffd.jsonl"
    assert (await ingested(mind, scope, unreadable_name)).kept == 1
    assert [hit.memory.session for hit in (await Scoped(mind, scope).recall("kiln hot")).hits] == ["caf\ufffd"]
