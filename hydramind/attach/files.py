"""Settings files of other programs: read as they are, written whole or not at all, with a copy of what was there."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from hydramind.errors import Refused


def read(path: Path) -> str | None:
    """The text, line ends as they are, or None where there is no file; raises `Refused` when it cannot be read."""
    try:
        return path.read_bytes().decode()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise Refused(f"{path}: not UTF-8 text at byte {error.start}; it was left as it is") from None
    except OSError as error:
        raise Refused(f"{path}: cannot be read: {error.strerror}") from None


def backup_of(path: Path) -> Path:
    """Where the copy of `path` from before HydraMind is kept."""
    return path.with_name(f"{path.name}.before-hydramind")


def write(path: Path, text: str) -> None:
    """Replace the file in one step, through links, keeping its mode; raises `Refused` when the folder does not allow it."""
    target = path.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o644
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise Refused(f"{path}: cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, target)
    except OSError as error:
        with suppress(OSError):
            os.unlink(name)
        raise Refused(f"{path}: cannot be written: {error.strerror}") from None


def delete(path: Path) -> None:
    """Remove the file; raises `Refused` when the folder does not allow it."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise Refused(f"{path}: cannot be removed: {error.strerror}") from None
