"""Which files hold the weights of an ONNX model, and their SHA-256: large models keep them beside the model file."""

from __future__ import annotations

import hashlib
import mmap
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from hydramind.errors import Misconfigured

_MODEL, _GRAPH, _NODE, _ATTRIBUTE, _FUNCTION, _TENSOR, _SPARSE, _ENTRY = range(8)
_LEADS: Final[Mapping[int, Mapping[int, int]]] = {
    _MODEL: {7: _GRAPH, 25: _FUNCTION},
    _GRAPH: {1: _NODE, 5: _TENSOR, 15: _SPARSE},
    _NODE: {5: _ATTRIBUTE},
    _ATTRIBUTE: {5: _TENSOR, 6: _GRAPH, 10: _TENSOR, 11: _GRAPH, 22: _SPARSE, 23: _SPARSE},
    _FUNCTION: {7: _NODE, 11: _ATTRIBUTE},
    _SPARSE: {1: _TENSOR, 2: _TENSOR},
    _TENSOR: {13: _ENTRY},
}
"""Message -> field number -> message, as far as onnx.proto leads from the model to where a tensor's numbers lie."""

_KEY, _VALUE = 1, 2

_VARINT, _SIZED = 0, 2
_FIXED: Final[Mapping[int, int]] = {1: 8, 5: 4}
"""Bytes of a field by how it is encoded: the low three bits of its tag (Protocol Buffers, encoding)."""


def fingerprint(model: Path) -> str:
    """SHA-256 in hex of the model file, or of the names and SHA-256 of all files that hold its weights, where they are more.

    Raises `Misconfigured` for a file that is no ONNX model, and for weights that are missing or outside the model's folder.
    """
    own = _sha256(model)
    beside = sorted(_locations(model))
    if not beside:
        return own
    listed = [f"{own} {model.name}", *(f"{_sha256(_inside(model, name))} {name}" for name in beside)]
    return hashlib.sha256("\n".join(listed).encode()).hexdigest()


def _locations(model: Path) -> set[str]:
    """Where the model says that numbers of its tensors lie, relative to its folder."""
    try:
        with model.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return {place.decode() for key, place in _entries(data) if key == b"location"}
    except (ValueError, LookupError):
        raise Misconfigured(f"{str(model)!r} is not a whole ONNX model: download it again") from None


def _entries(data: mmap.mmap) -> Iterator[tuple[bytes, bytes]]:
    """Key and value of everything said of numbers that lie outside the model file."""
    waiting = [(_MODEL, 0, len(data))]
    while waiting:
        message, start, stop = waiting.pop()
        if message == _ENTRY:
            found = {number: data[first:last] for number, first, last in _fields(data, start, stop)}
            yield found.get(_KEY, b""), found.get(_VALUE, b"")
            continue
        leads = _LEADS[message]
        waiting += [
            (leads[number], first, last) for number, first, last in _fields(data, start, stop) if number in leads
        ]


def _fields(data: mmap.mmap, start: int, stop: int) -> Iterator[tuple[int, int, int]]:
    """Number, first byte and end of each field that has a size; raises `ValueError` or `LookupError` for what is no message."""
    at = start
    while at < stop:
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == _SIZED:
            size, at = _varint(data, at)
            yield tag >> 3, at, at + size
            at += size
        elif kind == _VARINT:
            _, at = _varint(data, at)
        else:
            at += _FIXED[kind]
    if at != stop:
        raise ValueError(at)


def _varint(data: mmap.mmap, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, lowest first, and where it ends; `ValueError` past the 64 bits that it may have."""
    value = 0
    for shift in range(0, 70, 7):
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise ValueError(at)


def _inside(model: Path, name: str) -> Path:
    place = PurePosixPath(name.replace("\\", "/"))
    if place.is_absolute() or ".." in place.parts or ":" in name:
        raise Misconfigured(f"{str(model)!r} names weights outside its folder, at {name!r}: use a model that does not")
    found = model.parent / place
    if not found.is_file():
        raise Misconfigured(f"{str(model)!r} keeps weights in {name!r}, which is not beside it: download that file too")
    return found


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
