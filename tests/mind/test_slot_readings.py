"""Which value of whom a plain statement gives, and when two statements give different ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.mind.slots import Reading, other_value, read


@pytest.mark.parametrize(
    ("content", "slot", "value"),
    [
        ("Alice lives in Paris.", "alice/location", "Paris"),
        ("Alice now lives in New York", "alice/location", "New York"),
        ("Bob Smith is currently based in Oslo", "bob smith/location", "Oslo"),
        ("The office is located in Berlin!", "office/location", "Berlin"),
        ("I live at 4 Oak Lane.", "i/address", "4 Oak Lane"),
        ("Bob's address is 7 Elm Street", "bob/address", "7 Elm Street"),
        ("My new e-mail address is c@example.org", "i/email", "c@example.org"),
        ("Our email is team@example.org.", "we/email", "team@example.org"),
        ("Bob\u2019s work email is b@example.org", "bob/work email", "b@example.org"),
        ("The parents' phone number is 555 12 34", "parents/phone", "555 12 34"),
        ("The mobile number of  BOB   Smith is 555", "bob smith/phone", "555"),
    ],
)
def test_plain_statements_are_read(content: str, slot: str, value: str) -> None:
    """HYB-13: whoever is meant and however it is put, one value has one name."""
    assert read(content) == Reading(slot, value)


@pytest.mark.parametrize(
    "content",
    [
        "Alice does not live in Paris.",
        "Alice doesn't live in Paris.",
        "Does Alice live in Paris?",
        "Alice used to live in Paris",
        "Bob's old address is 4 Oak Lane",
        "Bob's address might be 4 Oak Lane",
        "She lives in Paris",
        "Alice likes tea",
        "Alice uses Vim",
        "Bob's favourite colour is red",
        "The gateway uses mutual TLS.",
        "Bob's manager is Alice",
        "Alice lives in Paris or in Rome",
        "Alice lives in " + "a" * 200,
        "",
    ],
)
def test_anything_else_is_not_read(content: str) -> None:
    """Denied, asked, past, doubted, of a pronoun, of several values at once, or about something else."""
    assert read(content) is None


@pytest.mark.parametrize(
    ("draft", "stored", "slot"),
    [
        ("Bob's address is 7 Elm Street", "Bob's address is 4 Oak Lane", "bob/address"),
        ("Alice lives in Rome", "Alice is based in Paris", "alice/location"),
        ("My email is a@example.org", "The email of Bob is b@example.org", ""),
        ("Bob's work email is a@example.org", "Bob's email is b@example.org", ""),
        ("Bob lives at 4 Oak Lane", "Bob lives in Paris", ""),
        ("Alice lives in Paris, France", "Alice is based in Paris", ""),
        ("Alice is based in paris", "Alice lives in Paris, France", ""),
        ("Alice likes tea", "Alice likes coffee", ""),
    ],
)
def test_two_values_of_one_slot(draft: str, stored: str, slot: str) -> None:
    """Only the same attribute of the same subject, and only where neither value says the other."""
    assert other_value(draft, stored) == other_value(stored, draft) == slot


@given(st.text(max_size=250))
def test_any_text_is_read_or_not_and_agrees_with_itself(content: str) -> None:
    """Nothing raises, and no statement gives a value other than its own."""
    found = read(content)
    assert found is None or (found.value in content and "/" in found.slot)
    assert other_value(content, content) == ""
