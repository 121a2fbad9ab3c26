"""TOML, edited in place: one table with its subtables is set or removed and every other line stays."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")


def set_table(text: str, path: Sequence[str], table: Mapping[str, Any]) -> str:
    """`text` with the table at `path` replaced where it stands, or appended."""
    newline = "\r\n" if "\r\n" in text else "\n"
    written = dump(path, table).replace("\n", newline)
    lines = text.splitlines(keepends=True)
    blocks = _blocks(lines, path)
    if not blocks:
        start = text if text.endswith(("\n", "\r\n")) or not text else text + newline
        return start + (newline if start.strip() else "") + written
    first, end = blocks[0]
    head, tail = "".join(lines[:first]), _without("".join(lines[end:]), path)
    return head + written + (newline if tail.lstrip(" ").startswith("[") else "") + tail


def remove_table(text: str, path: Sequence[str]) -> str:
    """`text` without the table at `path` and its subtables."""
    return _without(text, path)


def dump(path: Sequence[str], table: Mapping[str, Any]) -> str:
    """The table as TOML text: plain values first, then subtables."""
    plain = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    nested = {key: cast(Mapping[str, Any], value) for key, value in table.items() if isinstance(value, Mapping)}
    lines = [f"[{'.'.join(map(_key, path))}]", *(f"{_key(key)} = {_value(value)}" for key, value in plain.items())]
    subtables = [dump((*path, key), value) for key, value in nested.items()]
    return "\n".join(("\n".join(lines) + "\n", *subtables))


def _without(text: str, path: Sequence[str]) -> str:
    lines = text.splitlines(keepends=True)
    for start, end in reversed(_blocks(lines, path)):
        # The blank line that set the table apart goes with it.
        first = start - 1 if start and not lines[start - 1].strip() else start
        del lines[first:end]
    return "".join(lines)


def _blocks(lines: list[str], path: Sequence[str]) -> list[tuple[int, int]]:
    """Line ranges [start, end) of the table and its subtables, without the blank and comment lines before the next one."""
    headers = [at for at, line in enumerate(lines) if line.lstrip(" \t").startswith("[") and _stands(lines, at)]
    found = list[tuple[int, int]]()
    for at, following in zip(headers, [*headers, len(lines)][1:], strict=True):
        if _path(lines[at])[: len(path)] == tuple(path):
            end = following
            while end > at + 1 and lines[end - 1].lstrip(" \t").startswith(("#", "\r", "\n")):
                end -= 1
            found.append((at, end))
    return found


def _stands(lines: list[str], at: int) -> bool:
    """Whether the line begins a table: inside a list or a long string what stands before it does not parse alone."""
    try:
        tomllib.loads("".join(lines[:at]))
    except tomllib.TOMLDecodeError:
        return False
    return True


def _path(header: str) -> tuple[str, ...]:
    here: Any = tomllib.loads(header)
    path = list[str]()
    while isinstance(here, dict) and here:
        name, here = next(iter(cast(dict[str, Any], here).items()))
        path.append(name)
    return tuple(path)


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, cast(Sequence[Any], value)))}]"
    if isinstance(value, Mapping):
        pairs = cast(Mapping[str, Any], value).items()
        return f"{{ {', '.join(f'{_key(key)} = {_value(item)}' for key, item in pairs)} }}"
    return str(value)
