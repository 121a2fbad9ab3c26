"""Ranking a scope: channels, the conversation around a turn, who speaks, times, and what the gate lets through."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hydramind.clock import FOREVER
from hydramind.index.context import standardised, timely
from hydramind.index.entity_graph import EntityGraph
from hydramind.index.plan import CHANNELS, DENSE, GRAPH, SPARSE, TIME, Around, GraphMethod, Plan, Question, Ranking
from hydramind.index.ranking import KEYWORDS, MEANING, UNGATED, rank
from hydramind.index.scope_index import ScopeIndex
from hydramind.index.vectors import VectorTable, quantised
from hydramind.mind import text
from hydramind.mind.extract import Mention
from hydramind.mind.fusion import Fusion
from hydramind.mind.gate import Floors, Gate, floors
from hydramind.mind.times import Span
from hydramind.records import Memory, Status

NOW = 1_000_000
ALONE = frozenset[Around]()
SPARSELY = {SPARSE: 1.0, TIME: 2.0}


def turn(id_: int, content: str, speaker: str = "Ada", session: str = "s1", **more: object) -> Memory:
    """The turn said at time `id_`."""
    row = Memory(id_, "s", content, content, 1, id_, id_, kind="turn", source=speaker, session=session)
    return replace(row, **more)  # pyright: ignore[reportArgumentType]


def index_of(*rows: Memory) -> ScopeIndex:
    """A projection of those rows, for vectors of two numbers."""
    index = ScopeIndex("s", 2)
    index.put_memories(rows)
    return index


def ask(query: str, **more: object) -> Question:
    """The question as recall puts it."""
    question = Question(text.keywords(query), NOW, frozenset(text.words(query)))
    return replace(question, **more)  # pyright: ignore[reportArgumentType]


def order(found: Ranking) -> list[int]:
    """Ids, best first."""
    return [ranked.memory_id for ranked in found.best]


def test_an_answer_is_found_by_the_question_before_it() -> None:
    """The words of a question are in the turn that asks; the fact stands in the next one of the same conversation."""
    rows = [
        turn(1, "Where did the amber necklace come from?"),
        turn(2, "A market stall beside the harbour.", "Bo"),
        turn(3, "Lovely weather today.", session="s2"),
        turn(4, "Nothing else happened here.", session="s2"),
    ]
    question = ask("Where did the amber necklace come from?")
    assert order(rank(index_of(*rows), question, Plan(weights=SPARSELY, gate=Gate.OFF)))[:2] == [1, 2]
    alone = rank(index_of(*rows), question, Plan(weights=SPARSELY, gate=Gate.OFF, around=ALONE))
    assert (order(alone)[0], alone.best[1].score) == (1, 0.0)


def test_neighbours_are_of_one_conversation_and_in_order_of_time() -> None:
    """Turns may arrive in any order; a turn without session, a fact and another conversation have no neighbour."""
    index = index_of(turn(3, "c"), turn(1, "a"), turn(2, "b"), turn(9, "x", session=""), turn(4, "y", session="s2"))
    index.put_memories([Memory(50, "s", "fact", "k", 1, 1, 1)])
    before, after = index.arrays.conversations.neighbours()
    assert (before.tolist(), after.tolist()) == ([2, -1, 1, -1, -1, -1], [-1, 2, 0, -1, -1, -1])
    assert index.holds_talk
    assert not index_of(Memory(50, "s", "fact", "k", 1, 1, 1)).holds_talk


def test_a_turn_of_the_person_named_comes_first() -> None:
    """Both say it; the question names one. A speaker without a name is nobody."""
    rows = [turn(1, "I love climbing", "Ada"), turn(2, "I love climbing", "Bo", "s2"), turn(3, "zinc", "", "s3")]
    plan = Plan(weights=SPARSELY, gate=Gate.OFF)
    assert order(rank(index_of(*rows), ask("Does Bo love climbing?"), plan))[0] == 2
    assert order(rank(index_of(*rows), ask("Does Ada love climbing?"), plan))[0] == 1


def test_evidence_by_somebody_else_is_no_answer_about_the_person_named() -> None:
    """The gate asks whose evidence it is; without a name, with both names, or without a gate nothing is held back."""
    rows = [
        turn(1, "I adopted a grey kitten from the shelter", "Ada"),
        turn(2, "The train was late", "Bo", "s2"),
        turn(3, "My kitten from the shelter sleeps", "Ada", "s3"),
    ]
    index = index_of(*rows)
    plan = Plan(weights=SPARSELY)
    assert order(rank(index, ask("kitten shelter"), plan)) == [1, 3]
    assert order(rank(index, ask("kitten shelter Ada"), plan))[0] in (1, 3)
    enough = ask("Bo adopted grey kitten shelter")
    assert order(rank(index, enough, plan)) == []
    assert order(rank(index, enough, replace(plan, around=ALONE))) == [1]
    assert order(rank(index, enough, replace(plan, gate=Gate.OFF))) != []


@pytest.mark.parametrize(
    ("span", "scores"),
    [
        (Span(100, 200, "x"), [1.0, 1.0]),
        (Span(None, 100, "x"), [1.0, 1.0]),
        (Span(200, None, "x"), [1.0, 1.0]),
        (Span(199 + 30 * 86_400_000, None, "x"), [0.5, 0.5]),
        (Span(None, 150 - 30 * 86_400_000, "x"), [0.5, 0.5]),
    ],
)
def test_what_happened_near_the_time_asked_for_counts(span: Span, scores: list[float]) -> None:
    """SEEDS 4.3: 1 inside, half of it 30 days away."""
    assert timely(np.array([150, 199]), [span]) == pytest.approx(scores, abs=1e-6)


def test_a_time_in_the_question_lifts_what_happened_then() -> None:
    """Two equal statements, one of the month asked for."""
    month = 30 * 86_400_000
    index = index_of(turn(1, "We met at the lake", session="a"), turn(month * 12, "We met at the lake", session="b"))
    asked = ask("met lake boat sail", spans=(Span(month * 11, month * 13, "then"),), now=month * 20)
    assert order(rank(index, asked, Plan(weights=SPARSELY, gate=Gate.OFF)))[0] == month * 12
    assert len(order(rank(index, asked, Plan(weights={SPARSE: 1.0}, gate=Gate.OFF)))) == 2


def vectored() -> ScopeIndex:
    """A fact and two turns with vectors, one turn without."""
    index = index_of(
        Memory(1, "s", "amber basalt", "k", 1, 1, 1),
        turn(2, "zinc ore"),
        turn(3, "copper"),
        turn(4, "tin", session="s2"),
    )
    for id_, vector in ((1, [1.0, 0.0]), (2, [0.96, 0.28]), (3, [0.0, 1.0])):
        index.put_vector(id_, *quantised(np.array(vector, np.float32)))
    return index


def test_meaning_passes_turns_and_facts_keep_to_their_words() -> None:
    """The default gate lets a fact pass by its keywords only; `facts_by_meaning` asks for more. Receipts say what ran."""
    asked = ask("nothing shared", vector=np.array([1.0, 0.0], np.float32))
    plan = Plan(floors=Floors(0.9, 0.8), facts_by_meaning=False)
    found = rank(vectored(), asked, plan)
    assert [(ranked.memory_id, ranked.passed_by) for ranked in found.best] == [(2, MEANING)]
    assert found.best[0].places[DENSE] == (2, pytest.approx(0.96, abs=0.01))
    assert set(order(rank(vectored(), asked, replace(plan, facts_by_meaning=True)))) == {1, 2}
    assert order(rank(vectored(), asked, replace(plan, floors=Floors(1.01, 0.5)))) == []
    assert order(rank(vectored(), asked, replace(plan, floors=None))) == []
    by_words = rank(vectored(), ask("amber basalt", vector=asked.vector), plan)
    assert (1, KEYWORDS, 1.0) in [(ranked.memory_id, ranked.passed_by, ranked.score) for ranked in by_words.best]
    assert rank(vectored(), asked, Plan(gate=Gate.OFF)).best[0].passed_by == UNGATED


def test_rows_wait_for_their_vectors() -> None:
    """What has no vector is listed until it has one; a vector of an unknown row is left out."""
    index = vectored()
    assert ([row.id for row in index.without_vector(9)], index.embedded) == ([4], 3)
    assert (index.has_vector(3), index.has_vector(4)) == (True, False)
    index.put_vector(99, np.zeros(2, np.int8), 0.0)
    index.put_vector(3, np.ones(2, np.int8), 0.1)
    assert index.embedded == 3


def test_a_moment_shows_what_was_held_then() -> None:
    """T05: told by then, not yet forgotten, not yet replaced or run out; now: recallable and not run out."""
    index = index_of(
        turn(1, "amber", created_at=10, forgotten_at=50, status=Status.FORGOTTEN.value),
        turn(2, "amber", created_at=20, valid_to=60),
        turn(3, "amber", created_at=70, valid_to=FOREVER),
    )
    assert index.visible(100).tolist() == [False, False, True]
    assert [index.visible(100, moment).tolist() for moment in (5, 30, 55, 80)] == [
        [False, False, False],
        [True, True, False],
        [False, True, False],
        [False, False, True],
    ]
    assert order(rank(index, ask("amber", as_of=30), Plan(weights=SPARSELY))) == [2, 1]


def test_confidence_and_trust_weigh_the_score() -> None:
    """HYB-13: what its author was unsure of ranks lower."""
    index = index_of(turn(1, "amber", confidence=0.5), turn(2, "amber", session="s2", trust=0.9))
    found = rank(index, ask("amber"), Plan(weights=SPARSELY))
    assert [(ranked.memory_id, round(ranked.score, 3)) for ranked in found.best] == [(2, 0.9), (1, 0.5)]


def test_an_empty_scope_has_nothing() -> None:
    """No rows, no channel fails."""
    found = rank(ScopeIndex("s", 2), ask("amber", vector=np.ones(2, np.float32)), Plan(gate=Gate.OFF))
    assert (found.best, found.considered, found.passed) == ((), 0, 0)


def test_turns_without_a_word_have_nothing_to_give() -> None:
    """A conversation of signs alone; and a plan of one channel only scores that one."""
    index = index_of(turn(1, "...", ""), turn(2, "!", ""))
    index.put_vector(1, *quantised(np.array([1.0, 0.0], np.float32)))
    asked = ask("amber", vector=np.array([1.0, 0.0], np.float32))
    found = rank(index, asked, Plan(weights={DENSE: 1.0}, gate=Gate.OFF))
    assert (found.considered, dict(found.found), found.best[0].memory_id) == (2, {DENSE: 1}, 1)


def test_quantised_vectors_score_nearly_as_the_floats() -> None:
    """Eight bits keep inner products of unit vectors to about a hundredth; zero stays zero; a wrong length is refused."""
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(5_000, 16)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    table = VectorTable(16)
    for ordinal, row in enumerate(rows):
        table.put(ordinal, *quantised(row))
    assert np.abs(table.scores(rows[7], 5_000) - rows @ rows[7]).max() < 0.02
    assert quantised(np.zeros(3, np.float32))[1] == 0.0
    with pytest.raises(ValueError, match="16 numbers"):
        table.put(0, np.zeros(3, np.int8), 1.0)


def test_standard_scores_leave_out_what_is_masked() -> None:
    """Flat or empty columns say nothing."""
    mask = np.array([True, True, False])
    assert standardised(np.array([1.0, 3.0, 99.0]), mask).tolist() == [-1.0, 1.0, 0.0]
    assert standardised(np.array([2.0, 2.0, 5.0]), mask).tolist() == [0.0, 0.0, 0.0]
    assert standardised(np.array([2.0]), np.array([False])).tolist() == [0.0]


def test_an_embedder_nobody_calibrated_has_no_floors() -> None:
    """The floors belong to one model's cosines."""
    assert floors("some multilingual-e5-small-q4 build") == Floors(0.81, 0.76)
    assert floors("another model") is None


