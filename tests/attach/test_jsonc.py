"""JSON with comments keeps every byte that an edit does not concern."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.attach import jsonc

COMMENTED = """// my servers
{
    "theme": "dark", // keep
    /* all of them */
    "mcpServers": {
        "other": { "command": "x" }, // trailing comma follows
    },
}
"""

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def test_set_member_keeps_comments_trailing_commas_and_indentation() -> None:
    """The new member takes the style of its neighbours."""
    edited = jsonc.set_member(COMMENTED, ("mcpServers", "hydramind"), {"command": "h"})
    assert edited == COMMENTED.replace(
        "// trailing comma follows\n",
        '// trailing comma follows\n        "hydramind": {\n          "command": "h"\n        },\n',
    )


def test_remove_member_undoes_set_member_byte_for_byte() -> None:
    """What was added can be taken out again."""
    edited = jsonc.set_member(COMMENTED, ("mcpServers", "hydramind"), {"command": "h"})
    assert jsonc.remove_member(edited, ("mcpServers", "hydramind")) == COMMENTED


@pytest.mark.parametrize(
    "text", ["", " \n", "{}", "{ }", '{"a":1}', '{\r\n\t"a": 1\r\n}', '{"mcpServers": {}}', '\ufeff{"a": []}']
)
def test_set_member_makes_the_objects_on_the_way(text: str) -> None:
    """Empty, one-line and Windows files all take the entry."""
    edited = jsonc.set_member(text, ("mcpServers", "hydramind"), {"command": "h"})
    before = jsonc.load(text) if text.strip() else {}
    assert jsonc.load(edited) == before | {"mcpServers": {"hydramind": {"command": "h"}}}
    assert ("\n" not in edited.replace("\r\n", "")) or "\r\n" not in text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{\n"a": 1\n"b": 2}', 3),
        ('{"a": }', 1),
        ("[1", 1),
        ("{'a': 1}", 1),
        ('{"a": 1}\n\nx', 3),
        ('{"a" 1}', 1),
        ("{,}", 1),
    ],
)
def test_malformed_text_is_refused_where_it_breaks(text: str, line: int) -> None:
    """The position points at the line to correct."""
    with pytest.raises(jsonc.Malformed) as caught:
        jsonc.load(text)
    assert text.count("\n", 0, caught.value.position) + 1 == line


@given(st.dictionaries(st.text(max_size=6), VALUES, max_size=4), VALUES, st.sampled_from([None, 0, 2]))
def test_any_document_reads_like_json_and_survives_an_edit(
    document: dict[str, object], value: object, indent: int | None
) -> None:
    """For plain JSON it agrees with the standard parser before and after setting and removing a member."""
    document.pop("k", None)
    text = json.dumps(document, indent=indent)
    assert jsonc.load(text) == document
    edited = jsonc.set_member(text, ("k",), value)
    assert jsonc.load(edited) == json.loads(edited) == document | {"k": value}
    assert jsonc.load(jsonc.remove_member(edited, ("k",))) == document
