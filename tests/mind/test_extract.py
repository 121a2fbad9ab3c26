"""The offline extractor: what a turn mentions, in which order, and what a query asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.mind.extract import MOST_MENTIONS, Mention, mentions, normal_key, query_keys


def said(text: str, speaker: str = "") -> list[tuple[str, int]]:
    """Surface and tier of each mention."""
    return [(each.surface, each.tier) for each in mentions(text, speaker)]


def test_times_and_quantities_come_first_then_names_then_phrases() -> None:
    """SEEDS 4.3: tiers 3, 2, 1."""
    text = "We planted tomato seedlings near Lake Geneva on 3 May 2023, for $25 and 5 miles from the office"
    assert said(text) == [
        ("3 May 2023", 3),
        ("$25", 3),
        ("5 miles", 3),
        ("Lake Geneva", 2),
        ("planted tomato seedlings", 1),
        ("office", 1),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("we ran 10km", [("10km", 3), ("ran", 1)]),
        ("it fell 3.5% below", [("3.5%", 3), ("fell", 1), ("below", 1)]),
        ("meet at 8:30 pm", [("8:30 pm", 3), ("meet", 1)]),
        ("1,200 of them", [("1,200", 3)]),
        ("it is 42", [("42", 3)]),
        ("it is 4", []),
        ("for 4 of us", []),
        ("after 5 days", [("5 days", 3)]),
        ("20 degrees yesterday", [("20 degrees", 3), ("yesterday", 3)]),
        ("before 2023-05-03", [("2023-05-03", 3)]),
        ("\u20ac 20 each", [("\u20ac 20", 3)]),
        ("in 2023 cats", [("2023", 3), ("cats", 1)]),
    ],
)
def test_numbers_that_count_or_date_are_mentions(text: str, expected: list[tuple[str, int]]) -> None:
    """A sign, a unit, more than one digit, or a time; a lone digit says nothing."""
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("we met Ines Calder and Omar", ["Ines Calder", "Omar"]),
        ("it is in the Bank of Utopia", ["Bank of Utopia"]),
        ("the Ring of the Lake of gold", ["Ring of the Lake"]),
        ("when Ines's Gateway broke", ["Ines's", "Gateway"]),
        ("Walking helps. Running too", []),
        ("Kubernetes Gateway is down", ["Kubernetes Gateway"]),
        ("The Gateway is down", ["Gateway"]),
        ("API is down", ["API"]),
        ("APIs are down", ["APIs"]),
        ("OAuth is down", ["OAuth"]),
        ("ask Dr. Calder", ["Dr", "Calder"]),
        ("fails. Calder knows", []),
        ("PROJ-123 blocks svc-q4m, user_id and #42", ["PROJ-123", "svc-q4m", "user_id", "#42"]),
        ("met Ada Bo Cy Di Eve Flo Gus Hal", ["Ada Bo Cy Di Eve Flo", "Gus Hal"]),
        ("met Ines, Omar", ["Ines", "Omar"]),
        ("\u6392\u67e5svc-q4m\u65f6", ["svc-q4m"]),
        (
            "\u6771\u4eac\u30bf\u30ef\u30fc\u3067\u30b3\u30fc\u30d2\u30fc\u3092",
            ["\u30bf\u30ef\u30fc", "\u30b3\u30fc\u30d2\u30fc"],
        ),
    ],
)
def test_names_are_runs_of_capitals_acronyms_and_identifiers(text: str, names: list[str]) -> None:
    """A run may hold small words inside; a single word that opens a sentence is none; an owner ends a run."""
    assert sorted(surface for surface, tier in said(text) if tier == 2) == sorted(names)


def test_lines_are_sentences() -> None:
    """A name does not run over the end of a line, and a line opens a sentence."""
    assert said("met Ines\nCalder slept") == [("Ines", 2), ("Calder slept", 1), ("met", 1)]


def test_phrases_are_cut_to_three_words_and_scored_by_degree() -> None:
    """RAKE: words of long phrases weigh more; stop words, numbers and single letters separate."""
    text = "tea with green leaf water kettle x tea"
    assert said(text) == [("green leaf water", 1), ("tea", 1), ("kettle", 1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\u5468\u4e94\u7684\u53d1\u5e03", ["\u5468\u4e94", "\u53d1\u5e03"]),
        ("\u84dd\u7eff\u90e8\u7f72", ["\u84dd\u7eff\u90e8\u7f72"]),
        ("\u6539\u6210\u84dd\u7eff\u90e8", ["\u6539\u6210", "\u6210\u84dd", "\u84dd\u7eff", "\u7eff\u90e8"]),
        ("\u6211\u5403", []),
        (
            "\ubd80\uc0b0 \ub9ac\uc804 \uc7a5\uc560 \ub2f4\ub2f9",
            ["\ubd80\uc0b0 \ub9ac\uc804 \uc7a5\uc560", "\ub2f4\ub2f9"],
        ),
    ],
)
def test_east_asian_text_has_mentions(text: str, expected: list[str]) -> None:
    """U02: pieces of 2 to 4 characters whole, longer ones as pairs; Korean by its spaces."""
    assert [surface for surface, _ in said(text)] == expected


def test_a_chinese_query_meets_what_a_turn_mentions() -> None:
    """U02: pairs of a short piece are asked for too."""
    turn = {each.key for each in mentions("\u6539\u6210\u84dd\u7eff\u90e8\u7f72")}
    assert turn & set(query_keys("\u84dd\u7eff\u90e8\u7f72")) == {"\u84dd\u7eff", "\u7eff\u90e8", "\u90e8\u7f72"}


def test_a_speaker_is_a_mention_of_its_own() -> None:
    """The speaker is added behind the cap as Who, once even when the turn names them."""
    text = "I am Ines  and Omar, Kai, Noor, Sora, Tove, Ulla, Vera came"
    found = mentions(text, " Ines ")
    assert found[-1] == Mention("Ines", "ines", 2, who=True)
    assert [each.surface for each in found] == ["Omar", "Kai", "Noor", "Sora", "Tove", "Ulla", "Ines"]
    assert mentions("ok", "") == ()


def test_a_query_is_not_capped_and_trusts_its_first_word() -> None:
    """A name may open a question; it also stays a word of its phrase."""
    assert query_keys("Ines painting with oil, PROJ-7, Kai, Noor, Sora, Tove, Ulla?") == (
        "ines",
        "proj-7",
        "kai",
        "noor",
        "sora",
        "tove",
        "ulla",
        "ines painting",
        "oil",
    )


def test_questions_leave_only_what_they_ask_about() -> None:
    """Question words and auxiliaries are no keys; an owner is named without 's."""
    assert query_keys("When did Ines\u2019s brother visit the Lake Tower?") == ("ines", "lake tower", "brother visit")
    assert query_keys("what did you do then?") == ()