def test_a_channel_that_cannot_be_asked_is_left_out() -> None:
    """No vector, no time named, no graph: only words rank, and only they have a receipt."""
    index = index_of(turn(1, "amber kite"))
    every = Plan(weights=dict.fromkeys(CHANNELS, 1.0), gate=Gate.OFF)
    assert [ranked.places.keys() for ranked in rank(index, ask("amber"), every).best] == [{SPARSE}]


@pytest.mark.parametrize("fusion", [None, *Fusion])
def test_a_lexical_gate_lets_only_covered_memories_through(fusion: Fusion | None) -> None:
    """Whatever the fusion; with one the order stays the fusion's."""
    index = index_of(turn(1, "amber kite"), turn(2, "amber"), turn(3, "zinc"))
    plan = Plan(weights={SPARSE: 1.0, TIME: 1.0}, gate=Gate.LEXICAL, fusion=fusion)
    assert order(rank(index, ask("amber kite"), plan)) == [1]


def test_only_the_best_few_of_a_channel_are_fused() -> None:
    """HYB-33: `channel_k` from each; everything else is no candidate, even without a gate."""
    rows = [turn(number, "amber " * number, session=f"s{number}") for number in range(1, 9)]
    plan = Plan(weights={SPARSE: 1.0}, gate=Gate.OFF, fusion=Fusion.RRF, channel_k=3)
    found = rank(index_of(*rows), ask("amber"), plan)
    assert (len(found.best), found.passed, found.found) == (3, 3, {SPARSE: 8})


