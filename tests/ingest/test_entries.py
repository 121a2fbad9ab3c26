"""What each layout of a file becomes."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from hydramind.errors import Invalid
from hydramind.ingest.entries import Entry, entries
from hydramind.ingest.order import Format, Order
from hydramind.models import Remember


def read(tmp_path: Path, data: object, name: str = "export.json", format: Format = "auto") -> list[Entry]:
    """The entries of a file with this content: bytes, text, or a value as JSON."""
    text = data if isinstance(data, str | bytes) else json.dumps(data)
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(entries(Order.of(file, "s", format, "", False)))


def told(found: list[Entry]) -> list[tuple[str, str, str, str]]:
    """Speaker, content, session and evidence id of each turn."""
    requests = [entry.request for entry in found if entry.request is not None]
    return [(each.source, each.content, each.session, each.evidence_id) for each in requests]


def times(found: list[Entry]) -> list[str]:
    """Event times as ISO text."""
    return [entry.request.event_time.isoformat() for entry in found if entry.request and entry.request.event_time]


def message(role: str, *parts: Any, **more: Any) -> dict[str, Any]:
    """A ChatGPT message."""
    return {"author": {"role": role}, "content": {"content_type": "text", "parts": [*parts]}, **more}


def test_a_chatgpt_export_gives_the_branch_that_was_kept(tmp_path: Path) -> None:
    """Regenerated answers, hidden and system messages, tool calls and pictures are not what was said."""
    image = {"content_type": "image_asset_pointer", "asset_pointer": "x"}
    nodes = {
        "r": {"id": "r", "message": None, "parent": None},
        "s": {"message": message("system", ""), "parent": "r"},
        "u": {"message": message("user", image, "Which kiln?", id="m1", create_time=1777888800.5), "parent": "s"},
        "t": {"message": message("assistant", "search()", recipient="browser"), "parent": "u"},
        "o": {"message": message("tool", "results"), "parent": "t"},
        "h": {"message": message("user", "x", metadata={"is_visually_hidden_from_conversation": True}), "parent": "o"},
        "a": {"message": message("assistant", "The blue one", id="m2", create_time=1777888801), "parent": "h"},
        "b": {"message": message("assistant", "The red one", id="m3"), "parent": "h"},
    }
    found = read(tmp_path, [{"title": "Kilns", "conversation_id": "c1", "mapping": nodes, "current_node": "a"}])
    assert told(found) == [("user", "Which kiln?", "c1", "m1"), ("assistant", "The blue one", "c1", "m2")]
    assert times(found) == ["2026-05-04T10:00:00.500000+00:00", "2026-05-04T10:00:01+00:00"]
    assert len(found) == 6


def test_a_claude_export(tmp_path: Path) -> None:
    """Text, or the text parts of a content."""
    said = [
        {"uuid": "m1", "sender": "human", "text": "Hi", "created_at": "2026-05-04T10:00:00.123456Z"},
        {
            "uuid": "m2",
            "sender": "assistant",
            "text": "",
            "content": [{"type": "text", "text": "Hello"}, {"type": "tool_use"}],
        },
        {"uuid": "m3", "sender": "human", "text": "", "content": []},
    ]
    found = read(
        tmp_path, [{"uuid": "c1", "name": "Greeting", "created_at": "2026-05-04T10:00:00Z", "chat_messages": said}]
    )
    assert told(found) == [("human", "Hi", "c1", "m1"), ("assistant", "Hello", "c1", "m2")]
    assert times(found) == ["2026-05-04T10:00:00.123000+00:00", "2026-05-04T10:00:00.001000+00:00"]


@pytest.mark.parametrize("layout", ["list", "lines", "object", "pretty"])
def test_plain_messages_in_any_layout(tmp_path: Path, layout: str) -> None:
    """A list, one a line, an object that holds the list, on one line or over many; the session is the file's name."""
    said = [
        {"role": "user", "content": "yes", "timestamp": 1777888800},
        {"role": "system", "content": "be kind"},
        {"role": "assistant", "content": "yes", "timestamp": "2026-05-04T10:00:01Z"},
    ]
    text = {
        "list": json.dumps(said),
        "lines": "\n".join(json.dumps(each) for each in said),
        "object": json.dumps({"messages": said}),
        "pretty": json.dumps({"messages": said}, indent=2),
    }[layout]
    found = read(tmp_path, text, "talk.json")
    assert told(found) == [("user", "yes", "talk", ""), ("assistant", "yes", "talk", "")]
    assert times(found) == ["2026-05-04T10:00:00+00:00", "2026-05-04T10:00:01+00:00"]


