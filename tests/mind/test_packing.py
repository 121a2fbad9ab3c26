"""Evidence packing: tokens, rendering, the four strategies, and what holds for any corpus, ranking and budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.mind.packing import (
    Arrangement,
    Evidence,
    Item,
    Packing,
    Role,
    SessionRank,
    Strategy,
    Turn,
    count_tokens,
    pack,
    render,
)

PLENTY = 10_000


def turn(turn_id: int, session: str = "s", position: int | None = None, words: int = 1) -> Turn:
    """A turn of so many tokens, at the position of its id."""
    return Turn(turn_id, session, turn_id if position is None else position, "", "", " ".join(["word"] * words))


def ids(evidence: Evidence) -> list[int]:
    """Ids of the items, as they stand."""
    return [item.id for item in evidence.items]


def by_rank(strategy: Strategy, budget: int = PLENTY, window: int = 1) -> Packing:
    """Items in the order in which they were taken."""
    return Packing(budget, strategy, window, arrangement=Arrangement.RANK)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("Anna adopted a dog.", 5),
        ("don't", 3),
        ("snake_case 3.14", 4),
        ("北京 is big", 4),
        ("カメラを買った", 7),
        ("서울에서 만나", 6),
        ("ok!!! 👍", 5),
        ("naïve café", 2),
        ("word北word", 3),
    ],
)
def test_tokens_are_words_marks_and_east_asian_characters(text: str, expected: int) -> None:
    """White space counts nothing."""
    assert count_tokens(text) == expected


@pytest.mark.parametrize(
    ("date", "speaker", "expected"),
    [
        ("2024-03-01", "Anna", "(2024-03-01) Anna: Hello."),
        ("2024-03-01", "", "(2024-03-01) Hello."),
        ("", "Anna", "Anna: Hello."),
        ("", "", "Hello."),
    ],
)
def test_a_turn_is_rendered_with_its_date_and_speaker(date: str, speaker: str, expected: str) -> None:
    """What is empty leaves no trace."""
    assert render(Turn(1, "s", 1, date, speaker, "Hello.")) == expected


def test_an_item_says_why_it_is_there_and_what_it_costs() -> None:
    """Tokens are those of the rendered turn."""
    turns = [Turn(7, "s", 0, "2024-03-01", "Anna", "Tea?"), Turn(8, "s", 1, "", "", "Yes")]
    evidence = pack(turns, [(8, 0.5)], Packing(PLENTY, Strategy.WINDOW))
    assert evidence == Evidence(
        (
            Item(7, Role.CONTEXT, None, None, 8, "(2024-03-01) Anna: Tea?", 11),
            Item(8, Role.HIT, 1, 0.5, None, "Yes", 1),
        ),
        12,
        (),
    )


def test_what_does_not_fit_is_skipped_and_the_next_is_tried() -> None:
    """Never cut: a smaller hit behind a large one still goes in."""
    turns = [turn(1, words=3), turn(2, words=5), turn(3, words=2)]
    evidence = pack(turns, [(2, 0.9), (1, 0.8), (3, 0.7)], by_rank(Strategy.TURN, budget=7))
    assert (ids(evidence), evidence.tokens, evidence.skipped) == ([2, 3], 7, (1,))
    assert [item.rank for item in evidence.items] == [1, 3]


def test_items_stand_in_the_order_of_the_corpus_or_of_rank() -> None:
    """The same items either way."""
    turns, ranked = [turn(5), turn(3), turn(9)], [(9, 0.9), (5, 0.8), (3, 0.1)]
    plan = Packing(PLENTY)
    assert ids(pack(turns, ranked, plan)) == [5, 3, 9]
    assert ids(pack(turns, ranked, replace(plan, arrangement=Arrangement.RANK))) == [9, 5, 3]


def test_a_window_stays_in_its_session() -> None:
    """Positions of the same session, by position; a turn without a session stands alone."""
    turns = [turn(3, "a", 2), turn(2, "a", 1), turn(4, "b", 1), turn(5, "", 1), turn(6, "", 2), turn(1, "a", 0)]
    evidence = pack(turns, [(3, 0.9), (5, 0.8)], by_rank(Strategy.WINDOW))
    assert ids(evidence) == [2, 3, 5]
    assert [item.expanded_from for item in evidence.items] == [3, None, None]
    assert ids(pack(turns, [(3, 0.9)], by_rank(Strategy.WINDOW, window=2))) == [1, 2, 3]
    assert ids(pack(turns, [(3, 0.9)], by_rank(Strategy.WINDOW, window=0))) == [3]


def test_a_window_is_taken_whole_or_not_at_all() -> None:
    """The hit alone would fit; its window does not."""
    turns = [turn(1, words=6), turn(2), turn(3, "b"), turn(4, "b", words=2)]
    evidence = pack(turns, [(2, 0.9), (3, 0.8)], by_rank(Strategy.WINDOW, budget=5))
    assert (ids(evidence), evidence.skipped) == ([3, 4], (2,))


def test_what_stands_there_already_costs_nothing() -> None:
    """Overlapping windows share their turns, and a hit that another pulled in is a hit with its own rank."""
    turns = [turn(each, words=2) for each in range(4)]
    evidence = pack(turns, [(1, 0.9), (2, 0.8)], by_rank(Strategy.WINDOW, budget=8))
    assert (ids(evidence), evidence.tokens) == ([0, 1, 2, 3], 8)
    assert [(item.role, item.rank, item.expanded_from) for item in evidence.items] == [
        (Role.CONTEXT, None, 1),
        (Role.HIT, 1, None),
        (Role.HIT, 2, None),
        (Role.CONTEXT, None, 2),
    ]
    tight = pack(turns, [(1, 0.9), (2, 0.8)], by_rank(Strategy.WINDOW, budget=7))
    assert (ids(tight), tight.skipped) == ([0, 1, 2], ())


def test_worth_propagates_to_neighbours() -> None:
    """max(own, 0.7 x best neighbour): context of a strong hit goes before a weak hit, which it lifts as well."""
    turns = [*(turn(each) for each in range(5)), turn(9, "b")]
    evidence = pack(turns, [(1, 1.0), (9, 0.8), (3, 0.1), (4, 0.05)], by_rank(Strategy.PROPAGATE))
    assert ids(evidence) == [1, 9, 0, 2, 3, 4]
    assert [item.expanded_from for item in evidence.items] == [None, None, 1, 1, None, None]
    lifted = pack(turns, [(1, 1.0), (9, 0.6), (2, 0.1)], by_rank(Strategy.PROPAGATE))
    assert ids(lifted) == [1, 2, 0, 9, 3]
    assert [item.rank for item in lifted.items] == [1, 3, None, 2, None]


def test_context_comes_by_its_best_neighbour() -> None:
    """Between two hits it is the stronger one's."""
    evidence = pack([turn(each) for each in range(3)], [(2, 0.9), (0, 0.5)], by_rank(Strategy.PROPAGATE))
    assert [(item.id, item.expanded_from) for item in evidence.items] == [(2, None), (1, 2), (0, None)]


