"""What a request body must be before a verb sees it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.api.bodies import parse_object
from hydramind.api.problems import Malformed

_TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | _TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(_TEXT, _VALUES, max_size=4))
def test_any_shallow_object_comes_through_unchanged(value: dict[str, object]) -> None:
    """Parsing undoes writing, whatever the keys and values."""
    assert parse_object(json.dumps(value).encode()) == value


@given(st.binary(max_size=200))
def test_any_bytes_give_an_object_or_a_plain_refusal(body: bytes) -> None:
    """No input makes the parser fail in another way."""
    try:
        found = parse_object(body)
    except Malformed:
        return
    assert isinstance(found, dict)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        (b'{"a": 1} {"b": 2}', "extra data"),
        (b"[]", "got a list"),
        (b'"text"', "got text"),
        (b"null", "got null"),
        (b"true", "got a boolean"),
        (b"7", "got a number"),
        (b'{"a": NaN}', "NaN is not"),
        (b'{"a": -Infinity}', "-Infinity is not"),
        (b'{"a": 1e400}', "too large a number"),
        (b'{"a": ' + b"9" * 5_000 + b"}", "not usable JSON"),
        (b'{"a": "\xff"}', "UTF-8 at byte 7"),
        (b'{"a": 1, "a": 2}', "'a' stands twice"),
        (b'{"b": {"a": 1, "a": 2}}', "'a' stands twice"),
        (b'{"a":' + b"[" * 40 + b"]" * 40 + b"}", "nested deeper"),
        (b"[" * 200_000, "nested deeper"),
    ],
)
def test_a_bad_body_is_refused_with_its_reason(body: bytes, reason: str) -> None:
    """Each fault is named; nothing is guessed or repaired."""
    with pytest.raises(Malformed, match=reason) as caught:
        parse_object(body)
    assert caught.value.status == 400
