"""Times read from a text: what each expression means, and what is none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.index.context import timely
from hydramind.mind.time_words import plain
from hydramind.mind.times import Span, expressions, span, valid_at

DAY = 86_400_000


def ms(text: str) -> int:
    """The UTC instant of an ISO text in epoch milliseconds; without a zone it is UTC."""
    moment = datetime.fromisoformat(text)
    return round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)


NOW = ms("2024-06-12T15:30")
"""A Wednesday."""


def said(text: str, now: int = NOW, zone: tzinfo = UTC) -> list[str]:
    """The spans of `text` as "from..until words", each end as short as it can be."""

    def end(value: int | None) -> str:
        moment = None if value is None else datetime.fromtimestamp(value / 1000, UTC)
        iso = "" if moment is None else moment.isoformat(timespec="milliseconds")[:23]
        for tail in (".000", ":00", "T00:00"):
            iso = iso.removesuffix(tail)
        return iso

    return [f"{end(each.from_ms)}..{end(each.until_ms)} {each.said}" for each in span(text, now, zone)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 2023-05-03", "2023-05-03..2023-05-04 2023-05-03"),
        ("at 2023/05/03.", "2023-05-03..2023-05-04 2023/05/03"),
        ("2023-05-03T10:00", "2023-05-03T10:00..2023-05-03T10:01 2023-05-03T10:00"),
        ("2023-05-03 10:00:07 UTC", "2023-05-03T10:00:07..2023-05-03T10:00:08 2023-05-03 10:00:07 UTC"),
        ("2023-05-03T10:00:07.5Z", "2023-05-03T10:00:07.500..2023-05-03T10:00:07.501 2023-05-03T10:00:07.5Z"),
        ("2023-05-03T10:00+02:00", "2023-05-03T08:00..2023-05-03T08:01 2023-05-03T10:00+02:00"),
        ("2023-05-03T10:00-0230", "2023-05-03T12:30..2023-05-03T12:31 2023-05-03T10:00-0230"),
        ("in 2023-05", "2023-05-01..2023-06-01 2023-05"),
        ("May 2023", "2023-05-01..2023-06-01 May 2023"),
        ("in may of 2023", "2023-05-01..2023-06-01 may of 2023"),
        ("Dec. 2023", "2023-12-01..2024-01-01 Dec. 2023"),
        ("3 May 2023", "2023-05-03..2023-05-04 3 May 2023"),
        ("the 3rd of may, 2023", "2023-05-03..2023-05-04 3rd of may, 2023"),
        ("May 3rd, 2023", "2023-05-03..2023-05-04 May 3rd, 2023"),
        ("8:56 pm on 20 January, 2023", "2023-01-20..2023-01-21 20 January, 2023"),
        ("may 3rd", "2024-05-03..2024-05-04 may 3rd"),
        ("on May 3", "2024-05-03..2024-05-04 May 3"),
        ("october 3", "2023-10-03..2023-10-04 october 3"),
        ("July 1", "2023-07-01..2023-07-02 July 1"),
        ("June 12th", "2024-06-12..2024-06-13 June 12th"),
        ("29 February", "2024-02-29..2024-03-01 29 February"),
        ("in May", "2024-05-01..2024-06-01 May"),
        ("in march", "2024-03-01..2024-04-01 march"),
        ("in july", "2023-07-01..2023-08-01 july"),
        ("Q2 2023", "2023-04-01..2023-07-01 Q2 2023"),
        ("the 1990s", "1990-01-01..2000-01-01 1990s"),
        ("in 2023", "2023-01-01..2024-01-01 2023"),
        ("the 2023 results", "2023-01-01..2024-01-01 2023"),
        ("budget 2023", "2023-01-01..2024-01-01 2023"),
        ("2020-2022", "2020-01-01..2023-01-01 2020-2022"),
        ("13/04/2024", "2024-04-13..2024-04-14 13/04/2024"),
        ("04-13-2024", "2024-04-13..2024-04-14 04-13-2024"),
        ("04/04/2024", "2024-04-04..2024-04-05 04/04/2024"),
        ("3.4.2024", "2024-04-03..2024-04-04 3.4.2024"),
        ("31 Feb 2023", "2023-02-01..2023-03-01 Feb 2023"),
        ("\uff12\uff10\uff12\uff13", "2023-01-01..2024-01-01 2023"),
        ("\u6211\u57282024\u5e743\u67085\u65e5\u89c1\u8fc7", "2024-03-05..2024-03-06 2024\u5e743\u67085\u65e5"),
        ("2024\u5e743\u6708", "2024-03-01..2024-04-01 2024\u5e743\u6708"),
        ("2024\ub144", "2024-01-01..2025-01-01 2024\ub144"),
        ("\u6628\u5929\u5403\u4e86", "2024-06-11..2024-06-12 \u6628\u5929"),
        ("\u5148\u9031", "2024-06-03..2024-06-10 \u5148\u9031"),
    ],
)
def test_dates_are_whole_calendar_intervals(text: str, expected: str) -> None:
    """ISO, prose in both orders, numbers, quarters, decades, years, and years of East Asian texts."""
    assert said(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yesterday's", "2024-06-11..2024-06-12 yesterday"),
        ("Today", "2024-06-12..2024-06-13 Today"),
        ("tomorrow", "2024-06-13..2024-06-14 tomorrow"),
        ("the day before yesterday", "2024-06-10..2024-06-11 the day before yesterday"),
        ("last week", "2024-06-03..2024-06-10 last week"),
        ("this week", "2024-06-10..2024-06-17 this week"),
        ("next month", "2024-07-01..2024-08-01 next month"),
        ("last  year", "2023-01-01..2024-01-01 last year"),
        ("previous day", "2024-06-11..2024-06-12 previous day"),
        ("past week", "2024-06-05T15:30..2024-06-12T15:30:00.001 past week"),
        ("past year", "2023-06-12T15:30..2024-06-12T15:30:00.001 past year"),
        ("past 3 days", "2024-06-09T15:30..2024-06-12T15:30:00.001 past 3 days"),
        ("last two hours", "2024-06-12T13:30..2024-06-12T15:30:00.001 last two hours"),
        ("last 5 minutes", "2024-06-12T15:25..2024-06-12T15:30:00.001 last 5 minutes"),
        ("next 2 months", "2024-06-12T15:30..2024-08-12T15:30 next 2 months"),
        ("3 days ago", "2024-06-09..2024-06-10 3 days ago"),
        ("two weeks ago", "2024-05-27..2024-06-03 two weeks ago"),
        ("a couple of months ago", "2024-04-01..2024-05-01 a couple of months ago"),
        ("a year back", "2023-01-01..2024-01-01 a year back"),
        ("an hour ago", "2024-06-12T14:00..2024-06-12T15:00 an hour ago"),
        ("the week before last", "2024-05-27..2024-06-03 the week before last"),
        ("last Wednesday", "2024-06-05..2024-06-06 last Wednesday"),
        ("on Wednesday", "2024-06-12..2024-06-13 on Wednesday"),
        ("on friday", "2024-06-07..2024-06-08 on friday"),
        ("since Monday", "2024-06-10.. since Monday"),
    ],
)
def test_relative_times_are_seen_from_now(text: str, expected: str) -> None:
    """Calendar units behind `last` and `ago`, rolling ones behind `past` and a count."""
    assert said(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("before March 2024", "..2024-03-01 before March 2024"),
        ("prior to 2024", "..2024-01-01 prior to 2024"),
        ("until 2024-03-05", "..2024-03-06 until 2024-03-05"),
        ("by March 2024", "..2024-04-01 by March 2024"),
        ("no later than the 3rd of May", "..2024-05-04 no later than the 3rd of May"),
        ("as of yesterday", "..2024-06-12 as of yesterday"),
        ("since 2023", "2023-01-01.. since 2023"),
        ("from 2023 onwards", "2023-01-01.. from 2023 onwards"),
        ("after March 2024", "2024-04-01.. after March 2024"),
        ("from March 2024", "2024-03-01..2024-04-01 from March 2024"),
        ("in 2023 on", "2023-01-01..2024-01-01 2023"),
        ("between 2020 and 2022", "2020-01-01..2023-01-01 between 2020 and 2022"),
        ("between March 2024 and 3 May 2023", "2023-05-03..2024-04-01 between March 2024 and 3 May 2023"),
        ("from 3 May 2023 to 5 May 2023", "2023-05-03..2023-05-06 from 3 May 2023 to 5 May 2023"),
        ("May 2023 \u2013 June 2023", "2023-05-01..2023-07-01 May 2023 \u2013 June 2023"),
        ("between 03/04/2024 and 2024-05-01", "2024-03-04..2024-05-02 between 03/04/2024 and 2024-05-01"),
        ("after 2020 and before June 2022", "2021-01-01..2022-06-01 after 2020 and before June 2022"),
        ("before June 2022, but after 2020", "2021-01-01..2022-06-01 before June 2022, but after 2020"),
    ],
)
def test_leading_words_open_or_join_intervals(text: str, expected: str) -> None:
    """Half-open ends on the day a word names; ranges hold both ends whatever their order."""
    assert said(text) == [expected]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("before 2020 and after 2022", 2),
        ("2020 and 2022", 2),
        ("after 2020 and after 2022", 2),
        ("after 2020 we moved before 2022", 2),
        ("03/04/2024", 2),
        ("after 2020 and before 03/04/2024", 3),
        ("before 2020 to 2021", 2),
    ],
)
def test_what_cannot_be_one_interval_stays_apart(text: str, count: int) -> None:
    """Alternatives are spans of their own: two readings, two dates, or ends that leave nothing between."""
    assert len(span(text, NOW)) == count


def test_an_ambiguous_date_has_both_readings() -> None:
    """The day may stand first or second when neither number exceeds 12."""
    assert said("03/04/2024") == ["2024-04-03..2024-04-04 03/04/2024", "2024-03-04..2024-03-05 03/04/2024"]


@pytest.mark.parametrize(
    "text",
    [
        "may I ask",
        "May I ask",
        "it may 3 times",
        "May 3 people join?",
        "May 3rd parties see it",
        "the long march",
        "June said so",
        "an august body",
        "the may fly",
        "PROJ-2023",
        "#2023",
        "issue 2023",
        "port 2024",
        "v2023.1",
        "2023.1",
        "version 2023",
        "$2023",
        "\u20ac 2023",
        "2023\u20ac",
        "2,023",
        "2023%",
        "2000 users",
        "2000 dollars",
        "in 2000 ms",
        "20230503",
        "10.20.2023.4",
        "1/2/24",
        "2023-13-45",
        "25/13/2023",
        "2023-02-30T10:00",
        "2023-05-03T10:75",
        "2023-05-03T10:00+99:00",
        "9999 years ago",
        "9999 weeks of it",
        "last 9999 years",
        "31 February",
        "31 April",
        "1850",
        "the last straw",
        "half past ten",
        "on mondays",
        "th\u0131s week",
        "5 m\u0131nutes ago",
        "\u017fep 2",
        "",
    ],
)
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    """Verbs, people, tickets, versions, prices, counts, addresses and days no calendar has."""
    assert said(text) == []


def test_days_are_those_of_the_zone() -> None:
    """T05: yesterday is the local day, 23 hours long where the clocks go forward."""
    zone = ZoneInfo("America/New_York")
    assert said("yesterday", ms("2026-03-09T08:00-04:00"), zone) == ["2026-03-08T05:00..2026-03-09T04:00 yesterday"]
    rows = ["2026-03-07T23:30-05:00", "2026-03-08T00:30-05:00", "2026-03-08T23:30-04:00", "2026-03-09T00:15-04:00"]
    (found,) = span("what happened yesterday", ms("2026-03-09T08:00-04:00"), zone)
    assert [valid_at(found.from_ms, found.until_ms, ms(row)) for row in rows] == [False, True, True, False]


@pytest.mark.parametrize(
    ("zone", "now", "expected"),
    [
        ("America/Sao_Paulo", "2018-11-05T12:00-02:00", ["2018-11-04T03:00..2018-11-05T02:00 yesterday"]),
        ("America/Havana", "2024-11-04T12:00-05:00", ["2024-11-03T04:00..2024-11-04T05:00 yesterday"]),
        ("Pacific/Apia", "2011-12-31T12:00+14:00", []),
    ],
)
def test_a_day_begins_with_its_first_instant(zone: str, now: str, expected: list[str]) -> None:
    """T05: where the clocks change at midnight the day has 23 or 25 hours; a day that a zone left out is no time."""
    assert said("yesterday", ms(now), ZoneInfo(zone)) == expected


def test_an_offset_moves_the_day() -> None:
    """T05: a user in UTC+13 has tomorrow's date."""
    zone = timezone(timedelta(hours=13))
    assert said("today", ms("2026-05-04T12:00"), zone) == ["2026-05-04T11:00..2026-05-05T11:00 today"]


