"""JSON text is repaired before it is parsed, and only where it has to be."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import from_json

from hydramind.mcp_server.wire import pair_surrogates

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=20)


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [
        (r'"a \ud83d b"', r'"a \ufffd b"'),
        (r'"\ud83c\udf89"', r'"\ud83c\udf89"'),
        (r'"\udf89\ud83c"', r'"\ufffd\ufffd"'),
        (r'"\\ud83d"', r'"\\ud83d"'),
        (r'"\\\ud83d"', r'"\\\ufffd"'),
        (r'"\uD83D\uDE80\uD83D"', r'"\uD83D\uDE80\ufffd"'),
        ('"plain"', '"plain"'),
    ],
)
def test_lone_halves_are_replaced_and_pairs_kept(given_text: str, expected: str) -> None:
    """An escaped backslash before `ud83d` is no escape."""
    assert pair_surrogates(given_text) == expected


@given(ANY_TEXT)
def test_repaired_text_always_parses_and_pairs_read_the_same(text: str) -> None:
    """Whatever Python would have read, with the unpaired halves replaced."""
    encoded = json.dumps(text)
    read = from_json(pair_surrogates(encoded))
    assert read == text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
