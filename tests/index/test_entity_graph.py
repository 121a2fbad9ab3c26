"""The graph channel: what a key matches, what an entity is worth, what neighbours take over, and personalised PageRank."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.errors import Unavailable
from hydramind.index.entity_graph import EntityGraph, Found, Neighbours
from hydramind.mind.extract import Mention, mentions, query_keys

ONE, TWO, THREE = math.log(2), math.log(3), math.log(4)
"""What divides the strength of an entity of so many memories."""


def said(*keys: str) -> list[Mention]:
    """What a memory speaks of."""
    return [Mention(key, key, 2) for key in keys]


def by(speaker: str, *keys: str) -> list[Mention]:
    """What a memory of a speaker speaks of."""
    return [*said(*keys), Mention(speaker, speaker, 2, who=True)]


def graph_of(*memories: Sequence[Mention], hub: int = 1000) -> EntityGraph:
    """A graph of these memories."""
    graph = EntityGraph(hub)
    for ordinal, found in enumerate(memories):
        graph.add(ordinal, found)
    return graph


def chain(*conversations: Sequence[int], size: int) -> tuple[Neighbours, Neighbours]:
    """The turns before and after each, for conversations given as ordinals in order of time."""
    before, after = np.full(size, -1, np.int32), np.full(size, -1, np.int32)
    for ordinals in conversations:
        for earlier, later in itertools.pairwise(ordinals):
            after[earlier], before[later] = later, earlier
    return before, after


def alone(size: int) -> tuple[Neighbours, Neighbours]:
    """Nobody has neighbours."""
    return chain(size=size)


def scores(found: Found) -> dict[int, float]:
    """Scores by ordinal, ascending."""
    ordinals = found[0].tolist()
    assert ordinals == sorted(set(ordinals))
    return dict(zip(ordinals, found[1].tolist(), strict=True))


def test_an_exact_key_counts_by_its_memories() -> None:
    """strength 1 / ln(1 + memories): a single memory is worth more than either of two."""
    graph = graph_of(said("redis"), said("gateway"), said("gateway", "redis cluster"), said())
    assert scores(graph.emg(["gateway"], *alone(4))) == pytest.approx({1: 1 / TWO, 2: 1 / TWO})
    assert graph.matches(["gateway"]) == {"gateway": 1.0}
    assert (len(graph), graph.entities) == (4, 3)


def test_a_key_matches_softly_by_its_rarer_words() -> None:
    """BM25 over the words of the keys, the best counting 1; below half of it nothing matches."""
    graph = graph_of(said("berlin office"), said("paris office"), said("rome office"), said("berlin"), said("madrid"))
    found = graph.matches(["berlin office party"])
    assert list(found) == ["berlin office", "berlin"]
    assert found["berlin office"] == 1.0
    assert 0.5 < found["berlin"] < 1.0
    assert graph.matches(["offices"]) == {"berlin office": 1.0, "paris office": 1.0, "rome office": 1.0}


def test_strength_is_the_mean_over_the_keys_that_match() -> None:
    """A key that does not match an entity does not count against it, a weak match does."""
    graph = graph_of(said("berlin office"), said("paris office"), said("rome office"), said("berlin"), said("madrid"))
    weak = graph.matches(["berlin office party"])["berlin"]
    both = graph.matches(["berlin office party", "berlin", "madrid", "madrid"])
    assert both["madrid"] == 1.0
    assert both["berlin"] == pytest.approx((1 + weak) / 2)


def test_at_most_twenty_entities_answer_a_key() -> None:
    """Of thirty equally alike ones those known first are taken; the exact one is always among them."""
    names = [f"office {place}" for place in range(100, 130)]
    graph = graph_of(*(said(name) for name in names), said("office"))
    found = graph.matches(["office"])
    assert next(iter(found)) == "office"
    assert list(found)[1:] == [name for name in names if name in found]
    assert len(found) == 20


def test_a_key_of_stop_words_matches_only_itself() -> None:
    """It has no words to compare."""
    graph = graph_of(said("the who"), said("whoever"))
    assert graph.matches(["the who"]) == {"the who": 1.0}
    assert graph.matches(["who"]) == {}


def test_chinese_keys_match_by_their_pairs() -> None:
    """A longer name is found by the part of it that is asked for."""
    graph = graph_of(said("北京大学"), said("上海"))
    assert list(graph.matches(["北京"])) == ["北京大学"]


def test_the_best_entity_counts_and_a_speaker_only_alone() -> None:
    """What is said beats who says it; a memory with nothing but its speaker takes a quarter."""
    graph = graph_of(by("anna", "garden"), by("anna", "weather"), by("bob", "anna"), by("bob"))
    found = scores(graph.emg(["anna", "garden"], *alone(4)))
    assert found == pytest.approx({0: 1 / ONE, 1: 0.25 / THREE, 2: 1 / THREE})


def test_the_best_of_several_entities_counts() -> None:
    """Not their sum."""
    graph = graph_of(said("redis", "gateway"), said("gateway"))
    assert scores(graph.emg(["gateway", "redis"], *alone(2))) == pytest.approx({0: 1 / ONE, 1: 1 / TWO})


def test_one_memory_counts_a_key_once() -> None:
    """Said and speaking at once is said; an empty key is nothing."""
    graph = graph_of([*by("anna", "anna"), *by("anna"), *said("")])
    assert graph.entities == 1
    assert scores(graph.emg(["anna"], *alone(1))) == pytest.approx({0: 1 / ONE})
    assert graph.matches([""]) == {}


def test_neighbours_take_half_in_their_own_conversation() -> None:
    """One hop, the better of own and neighbours'; the end of a conversation has nobody beyond it."""
    graph = graph_of(said("tea"), said(), said(), said("tea"), said("tea", "cake"), said("tea"))
    found = scores(graph.emg(["cake", "tea"], *chain([0, 4, 1, 2], [3, 5], size=6)))
    tea = 1 / math.log(5)
    assert found == pytest.approx({0: 0.5 / ONE, 1: 0.5 / ONE, 3: tea, 4: 1 / ONE, 5: tea})