def test_hours_pass_by_the_clock_of_the_world() -> None:
    """T05: two hours before 03:30 on the day the clocks go forward it was 00:30."""
    found = said("last 2 hours", ms("2026-03-08T07:30"), ZoneInfo("America/New_York"))
    assert found == ["2026-03-08T05:30..2026-03-08T07:30:00.001 last 2 hours"]


def test_last_week_on_a_monday_is_the_week_that_just_ended() -> None:
    """T05: weeks begin on Monday."""
    assert said("last week", ms("2024-06-10T00:00")) == ["2024-06-03..2024-06-10 last week"]


def test_a_month_without_the_day_ends_earlier() -> None:
    """One month before 31 March is the last day of February."""
    assert said("past month", ms("2024-03-31T00:00")) == ["2024-02-29..2024-03-31T00:00:00.001 past month"]


@pytest.mark.parametrize(("now", "day"), [("2023-06-01", "2020-02-29"), ("2104-02-10", "2096-02-29")])
def test_a_leap_day_is_looked_for_in_leap_years(now: str, day: str) -> None:
    """The 29th of February without a year is the last one there was, across a century without one."""
    assert said("February 29", ms(now))[0].startswith(day)


def test_spans_are_read_in_order() -> None:
    """Several times of one text keep their order and their words."""
    found = span("was it March 2024 or last week", NOW)
    assert found == (
        Span(ms("2024-03-01"), ms("2024-04-01"), "March 2024"),
        Span(ms("2024-06-03"), ms("2024-06-10"), "last week"),
    )


