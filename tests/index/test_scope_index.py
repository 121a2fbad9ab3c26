"""One scope in memory: what it finds, in which order, and that the way it was filled does not show."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.index.columns import Column
from hydramind.index.postings import Postings
from hydramind.index.ranking import Ranking, rank_keywords
from hydramind.index.scope_index import ScopeIndex
from hydramind.mind import gate, text
from hydramind.records import ChangeSet, Entity, Memory, Status

WORDS = ["amber", "basalt", "cedar", "delta", "ember", "fjord"]


def memory(id_: int, content: str, **more: object) -> Memory:
    """A row with the key of its content."""
    row = Memory(id_, "s", content, text.canonical_content(content), 1_000, 1_000, 1_000)
    return replace(row, **more)  # pyright: ignore[reportArgumentType]


def index_of(*rows: Memory) -> ScopeIndex:
    """A projection of those rows."""
    index = ScopeIndex("s")
    index.put_memories(rows)
    return index


def shown(found: Ranking) -> list[tuple[int, float, float]]:
    """Id, score and coverage of each memory, best first."""
    return [(ranked.memory_id, ranked.score, ranked.coverage) for ranked in found.best]


def test_scores_are_trust_times_coverage() -> None:
    """HYD-28: best first, with what was considered and what passed beside the rows shown."""
    index = index_of(
        memory(1, "amber basalt cedar delta ember", trust=0.6, status=Status.CONTRADICTED.value),
        memory(2, "amber basalt cedar delta"),
        memory(3, "amber"),
        memory(4, "amber basalt cedar delta ember", status=Status.FORGOTTEN.value),
        memory(5, "amber basalt cedar delta ember", status=Status.SUPERSEDED.value),
    )
    found = rank_keywords(index, ("amber", "basalt", "cedar", "delta", "ember"), 10)
    assert shown(found) == [(2, 0.8, 0.8), (1, 0.6, 1.0)]
    assert (found.considered, found.passed) == (3, 2)


def test_no_keywords_and_unknown_words_find_nothing() -> None:
    """HYD-29: nothing to look for is no evidence."""
    index = index_of(memory(1, "amber"))
    assert rank_keywords(index, (), 10).best == rank_keywords(index, ("zinc",), 10).best == ()
    assert rank_keywords(ScopeIndex("s"), ("amber",), 10).best == ()


def test_narrowing_counts_only_what_may_be_found() -> None:
    """HYD-24: `among` names ids; those of no live row count for nothing."""
    index = index_of(memory(1, "amber"), memory(2, "amber"), memory(3, "amber", status=Status.FORGOTTEN.value))
    found = rank_keywords(index, ("amber",), 10, among={2, 3, 99})
    assert ([match.memory_id for match in found.best], found.considered, found.passed) == ([2], 1, 1)
    assert rank_keywords(index, ("amber",), 10, among=set()).best == ()


def test_ties_go_to_the_newer_then_the_smaller_id() -> None:
    """SEEDS 1.3: also where the limit cuts through a tie."""
    rows = [memory(id_, "amber", created_at=created) for id_, created in ((9, 5), (3, 5), (7, 8), (1, 2))]
    index = index_of(*rows)
    assert [match.memory_id for match in rank_keywords(index, ("amber",), 10).best] == [7, 3, 9, 1]
    assert [match.memory_id for match in rank_keywords(index, ("amber",), 2).best] == [7, 3]
    assert rank_keywords(index, ("amber",), 0).best == ()


def test_an_older_row_never_replaces_a_newer_one() -> None:
    """Deltas may be read late: the row of the higher revision stays."""
    index = index_of(memory(1, "amber", trust=0.6, revision=5))
    index.put_memories([memory(1, "amber", trust=1.0, revision=4)])
    assert index.memory(1) == memory(1, "amber", trust=0.6, revision=5)
    assert shown(rank_keywords(index, ("amber",), 1)) == [(1, 0.6, 1.0)]


def test_rows_come_in_the_order_of_ordinals_even_after_a_change() -> None:
    """Whoever derives something a row at a time goes on from where it stopped."""
    first, second, third = memory(3, "amber"), memory(1, "basalt"), memory(2, "cedar")
    changed = replace(first, trust=0.5, revision=1)
    index = index_of(first, second, changed, third)
    assert list(index.memories_from(0)) == [changed, second, third]
    assert list(index.memories_from(2)) == [third]
    assert list(index.memories_from(3)) == []


def test_of_two_rows_of_one_id_put_together_the_newer_stays() -> None:
    """Whichever comes first, and at the place of the first."""
    old, new, other = memory(1, "amber", revision=1), memory(1, "amber", trust=0.5, revision=2), memory(2, "basalt")
    assert list(index_of(old, other, new).memories()) == [new, other]
    assert list(index_of(new, other, old).memories()) == [new, other]


def test_an_active_fact_is_found_by_its_key_and_by_its_slot() -> None:
    """As long as it is active and a fact; another row takes over what it says."""
    index = index_of(memory(1, "amber", slot="stone"), memory(2, "basalt", kind="note"))
    assert [index.active_with(key) for key in ("amber", "basalt", "cedar")] == [index.memory(1), None, None]
    assert [index.active_in_slot(slot) for slot in ("stone", "", "rock")] == [index.memory(1), None, None]
    index.put_memories([memory(1, "amber", slot="stone", status="superseded"), memory(3, "amber", slot="stone")])
    assert (index.active_with("amber"), index.active_in_slot("stone")) == (index.memory(3), index.memory(3))


def test_vectors_of_rows_that_are_not_here_are_left_out() -> None:
    """Put one by one or at once."""
    index = ScopeIndex("s", 2)
    index.put_memories([memory(1, "amber"), memory(2, "basalt")])
    rows = np.array([[1, 2], [3, 4]], np.int8)
    index.put_vector(9, rows[0], 1.0)
    index.put_vectors([9, 2], rows, [1.0, 2.0])
    assert (index.embedded, index.has_vector(2), index.has_vector(1)) == (1, True, False)
    assert index.without_vector(5) == [index.memory(1)]
    assert index.arrays.vectors.scores(np.array([1.0, 1.0], np.float32), 2).tolist() == [0.0, 14.0]


def test_a_status_change_shows_at_once() -> None:
    """A row that is forgotten leaves every answer; its key is free for a new row."""
    index = index_of(memory(1, "amber", revision=1))
    assert index.active_with("amber") == memory(1, "amber", revision=1)
    index.apply(ChangeSet("forget", (memory(1, "amber", status=Status.FORGOTTEN.value, revision=2),)))
    assert (index.active_with("amber"), index.active_with("zinc")) == (None, None)
    assert rank_keywords(index, ("amber",), 5).best == ()
    assert index.related("amber", 5, 0.0) == []
    index.apply(ChangeSet("remember", (memory(2, "amber", revision=3), Entity(8, "s", "E", "e", 1))))
    assert [row.id for row in index.related("amber", 5, 0.0)] == [2]
    assert (len(index), {row.id for row in index.memories()}) == (2, {1, 2})
    assert list(index.entities()) == [index.entity(8)] == [Entity(8, "s", "E", "e", 1)]
    assert index.entity(9) is None


def test_a_slot_is_held_by_its_active_fact_alone() -> None:
    """HYB-13: whichever row came last, a fact that is no longer current leaves the slot, and one may take it later."""
    old, new = memory(1, "amber", slot="a/b"), memory(2, "cedar", slot="a/b")
    index = index_of(old)
    assert (index.active_in_slot("a/b"), index.active_in_slot(""), index.active_in_slot("z")) == (old, None, None)
    index.put_memories([replace(old, status=Status.SUPERSEDED.value, revision=1), new])
    assert index.active_in_slot("a/b") == new
    index.put_memories([replace(new, status=Status.FORGOTTEN.value, revision=2)])
    assert index.active_in_slot("a/b") is None
    index.put_memories([memory(3, "delta", revision=3), memory(3, "delta", slot="a/b", revision=4)])
    assert index.active_in_slot("a/b") == memory(3, "delta", slot="a/b", revision=4)


def test_related_rows_are_active_and_share_telling_words() -> None:
    """HYD-39: rare shared words weigh more, contradicted rows are left out, the floor cuts what shares too little."""
    index = index_of(
        memory(1, "amber basalt"),
        memory(2, "amber cedar"),
        memory(3, "amber delta", status=Status.CONTRADICTED.value),
        memory(4, "amber"),
        memory(5, "fjord"),
    )
    assert [row.id for row in index.related("amber basalt", 10, 0.0)] == [1, 2, 4]
    assert [row.id for row in index.related("amber basalt", 1, 0.0)] == [1]
    assert [row.id for row in index.related("amber basalt", 10, 0.9)] == [1]
    assert index.related("", 10, 0.0) == []


ROWS = st.lists(
    st.builds(
        memory,
        st.integers(1, 12),
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join),
        created_at=st.integers(1, 3),
        trust=st.sampled_from([0.05, 0.6, 0.85, 1.0]),
        status=st.sampled_from([status.value for status in Status]),
    ),
    max_size=30,
)


@given(ROWS, st.lists(st.sampled_from(WORDS), min_size=1, max_size=6, unique=True), st.integers(1, 12))
def test_search_equals_looking_at_every_row(rows: list[Memory], keywords: list[str], limit: int) -> None:
    """HYD-31: exact over the whole scope, for any rows and any limit."""
    first = {row.id: row for row in reversed(rows)}
    rows = [
        replace(row, content=first[row.id].content, created_at=first[row.id].created_at, revision=n)
        for n, row in enumerate(rows)
    ]
    latest = {row.id: row for row in rows}
    expected = []
    for row in latest.values():
        share = len(set(keywords) & set(row.content.split())) / len(keywords)
        if row.recallable and share >= gate.COVERAGE - 1e-9:
            expected.append((-row.trust * share, -row.created_at, row.id))
    found = rank_keywords(index_of(*rows), keywords, limit)
    assert [match.memory_id for match in found.best] == [id_ for *_, id_ in sorted(expected)][:limit]
    assert (found.passed, found.considered) == (len(expected), sum(row.recallable for row in latest.values()))


@given(
    st.lists(st.sets(st.sampled_from(WORDS)), max_size=40),
    st.dictionaries(st.sampled_from([*WORDS, "zinc"]), st.sampled_from([0.25, 1.0, 3.0])),
)
def test_postings_equal_a_scan(documents: list[set[str]], weights: dict[str, float]) -> None:
    """Counts and weights are exact whether the terms are rare or common."""
    postings = Postings()
    assert [postings.add(dict.fromkeys(terms, 1)) for terms in documents] == list(range(len(documents)))
    for term in weights:
        assert postings.frequency(term) == sum(term in terms for terms in documents)
    scan = {
        n: sum(weights[t] for t in terms & set(weights)) for n, terms in enumerate(documents) if terms & set(weights)
    }
    ordinals, shares = postings.weighted(weights)
    assert dict(zip(ordinals.tolist(), shares.tolist(), strict=True)) == scan
    assert ordinals.tolist() == sorted(ordinals.tolist())
    assert postings.held(list(weights)).tolist() == [len(terms & set(weights)) for terms in documents]
    backwards = np.arange(len(documents), dtype=np.int32)[::-1]
    for term in weights:
        assert postings.holding(term, backwards).tolist() == [term in terms for terms in documents][::-1]


def test_rare_terms_among_many_documents_are_found() -> None:
    """Both ways of summing give the same: one rare term in 500 documents, and a term in all of them."""
    postings = Postings()
    for number in range(500):
        postings.add({"common": 1, "rare": 1} if number == 321 else {"common": 1})
    ordinals, shares = postings.weighted({"rare": 2.0})
    assert (ordinals.tolist(), shares.tolist()) == ([321], [2.0])
    ordinals, shares = postings.weighted({"rare": 2.0, "common": 1.0})
    assert (len(ordinals), shares[321], shares[0]) == (500, 3.0, 1.0)
    assert [part.tolist() for part in postings.weighted({"zinc": 1.0})] == [[], []]


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 200])
def test_a_column_grows(size: int) -> None:
    """Values stay in order over every growth, and can be replaced."""
    column = Column(np.int64)
    for value in range(size):
        column.append(value)
    assert column.view().tolist() == list(range(size))
    if size:
        column[size - 1] = -1
        assert column.view()[-1] == -1


def test_very_common_words_are_left_out_of_the_comparison() -> None:
    """The cost of finding related rows does not grow with words that everything holds; the telling ones decide."""
    common = "amber basalt cedar delta ember fjord gravel heron"
    index = index_of(*(memory(id_, f"{common} item{id_}") for id_ in range(1, 9_001)))
    (first, *_) = index.related(f"{common} item4321", 1, 0.0)
    assert first.id == 4321
