"""What holds a scope's rows, ids and words: everything put in comes out, whatever the way, and nothing grows without bound."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hydramind.index import lookup, postings, rows
from hydramind.index.lookup import ABSENT, Lookup
from hydramind.index.postings import Postings
from hydramind.index.rows import RowTable
from hydramind.index.terms import Terms
from hydramind.index.vectors import VectorTable, unpacked
from hydramind.mind import text
from hydramind.records import Memory

WHOLE = st.integers(-(2**63), 2**63 - 1)
TEXTS = st.text(max_size=12)
VALUES = {"int": WHOLE, "float": st.floats(allow_nan=False), "bool": st.booleans(), "str": TEXTS}
MEMORIES = st.builds(Memory, **{field.name: VALUES[str(field.type)] for field in fields(Memory)})
CHANGES = st.lists(st.tuples(st.integers(0, 2), MEMORIES), max_size=6)


def table_of(*memories: Memory) -> RowTable:
    """A table of those rows."""
    table = RowTable()
    table.extend(memories)
    return table


@settings(max_examples=40)
@given(st.lists(MEMORIES, max_size=5), st.integers(0, 5))
def test_rows_come_out_as_they_went_in(memories: list[Memory], cut: int) -> None:
    """Singly, all of them and from any ordinal on; whether they came at once or in two parts."""
    table = table_of(*memories[:cut])
    table.extend(memories[cut:])
    assert len(table) == len(memories)
    assert list(table.rows()) == [table.row(ordinal) for ordinal in range(len(table))] == memories
    assert list(table.rows(cut)) == memories[cut:]


@settings(max_examples=25)
@given(st.lists(MEMORIES, min_size=3, max_size=3), CHANGES)
def test_a_replaced_row_leaves_its_neighbours_alone(memories: list[Memory], changes: list[tuple[int, Memory]]) -> None:
    """Whatever changes, and though the texts are tidied at every chance."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(rows, "_SMALLEST", 0)
        table = table_of(*memories)
        for ordinal, memory in changes:
            table.replace(ordinal, memory)
            memories[ordinal] = memory
            assert list(table.rows()) == memories


def test_rows_past_one_reading_are_all_read() -> None:
    """Many rows, in order."""
    memories = [Memory(id_, "s", f"row {id_}", "k", id_, id_, id_) for id_ in range(300)]
    assert list(table_of(*memories).rows(1)) == memories[1:]


def test_a_change_of_numbers_and_codes_takes_no_room() -> None:
    """Trust, status and validity change as often as they like."""
    memory = Memory(1, "s", "amber" * 100, "k", 1, 1, 1)
    table = table_of(memory)
    for step in range(500):
        table.replace(0, replace(memory, trust=1 / (step + 1), status="contradicted", valid_to=step, revision=step))
    assert table.bytes_of_text == len(memory.content) + len(memory.key)


def test_texts_that_change_take_bounded_room() -> None:
    """However often the entities of a row change, the arena is at most twice what is in use, or its smallest size."""
    memories = [Memory(id_, "s", "c" * 1_000, "k", 1, 1, 1) for id_ in range(200)]
    table = table_of(*memories)
    for step in range(2_000):
        memory = memories[step % 200] = replace(memories[step % 200], entity_ids=str(step))
        table.replace(step % 200, memory)
    assert list(table.rows()) == memories
    assert table.bytes_of_text <= 2 * sum(len(row.content + row.key + row.entity_ids) for row in memories) + 2_000


@settings(max_examples=50)
@given(
    st.lists(st.tuples(WHOLE | st.integers(0, 9), st.integers(0, 2**31 - 1)), max_size=40), st.lists(WHOLE, max_size=5)
)
@example([(5, 1), (5, 2), (-7, 3)], [6])
def test_a_lookup_is_a_dict(entries: list[tuple[int, int]], strangers: list[int]) -> None:
    """The latest ordinal of each number, one at a time or many, however seldom the latest are merged."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(lookup, "_FEWEST", 3)
        found, expected = Lookup(), dict[int, int]()
        for number, ordinal in entries:
            found.put(number, ordinal)
            expected[number] = ordinal
        asked = [*expected, *strangers]
        wanted = [expected.get(number, ABSENT) for number in asked]
        assert [found.get(number) for number in asked] == found.find(asked) == wanted


@pytest.mark.parametrize(
    "content",
    [
        "Don't panic: it's 42 o'clock, said 3 of THEM; ABC and A1",
        "snake_case and _edges_ of __all__",
        "camelCase, HTTPServer, iPhone and JavaScript",
        "C++ and c# on v1.2.3, 1,234,567 lines, 3.14",
        "a+b, x#y, i++ and C+",
        "naïve Café 東京タワー ตัวอย่าง",
        "",
    ],
)
def test_the_short_way_of_words_is_the_long_way(content: str) -> None:
    """Plain text and every kind of word that is not."""
    terms = Terms()
    assert terms.words(content) == text.words(content)
    for _ in range(2):
        assert list(terms.counts(content).items()) == list(text.term_counts(content).items())


@given(st.lists(st.text(st.characters(max_codepoint=0x7F), max_size=30) | st.text(max_size=10), max_size=6))
def test_any_text_has_the_same_terms_both_ways(contents: list[str]) -> None:
    """Also when little is remembered."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("hydramind.index.terms._KEPT", 2)
        terms = Terms()
        for content in contents:
            assert terms.words(content) == text.words(content)
            assert list(terms.counts(content).items()) == list(text.term_counts(content).items())


