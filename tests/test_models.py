"""The arguments of each verb: what is accepted, what it becomes, and which words refuse the rest."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.errors import Invalid
from hydramind.ids import MAX_ID
from hydramind.models import Draft, OneMemory, OneScope, Recall, Remember, Revise, TimelineOf, TraceFrom
from hydramind.models.requests import Request

REMEMBER: dict[str, Any] = {"content": "a fact", "scope": "s"}
TEXTS = st.text(st.characters(codec=None), max_size=40)


def refused(model: type[Request], values: dict[str, Any]) -> Invalid:
    """The refusal of those arguments."""
    with pytest.raises(Invalid) as refusal:
        model.parse(values)
    return refusal.value


def parsed_or_refused(model: type[Request], values: dict[str, Any]) -> Request | Invalid:
    """What parsing those arguments comes to; any other exception is a fault."""
    try:
        return model.parse(values)
    except Invalid as refusal:
        return refusal


def test_defaults_are_those_promised() -> None:
    """HYD-31, HYD-35, HYD-36, M02: limit 10 and 20, two hops, twenty paths, no entities, no key, no time."""
    assert Recall.parse({"query": "q", "scope": "s"}).limit == 10
    assert TimelineOf.parse({"scope": "s", "entity_ref": "e"}).limit == 20
    trace = TraceFrom.parse({"memory_id": "1", "scope": "s"})
    assert (trace.max_hops, trace.max_paths) == (2, 20)
    kept = Remember.parse(REMEMBER)
    assert (kept.entity_refs, kept.derived_from, kept.idempotency_key, kept.event_time, kept.source) == (
        (),
        (),
        "",
        None,
        "",
    )
    assert Revise.parse({"memory_id": "1", "content": "c", "scope": "s"}).entity_refs is None


@pytest.mark.parametrize(
    ("model", "values", "field"),
    [
        (Remember, {"scope": "s"}, "content"),
        (Recall, {"query": "q"}, "scope"),
        (Revise, {"content": "c", "scope": "s"}, "memory_id"),
        (TimelineOf, {"scope": "s"}, "entity_ref"),
        (TraceFrom, {"scope": "s"}, "memory_id"),
        (Draft, {"scope": "s"}, "content"),
        (OneMemory, {"memory_id": "1"}, "scope"),
        (OneScope, {}, "scope"),
    ],
)
def test_what_is_missing_is_named(model: type[Request], values: dict[str, Any], field: str) -> None:
    """M01: the field and `is required`."""
    error = refused(model, values)
    assert (error.field, error.expected, error.code, error.status) == (field, "is required", "invalid", 422)


def test_unknown_arguments_are_named_with_the_known_ones() -> None:
    """I02: nothing is dropped silently."""
    error = refused(OneMemory, {"memory_id": "1", "scope": "s", "trust": 1})
    assert str(error) == "trust: is not an argument here; known are memory_id, scope"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"content": " \n"}, "content: must not be blank"),
        ({"content": "\u200b"}, "content: must not be blank"),
        ({"content": "x" * 100_001}, "content: must be at most 100,000 characters, got 100,001"),
        ({"content": True}, "content: expected text, got a boolean"),
        ({"content": None}, "content: Input should be a valid string"),
        ({"content": ["x"]}, "content: Input should be a valid string"),
        ({"content": {"a": 1}}, "content: Input should be a valid string"),
        ({"scope": ""}, "scope: must not be blank"),
        ({"scope": "x" * 201}, "scope: must be at most 200 characters, got 201"),
        ({"entity_refs": ["ok", "  "]}, "entity_refs.1: must not be blank"),
        ({"entity_refs": ["x" * 201]}, "entity_refs.0: must be at most 200 characters, got 201"),
        ({"entity_refs": '["a"'}, "entity_refs: looks like a JSON list but is not one: Expecting ',' delimiter"),
        ({"derived_from": ["-1"]}, "derived_from.0: must be a decimal memory id as a reply printed it, got '-1'"),
        ({"derived_from": ["007"]}, "derived_from.0: must be a decimal memory id as a reply printed it, got '007'"),
        (
            {"derived_from": [str(MAX_ID + 1)]},
            f"derived_from.0: must be a decimal memory id as a reply printed it, got '{MAX_ID + 1}'",
        ),
        ({"idempotency_key": "x" * 201}, "idempotency_key: must be at most 200 characters, got 201"),
        ({"source": "x" * 201}, "source: must be at most 200 characters, got 201"),
        (
            {"event_time": "next week"},
            "event_time: must be ISO 8601 text such as '2026-03-01T10:00:00Z', got 'next week'",
        ),
        ({"event_time": 1772359200}, "event_time: must be ISO 8601 text such as '2026-03-01T10:00:00Z', not a number"),
        ({"event_time": True}, "event_time: must be ISO 8601 text such as '2026-03-01T10:00:00Z', not a number"),
    ],
)
def test_refusals_say_what_was_expected(values: dict[str, Any], message: str) -> None:
    """M01, M02, M08-like: the field, the bound and what came, in one line."""
    assert str(refused(Remember, {**REMEMBER, **values})) == message


@pytest.mark.parametrize("field", ["entity_refs", "derived_from"])
def test_lists_are_bounded(field: str) -> None:
    """At most 64 references a call."""
    values = [str(n + 1) for n in range(65)]
    assert len(getattr(Remember.parse({**REMEMBER, field: values[:64]}), field)) == 64
    assert refused(Remember, {**REMEMBER, field: values}).field == field
    assert (
        refused(Revise, {"memory_id": "1", "content": "c", "scope": "s", "entity_refs": values}).field == "entity_refs"
    )


@pytest.mark.parametrize(
    ("given_", "kept"),
    [
        (["a", "b", "a"], ("a", "b")),
        ("a", ("a",)),
        ('["a", "b"]', ("a", "b")),
        ("[]", ()),
        ("  ", ()),
        (None, ()),
        (["  two   words "], ("two words",)),
        ([5], ("5",)),
    ],
)
def test_lists_come_in_the_ways_clients_send_them(given_: object, kept: tuple[str, ...]) -> None:
    """A JSON list as text, one bare name, null: all are lists; repeats count once."""
    assert Remember.parse({**REMEMBER, "entity_refs": given_}).entity_refs == kept


@pytest.mark.parametrize(("given_", "kept"), [(None, None), ([], ()), ("a", ("a",)), ('["a"]', ("a",))])
def test_a_revision_knows_left_out_from_none(given_: object, kept: object) -> None:
    """HYD-34: null inherits, an empty list takes the links away."""
    assert Revise.parse({"memory_id": "1", "content": "c", "scope": "s", "entity_refs": given_}).entity_refs == kept


@pytest.mark.parametrize(
    ("given_", "kept"),
    [(0, 0), (1, 1), (100, 100), (101, 100), (10**9, 100), ("10", 10), ("+7", 7), (2.0, 2), (None, 10), (1e2, 100)],
)
def test_limits_are_cut_to_the_most(given_: object, kept: int) -> None:
    """M02: 0 is allowed, more than 100 is 100, numbers as text and whole floats are numbers, null is the default."""
    assert Recall.parse({"query": "q", "scope": "s", "limit": given_}).limit == kept


@pytest.mark.parametrize(
    "value", [-1, "-1", 2.5, True, False, "abc", "", "1e2", [], {}, "9" * 20, float("inf"), float("nan")]
)
def test_limits_that_are_none(value: object) -> None:
    """M02: negatives and what is no whole number are errors that name the range."""
    for model, values, field in (
        (Recall, {"query": "q", "scope": "s"}, "limit"),
        (TimelineOf, {"entity_ref": "e", "scope": "s"}, "limit"),
        (TraceFrom, {"memory_id": "1", "scope": "s"}, "max_hops"),
        (TraceFrom, {"memory_id": "1", "scope": "s"}, "max_paths"),
    ):
        error = refused(model, {**values, field: value})
        assert error.field == field
        assert "must be" in error.expected


@pytest.mark.parametrize(("given_", "hops", "paths"), [(1, 1, 1), (3, 3, 3), (4, 3, 4), (100, 3, 100), (10**9, 3, 100)])
def test_trace_bounds(given_: int, hops: int, paths: int) -> None:
    """HYD-38: at most 3 hops and 100 paths, at least one of each."""
    parsed = TraceFrom.parse({"memory_id": "1", "scope": "s", "max_hops": given_, "max_paths": given_})
    assert (parsed.max_hops, parsed.max_paths) == (hops, paths)
    for field in ("max_hops", "max_paths"):
        assert refused(TraceFrom, {"memory_id": "1", "scope": "s", field: 0}).expected == "must be at least 1, got 0"


@pytest.mark.parametrize(
    ("given_", "moment"),
    [
        ("2026-03-01T10:00:00", datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ("2026-03-01T10:00:00Z", datetime(2026, 3, 1, 10, tzinfo=UTC)),
        (" 2026-03-01T12:00:00+02:00 ", datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-01T10:00:00.123456Z", datetime(2026, 3, 1, 10, 0, 0, 123_000, tzinfo=UTC)),
        (datetime(2026, 3, 1, 12, tzinfo=timezone(timedelta(hours=2))), datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ("", None),
        (None, None),
    ],
)
def test_times_are_instants_in_utc(given_: object, moment: datetime | None) -> None:
    """T01: no zone means UTC, milliseconds are kept, blank means not stated."""
    assert Remember.parse({**REMEMBER, "event_time": given_}).event_time == moment


@pytest.mark.parametrize("extreme", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_times_off_the_calendar_are_refused(extreme: str) -> None:
    """T01: an instant outside years 1 to 9999 is an error about event_time, not a crash."""
    assert refused(Remember, {**REMEMBER, "event_time": extreme}).field == "event_time"


def test_numbers_are_text_where_text_belongs() -> None:
    """Bad input: a number as content, id or query is its JSON text."""
    assert Remember.parse({"content": 42, "scope": 7}) == Remember.parse({"content": "42", "scope": "7"})
    assert OneMemory.parse({"memory_id": 123, "scope": "s"}).memory_id == "123"
    assert Recall.parse({"query": 1.5, "scope": "s"}).query == "1.5"


def test_null_means_the_default() -> None:
    """Clients send null for every optional argument."""
    nulls = dict.fromkeys(("entity_refs", "derived_from", "idempotency_key", "event_time", "source"))
    assert Remember.parse({**REMEMBER, **nulls}) == Remember.parse(REMEMBER)


@given(TEXTS, TEXTS, st.lists(TEXTS, max_size=3))
def test_any_text_is_refused_or_kept_clean(content: str, scope: str, names: list[str]) -> None:
    """U05, U06: whatever text comes, the answer is `Invalid` or fields of valid UTF-8 that parse to themselves."""
    answer = parsed_or_refused(Remember, {"content": content, "scope": scope, "entity_refs": names})
    if isinstance(answer, Invalid):
        assert answer.field.split(".")[0] in {"content", "scope", "entity_refs"}
    else:
        answer.model_dump_json().encode("utf-8")
        assert Remember.parse(json.loads(answer.model_dump_json())) == answer


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from([Remember, Recall, Revise, TimelineOf, TraceFrom, Draft, OneMemory, OneScope]), st.data())
def test_any_json_is_refused_by_name_or_accepted(model: type[Request], data: st.DataObject) -> None:
    """Bad input: no value of any type in any field is ever anything but accepted or `Invalid`."""
    values = data.draw(st.fixed_dictionaries({}, optional=dict.fromkeys(model.model_fields, JSON)))
    answer = parsed_or_refused(model, values)
    if isinstance(answer, Invalid):  # pyright: ignore[reportAttributeAccessIssue]
        assert answer.field.split(".")[0] in model.model_fields
    else:
        assert isinstance(answer, model)


def test_requests_are_frozen() -> None:
    """A parsed request does not change behind a verb's back."""
    with pytest.raises(ValueError, match="frozen"):
        Remember.parse(REMEMBER).content = "other"


