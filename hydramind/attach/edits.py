"""One change of one text file, computed before anything is written and checked against what the text says afterwards."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from hydramind.attach import block, files, jsonc, toml_tables
from hydramind.attach.hosts import Entry, Host
from hydramind.errors import Refused

NAME: Final = "hydramind"
_OURS: Final = frozenset("type command args env env_vars url httpUrl headers bearer_token_env_var".split())
"""Keys of an entry that say how to reach the server; what else stands in an old entry is the user's and stays."""


@dataclass(frozen=True, slots=True)
class Edit:
    """`after` None deletes the file; `before` None: there was none. `ours` says whether `before` held our part already."""

    path: Path
    before: str | None
    after: str | None
    ours: bool = False

    @property
    def changes(self) -> bool:
        """Whether there is anything to write."""
        return self.before != self.after

    def apply(self) -> Path | None:
        """Write it; the path of the backup, where one was made."""
        backup, made = files.backup_of(self.path), None
        if self.before is not None and not self.ours:
            files.write(backup, self.before)
            made = backup
        if self.after is None:
            files.delete(self.path)
        else:
            files.write(self.path, self.after)
        return made


def set_entry(host: Host, path: Path, entry: Entry) -> Edit:
    """The config with our entry; the user's own keys in an old one stay. Raises `Refused` when the file is malformed."""
    before = files.read(path)
    data = _load(host, path, before or "")
    old = _servers(data, host.key).get(NAME)
    earlier = cast(Entry, old) if isinstance(old, dict) else {}
    wanted = entry | {key: value for key, value in earlier.items() if key not in _OURS}
    if old == wanted:
        return Edit(path, before, before, ours=True)
    after = _set(host, path, before or "", wanted)
    _verify(host, path, after, _expected(data, host.key, wanted))
    return Edit(path, before, after, ours=old is not None)


def remove_entry(host: Host, path: Path) -> Edit:
    """The config without our entry: the bytes of the backup where nothing else has changed since."""
    before = files.read(path)
    data = _load(host, path, before or "")
    if before is None or NAME not in _servers(data, host.key):
        return Edit(path, before, before)
    key = (*host.key, NAME)
    remove = toml_tables.remove_table if host.format == "toml" else jsonc.remove_member
    after = remove(before, key)
    rest = _expected(data, host.key, None)
    _verify(host, path, after, rest)
    if not _servers(rest, host.key) and host.format == "json":
        after = jsonc.remove_member(after, host.key)
    return Edit(path, before, _restored(path, after, lambda text: _load(host, path, text)), ours=True)


def set_notes(path: Path) -> Edit:
    """The agent's file with the block; raises `Refused` when its markers do not pair."""
    before = files.read(path)
    return Edit(path, before, _notes(path, before or "", block.put), ours=block.BEGIN in (before or ""))


def remove_notes(path: Path) -> Edit:
    """The agent's file without the block."""
    before = files.read(path)
    if before is None or block.BEGIN not in before:
        return Edit(path, before, before)
    after = _notes(path, before, block.take_out)
    return Edit(path, before, _restored(path, after, lambda text: text), ours=True)


def _restored(path: Path, after: str, meaning: Callable[[str], Any]) -> str | None:
    backup = files.read(files.backup_of(path))
    if backup is not None:
        return backup if meaning(backup) == meaning(after) or backup.strip() == after.strip() else after
    return after if meaning(after) else None


def _notes(path: Path, text: str, change: Callable[[str], str]) -> str:
    try:
        return change(text)
    except block.Unpaired as error:
        raise _malformed(path, text, error.position, str(error)) from None


def _set(host: Host, path: Path, text: str, entry: Entry) -> str:
    key = (*host.key, NAME)
    try:
        return toml_tables.set_table(text, key, entry) if host.format == "toml" else jsonc.set_member(text, key, entry)
    except jsonc.Malformed as error:
        raise _malformed(path, text, error.position, str(error)) from None


def _load(host: Host, path: Path, text: str) -> dict[str, Any]:
    if not text.strip():
        return {}
    try:
        data = tomllib.loads(text) if host.format == "toml" else jsonc.load(text)
    except tomllib.TOMLDecodeError as error:
        raise Refused(f"{path}: not valid TOML, so it was left as it is: {error}") from None
    except jsonc.Malformed as error:
        raise _malformed(path, text, error.position, str(error)) from None
    if not isinstance(data, dict):
        raise _malformed(path, text, 0, "expected an object")
    return cast(dict[str, Any], data)


def _servers(data: Mapping[str, Any], key: Sequence[str]) -> dict[str, Any]:
    here: Any = data
    for name in key:
        here = here.get(name) if isinstance(here, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    return cast(dict[str, Any], here) if isinstance(here, dict) else {}


def _expected(data: Mapping[str, Any], key: Sequence[str], entry: Entry | None) -> dict[str, Any]:
    inner = dict(_servers(data, key))
    inner.pop(NAME, None)
    if entry is not None:
        inner[NAME] = entry
    for name in reversed(key[1:]):
        inner = {name: inner}
    return {**data, key[0]: inner}


def _verify(host: Host, path: Path, after: str, expected: Mapping[str, Any]) -> None:
    """The one safeguard against a form that the editing does not know: what the text says must be what was meant."""
    try:
        data: dict[str, Any] | None = _load(host, path, after)
    except Refused:
        data = None
    if data is None or _expected(data, host.key, _servers(data, host.key).get(NAME)) != expected:
        raise Refused(
            f"{path}: its list of servers is written in a form that cannot be edited safely; it was left as it is. "
            "Use --print and add the entry by hand"
        )


def _malformed(path: Path, text: str, position: int, problem: str) -> Refused:
    line = text.count("\n", 0, position) + 1
    return Refused(f"{path}: line {line}: {problem}; it was left as it is. Correct it, or use --print")
