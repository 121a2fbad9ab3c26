"""Tables for a terminal."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.cli.layout import Cell, Screen, columns, cut, plain, table, wrapped


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        """It says that it is one."""
        return True


@given(st.text(max_size=60), st.integers(2, 40))
def test_a_cut_text_fits(text: str, width: int) -> None:
    """Whatever its characters, wide or combining."""
    assert columns(cut(plain(text), width)) <= width


@given(st.text())
def test_plain_text_is_one_printable_line(text: str) -> None:
    """No control character, escape code or line break reaches the terminal."""
    assert all(char.isprintable() or char in "\u200c\u200d" for char in plain(text))


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("数据", 4), ("e\u0301", 1), ("🎉", 2), ("a\u200db", 2)])
def test_width_counts_what_the_terminal_shows(text: str, width: int) -> None:
    """Wide characters twice, marks and joiners not at all."""
    assert columns(text) == width


def test_wide_characters_keep_columns_aligned() -> None:
    """A Chinese name takes two columns a character."""
    text = table(("NAME", "N"), [("数据库", "1"), ("cache", "2")], Screen())
    assert text == "NAME    N\n数据库  1\ncache   2"


def test_the_last_column_goes_on_below_itself() -> None:
    """Between words where it can, inside a long one where it must; the fourth line is cut."""
    rows = [("1", "one two three four five six seven eight"), ("2", "x" * 200)]
    assert table(("ID", "MEMORY"), rows, Screen(width=28)) == "\n".join(
        [
            "ID  MEMORY",
            "1   one two three four five",
            "    six seven eight",
            f"2   {'x' * 24}",
            f"    {'x' * 24}",
            f"    {'x' * 24}",
            f"    {'x' * 23}…",
        ]
    )


def test_a_narrow_terminal_does_not_squeeze_the_text_away() -> None:
    """The last column keeps a least width."""
    assert table(("ID", "MEMORY"), [("1", "x" * 20)], Screen(width=5)).endswith("x" * 20)


@given(st.text(max_size=80), st.integers(2, 30), st.integers(1, 5))
def test_wrapping_loses_nothing_but_space(text: str, width: int, most: int) -> None:
    """Every line fits, there are at most `most`, and uncut lines hold the whole text."""
    lines = wrapped(plain(text), width, most)
    assert len(lines) <= most
    assert all(columns(line) <= width for line in lines)
    if not lines[-1].endswith("…"):
        assert "".join(lines).replace(" ", "") == plain(text).replace(" ", "")


def test_no_rows_make_no_table() -> None:
    """Heads alone would say nothing."""
    assert table(("A",), [], Screen()) == ""


def test_colour_does_not_move_columns() -> None:
    """Escape codes are not counted."""
    rows = [(Cell("active", "good"), "x")]
    assert table(("S", "T"), rows, Screen(colour=True)).splitlines()[1] == "\x1b[32mactive\x1b[0m  x"


@pytest.mark.parametrize(
    ("environ", "stream", "colour"),
    [
        ({"TERM": "xterm"}, _Terminal(), True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, _Terminal(), False),
        ({"TERM": "xterm", "NO_COLOR": ""}, _Terminal(), True),
        ({"TERM": "dumb"}, _Terminal(), False),
        ({"TERM": "xterm"}, io.StringIO(), False),
    ],
)
def test_colour_only_on_a_terminal_that_wants_it(
    environ: dict[str, str], stream: io.StringIO, colour: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NO_COLOR counts when it is not empty; a pipe has no width either."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    screen = Screen.of(stream)
    assert (screen.colour, screen.width is None) == (colour, not stream.isatty())