@pytest.mark.parametrize(
    "times",
    [
        {"valid_from": "2026-03-02T00:00:00Z", "valid_until": "2026-03-02T00:00:00Z"},
        {"event_time": "2026-03-02T00:00:00Z", "valid_until": "2026-03-01T00:00:00Z"},
    ],
)
def test_what_ends_before_it_begins_is_refused(times: dict[str, str]) -> None:
    """T06: half-open, so equal ends hold nothing; without a start any end is taken."""
    with pytest.raises(Invalid, match="valid_until must be after"):
        Remember.parse({"content": "x", "scope": "s", **times})
    assert Remember.parse({"content": "x", "scope": "s", "valid_until": "2026-03-01"}).valid_until is not None


@pytest.mark.parametrize(
    "wrong", [{"confidence": 1.2}, {"confidence": "nan"}, {"kind": "tale"}, {"fact_type": "guess"}]
)
def test_details_out_of_range_name_the_field(wrong: dict[str, object]) -> None:
    """HYB-13: unknown kinds and shares outside 0..1 change nothing; null is the default."""
    with pytest.raises(Invalid, match=next(iter(wrong))):
        Remember.parse({"content": "x", "scope": "s", **wrong})
    assert Remember.parse({"content": "x", "scope": "s", **dict.fromkeys(wrong)}).kind == "fact"
