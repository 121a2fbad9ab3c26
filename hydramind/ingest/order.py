"""What is to be ingested, and how."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from hydramind.errors import Invalid
from hydramind.mind.text import clean
from hydramind.models import OneScope

Format = Literal["auto", "jsonl", "chat"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)


@dataclass(frozen=True, slots=True)
class Order:
    """One file for one scope. `session` names the conversation where the file does not; `keep_going`: bad lines are listed
    at the end instead of stopping everything at the start."""

    path: Path
    scope: str
    format: Format = "auto"
    session: str = ""
    keep_going: bool = False

    @property
    def name(self) -> str:
        """The file's name for messages; bytes that are no text are replaced."""
        return clean(self.path.name)

    @classmethod
    def of(cls, path: str | Path, scope: str, format: Format, session: str, keep_going: bool) -> Order:
        """Checked; raises `Invalid`. The file must be one that can be read twice: a pipe is refused."""
        file = Path(path)
        if not file.is_file():
            raise Invalid("path", f"must be a file, got {str(path)!r}")
        if format not in FORMATS:
            raise Invalid("format", f"must be one of {', '.join(FORMATS)}, got {format!r}")
        named = OneScope.parse({"scope": scope}).scope
        return cls(file, named, format, session or _name(file), keep_going)


def _name(file: Path) -> str:
    """The file's name without its endings; bytes that are no text are replaced, as in every stored name."""
    return clean(file.name.split(".")[0] or file.name)[:100]
