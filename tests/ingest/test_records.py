"""A file's bytes become records a piece at a time; what is damaged is named and its neighbours are read."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.ingest import records
from hydramind.ingest.records import Record, json_elements, json_lines
from hydramind.ingest.splitting import Splitter

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.sampled_from('ab"\\,[]{}:\n é\u2028'), max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(values, max_size=5), st.integers(1, 9), st.sampled_from([None, 1]), st.booleans())
def test_a_list_is_split_into_its_elements_wherever_the_pieces_end(
    data: list[Any], size: int, indent: int | None, escaped: bool
) -> None:
    """Brackets, commas and quotes inside texts do not count; each element is given with its line."""
    text = json.dumps(data, indent=indent, ensure_ascii=escaped).encode("utf-8", "surrogatepass")
    splitter = Splitter(10**6)
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    found = [part for piece in pieces for part in splitter.feed(piece)]
    assert [json.loads(part.decode("utf-8", "surrogatepass")) for _, part in found] == data
    assert splitter.closed
    for line, part in found:
        assert text.split(b"\n")[line - 1].find(part.strip().split(b"\n")[0]) >= 0


def test_a_cut_list_and_one_with_something_behind_it_are_named() -> None:
    """The elements before are given."""
    assert list(json_elements(io.BytesIO(b'[1,\n{"a": 2'))) == [
        Record(1, 1),
        Record(1, problem="the JSON list ends before its closing bracket"),
    ]
    assert list(json_elements(io.BytesIO(b"[1] x"))) == [
        Record(1, 1),
        Record(1, problem="nothing may follow the JSON list"),
    ]
    assert list(json_elements(io.BytesIO(b" [ ]\n"))) == []
    assert [bool(each.problem) for each in json_elements(io.BytesIO(b"[1,,2]"))] == [False, True, False]


def test_an_element_without_end_is_not_read_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading stops at the bound."""
    monkeypatch.setattr(records, "LARGEST_DOCUMENT", 100)
    monkeypatch.setattr(records, "_CHUNK", 64)
    file = io.BytesIO(b'[1, "' + b"x" * 100_000)
    assert [each.problem for each in json_elements(file)] == ["", "an element of the list may be at most 100 bytes"]
    assert file.tell() < 1_000


def test_damaged_lines_are_named_and_only_line_feeds_end_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cut line, bytes that are no UTF-8, a huge line, NaN, thousands of digits; U+2028, U+0085 and lone CR stay inside."""
    monkeypatch.setattr(records, "LONGEST", 5_000)
    odd = json.dumps("a\u2028b\x85c", ensure_ascii=False).encode()
    lines = [
        b"\xef\xbb\xbf1\r",
        b"",
        odd,
        b'{"a": "cut',
        b'"\xe9"',
        b"[" + b" " * 20_000 + b"]",
        b"NaN",
        b"9" * 4_900,
        b"2",
    ]
    found = list(json_lines(io.BytesIO(b"\n".join(lines))))
    assert [(each.line, each.value) for each in found if not each.problem] == [(1, 1), (3, "a\u2028b\x85c"), (9, 2)]
    problems = {each.line: each.problem for each in found if each.problem}
    assert problems[4].startswith("is not JSON: unterminated string")
    assert problems[5] == "must be UTF-8, byte 2 is not"
    assert problems[6] == "must be at most 5,000 bytes long"
    assert problems[7] == "is not usable JSON: nan is not a json value"
    assert problems[8].startswith("is not usable JSON: exceeds the limit")