def test_contractions_are_stop_words() -> None:
    """Each half says nothing, whichever apostrophe is written; a name with one is kept whole."""
    assert said("I'm sure they\u2019re not, we can't, and You've met O'Neil") == [("O'Neil", 2), ("met", 1)]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("  Ines   Calder ", "ines calder"),
        ("Ines's", "ines"),
        ("Ines\u2019s Team", "ines team"),
        ("Zoe\u0308", "zo\u00eb"),
        ("\u0130STANBUL-CI", "istanbul-ci"),
        ("x\u00b2", "x\u00b2"),
        ("'s", ""),
        ("glass", "glass"),
    ],
)
def test_keys_are_normal_forms(name: str, key: str) -> None:
    """U01, U04: NFC and lower case, not NFKC; spaces collapsed, 's removed."""
    assert normal_key(name) == key


PIECES = st.sampled_from(
    "Ines ines's PROJ-123 3 May 2023 $5 % a the of Dr . , ! \n \u84dd\u7eff \u30bf\u30ef \u3067 user_id #4 x1 & A 's 7 km".split(
        " "
    )
)


@given(st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=15).map(" ".join)), st.text(max_size=8))
def test_any_text_gives_few_distinct_mentions(text: str, speaker: str) -> None:
    """Nothing raises; keys are normal and distinct; tiers fall; only the last may be who; queries hold every key."""
    found = mentions(text, speaker)
    content = [each for each in found if not each.who]
    assert len(content) <= MOST_MENTIONS
    assert len({each.key for each in found}) == len(found)
    assert [each.tier for each in content] == sorted((each.tier for each in content), reverse=True)
    assert all(each.key and each.key == normal_key(each.surface) for each in found)
    assert [each.who for each in found[:-1]] == [False] * (len(found) - 1 if found else 0)
    assert mentions(text, speaker) == found


@pytest.mark.parametrize("unit", ["a-", "1:", "Aa of ", "\u53d1\u5e03", "#", "a.b_", "\n"])
def test_extraction_takes_linear_time(unit: str) -> None:
    """100 kB of a rule's beginnings is read without backtracking into the square of its length."""
    assert mentions(unit * (100_000 // len(unit)) + " met Omar Calder")[-1].tier in (1, 2, 3)
