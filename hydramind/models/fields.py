"""The fields that requests share: each cleans its value once and says what it expected."""

from __future__ import annotations

import json
import unicodedata
from datetime import date, datetime, timedelta
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from hydramind import clock
from hydramind.ids import parse_id
from hydramind.mind import text

MAX_CONTENT = 100_000
MAX_QUERY = 20_000
MAX_NAME = 200
MAX_REFS = 64


def as_text(value: object) -> object:
    """JSON numbers where text is expected become their JSON text; null means the default; anything else passes on."""
    if isinstance(value, bool):
        raise ValueError("expected text, got a boolean")
    return json.dumps(value) if isinstance(value, int | float) else value


def bounded(limit: int, *, blank_ok: bool = False) -> AfterValidator:
    """Text cleaned once (`mind.text.clean`), at most `limit` characters, not blank unless `blank_ok`."""

    def check(value: str) -> str:
        cleaned = text.clean(value)
        if not blank_ok and text.is_blank(cleaned):
            raise ValueError("must not be blank")
        if len(cleaned) > limit:
            raise ValueError(f"must be at most {limit:,} characters, got {len(cleaned):,}")
        return cleaned

    return AfterValidator(check)


def _one_line(value: str) -> str:
    return " ".join(value.split())


def _memory_id(value: str) -> str:
    if parse_id(value.strip()) is None:
        raise ValueError(f"must be a decimal memory id as a reply printed it, got {value[:40]!r}")
    return value.strip()


def as_list(value: object) -> object:
    """A JSON array given as text is read as one; a bare string is a list of one; null is empty."""
    if value is None:
        return ()
    if not isinstance(value, str):
        return value
    if not value.strip():
        return ()
    if value.lstrip().startswith("["):
        try:
            parsed: object = json.loads(value)
        except json.JSONDecodeError as error:
            raise ValueError(f"looks like a JSON list but is not one: {error.msg}") from None
        return parsed
    return (value,)