def test_a_hub_is_not_read() -> None:
    """An entity of more memories than the limit tells none apart; at the limit it still counts."""
    memories = [said("tea")] * 3
    assert scores(graph_of(*memories, hub=2).emg(["tea"], *alone(3))) == {}
    assert len(scores(graph_of(*memories, hub=3).emg(["tea"], *alone(3)))) == 3


@pytest.mark.parametrize("keys", [[], ["nothing of it"]])
def test_what_matches_nothing_finds_nothing(keys: list[str]) -> None:
    """Both methods, on a graph with memories and on an empty one."""
    for graph, size in ((graph_of(said("tea")), 1), (graph_of(), 0)):
        assert scores(graph.emg(keys, *alone(size))) == {}
        assert scores(graph.ppr(keys, *alone(size))) == {}


def test_memories_come_one_after_the_other() -> None:
    """A gap or a second time is refused."""
    graph = graph_of(said("tea"))
    for ordinal in (0, 2):
        with pytest.raises(ValueError, match="is not the next: add 1"):
            graph.add(ordinal, [])


def test_text_goes_all_the_way() -> None:
    """Mentions and query keys of the extractor find the turn, its neighbour after it, and the speaker's other turn."""
    turns = [
        ("Anna", "I adopted a dog from the Riverside shelter."),
        ("Bob", "That is lovely!"),
        ("Bob", "The weather is bad."),
        ("Anna", "It is."),
    ]
    graph = graph_of(*(mentions(content, speaker) for speaker, content in turns))
    found = scores(graph.emg(query_keys("Which shelter did Anna adopt from?"), *chain([0, 1, 2, 3], size=4)))
    assert list(found) == [0, 1, 2, 3]
    assert sorted(found, key=lambda each: -found[each]) == [0, 1, 3, 2]


def solved(graph_edges: list[tuple[int, int]], seeds: np.ndarray) -> np.ndarray:
    """Personalised PageRank of an undirected graph, damping 0.5, by solving the linear system."""
    weights = np.zeros((len(seeds), len(seeds)))
    for one, other in graph_edges:
        weights[one, other] += 1
        weights[other, one] += 1
    degrees = weights.sum(axis=1)
    restart = np.tile(seeds / seeds.sum(), (len(seeds), 1))
    moves = np.where(degrees[:, None] > 0, weights / np.maximum(degrees, 1)[:, None], restart)
    return np.linalg.solve(np.eye(len(seeds)) - 0.5 * moves.T, 0.5 * seeds / seeds.sum())


def test_pagerank_equals_the_solved_system() -> None:
    """Seeds are strength / memories; mentions and time steps are edges of weight 1."""
    graph = graph_of(by("anna", "garden"), by("bob", "garden", "rain"), by("anna"), said("lonely"))
    edges = [(0, 4), (0, 5), (1, 4), (1, 6), (1, 7), (2, 5), (3, 8), (0, 1), (1, 2)]
    expected = solved(edges, np.array([0, 0, 0, 0, 1 / 2, 1 / 2, 0, 0, 0]))[:4]
    found = scores(graph.ppr(["garden", "anna"], *chain([0, 1, 2], size=4)))
    assert found == pytest.approx({0: expected[0], 1: expected[1], 2: expected[2]}, abs=1e-9)


def test_pagerank_starts_from_five_entities() -> None:
    """The sixth, of more memories and so a smaller share, is no seed."""
    names = ["rare", "few", "some", "more", "many"]
    graph = graph_of(*(said(name) for name in names), said("tea"), said("tea"))
    assert list(scores(graph.ppr(["tea", *names], *alone(7)))) == [0, 1, 2, 3, 4]