@settings(max_examples=50)
@given(
    st.lists(st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 300), max_size=4), max_size=40),
    st.lists(st.integers(1, 7), min_size=1, max_size=6),
)
def test_postings_do_not_show_how_they_were_added(documents: list[dict[str, int]], sizes: list[int]) -> None:
    """One at a time or many at once, sorted often or never: the same frequencies, lengths and scores."""
    whole = Postings()
    whole.extend(documents)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(postings, "_LATEST", 3)
        parts, at = Postings(), 0
        while at < len(documents):
            size = sizes[at % len(sizes)]
            parts.extend(documents[at : at + size])
            at += size
        singly = Postings()
        assert [singly.add(document) for document in documents] == list(range(len(documents)))
    for term in "abcdefgabc":
        held = [number for number, document in enumerate(documents) if term in document]
        for index in (whole, parts, singly):
            assert index.frequency(term) == len(held)
            assert np.flatnonzero(index.held([term])).tolist() == held
    for index in (parts, singly):
        assert index.lengths.tolist() == whole.lengths.tolist() == [sum(document.values()) for document in documents]
        assert index.bm25("abg").tolist() == whole.bm25("abg").tolist()
        groups = np.arange(len(documents), dtype=np.int32) % 3 - 1
        lengths = index.grouped_lengths(groups, 2)
        assert lengths.tolist() == whole.grouped_lengths(groups, 2).tolist()
        bm25 = index.grouped_bm25("abg", groups, lengths)
        assert bm25.tolist() == whole.grouped_bm25("abg", groups, lengths).tolist()


def test_many_terms_asked_for_again_and_again_are_found_each_time() -> None:
    """More than are kept at hand, before and after another document comes."""
    index, terms = Postings(), [f"t{number}" for number in range(70)]
    for held in (1, 2):
        index.add(dict.fromkeys(terms, 1))
        assert [index.frequency(term) for term in terms + terms] == [held] * 140


def test_vectors_are_put_at_once_as_one_by_one() -> None:
    """Rows in any order of ordinals, replaced ones counted once, and nothing at all."""
    rows_of = np.arange(12, dtype=np.int8).reshape(4, 3)
    places, scales = np.array([70, 2, 300, 0], np.int32), np.array([0.5, 1.0, 2.0, 0.25], np.float32)
    single, several = VectorTable(3), VectorTable(3)
    several.put_all(places[:0], rows_of[:0], scales[:0])
    several.put_all(places[:2], rows_of[2:], scales[2:])
    several.put_all(places, rows_of, scales)
    for at, place in enumerate(places.tolist()):
        single.put(place, rows_of[at], float(scales[at]))
    assert (several.filled, several.present(301).tolist()) == (4, single.present(301).tolist())
    query = np.array([0.1, 0.2, 0.3], np.float32)
    assert several.scores(query, 301).tolist() == single.scores(query, 301).tolist()
    with pytest.raises(ValueError, match="expected 2 vectors of 3 numbers"):
        several.put_all(places[:2], rows_of, scales[:2])


def test_base64_rows_are_unpacked_together() -> None:
    """Each text is a row; a byte more or less is a fault."""
    assert unpacked(["AQL/", "AAAA"], 3).tolist() == [[1, 2, -1], [0, 0, 0]]
    assert unpacked([], 3).shape == (0, 3)
    with pytest.raises(ValueError, match="expected 2 vectors of 3 bytes, got 5 bytes"):
        unpacked(["AQL/", "AAA="], 3)
