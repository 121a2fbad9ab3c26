"""From a file's bytes to its records: JSON values or lines of text, each with its line number, a piece at a time."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, NoReturn, cast

from hydramind.errors import Invalid
from hydramind.ingest.splitting import Splitter

LONGEST: Final = 4 * 1_024 * 1_024
"""Bytes of one line: the largest content, every character escaped, fits several times."""
LARGEST_DOCUMENT: Final = 256 * 1_024 * 1_024
"""Bytes of a JSON file that is one object, and of one element of a JSON list: they are read whole."""
_CHUNK: Final = 1 << 16
_MARK: Final = b"\xef\xbb\xbf"
_BLANK: Final = b" \t\r\n"


@dataclass(frozen=True, slots=True)
class Record:
    """One value as read: `line` counts physical lines (LF) from 1; `problem` says why there is no value."""

    line: int
    value: object = None
    problem: str = ""


def opened(path: Path) -> IO[bytes]:
    """The file, unpacked when its name ends in .gz; raises `Invalid` when it cannot be read."""
    try:
        return cast("IO[bytes]", gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb")
    except OSError as error:
        raise Invalid("path", f"{str(path)!r} cannot be read: {(error.strerror or str(error)).lower()}") from None


def lines(file: IO[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """Physical lines without their ends, numbered from 1; None for one longer than `LONGEST`. LF and CR LF end a line and
    nothing else does."""
    number = 0
    while line := file.readline(LONGEST):
        number += 1
        if number == 1:
            line = line.removeprefix(_MARK)
        if not line.endswith(b"\n") and len(line) >= LONGEST:
            while line and not line.endswith(b"\n"):
                line = file.readline(LONGEST)
            yield number, None
        else:
            yield number, line.removesuffix(b"\n").removesuffix(b"\r")


def json_lines(file: IO[bytes]) -> Iterator[Record]:
    """One JSON value a line; blank lines are passed over."""
    for number, line in lines(file):
        if line is None:
            yield Record(number, problem=f"must be at most {LONGEST:,} bytes long")
        elif line.strip(_BLANK):
            yield decoded(number, line)


def text_lines(file: IO[bytes]) -> Iterator[Record]:
    """Lines of text, blank ones as well."""
    for number, line in lines(file):
        if line is None:
            yield Record(number, problem=f"must be at most {LONGEST:,} bytes long")
            continue
        try:
            yield Record(number, line.decode())
        except UnicodeDecodeError as error:
            yield Record(number, problem=f"must be UTF-8, byte {error.start + 1} is not")


def json_document(file: IO[bytes]) -> Iterator[Record]:
    """The one JSON value that the file is."""
    data = file.read(LARGEST_DOCUMENT + 1)
    if len(data) > LARGEST_DOCUMENT:
        yield Record(
            1, problem=f"a JSON object may be at most {LARGEST_DOCUMENT:,} bytes; lists and lines may be longer"
        )
    else:
        yield decoded(1, data.removeprefix(_MARK))


def json_elements(file: IO[bytes]) -> Iterator[Record]:
    """The elements of a JSON list, one at a time, each with the line it starts on."""
    splitter = Splitter(LARGEST_DOCUMENT)
    for chunk in iter(lambda: file.read(_CHUNK), b""):
        yield from (decoded(line, data) for line, data in splitter.feed(chunk))
        if splitter.oversized:
            yield Record(splitter.line, problem=f"an element of the list may be at most {LARGEST_DOCUMENT:,} bytes")
            return
    if not splitter.closed:
        yield Record(splitter.line, problem="the JSON list ends before its closing bracket")
    elif splitter.rest.strip(_BLANK):
        yield Record(splitter.line, problem="nothing may follow the JSON list")


def decoded(line: int, data: bytes) -> Record:
    """One JSON value: no NaN, no Infinity; control characters may stand in its texts as they are, which JSON forbids and
    careless writers do."""
    try:
        return Record(line, json.loads(data.decode(), parse_constant=_no_number, strict=False))
    except UnicodeDecodeError as error:
        return Record(line, problem=f"must be UTF-8, byte {error.start + 1} is not")
    except json.JSONDecodeError as error:
        return Record(line, problem=f"is not JSON: {error.msg.lower()} at character {error.pos + 1}")
    except (ValueError, RecursionError) as error:
        return Record(line, problem=f"is not usable JSON: {str(error).split(';')[0].lower()}")


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON value")
