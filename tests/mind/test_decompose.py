"""Query decomposition: which proposed sub-questions pass, and which guard turns the rest away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.mind.decompose import sub_questions

QUERY = "Which city did Anna visit before March 2024, and who travelled with her brother Tom?"
GOOD = ("Which city did Anna visit before March 2024?", "Who travelled with Tom, the brother of Anna?")


@pytest.mark.parametrize(
    ("query", "proposed"),
    [
        (QUERY, GOOD),
        (QUERY.lower(), GOOD),
        ("what did I and anna's friend buy", ("What did I buy?", "What did Anna's friend buy? Was it what I bought?")),
        ("does API v2 use OAuth and TLS", ("does API v2 use OAuth", "does API v2 use TLS", "is it \u201cWhat\u201d")),
        ("Where does 3 and where does 4 go?", ("Where does 3 go?", "Where does 4 go?")),
        ("安娜昨天去了哪里，和谁一起去的？", ("安娜昨天去了哪里？", "安娜和谁一起去的？")),
        ("Ａｎｎａは東京タワーとスカイツリーのどちらに", ("Annaは東京タワーに?", "スカイツリーに?")),
        ("민수는 어제 어디에 갔고 누구를 만났나요?", ("민수는 어제 어디에 갔나요?", "민수는 누구를 만났나요?")),
        ("今年GPUを買った店はどこで誰と", ("今年GPUを買った店は?", "今年誰と?")),
    ],
)
def test_questions_that_only_divide_the_query_pass(query: str, proposed: tuple[str, ...]) -> None:
    """Names may change case and width, question words may open a sentence, some question keeps each time."""
    assert sub_questions(query, proposed) == proposed


def test_white_space_is_collapsed() -> None:
    """The questions come back as they are to be asked."""
    assert sub_questions(QUERY, [f"  {GOOD[0]} ", GOOD[1].replace(" ", "\n ")]) == GOOD


@pytest.mark.parametrize(
    "proposed",
    [
        (),
        GOOD[:1],
        (*GOOD, "Who is Anna?", "Who is Tom?"),
        (GOOD[0], " "),
        (GOOD[0], "who travelled with Tom " + "and " * 130),
        (GOOD[0], GOOD[0].upper() + "!"),
        (GOOD[0], QUERY.lower()),
    ],
    ids=["none", "one", "four", "blank", "long", "twice", "the query"],
)
def test_two_or_three_different_questions_are_asked(proposed: tuple[str, ...]) -> None:
    """Anything else is no decomposition."""
    assert sub_questions(QUERY, proposed) == ()


@pytest.mark.parametrize("length", [2_000, 2_001])
def test_a_query_has_a_longest_length(length: int) -> None:
    """Of 2,000 characters."""
    query = QUERY + "?" * (length - len(QUERY))
    assert sub_questions(query, GOOD) == (GOOD if length == 2_000 else ())


@pytest.mark.parametrize("length", [500, 501])
def test_a_question_has_a_longest_length(length: int) -> None:
    """Of 500 characters."""
    proposed = (GOOD[0], GOOD[1] + "?" * (length - len(GOOD[1])))
    assert sub_questions(QUERY, proposed) == (proposed if length == 500 else ())


@pytest.mark.parametrize(
    "invented",
    [
        "Who travelled with Tom to Berlin?",
        "Berlin is where Tom went?",
        "Who travelled with Tom? Berlin?",
        "Did Will travel with Tom?",
        "Who used Tom's iPhone?",
        "Who travelled with Tom in 2023?",
        "Who travelled with Tom on flight LH400?",
        "who travelled with Zoë",
        "who travelled with Tom to ベルリン",
        "谁和Berta一起去的",
    ],
)
def test_a_name_that_the_query_lacks_is_refused(invented: str) -> None:
    """A capital, a digit or katakana; a stop word is a name where it opens no sentence."""
    assert sub_questions(QUERY, (GOOD[0], invented)) == ()


@pytest.mark.parametrize(
    ("query", "proposed"),
    [
        (QUERY, ("Which city did Anna visit?", GOOD[1])),
        (QUERY, ("Which city did Anna visit in March 2024?", GOOD[1])),
        ("what broke 2 days ago and who fixed it", ("what broke 2 days", "who fixed it")),
        ("where did anna live first and with whom", ("where did anna live", "with whom did anna live")),
        ("who runs it now and who did before", ("who runs it", "who did before")),
        ("what is known and what broke now", ("what is known", "what broke, and is it known")),
        ("安娜昨天去了哪里，和谁一起去的？", ("安娜去了哪里？", "安娜和谁一起去的？")),
        ("搬家之前他住在哪里，和谁", ("他住在哪里", "他和谁住")),
        ("최근 누구를 만났고 어디에 갔나요", ("누구를 만났나요", "어디에 갔나요")),
    ],
)
def test_a_time_that_is_lost_is_refused(query: str, proposed: tuple[str, ...]) -> None:
    """A date, a relative time or the word that leads it; part of another word does not keep it."""
    assert sub_questions(query, proposed) == ()


TEXTS = st.text(max_size=40) | st.sampled_from([QUERY, *GOOD, "北京 yesterday", "ベルリン", "I\u0307 2 days ago"])


@given(TEXTS, st.lists(TEXTS, max_size=4))
def test_any_text_is_judged(query: str, proposed: list[str]) -> None:
    """All or nothing, and asking again what passed passes."""
    passed = sub_questions(query, proposed)
    assert passed in ((), tuple(" ".join(each.split()) for each in proposed))
    assert sub_questions(query, passed) == passed


@given(st.permutations([*GOOD, "Was it Tom?"]))
def test_the_order_of_questions_does_not_matter(proposed: list[str]) -> None:
    """They pass in any order."""
    assert sub_questions(QUERY, proposed) == tuple(proposed)