def test_signed_scores_are_mapped_before_they_propagate() -> None:
    """Min-max: the lowest hit is worth nothing, so it lifts nobody, yet stays a candidate."""
    turns = [turn(each, "abc"[each // 3]) for each in range(9)]
    evidence = pack(turns, [(1, 1.0), (4, -1.0), (7, -3.0)], by_rank(Strategy.PROPAGATE))
    assert ids(evidence) == [1, 0, 2, 4, 3, 5, 7]
    assert [item.score for item in evidence.items if item.role is Role.HIT] == [1.0, -1.0, -3.0]
    assert ids(pack(turns, [(1, -1.0)], by_rank(Strategy.PROPAGATE))) == [1]


SESSIONS = [turn(1, "a", 2), turn(2, "a", 1), turn(3, "b"), turn(4, "b"), turn(5, "c"), turn(6, ""), turn(7, "")]
RANKED = [(5, 0.9), (1, 0.5), (3, 0.48), (4, 0.47), (2, -0.2)]


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        (SessionRank.MAX, [5, 2, 1, 3, 4]),
        (SessionRank.SUM, [3, 4, 5, 2, 1]),
        (SessionRank.DCG, [2, 1, 5, 3, 4]),
    ],
)
def test_sessions_are_ranked_by_their_hits(by: SessionRank, expected: list[int]) -> None:
    """Whole sessions by position. DCG: c 1, a 1/log2(3) + 1/log2(6) = 1.018, b 1/log2(4) + 1/log2(5) = 0.93."""
    plan = replace(by_rank(Strategy.SESSION), session_rank=by)
    assert ids(pack(SESSIONS, RANKED, plan)) == expected


def test_a_session_is_skipped_whole() -> None:
    """Its hits with it; equally good sessions go by their best hit; a turn without a session is one of its own."""
    evidence = pack(SESSIONS, [(7, 0.5), (1, 0.5), (6, 0.5)], by_rank(Strategy.SESSION, budget=2))
    assert (ids(evidence), evidence.skipped) == ([7, 6], (1,))
    context = pack(SESSIONS, [(3, 0.5)], by_rank(Strategy.SESSION))
    assert [(item.id, item.role, item.expanded_from) for item in context.items] == [
        (3, Role.HIT, None),
        (4, Role.CONTEXT, 3),
    ]


@pytest.mark.parametrize("strategy", list(Strategy))
def test_no_hits_need_no_evidence(strategy: Strategy) -> None:
    """And no budget takes none."""
    assert pack([turn(1)], [], by_rank(strategy)) == Evidence((), 0, ())
    assert pack([turn(1)], [(1, 1.0)], by_rank(strategy, budget=0)) == Evidence((), 0, (1,))


@pytest.mark.parametrize(
    ("turns", "ranked", "said"),
    [
        ([turn(1), turn(1)], [], "turns: an id stands there more than once"),
        ([turn(1)], [(1, 0.5), (1, 0.4)], "ranked: an id stands there more than once"),
        ([turn(1)], [(1, 0.5), (2, 0.4)], "ranked: 2 is none of the turns"),
    ],
)
def test_ids_must_fit_together(turns: list[Turn], ranked: list[tuple[int, float]], said: str) -> None:
    """What repeats or is unknown is refused."""
    with pytest.raises(ValueError, match=said):
        pack(turns, ranked, Packing(PLENTY))


def corpus_of(sizes: Sequence[tuple[str, int]]) -> list[Turn]:
    """Turns of these sessions and sizes; positions count within the session."""
    seen: dict[str, int] = {}
    turns: list[Turn] = []
    for number, (session, words) in enumerate(sizes):
        seen[session] = seen.get(session, -1) + 1
        turns.append(turn(100 - number, session, seen[session], words))
    return turns


CORPORA = st.lists(st.tuples(st.sampled_from(["a", "b", ""]), st.integers(0, 6)), max_size=10).map(corpus_of)


@st.composite
def tasks(draw: st.DrawFn) -> tuple[list[Turn], list[tuple[int, float]], Packing]:
    """A corpus, a ranking of some of it, and a plan."""
    turns = draw(CORPORA)
    hits = draw(st.lists(st.sampled_from([each.id for each in turns]), unique=True)) if turns else []
    scores = sorted((draw(st.floats(-2, 2)) for _ in hits), reverse=True)
    plan = Packing(
        draw(st.integers(0, 30)),
        draw(st.sampled_from(Strategy)),
        draw(st.integers(0, 3)),
        draw(st.floats(0, 1)),
        draw(st.sampled_from(SessionRank)),
        draw(st.sampled_from(Arrangement)),
    )
    return turns, list(zip(hits, scores, strict=True)), plan


def units_of(turns: list[Turn], hits: Iterable[int], plan: Packing) -> dict[int, set[int]]:
    """The turns that must come with each hit, by the plan's strategy."""

    def beside(hit: Turn, other: Turn) -> bool:
        near = abs(hit.position - other.position) <= plan.window if plan.strategy is Strategy.WINDOW else True
        wide = plan.strategy in (Strategy.WINDOW, Strategy.SESSION)
        return hit == other or (wide and near and hit.session != "" and hit.session == other.session)

    known = {each.id: each for each in turns}
    return {hit: {each.id for each in turns if beside(known[hit], each)} for hit in hits}


@given(tasks())
def test_packing_keeps_its_promises(task: tuple[list[Turn], list[tuple[int, float]], Packing]) -> None:
    """The budget holds, nothing repeats, items cost what they show, roles are right, and it comes out the same again."""
    turns, ranked, plan = task
    evidence = pack(turns, ranked, plan)
    scores = dict(ranked)
    assert evidence.tokens == sum(count_tokens(item.text) for item in evidence.items) <= plan.budget_tokens
    assert len(set(ids(evidence))) == len(evidence.items)
    assert set(evidence.skipped) == set(scores) - set(ids(evidence))
    for item in evidence.items:
        assert (item.role is Role.HIT) == (item.id in scores)
        assert item.score == scores.get(item.id)
        assert item.rank == (list(scores).index(item.id) + 1 if item.id in scores else None)
        assert (item.expanded_from in scores) if item.role is Role.CONTEXT else item.expanded_from is None
    if plan.arrangement is Arrangement.CHRONOLOGICAL:
        assert ids(evidence) == [each.id for each in turns if each.id in set(ids(evidence))]
    assert pack(turns, ranked, plan) == evidence


@given(tasks())
def test_a_skipped_hit_did_not_fit_at_its_moment(task: tuple[list[Turn], list[tuple[int, float]], Packing]) -> None:
    """With everything that comes before it in the order of taking, its unit would burst the budget."""
    turns, ranked, plan = task
    plan = replace(plan, arrangement=Arrangement.RANK)
    evidence = pack(turns, ranked, plan)
    everything = ids(pack(turns, ranked, replace(plan, budget_tokens=PLENTY)))
    costs = {each.id: count_tokens(render(each)) for each in turns}
    units = units_of(turns, dict(ranked), plan)
    for hit in evidence.skipped:
        first = min(everything.index(each) for each in units[hit])
        earlier = (set(everything[:first]) | _before(hit, units, ranked, plan)) & set(ids(evidence))
        assert sum(costs[each] for each in earlier | units[hit]) > plan.budget_tokens


def _before(hit: int, units: dict[int, set[int]], ranked: list[tuple[int, float]], plan: Packing) -> set[int]:
    """Turns of the units of better hits, where units may overlap."""
    if plan.strategy is not Strategy.WINDOW:
        return set()
    hits = [each for each, _ in ranked]
    return set[int]().union(*(units[each] for each in hits[: hits.index(hit)]))