def test_expressions_stand_where_they_are_said() -> None:
    """Offsets are into the plain text and leave out leading words."""
    text = "before  March 2024\nor 3 days ago"
    assert [plain(text)[start:end] for start, end in expressions(text)] == ["March 2024", "3 days ago"]


@pytest.mark.parametrize(
    ("at", "expected"),
    [(0, 0.5), (30 * DAY, 1.0), (31 * DAY - 1, 1.0), (31 * DAY, 1.0), (61 * DAY, 0.5), (91 * DAY, 0.25)],
)
def test_relevance_halves_every_thirty_days(at: int, expected: float) -> None:
    """SEEDS 4.3: 1 inside, 2^(-days/30) outside, from the nearer end."""
    assert timely(np.array([at]), [Span(30 * DAY, 31 * DAY, "")]) == pytest.approx([expected])


def test_an_open_end_is_never_left() -> None:
    """What began and did not end holds for ever; what is far outside has no relevance."""
    assert timely(np.array([10**15]), [Span(0, None, "")]).tolist() == [1.0]
    assert timely(np.array([-(10**15), 10**16]), [Span(None, 0, "")]).tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (None, None, True),
        (5, None, True),
        (None, 5, False),
        (5, 5, False),
        (4, 6, True),
        (6, None, False),
        (None, 6, True),
    ],
)
def test_validity_is_half_open(start: int | None, end: int | None, expected: bool) -> None:
    """T08, T09: it holds from its first instant to just before its last; equal bounds hold nothing."""
    assert valid_at(start, end, 5) is expected