@pytest.mark.parametrize("wrapped", [False, True])
def test_numbered_sessions_with_their_times(tmp_path: Path, wrapped: bool) -> None:
    """In the order of their numbers; turns of one session come a millisecond apart; a shared picture is told."""
    held = {
        "speaker_a": "Ada",
        "session_10_date_time": "1:56 pm on 8 May, 2023",
        "session_10": [{"speaker": "Bo", "dia_id": "D10:1", "text": "Bye"}],
        "session_2_date_time": "10:00 am on 4 May, 2023",
        "session_2": [
            {"speaker": "Ada", "dia_id": "D2:1", "text": "Look", "blip_caption": "a photo of a kiln"},
            {"speaker": "Bo", "dia_id": "D2:2", "text": "Nice"},
        ],
    }
    found = read(tmp_path, [{"sample_id": "c", "conversation": held, "qa": [{"question": "?"}]}] if wrapped else held)
    prefix = "c/" if wrapped else ""
    assert told(found) == [
        ("Ada", "Look [shared image: a photo of a kiln]", f"{prefix}session_2", "D2:1"),
        ("Bo", "Nice", f"{prefix}session_2", "D2:2"),
        ("Bo", "Bye", f"{prefix}session_10", "D10:1"),
    ]
    assert times(found)[:2] == ["2023-05-04T10:00:00+00:00", "2023-05-04T10:00:00.001000+00:00"]


def test_a_transcript_goes_on_over_lines(tmp_path: Path) -> None:
    """Times in a line of their own or before a speaker; what has no speaker belongs to the turn before."""
    text = (
        "\ufeffweek 3 notes\nTime: 20260924_20:00\nJo Moore: First\n\nsecond line, see http://x.example/a: b\n"
        "LiHua: 你好: 世界\n[2026-09-24 21:30] Ada:  later \nBo:\n"
    )
    found = read(tmp_path, text, "20260924.txt")
    assert told(found) == [
        ("Jo Moore", "First\n\nsecond line, see http://x.example/a: b", "20260924", ""),
        ("LiHua", "你好: 世界", "20260924", ""),
        ("Ada", "later", "20260924", ""),
    ]
    assert times(found) == [
        "2026-09-24T20:00:00+00:00",
        "2026-09-24T20:00:00.001000+00:00",
        "2026-09-24T21:30:00+00:00",
    ]
    assert [entry.line for entry in found if entry.request] == [3, 6, 7]


def test_a_damaged_agent_transcript(tmp_path: Path) -> None:
    """Bookkeeping is passed over, damage is named by line, and both sides of the talk are turns."""
    lines = [
        '{"type": "summary", "summary": "x"}',
        '{"type": "file-history-snapshot", "id": 1}',
        '{"type": "user", "uuid": "u1", "sessionId": "c", "timestamp": "2026-05-04T10:00:00Z", '
        '"message": {"role": "user", "content": "Hi"}}',
        '{"type": "user", "message": {"role": "us',
        "",
        "[1, 2]",
        '{"type": "assistant", "uuid": "a1", "sessionId": "c", "message": {"role": "assistant", "content": '
        '[{"type": "text", "text": "Hello"}, {"type": "tool_use", "text": "no"}]}}',
    ]
    found = read(tmp_path, "\n".join(lines), "log.jsonl", "chat")
    assert told(found) == [("user", "Hi", "c", "u1"), ("assistant", "Hello", "c", "a1")]
    assert [(entry.bad.line, entry.bad.field) for entry in found if entry.bad] == [(4, "entry"), (6, "entry")]
    assert len(found) == 6