def test_a_walk_starts_from_the_best_few_of_the_seed_channel() -> None:
    """HYB-37: the graph knows no entity asked for, so all it finds comes from the seeds; what came after it was brought up
    to date is not in it."""
    rows = [turn(number, "amber " * number if number < 6 else "plain", session="s") for number in range(1, 9)]
    mentions = EntityGraph()
    for ordinal in range(7):
        mentions.add(ordinal, [Mention("Ada", "ada", 2, who=True)])
    plan = Plan(
        weights={SPARSE: 1.0, GRAPH: 1.0},
        gate=Gate.OFF,
        graph_method=GraphMethod.PPR,
        seed=SPARSE,
        channel_k=3,
        limit=100,
    )
    found = rank(index_of(*rows), ask("amber", keys=("nobody",)), plan, mentions)
    assert found.found[GRAPH] == 7
    nothing = rank(index_of(*rows), ask("zinc", keys=("nobody",)), plan, mentions)
    assert nothing.found[GRAPH] == 0


def test_many_hits_have_the_same_ranks_as_few() -> None:
    """Ranks are counted for a few and sorted out for many."""
    rows = [turn(number, "amber " * (number % 7 + 1), session=f"s{number}") for number in range(1, 80)]
    few = rank(index_of(*rows), ask("amber"), Plan(weights={SPARSE: 1.0}, gate=Gate.OFF, limit=10))
    many = rank(index_of(*rows), ask("amber"), Plan(weights={SPARSE: 1.0}, gate=Gate.OFF, limit=79))
    assert many.best[:10] == few.best