PIECES = st.sampled_from(
    "may May 3 3rd 2023 2023-05-03 T10:00 of , - / before after between and to from last past week a couple of days ago"
    " 03/04/2024 Q2 \u5e74 \u6708 5 on Monday \u6628\u5929 . : + the issue 1990s 31 feb".split()
)


@given(
    st.one_of(
        st.text(max_size=80), st.lists(PIECES, max_size=12).map(" ".join), st.lists(PIECES, max_size=12).map("".join)
    )
)
def test_any_text_gives_intervals_that_hold_something(text: str) -> None:
    """Nothing raises; no interval is empty; every word said is in the text; reading is stable."""
    found = span(text, NOW)
    for each in found:
        assert each.said in plain(text)
        assert each.from_ms is not None or each.until_ms is not None
        assert each.from_ms is None or each.until_ms is None or each.from_ms < each.until_ms
    assert span(plain(text), NOW) == found
    assert plain(plain(text)) == plain(text)


@pytest.mark.parametrize("now", ["0001-01-02", "9999-12-30"])
def test_the_ends_of_the_calendar_hold(now: str) -> None:
    """Near the first and the last year, what no calendar has is no time, and the rest still is."""
    assert said("last year, next year, 29 February, 5 days ago, next 5 weeks, this week", ms(now)) is not None
    assert len(span("yesterday 2023", ms(now))) == 2


@pytest.mark.parametrize(
    "unit", ["20 ", "may 3", "2023-", "1/1/", "last ", "a couple of ", " ", "before ", "Q1 ", "2023\u5e743", "1"]
)
def test_reading_takes_linear_time(unit: str) -> None:
    """100 kB of a rule's beginnings is read without backtracking into the square of its length."""
    assert len(span(unit * (100_000 // len(unit)) + " in 2023", NOW)) >= 1
