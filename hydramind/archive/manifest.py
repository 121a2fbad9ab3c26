"""What an archive says of itself: its format, who made it, and every body with row count, size and SHA-256."""

from __future__ import annotations

import json
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hydramind.archive.kinds import BY_NAME, KINDS, Kind
from hydramind.errors import Damaged

FORMAT: Final = "hydramind-snapshot"
VERSION: Final = 1
NAME: Final = "manifest.json"
MOST_BYTES: Final = 64_000_000
"""Of the manifest itself: room for some ten thousand scopes."""

Count = Annotated[int, Field(ge=0)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Body(_Strict):
    """One file of an archive: `rows` lines, `size` bytes before compression."""

    file: str
    kind: str
    rows: Count
    size: Count
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Part(_Strict):
    """One scope at one revision; `embedder` is the identity of the model that its vectors are made with, empty without.
    Vectors themselves are derived and not kept."""

    scope: str
    revision: Annotated[int, Field(ge=1)]
    embedder: str
    bodies: Annotated[tuple[Body, ...], Field(strict=False)]

    def body(self, kind: str) -> Body:
        """The body of that kind."""
        return next(body for body in self.bodies if body.kind == kind)

    def kinds(self) -> list[Kind]:
        """The kinds that it has a body of, in their order."""
        return [BY_NAME[body.kind] for body in self.bodies]


class Manifest(_Strict):
    """The whole archive; scopes by name."""

    format: Literal["hydramind-snapshot"] = FORMAT
    version: int = VERSION
    made_by: str
    parts: Annotated[tuple[Part, ...], Field(strict=False)]

    @property
    def rows(self) -> int:
        """Rows of all bodies."""
        return sum(body.rows for part in self.parts for body in part.bodies)

    def text(self) -> bytes:
        """The bytes of the manifest's file: the same for the same content."""
        return (json.dumps(self.model_dump(mode="json"), ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode()


def file_of(position: int, kind: str) -> str:
    """Name of a body inside the archive; scopes are numbered, because their names may hold anything."""
    return f"{position:06d}/{kind}.jsonl"


def parse(text: bytes) -> Manifest:
    """The manifest behind its bytes; raises `Damaged`, also when it does not name exactly the bodies that belong to it."""
    try:
        raw = json.loads(text.decode())
    except ValueError as error:
        raise Damaged(f"{NAME}: expected JSON ({error})") from None
    if isinstance(raw, dict) and raw.get("format") == FORMAT and raw.get("version") != VERSION:  # pyright: ignore[reportUnknownMemberType]
        raise Damaged(f"{NAME}: version: expected {VERSION}, got {raw.get('version')!r}; use the version that wrote it")  # pyright: ignore[reportUnknownMemberType]
    try:
        manifest = Manifest.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        raise Damaged(f"{NAME}: {'.'.join(map(str, first['loc'])) or 'manifest'}: {first['msg'].lower()}") from None
    _check_names(manifest)
    return manifest


def _check_names(manifest: Manifest) -> None:
    names = [part.scope for part in manifest.parts]
    if names != sorted(set(names)):
        raise Damaged(f"{NAME}: parts: expected each scope once, by name")
    for position, part in enumerate(manifest.parts):
        found = [(body.file, body.kind) for body in part.bodies]
        held = {kind for _, kind in found}
        expected = [(file_of(position, kind.name), kind.name) for kind in KINDS if kind.name in held or not kind.later]
        if found != expected:
            odd = next((file for file, kind in found if kind not in BY_NAME), "")
            wanted = f"no record kind like that of {odd!r}" if odd else f"the bodies {[file for file, _ in expected]}"
            raise Damaged(f"{NAME}: parts.{position}.bodies: expected {wanted}")