def _distinct(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def null_is(default: object) -> BeforeValidator:
    """An explicit null means `default`: clients send one for every optional argument."""
    return BeforeValidator(lambda value: default if value is None else value)


def _count(low: int, high: int, default: int) -> BeforeValidator:
    """An integer from `low`; above `high` it is cut to `high` (replies state totals); null means `default`."""

    def check(value: object) -> int:
        if value is None:
            return default
        number = value
        if isinstance(value, str) and value.strip().lstrip("+-").isdigit() and len(value) < 20:
            number = int(value)
        if isinstance(number, float) and number.is_integer():
            number = int(number)
        if isinstance(number, bool) or not isinstance(number, int):
            raise ValueError(f"must be a whole number from {low} to {high}, got {value!r}")
        if number < low:
            raise ValueError(f"must be at least {low}, got {number}")
        return min(number, high)

    return BeforeValidator(check)


def _moment(value: object) -> object:
    if value is None or value == "":
        return None
    if isinstance(value, bool | int | float):
        raise ValueError("must be ISO 8601 text such as '2026-03-01T10:00:00Z', not a number")
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            raise ValueError(f"must be ISO 8601 text such as '2026-03-01T10:00:00Z', got {value[:40]!r}") from None
    if not isinstance(value, datetime):
        return value
    try:
        return clock.to_datetime(clock.to_ms(value))
    except OverflowError:
        raise ValueError("must be within the years 1 to 9999 in UTC") from None


_ELSEWHERE = {
    "contradicts": "is found, not declared: remember the statement that contradicts it",
    "derived_from": "is declared when the conclusion is remembered: pass derived_from there",
    "supersedes": "is declared by revise, or by remembering a later value of the slot",
    "superseded_by": "is declared by revise, or by remembering a later value of the slot",
}


def _declarable(value: object) -> object:
    if isinstance(value, str) and value in _ELSEWHERE:
        raise ValueError(f"{value!r} {_ELSEWHERE[value]}")
    return value


def _with_zone(value: object) -> object:
    try:
        moment = datetime.fromisoformat(value.strip()) if isinstance(value, str) and value else value
    except ValueError:
        return value
    if isinstance(moment, datetime) and moment.tzinfo is None:
        raise ValueError("must state its zone, such as '2026-03-01T10:00:00Z' or '...+02:00'")
    return value


def _is_day(value: object) -> bool:
    """Whether a text names a day and no time of it."""
    try:
        return isinstance(value, str) and bool(date.fromisoformat(value.strip()))
    except ValueError:
        return False


def _behind(value: object) -> object:
    """The moment from which on something is over: a day without a time is over with its last instant."""
    moment = _moment(value)
    return _later(moment, timedelta(days=1)) if _is_day(value) else moment


def _last(value: object) -> object:
    """The moment up to which something counts: of a day without a time, the last millisecond."""
    moment = _moment(value)
    return _later(moment, timedelta(days=1, milliseconds=-1)) if _is_day(value) else moment


def _later(moment: object, by: timedelta) -> object:
    try:
        return moment + by if isinstance(moment, datetime) else moment
    except OverflowError:
        raise ValueError("must be within the years 1 to 9999 in UTC") from None


Content = Annotated[
    str,
    Field(description="One self-contained statement, in plain words."),
    BeforeValidator(as_text),
    bounded(MAX_CONTENT),
]
Query = Annotated[
    str,
    Field(description="What you want to know, as a question or keywords."),
    BeforeValidator(as_text),
    bounded(MAX_QUERY),
]
ScopeName = Annotated[
    str,
    Field(description="The partition to use: a project, user or vault. Memories never cross scopes."),
    BeforeValidator(as_text),
    bounded(MAX_NAME),
    AfterValidator(_one_line),
    AfterValidator(lambda name: unicodedata.normalize("NFC", name)),
]
OtherId = Annotated[
    str,
    Field(description="Id of the other memory."),
    BeforeValidator(as_text),
    AfterValidator(_memory_id),
]
EntityName = Annotated[str, BeforeValidator(as_text), bounded(MAX_NAME), AfterValidator(_one_line)]
EntityNames = Annotated[
    tuple[EntityName, ...],
    Field(description="Names of the people, services, projects or things it is about.", max_length=MAX_REFS),
    BeforeValidator(as_list),
    AfterValidator(_distinct),
]
MemoryId = Annotated[
    str,
    Field(description="A memory id, as a reply printed it."),
    BeforeValidator(as_text),
    AfterValidator(_memory_id),
]
MemoryIds = Annotated[
    tuple[MemoryId, ...],
    Field(description="Ids of the memories this one was concluded from.", max_length=MAX_REFS),
    BeforeValidator(as_list),
    AfterValidator(_distinct),
]
Key = Annotated[
    str,
    Field(description="Give the same key when you retry a call, so that it happens once."),
    BeforeValidator(as_text),
    null_is(""),
    bounded(MAX_NAME, blank_ok=True),
]
SourceName = Annotated[
    str,
    Field(description="Who or what said it."),
    BeforeValidator(as_text),
    null_is(""),
    bounded(MAX_NAME, blank_ok=True),
]
Reason = Annotated[
    str,
    Field(description="Why it changed, for the history."),
    BeforeValidator(as_text),
    null_is(""),
    bounded(2_000, blank_ok=True),
]
Moment = Annotated[
    datetime | None,
    Field(description="When the statement held, ISO 8601; a value without zone is UTC. Default: now, not stated."),
    BeforeValidator(_moment),
]
ValidFrom = Annotated[
    datetime | None,
    Field(description="From when it is true, ISO 8601. Default: the event time."),
    BeforeValidator(_moment),
]
ValidUntil = Annotated[
    datetime | None,
    Field(description="Until when it is true, not included, ISO 8601. Default: open."),
    BeforeValidator(_behind),
]
AsOf = Annotated[
    datetime | None,
    Field(description="Recall what was believed at this moment, ISO 8601. Default: now."),
    BeforeValidator(_last),
]
ZonedAsOf = Annotated[
    datetime | None,
    Field(description="Retrieve what was believed at this moment, ISO 8601 with its zone. Default: now."),
    BeforeValidator(_moment),
    BeforeValidator(_with_zone),
]
Mode = Annotated[
    Literal["hybrid", "vector_sparse", "vector_only", "sparse_only", "graph_only"],
    Field(
        description="What ranks: hybrid (words, meaning, conversation and time, as far as they are there); or nothing but "
        "the channels named, each of which must run."
    ),
    null_is("hybrid"),
]
GateName = Annotated[
    Literal["auto", "lexical", "hybrid", "off"],
    Field(
        description="What counts as evidence: lexical (four fifths of the keywords), hybrid (that, or close in meaning), "
        "off (everything is ranked); auto is lexical for facts and, where there is an embedder, hybrid for turns and notes."
    ),
    null_is("auto"),
]
KindName = Annotated[
    Literal["fact", "turn", "note"],
    Field(description="fact (compared with what is stored), turn of a conversation, or note (both kept as said)."),
    null_is("fact"),
]
FactType = Annotated[
    Literal["", "world", "experience", "observation", "opinion"],
    Field(description="What sort of fact it is."),
    null_is(""),
]
SessionName = Annotated[
    str,
    Field(description="The conversation it belongs to; turns of one session are neighbours in time."),
    BeforeValidator(as_text),
    null_is(""),
    bounded(MAX_NAME, blank_ok=True),
]
EvidenceId = Annotated[
    str,
    Field(description="Your own id for it, given back with every hit."),
    BeforeValidator(as_text),
    null_is(""),
    bounded(MAX_NAME, blank_ok=True),
]
SlotName = Annotated[
    str,
    Field(
        description="Name of the value this fact gives, such as alice/address: a later fact of the slot replaces it."
    ),
    BeforeValidator(as_text),
    null_is(""),
    bounded(MAX_NAME, blank_ok=True),
    AfterValidator(text.canonical_name),
]
Confidence = Annotated[
    float,
    Field(description="How sure you are, 0 to 1.", ge=0, le=1, allow_inf_nan=False),
    null_is(1.0),
]
RelationName = Annotated[
    Literal[
        "related_to",
        "analogous_to",
        "led_to",
        "supports",
        "caused_by",
        "retrieved_during",
        "refined_by",
        "depends_on",
        "invalidated_by",
    ],
    Field(description="How the first memory stands to the other; related_to means analogous_to."),
    null_is("related_to"),
    BeforeValidator(_declarable),
]
Weight = Annotated[
    float,
    Field(description="How strong it is, above 0 up to 1.", gt=0, le=1, allow_inf_nan=False),
    null_is(1.0),
]
Withdraw = Annotated[
    bool,
    Field(description="Take this relation back instead; its history stays."),
    null_is(False),
]
Limit = Annotated[int, Field(description="Rows to return, at most 100."), _count(0, 100, 10)]
BudgetTokens = Annotated[
    int,
    Field(description="Most tokens of the texts together; what does not fit is left out, never cut. 0: no budget."),
    _count(0, 200_000, 0),
]
TimelineLimit = Annotated[
    int, Field(description="Versions to return, the newest ones, at most 100."), _count(0, 100, 20)
]
Days = Annotated[int, Field(description="Days to skip, 0 or more."), _count(0, 36_500, 0)]
Hops = Annotated[int, Field(description="Longest path, 1 to 3 relationships."), _count(1, 3, 2)]
Paths = Annotated[int, Field(description="Paths to return, at most 100."), _count(1, 100, 20)]
