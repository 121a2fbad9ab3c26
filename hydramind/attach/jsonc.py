"""JSON with comments, edited in place: one member is set or removed and every other byte stays."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

_SKIP: Final = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_SAME_LINE: Final = re.compile(r"(?:[ \t]+|//[^\r\n]*|/\*[^\r\n]*?\*/)*")
_STRING: Final = re.compile(r'"(?:[^"\\\r\n]|\\.)*"')
_WORD: Final = re.compile(r"[-+.\w]+")


class Malformed(ValueError):
    """The text is not JSON with comments; `position` is where reading stopped."""

    def __init__(self, position: int, expected: str) -> None:
        super().__init__(f"expected {expected}")
        self.position = position


@dataclass(slots=True)
class _Member:
    key: str
    start: int
    value: Any
    value_start: int
    end: int
    comma: int | None = None
    """Index of the comma behind the value."""


@dataclass(slots=True)
class _Object:
    start: int
    end: int = 0
    members: list[_Member] = field(default_factory=list[_Member])

    def find(self, key: str) -> _Member | None:
        """The member that counts: of equal keys the last."""
        return next((member for member in reversed(self.members) if member.key == key), None)


def load(text: str) -> Any:
    """The plain value; raises `Malformed`."""
    return _plain(_parse(text))


def set_member(text: str, path: Sequence[str], value: Any) -> str:
    """`text` with the member at `path` set, objects on the way made as needed; raises `Malformed`."""
    root = _parse(text if text.strip() else "{}")
    text = text if text.strip() else "{}\n"
    parent, rest = _deepest(root, path)
    while len(rest) > 1:
        value = {rest[-1]: value}
        rest = rest[:-1]
    newline = "\r\n" if "\r\n" in text else "\n"
    member = parent.find(rest[0])
    if member is not None:
        dumped = _dump(value, _line_indent(text, member.start), newline)
        return text[: member.value_start] + dumped + text[member.end :]
    return _insert(text, parent, rest[0], value, newline)


def remove_member(text: str, path: Sequence[str]) -> str:
    """`text` without the member at `path`; unchanged when it is not there. Raises `Malformed`."""
    parent, rest = _deepest(_parse(text), path)
    member = parent.find(rest[0]) if len(rest) == 1 else None
    if member is None:
        return text
    start = len(text[: member.start].rstrip(" \t\r\n"))
    if member.comma is not None:
        return text[:start] + text[member.comma + 1 :]
    at = parent.members.index(member)
    before = parent.members[at - 1].comma if at else None
    if before is None:
        return text[:start] + text[member.end :]
    return text[:before] + text[before + 1 : max(start, before + 1)] + text[member.end :]


def _deepest(root: Any, path: Sequence[str]) -> tuple[_Object, Sequence[str]]:
    if not isinstance(root, _Object):
        raise Malformed(0, "an object")
    here = root
    for depth, key in enumerate(path[:-1]):
        member = here.find(key)
        if member is None:
            return here, path[depth:]
        if not isinstance(member.value, _Object):
            raise Malformed(member.value_start, f"an object under {key!r}")
        here = member.value
    return here, path[-1:]


def _insert(text: str, parent: _Object, key: str, value: Any, newline: str) -> str:
    outer = _line_indent(text, parent.start)
    first = parent.members[0].start if parent.members else None
    on_own_line = first is not None and not text[text.rfind("\n", 0, first) + 1 : first].strip()
    indent = _line_indent(text, first) if first is not None and on_own_line else outer + _unit(text)
    entry = f"{newline}{indent}{json.dumps(key)}: {_dump(value, indent, newline)}"
    inside = text[parent.start : parent.end]
    closing = "" if "\n" in inside else f"{newline}{outer}"
    if not parent.members:
        at = parent.start + 1
        return text[:at] + entry + closing + text[at:]
    last = parent.members[-1]
    if last.comma is not None:
        at = _after(_SAME_LINE, text, last.comma + 1)
        return text[:at] + entry + "," + closing + text[at:]
    at = _after(_SAME_LINE, text, last.end)
    return text[: last.end] + "," + text[last.end : at] + entry + closing + text[at:]


def _dump(value: Any, indent: str, newline: str) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False).replace("\n", newline + indent)


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found else "  "


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _parse(text: str) -> Any:
    value, at = _value(text, _after(_SKIP, text, 0))
    at = _after(_SKIP, text, at)
    if at != len(text):
        raise Malformed(at, "nothing more")
    return value


def _value(text: str, at: int) -> tuple[Any, int]:
    opening = text[at : at + 1]
    if opening == "{":
        return _object(text, at)
    if opening == "[":
        return _list(text, at)
    match = (_STRING if opening == '"' else _WORD).match(text, at)
    try:
        return json.loads(match[0] if match else ""), match.end() if match else at
    except ValueError:
        raise Malformed(at, "a JSON value") from None


def _object(text: str, at: int) -> tuple[_Object, int]:
    found = _Object(at)
    at = _after(_SKIP, text, at + 1)
    while text[at : at + 1] != "}":
        key = _STRING.match(text, at)
        if key is None or (found.members and found.members[-1].comma is None):
            raise Malformed(at, "'}' or a name in double quotes" if key is None else "',' or '}'")
        colon = _after(_SKIP, text, key.end())
        if text[colon : colon + 1] != ":":
            raise Malformed(colon, "':'")
        start = _after(_SKIP, text, colon + 1)
        value, end = _value(text, start)
        member = _Member(json.loads(key[0]), at, value, start, end)
        found.members.append(member)
        at = _after(_SKIP, text, end)
        if text[at : at + 1] == ",":
            member.comma = at
            at = _after(_SKIP, text, at + 1)
    found.end = at + 1
    return found, found.end


def _list(text: str, at: int) -> tuple[list[Any], int]:
    items, comma = list[Any](), True
    at = _after(_SKIP, text, at + 1)
    while text[at : at + 1] != "]":
        if not comma:
            raise Malformed(at, "',' or ']'")
        value, end = _value(text, at)
        items.append(value)
        at = _after(_SKIP, text, end)
        comma = text[at : at + 1] == ","
        at = _after(_SKIP, text, at + 1) if comma else at
    return items, at + 1


def _plain(value: Any) -> Any:
    if isinstance(value, _Object):
        return {member.key: _plain(member.value) for member in value.members}
    if isinstance(value, list):
        return [_plain(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value