def test_lines_with_the_arguments_of_remember(tmp_path: Path) -> None:
    """Strictly: an unknown field, a foreign scope, a number as time and a blank content are named."""
    lines = [
        {"content": "A", "entity_refs": ["svc"], "confidence": 0.5, "idempotency_key": "mine"},
        {"content": "B", "scope": "s", "kind": "note"},
        {"content": "C", "scope": "t"},
        {"content": "D", "limit": 1},
        {"content": "E", "event_time": 1777888800},
        {"content": " "},
    ]
    found = read(tmp_path, "\n".join(json.dumps(each) for each in lines), "facts.jsonl")
    kept = [entry.request for entry in found if entry.request]
    assert kept == [
        Remember(content="A", scope="s", entity_refs=("svc",), confidence=0.5, idempotency_key="mine"),
        Remember(content="B", scope="s", kind="note", idempotency_key=kept[1].idempotency_key),
    ]
    assert [(entry.bad.line, entry.bad.field) for entry in found if entry.bad] == [
        (3, "scope"),
        (4, "limit"),
        (5, "event_time"),
        (6, "content"),
    ]
    assert read(tmp_path, lines, "facts.json", "jsonl") != []


def test_keys_are_stable_and_tell_equal_turns_apart(tmp_path: Path) -> None:
    """The same file gives the same keys; lines added in front or behind and a repaired line change no other key; an id of its
    own is the key whatever stands around it; another scope has other keys."""
    first = "A: yes\nB: no\nA: yes\n"
    keys = [entry.request.idempotency_key for entry in read(tmp_path, first, "t.txt") if entry.request]
    assert len(set(keys)) == 3
    longer = [
        entry.request.idempotency_key
        for entry in read(tmp_path, "C: hm\n" + first + "A: yes\n", "t.txt")
        if entry.request
    ]
    assert longer[1:4] == keys
    assert longer[4] not in keys
    named = [{"role": "user", "content": "a", "id": 1}, {"role": "user", "content": "b", "id": 2}]
    both = [entry.request.idempotency_key for entry in read(tmp_path, named) if entry.request]
    assert [entry.request.idempotency_key for entry in read(tmp_path, named[1:]) if entry.request] == both[1:]
    other = Order.of(tmp_path / "t.txt", "another", "auto", "", False)
    assert not {entry.request.idempotency_key for entry in entries(other) if entry.request} & set(longer)


def test_a_bad_time_and_a_content_over_the_limit_are_named_by_their_place(tmp_path: Path) -> None:
    """Line of the conversation, and where in it."""
    said = [{"role": "user", "content": "a", "timestamp": "soon"}, {"role": "user", "content": "x" * 100_001}]
    found = read(tmp_path, "[\n" + json.dumps({"id": "c", "messages": said}) + "]")
    problems = [entry.bad for entry in found if entry.bad]
    assert [(bad.line, bad.at, bad.field) for bad in problems] == [
        (2, "messages[0]", "event_time"),
        (2, "messages[1]", "content"),
    ]
    assert problems[0].text("f") == f"f:2: messages[0]: event_time: {problems[0].expected}"


def test_lone_surrogates_and_long_names_are_kept_as_valid_text(tmp_path: Path) -> None:
    """Half a pair becomes the replacement character; a name too long for a session keeps its beginning."""
    found = read(
        tmp_path, '{"id": "' + "c" * 300 + '", "messages": [{"role": "u\\ud83d", "content": "cut \\ud83d here"}]}'
    )
    [(speaker, content, session, _)] = told(found)
    assert (speaker, content) == ("u\ufffd", "cut \ufffd here")
    assert len(session) < 200


def test_packed_files_are_unpacked_and_damaged_ones_named(tmp_path: Path) -> None:
    """By their ending; a file that is cut says so."""
    packed = gzip.compress(json.dumps([{"role": "user", "content": "a"}]).encode())
    assert [content for _, content, _, _ in told(read(tmp_path, packed, "e.json.gz"))] == ["a"]
    with pytest.raises(Invalid, match="cannot be read to its end"):
        read(tmp_path, packed[:-9], "e.json.gz")


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b"\x00\xff", b"null", b"7", b'"x"', b"[[1]]", b"no speaker here\n"]
)
def test_what_holds_nothing_gives_no_statement(tmp_path: Path, data: bytes) -> None:
    """Whatever it is."""
    assert told(read(tmp_path, data, "x.json")) == []


def test_a_path_that_is_no_file_is_refused(tmp_path: Path) -> None:
    """A folder, or nothing at all; so is a format that nobody knows."""
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(Invalid, match="path: must be a file"):
            Order.of(path, "s", "auto", "", False)
    (tmp_path / "f").touch()
    with pytest.raises(Invalid, match="format: must be one of auto, jsonl, chat"):
        Order.of(tmp_path / "f", "s", "csv", "", False)  # type: ignore[arg-type]
