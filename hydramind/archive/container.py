"""The zip around the bodies: written with fixed dates, read in bounded memory, and refused when it is not what it says."""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hydramind.archive.manifest import MOST_BYTES, NAME, Body, Manifest, parse
from hydramind.errors import Damaged, NotFound

MOST_LINE: Final = 16_000_000
"""Bytes of one line: far above the largest row."""
MOST_RATIO: Final = 200
"""Size over compressed size of one body, from which on it is stored as it is and not believed when read."""
_SMALL: Final = 1_000_000
_DATE: Final = (1980, 1, 1, 0, 0, 0)
_UNIX: Final = 3
_MODE: Final = 0o644 << 16
_READ_BYTES: Final = 1 << 20
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)
"""What reading a damaged zip raises."""


def entry(name: str, *, stored: bool = False) -> zipfile.ZipInfo:
    """An entry that depends on nothing but its name."""
    info = zipfile.ZipInfo(name, _DATE)
    info.create_system = _UNIX
    info.external_attr = _MODE
    info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    return info


def write_body(archive: zipfile.ZipFile, file: str, kind: str, lines: Iterable[bytes], *, stored: bool) -> Body:
    """Write the lines as one entry and say what was written."""
    digest, rows, size = hashlib.sha256(), 0, 0
    with archive.open(entry(file, stored=stored), "w", force_zip64=True) as sink:
        for line in lines:
            text = line + b"\n"
            sink.write(text)
            digest.update(text)
            rows += 1
            size += len(text)
    return Body(file=file, kind=kind, rows=rows, size=size, sha256=digest.hexdigest())


def excessive(size: int, compressed: int) -> bool:
    """Whether a body of that size is compressed further than rows of memories are."""
    return size > _SMALL and size > MOST_RATIO * max(1, compressed)


@contextmanager
def opened(path: Path) -> Generator[tuple[zipfile.ZipFile, Manifest]]:
    """The archive and its manifest, with exactly the entries that belong to it; raises `Damaged` or `NotFound`."""
    if not path.is_file():
        raise NotFound(f"no file {str(path)!r}")
    try:
        archive = zipfile.ZipFile(path)
    except _BROKEN as error:
        raise Damaged(f"{path.name}: expected a whole zip file ({error})") from error
    with archive:
        infos = _entries(archive)
        if NAME not in infos:
            raise Damaged(f"{NAME}: expected in the archive, and missing")
        if infos[NAME].file_size > MOST_BYTES:
            raise Damaged(f"{NAME}: expected at most {MOST_BYTES:,} bytes, got {infos[NAME].file_size:,}")
        manifest = parse(b"".join(_chunks(archive, NAME)))
        expected = {body.file for part in manifest.parts for body in part.bodies} | {NAME}
        for name in sorted(infos.keys() ^ expected):
            raise Damaged(f"{name!r}: expected in the archive, and {'extra' if name in infos else 'missing'}")
        yield archive, manifest


def lines_of(archive: zipfile.ZipFile, body: Body) -> Iterator[bytes]:
    """Lines of a body without their ends; raises `Damaged` at its end when size, count or SHA-256 differ."""
    info = archive.getinfo(body.file)
    if info.file_size != body.size:
        raise Damaged(f"{body.file}: expected {body.size:,} bytes, got {info.file_size:,}")
    if excessive(info.file_size, info.compress_size):
        raise Damaged(f"{body.file}: expected it to unpack to at most {MOST_RATIO} times its size")
    digest, rows, rest = hashlib.sha256(), 0, b""
    for chunk in _chunks(archive, body.file):
        digest.update(chunk)
        *whole, rest = (rest + chunk).split(b"\n")
        if len(rest) > MOST_LINE:
            raise Damaged(f"{body.file}:{rows + len(whole) + 1}: expected at most {MOST_LINE:,} bytes a line")
        rows += len(whole)
        yield from whole
    if rest:
        raise Damaged(f"{body.file}: expected a line end at the end")
    if rows != body.rows:
        raise Damaged(f"{body.file}: expected {body.rows:,} rows, got {rows:,}")
    if digest.hexdigest() != body.sha256:
        raise Damaged(f"{body.file}: expected SHA-256 {body.sha256}, got {digest.hexdigest()}")


def _entries(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    infos: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        name = info.filename
        if name.startswith(("/", "\\")) or ".." in name or "\\" in name or ":" in name:
            raise Damaged(f"{name!r}: expected a name inside the archive")
        if name in infos:
            raise Damaged(f"{name!r}: expected once, and there twice")
        infos[name] = info
    return infos


def _chunks(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    try:
        with archive.open(name) as source:
            while chunk := source.read(_READ_BYTES):
                yield chunk
    except _BROKEN as error:
        raise Damaged(f"{name}: expected to be readable ({error})") from error