def test_passages_seed_a_little() -> None:
    """Min-max x 0.05 beside the entities; where a walk cannot go on it starts anew."""
    graph = graph_of(said("tea"), said("cake"), said())
    passages = np.array([2, 1, 0]), np.array([8.0, 5.0, 2.0])
    both = solved([(0, 3), (1, 4)], np.array([0, 0.025, 0.05, 1.0, 0]))[:3]
    assert scores(graph.ppr(["tea"], *alone(3), passages)) == pytest.approx(dict(enumerate(both)), abs=1e-9)
    only = solved([(0, 3), (1, 4)], np.array([0, 0.025, 0.05, 0, 0]))[:3]
    assert scores(graph.ppr([], *alone(3), passages)) == pytest.approx({1: only[1], 2: only[2]}, abs=1e-9)


def test_pagerank_that_does_not_settle_is_an_error() -> None:
    """Never a ranking that is only nearly one."""
    with pytest.raises(Unavailable, match="did not settle in 3 steps"):
        graph_of(said("tea")).ppr(["tea"], *alone(1), most_steps=3)


KEYS = st.sampled_from(["tea", "tea cup", "green tea", "cup", "anna", "bob", "北京", "北京大学"])
MEMORIES = st.lists(
    st.lists(st.builds(lambda key, who: Mention(key, key, 2, who), KEYS, st.booleans()), max_size=4), max_size=9
)


def expected_emg(
    memories: list[list[Mention]], strengths: dict[str, float], neighbours: tuple[Neighbours, Neighbours]
) -> dict[int, float]:
    """The rules read off one memory after the other."""
    only_who = [
        {each.key: all(same.who for same in found if same.key == each.key) for each in found} for found in memories
    ]
    degrees = Counter(key for each in only_who for key in each)
    own: list[float] = []
    for each in only_who:
        worths = {key: strengths[key] / math.log(1 + degrees[key]) for key in each if key in strengths}
        said_worths = [worth for key, worth in worths.items() if not each[key]]
        own.append(max(said_worths) if said_worths else 0.25 * max(worths.values(), default=0.0))
    padded = [*own, 0.0]
    beside = [0.5 * max(padded[neighbours[0][at]], padded[neighbours[1][at]]) for at in range(len(own))]
    best = {at: max(own[at], beside[at]) for at in range(len(own))}
    return {at: value for at, value in best.items() if value > 0}


@given(MEMORIES, st.lists(KEYS, max_size=3), st.integers(0, 9), st.randoms(use_true_random=False))
def test_emg_follows_its_rules(memories: list[list[Mention]], keys: list[str], cut: int, shuffle: Random) -> None:
    """For any memories, keys and two conversations, however their turns are told."""
    order = list(range(len(memories)))
    shuffle.shuffle(order)
    neighbours = chain(order[:cut], order[cut:], size=len(memories))
    graph = graph_of(*memories)
    expected = expected_emg(memories, graph.matches(keys), neighbours)
    assert scores(graph.emg(keys, *neighbours)) == pytest.approx(expected)


@given(MEMORIES, st.lists(KEYS, min_size=1, max_size=3))
def test_matching_keeps_to_its_bounds(memories: list[list[Mention]], keys: list[str]) -> None:
    """Strengths lie in (0, 1], fall, belong to known keys, and are 1 for a key that is asked for alone and known."""
    known = {each.key for found in memories for each in found}
    found = graph_of(*memories).matches(keys[:1])
    assert set(found) <= known
    assert all(0.5 <= strength <= 1 for strength in found.values())
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert (keys[0] not in known) or found[keys[0]] == 1.0


@given(MEMORIES, st.lists(KEYS, max_size=3), st.integers(0, 9))
def test_pagerank_equals_the_solved_system_for_any_graph(
    memories: list[list[Mention]], keys: list[str], cut: int
) -> None:
    """Against a dense solve, the seeds taken from the strengths."""
    graph, size = graph_of(*memories), len(memories)
    neighbours = chain(range(cut), range(cut, size), size=size) if cut <= size else alone(size)
    names = list(dict.fromkeys(each.key for found in memories for each in found))
    edges = [(at, size + names.index(key)) for at, found in enumerate(memories) for key in {each.key for each in found}]
    edges += [(at, int(later)) for at, later in enumerate(neighbours[1]) if later >= 0]
    shares = {
        key: strength / sum(key in {each.key for each in found} for found in memories)
        for key, strength in graph.matches(keys).items()
    }
    seeds = np.zeros(size + len(names))
    for key in sorted(shares, key=lambda each: (-shares[each], names.index(each)))[:5]:
        seeds[size + names.index(key)] = shares[key]
    expected = solved(edges, seeds)[:size] if seeds.any() else np.zeros(size)
    found = scores(graph.ppr(keys, *neighbours))
    assert [found.get(at, 0.0) for at in range(size)] == pytest.approx(expected.tolist(), abs=1e-9)
