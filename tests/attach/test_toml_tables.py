"""TOML keeps every line that an edit does not concern."""

from __future__ import annotations

import tomllib

import pytest

from hydramind.attach import toml_tables

PATH = ("mcp_servers", "hydramind")
ENTRY = {"command": "/opt/h", "args": ["a b", 'q"'], "startup_timeout_sec": 60, "env": {"HYDRAMIND_HOME": "/tmp/x"}}
CONFIG = '''# top
model = "m"  # keep
list = [
  "[mcp_servers.hydramind]",
  [1, 2],
]
text = """
[mcp_servers.hydramind]
"""

# about the other
[mcp_servers.other]
command = "o"

[mcp_servers."hydramind"]
command = "old"

[ mcp_servers . hydramind . env ]
A = "b"

# about the profile
[profiles.x]
model = "y"
'''


def test_set_table_replaces_the_table_and_its_subtables_only() -> None:
    """Comments, lists and strings that look like headers stay."""
    edited = toml_tables.set_table(CONFIG, PATH, ENTRY)
    expected = tomllib.loads(CONFIG)
    expected["mcp_servers"]["hydramind"] = ENTRY
    assert tomllib.loads(edited) == expected
    assert "# about the profile\n[profiles.x]" in edited
    assert edited.startswith(CONFIG[: CONFIG.index('[mcp_servers."hydramind"]')])


def test_appended_table_can_be_removed_byte_for_byte() -> None:
    """A file that ended with a line end gets it back."""
    before = '# top\nmodel = "m"\n'
    edited = toml_tables.set_table(before, PATH, ENTRY)
    assert tomllib.loads(edited) == {"model": "m", "mcp_servers": {"hydramind": ENTRY}}
    assert toml_tables.remove_table(edited, PATH) == before


@pytest.mark.parametrize("text", ["", "a = 1", "a = 1\r\n", "[x]\r\ny = 2\r\n"])
def test_line_ends_stay_what_they_were(text: str) -> None:
    """A Windows file stays one."""
    edited = toml_tables.set_table(text, PATH, ENTRY)
    assert tomllib.loads(edited)["mcp_servers"] == {"hydramind": ENTRY}
    assert ("\n" in edited.replace("\r\n", "")) != ("\r\n" in text)


def test_values_of_every_kind_are_written_as_they_are_read() -> None:
    """Strings with control characters, nested inline tables and booleans survive."""
    table = {"s": 'a"b\\c\n\x7f\u00e9', "t": True, "n": 1.5, "l": [[1], {"k": "v w"}], "odd key": {"x.y": False}}
    assert tomllib.loads(toml_tables.dump(("a", "b c"), table)) == {"a": {"b c": table}}
