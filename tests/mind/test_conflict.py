"""What conflict detection says of statements as people write them."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hydramind.mind.conflict import Claim, Kind, Verdict, detect, forget_analyses

NOISY = {Kind.CONTRADICTS, Kind.SUPERSEDES}


def kind_of(stored: str, draft: str) -> Kind:
    """The kind for a draft against one stored statement, without times."""
    return detect(Claim(draft), Claim(stored)).kind


@pytest.mark.parametrize(
    ("stored", "draft"),
    [
        ("Launch freeze starts 3 November", "Launch freeze starts 4 November"),
        ("Offset is 007", "Offset is 7"),
        ("Offset is -3", "Offset is 3"),
        ("Ticket OPS-31 is fixed", "Ticket OPS-3 is fixed"),
        ("api pinned to 1.10", "api pinned to 1.1"),
        ("Fee is $5", "Fee is €5"),
        ("Freeze starts on Monday", "Freeze starts on Tuesday"),
        ("Data is in /srv/a/data", "Data is in /srv/b/data"),
        ("Should we move to Bazel?", "Should we move to Bazel."),
        ("US offices are open", "us offices are open to talk"),
        ("the", "a"),
        ("x" * 4_000 + " one", "x" * 4_000 + " two"),
    ],
)
def test_a_correction_is_never_a_duplicate(stored: str, draft: str) -> None:
    """One changed figure, id, sign, unit or word is another statement."""
    assert kind_of(stored, draft) is not Kind.DUPLICATE


@pytest.mark.parametrize(
    ("stored", "draft"),
    [
        ("Mira works on Falcon", "Mira works on Falcon in the Oslo office"),
        ("The cache is enabled", "The cache is enabled. The port is 80."),
    ],
)
def test_a_draft_that_says_more_refines(stored: str, draft: str) -> None:
    """Detail added to what is stored is a refinement; the shorter statement adds nothing to the longer."""
    assert (kind_of(stored, draft), kind_of(draft, stored)) == (Kind.REFINES, Kind.NONE)


@pytest.mark.parametrize(
    ("stored", "draft"),
    [
        ("The port is 80", "Maybe the port is 90"),
        ("Writes do not fail", "Writes fail if the disk is full"),
        ("The API is slow", "The API isn't slow because of Redis"),
        ("A dog is sitting on the mat", "A dog is standing on the mat"),
        ("The API is async from v3 on", "The API is sync"),
        ("The retry job rarely fails", "The retry job fails"),
        ("The lead of the guild is Otto", "The blog says that the lead of the guild is Mira"),
        ("Otto has become Lead", "Otto is Manager"),
    ],
)
def test_doubt_is_never_a_contradiction(stored: str, draft: str) -> None:
    """Hedges, conditions, hearsay and indefinite subjects are at most uncertain."""
    assert {kind_of(stored, draft), kind_of(draft, stored)} <= {Kind.UNCERTAIN, Kind.NONE}


def test_a_statement_that_a_change_was_reported_of_is_not_contradicted_by_the_old_value() -> None:
    """Who repeats the value of before a reported change may be reporting a way back."""
    assert kind_of("The cache TTL is now 30 s", "The cache TTL is 60 s") is Kind.UNCERTAIN


def test_the_reason_names_both_values_and_the_quotes_are_the_clash() -> None:
    """A person sees at once what clashes."""
    verdict = detect(
        Claim("Ingest ceiling is 11k rows/s with 16 shards"), Claim("Ingest ceiling is 4,200 rows/s with 16 shards")
    )
    assert verdict == Verdict(
        Kind.CONTRADICTS,
        "the stored memory says 'Ingest ceiling is 4,200 rows/s with 16 shards'; the draft says '11k rows/s'",
        "11k rows/s",
        "4,200 rows/s",
    )


def test_quotes_are_cut_from_the_clauses_that_clash() -> None:
    """Neighbouring sentences are not quoted, and long clauses are shortened."""
    verdict = detect(Claim("All is well. Do not use Bun for scripts."), Claim("Use Bun for scripts. Port is 80."))
    assert (verdict.draft_quote, verdict.stored_quote) == ("Do not use Bun for scripts", "Use Bun for scripts")
    padded = "the very " * 30
    long = detect(Claim(f"{padded}cache is disabled"), Claim(f"{padded}cache is enabled"))
    assert (long.kind, len(long.draft_quote), long.draft_quote[-1]) == (Kind.CONTRADICTS, 200, "…")


OLD, NEW = 1_704_844_800_000, 1_780_272_000_000


@pytest.mark.parametrize(
    ("draft_time", "stored_time", "kind", "current"),
    [
        (OLD, NEW, Kind.SUPERSEDES, False),
        (NEW, OLD, Kind.SUPERSEDES, True),
        (NEW, NEW, Kind.CONTRADICTS, True),
        (None, NEW, Kind.CONTRADICTS, True),
        (NEW, None, Kind.CONTRADICTS, True),
    ],
)
def test_two_event_times_make_a_clash_a_change(
    draft_time: int | None, stored_time: int | None, kind: Kind, current: bool
) -> None:
    """History that arrives late is not current; equal or missing times leave a contradiction."""
    verdict = detect(
        Claim("billing service owner is Omar", draft_time), Claim("billing service owner is Ines", stored_time)
    )
    assert (verdict.kind, verdict.draft_is_current) == (kind, current)


def test_event_times_do_not_turn_doubt_or_agreement_into_a_change() -> None:
    """Only a clash becomes a change by its time."""
    doubt = detect(Claim("Maybe the port is 90", NEW), Claim("the port is 80", OLD))
    same = detect(Claim("gateway owner is Ines", OLD), Claim("gateway owner is Ines", NEW))
    assert (doubt.kind, same.kind) == (Kind.UNCERTAIN, Kind.DUPLICATE)


def test_an_outage_and_a_later_recovery_are_a_change() -> None:
    """A state with a time in the past is history once the present is told."""
    verdict = detect(Claim("search API is up", NEW), Claim("search API was down at 09:10", OLD))
    assert (verdict.kind, verdict.draft_is_current) == (Kind.SUPERSEDES, True)


@pytest.mark.parametrize(
    ("stored", "draft"),
    [
        ("Der Cache ist aktiv", "Der Cache ist nicht aktiv"),
        ("Wir nutzen einen Cache", "Wir nutzen keinen Cache"),
        ("El servidor es estable", "El servidor no es estable"),
        ("Le cache est actif", "Le cache n'est pas actif"),
        ("Кэш включён в проде", "Кэш не включён в проде"),
        ("测试是稳定的", "测试不是稳定的"),
        ("他有服务器的权限", "他没有服务器的权限"),
    ],
)
def test_plain_denials_in_other_languages_contradict(stored: str, draft: str) -> None:
    """One negator is the only difference."""
    assert {kind_of(stored, draft), kind_of(draft, stored)} == {Kind.CONTRADICTS}


@pytest.mark.parametrize(
    ("stored", "draft"),
    [
        ("der Cache ist langsam", "der Proxy ist nicht langsam"),
        ("nicht nur der Cache ist aktiv", "der Cache ist aktiv"),
        ("测试是稳定的", "测试不但是稳定的"),
        ("テストは安定しています", "テストはとても安定しています"),
        ("Нет", "Да"),
    ],
)
def test_other_languages_raise_no_false_alarm(stored: str, draft: str) -> None:
    """Anything beyond one plain negator is left alone."""
    assert kind_of(stored, draft) not in NOISY


def test_only_the_first_statements_of_a_long_text_are_compared() -> None:
    """The work of a comparison is bounded: what stands far down in a text is not read."""
    filler = " ".join(f"Node n{number} runs kernel k{number}." for number in range(20))
    assert kind_of("The cache is enabled", f"The cache is disabled. {filler}") is Kind.CONTRADICTS
    assert kind_of("The cache is enabled", f"{filler} The cache is disabled.") is Kind.NONE


HOSTILE = {
    "negations": "not ",
    "back-quotes": "`",
    "assignments": "export X=",
    "brackets": "[[",
    "round brackets": "(",
    "hashes": "#",
    "mentions": "a@",
    "quotes": '"',
    "curly quotes": "“",
    "apostrophes": "'a ",
    "lists": "no a, b or ",
    "digits": "9",
    "grouped": "1,",
    "lines": "\n- x",
    "addresses": "http://",
    "bounds": "at least 5 ",
    "dates": "May 5 ",
    "fences": "```a",
    "relatives": ", which ",
    "nul": "\0 ",
    "surrogates": "\ud800 not ",
    "dotted i": "İ ",
    "tildes": "~",
}


@pytest.fixture
def cold() -> Iterator[None]:
    """No analysis is remembered, before and after."""
    forget_analyses()
    yield
    forget_analyses()


@pytest.mark.usefixtures("cold")
@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_read_in_bounded_time(unit: str) -> None:
    """20,000 repeats take well under a second of processor time even when traced and end in an answer."""
    text = unit * 20_000
    start = time.process_time()
    kinds = {kind_of(text, text + " no"), kind_of("The mailer does not use 5 rows instead", text)}
    assert time.process_time() - start < 1.0
    assert kinds <= set(Kind)


@pytest.mark.usefixtures("cold")
def test_five_megabytes_in_one_line_are_read_in_bounded_time() -> None:
    """The length of a text beyond the analysed part costs next to nothing."""
    start = time.process_time()
    kind_of("export X=" * 560_000, "export X is not set")
    assert time.process_time() - start < 0.5


WORDS = st.sampled_from(
    """the a no not never cache is was port 80 81 s enabled disabled without with Ana Boris lives in Lisbon and , but
    . ? : - ( ) which now from to switched until 2024 May 3 if only none neither nor don't isn't "quoted words here" v1.2
    has owner of uses Redis Kafka or every except on at least about because ' ` 10:30 maybe nobody there are""".split()
)
SENTENCES = st.lists(WORDS, max_size=24).map(" ".join)


@settings(deadline=None)
@given(st.text(), st.text())
def test_any_two_texts_get_an_answer(one: str, other: str) -> None:
    """Nothing a text may hold raises."""
    assert detect(Claim(one), Claim(other)).kind in Kind


@settings(max_examples=300, deadline=None)
@given(SENTENCES, SENTENCES)
def test_contradiction_does_not_depend_on_the_order(one: str, other: str) -> None:
    """Without event times both directions agree on whether two statements contradict each other."""
    assert (kind_of(one, other) is Kind.CONTRADICTS) == (kind_of(other, one) is Kind.CONTRADICTS)


@settings(deadline=None)
@given(st.one_of(st.text(), SENTENCES))
def test_a_text_repeats_itself(text: str) -> None:
    """A text is a duplicate of itself, and a blank one is nothing."""
    assert kind_of(text, text) is (Kind.DUPLICATE if text.strip() else Kind.NONE)
