"""Text as it is stored and text as it is compared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.mind import text

ANY = st.text(st.characters(codec=None), max_size=60)
"""Any string at all, lone surrogates included."""


@given(ANY)
def test_cleaning_twice_is_cleaning_once(value: str) -> None:
    """Whatever came in, the cleaned text is stable and valid UTF-8."""
    once = text.clean(value)
    assert text.clean(once) == once
    once.encode("utf-8")


@pytest.mark.parametrize(
    ("given_", "kept"),
    [
        ("cut \ud83d here", "cut \ufffd here"),
        ("pair \ud83c\udf89", "pair \U0001f389"),
        ("reversed \udf89\ud83c", "reversed \ufffd\ufffd"),
        ("a\x00b\x07c\x7fd\x9fe", "abcde"),
        ("tab\tline\nreturn\rnext\x85", "tab\tline\nreturn\rnext\x85"),
        ("page\x0cline\x0bunit\x1fend", "page line unit end"),
        ("no\ufffechar\uffff", "nochar"),
        ("evil \u202egnp.exe", "evil gnp.exe"),
        ("user\u202egnp.exe uploaded", "usergnp.exe uploaded"),
        ("hidden \U000e0048\U000e0049 tags", "hidden  tags"),
        ("keys monthly\U000e0049\U000e0067\U000e006e\U000e006f\U000e0072\U000e0065", "keys monthly"),
        ("flag \U0001f3f4\U000e0067\U000e0062\U000e007f", "flag \U0001f3f4\U000e0067\U000e0062\U000e007f"),
        ("family \U0001f468\u200d\U0001f469", "family \U0001f468\u200d\U0001f469"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("plain", "plain"),
    ],
)
def test_what_cleaning_keeps(given_: str, kept: str) -> None:
    """U05, U06, U07, B08: lone halves become U+FFFD; unsafe controls, overrides and hidden tags go, those that separate
    leave a space; all that means something stays."""
    assert text.clean(given_) == kept


@pytest.mark.parametrize("value", ["", " \n\t ", "\u200b\ufeff", "\u00ad\u2060", "\x85\u3000"])
def test_nothing_visible_is_blank(value: str) -> None:
    """M01: spaces, format characters and fillers are no content."""
    assert text.is_blank(value)


@given(ANY.map(lambda value: "x" + value))
def test_a_letter_is_never_blank(value: str) -> None:
    """One visible character is content."""
    assert not text.is_blank(value)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Zo\u00eb", "Zoe\u0308"),
        ("\u0130STANBUL-CI", "istanbul-ci"),
        ("STRASSE", "Stra\u00dfe"),
        ("\u03a3\u0391\u03a3", "\u03c3\u03b1\u03c2"),
        ("\u01c5", "\u01c6"),
        ("\u1112\u1161\u11ab", "\ud55c"),
        ("a  b\n", "A B"),
        ("Vi\u1ec7t", "vie\u0323\u0302t"),
        ("svc\u2060a", "svca"),
        ("\ufeffda\u00adta\u200b base ", "data base"),
        ("e\u200b\u0301t\u00e9", "\u00e9te\u0301"),
    ],
)
def test_names_that_are_one(left: str, right: str) -> None:
    """U01, U04, U07: canonical equality, case, white space and what nobody sees do not make another name."""
    assert text.canonical_name(left) == text.canonical_name(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("x\u00b2", "x2"),
        ("\u0131l\u0131k", "ilik"),
        ("\uff21", "A"),
        ("a", "b"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u062e\u0648\u0627\u0647\u0645"),
        ("\U0001f469\u200d\U0001f4bb", "\U0001f469\U0001f4bb"),
    ],
)
def test_names_that_are_two(left: str, right: str) -> None:
    """U01, U04, U07: compatibility forms, other letters and joiners that spell stay apart."""
    assert text.canonical_name(left) != text.canonical_name(right)


@given(ANY)
def test_canonical_forms_are_stable(value: str) -> None:
    """A canonical name or content is its own canonical form."""
    for canonical in (text.canonical_name, text.canonical_content, text.fold):
        assert canonical(canonical(value)) == canonical(value)


def test_contents_differ_by_case_and_marks() -> None:
    """Contents are the same under white space and composition only."""
    assert text.canonical_content(" a\tb ") == text.canonical_content("a b")
    assert text.canonical_content("e\u0301") == text.canonical_content("\u00e9")
    assert len({text.canonical_content(each) for each in ("a b", "A b", "a b.", "ab")}) == 4


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        ("Zephyr\u2122 needs", ["zephyr", "needs"]),
        ("v1.10 and 1.1, 3,000 or 1,2,3", ["v1.10", "and", "1.1", "3000", "or", "1,2,3"]),
        ("C++ and C# but a+b", ["c++", "and", "c#", "but", "a", "b"]),
        ("\u6392\u67e5svc-q4m\u65f6", ["\u6392\u67e5", "svc", "q4m", "\u65f6"]),
        ("\uff21\uff22 soft\u00adhyphen", ["ab", "softhyphen"]),
        ("snake_case kebab-case", ["snake_case", "kebab", "case"]),
        (
            "\u0936\u0941\u0915\u094d\u0930\u0935\u093e\u0930 \u0915\u094b",
            ["\u0936\u0941\u0915\u094d\u0930\u0935\u093e\u0930", "\u0915\u094b"],
        ),
        (
            "\u0643\u0650\u062a\u064e\u0627\u0628\u060c \u05e9\u05b8\u05c1\u05dc",
            ["\u0643\u0650\u062a\u064e\u0627\u0628", "\u05e9\u05b8\u05c1\u05dc"],
        ),
        ("\u4f50\u3005\u6728\u3055\u3093", ["\u4f50\u3005\u6728\u3055\u3093"]),
        ("\u0e2a\u0e33svc\u0e23\u0e2d\u0e07", ["\u0e2a\u0e4d\u0e32", "svc", "\u0e23\u0e2d\u0e07"]),
        ("1\ufe0f\u20e3 x\u20ac \u2764\ufe0f", ["1", "x"]),
        ("", []),
    ],
)
def test_words_in_order(given_: str, expected: list[str]) -> None:
    """U02, C09: versions, grouped numbers and words with marks stay whole, symbols do not glue, scripts part."""
    assert text.words(given_) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Which team is rotating the certificates?", ("team", "rotat", "certif")),
        ("what is the", ()),
        ("\u84dd\u7eff\u90e8", ("\u84dd\u7eff", "\u7eff\u90e8")),
        ("\u53d1", ("\u53d1",)),
        ("team Team teams TEAM", ("team",)),
        ("_private __", ("privat", "__")),
        ("cats ran", ("cat", "ran")),
    ],
)
def test_keywords_of_a_query(query: str, expected: tuple[str, ...]) -> None:
    """HYD-26: stop words dropped, variants folded, each once and in order."""
    assert text.keywords(query) == expected


@pytest.mark.parametrize("word", ["cat", "\u00fcbung", "x86_64", "1.10", "mi\u00f1on"])
def test_only_english_words_are_stemmed(word: str) -> None:
    """Short words, numbers, identifiers and other alphabets stay as they are."""
    assert text.stem(word) == word


def test_a_content_is_found_by_its_parts() -> None:
    """Identifiers are terms as a whole and by their parts."""
    assert text.index_terms("parseHTTPResponse fails in user_id_map") == {
        "parsehttprespons",
        "pars",
        "http",
        "respons",
        "fail",
        "user_id_map",
        "user",
        "id",
        "map",
    }


def test_chinese_is_found_by_pairs_and_single_characters() -> None:
    """U02: a query of one character or of any two neighbours is a term."""
    assert text.index_terms("\u84dd\u7eff\u90e8") == {"\u84dd\u7eff", "\u7eff\u90e8", "\u84dd", "\u7eff", "\u90e8"}


THAI = (
    "\u0e23\u0e30\u0e1a\u0e1a\u0e2a\u0e33\u0e23\u0e2d\u0e07"
    "\u0e17\u0e33\u0e07\u0e32\u0e19\u0e17\u0e38\u0e01\u0e27\u0e31\u0e19\u0e28\u0e38\u0e01\u0e23\u0e4c"
)
LAO = "\u0e9e\u0eb2\u0eaa\u0eb2\u0ea5\u0eb2\u0ea7"
KHMER = "\u1797\u17b6\u179f\u17b6\u1781\u17d2\u1798\u17c2\u179a"
BURMESE = "\u1019\u103c\u1014\u103a\u1019\u102c\u1018\u102c\u101e\u102c"


@pytest.mark.parametrize(
    ("content", "query"),
    [
        (THAI, "\u0e2a\u0e33\u0e23\u0e2d\u0e07"),
        (THAI, "\u0e27\u0e31\u0e19\u0e28\u0e38\u0e01\u0e23\u0e4c"),
        (THAI, "\u0e27\u0e31"),
        (LAO, "\u0ea5\u0eb2\u0ea7"),
        (KHMER, "\u1781\u17d2\u1798\u17c2\u179a"),
        (BURMESE, "\u1018\u102c\u101e\u102c"),
        ("\u4f50\u3005\u6728\u3055\u3093", "\u4f50\u3005\u6728"),
    ],
)
def test_a_word_inside_a_run_without_spaces_is_found(content: str, query: str) -> None:
    """U02: vowels and tones stay with their letter, so that a word is covered whole, and another word is not."""
    assert set(text.keywords(query)) <= text.index_terms(content)
    assert text.keywords(query) != ()
    assert not set(text.keywords(query[::-1])) <= text.index_terms(content)


def test_another_letter_of_the_same_word_is_not_evidence() -> None:
    """U02: two Hindi words that share a letter share no term."""
    assert text.index_terms("\u0936\u0941\u0915\u094d\u0930\u0935\u093e\u0930").isdisjoint(
        text.index_terms("\u0936\u0939\u0930 \u0935\u093e\u0930")
    )


@given(ANY)
def test_a_content_is_found_by_its_own_keywords(content: str) -> None:
    """A query made of the content itself is covered in full: no keyword is a term that indexing would miss."""
    assert set(text.keywords(content)) <= text.index_terms(content)
