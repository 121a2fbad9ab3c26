"""A damaged archive is refused by name before anything is written."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hydramind.archive import restore, verify
from hydramind.archive.container import entry, write_body
from hydramind.archive.kinds import KINDS, line_of
from hydramind.archive.manifest import NAME, Manifest, Part, file_of
from hydramind.errors import Damaged, NotFound
from hydramind.graph.commit import op_id, op_key
from hydramind.graph.connection import Graph
from hydramind.ids import stable_id
from hydramind.records import About, Edge, Entity, Memory, Node, Op, ScopeNode
from tests.scoped import counts

SCOPE = "archived"
ROWS = {
    "scope": [ScopeNode(stable_id("scope", SCOPE), SCOPE, 1)],
    "entities": [Entity(7, SCOPE, "Mole", "mole", 1)],
    "memories": [Memory(n, SCOPE, f"Mole {n} digs", f"k{n}", 1, 1, 1, revision=n) for n in (1, 2, 3)],
    "about": [About(11, 1, 7)],
    "ops": [Op(op_id(SCOPE, n), SCOPE, op_key(SCOPE, n), n, "t", "remember", 1, str(n)) for n in (1, 2, 3)],
}
MEMORIES = file_of(0, "memories")
Lines = dict[str, list[bytes]]
Entries = list[tuple[str, bytes]]


def lines() -> Lines:
    """The lines of a small archive by kind."""
    return {kind.name: [line_of(row) for row in ROWS.get(kind.name, [])] for kind in KINDS}


def written(path: Path, content: Lines) -> Path:
    """An archive whose manifest is true to its lines, whatever those say."""
    with zipfile.ZipFile(path, "w") as archive:
        bodies = tuple(
            write_body(archive, file_of(0, kind.name), kind.name, content[kind.name], stored=False) for kind in KINDS
        )
        part = Part(scope=SCOPE, revision=3, embedder="", bodies=bodies)
        archive.writestr(entry(NAME), Manifest(made_by="hydramind test", parts=(part,)).text())
    return path


def repacked(path: Path, change: Callable[[Entries], Entries]) -> Path:
    """The same zip with other entries."""
    with zipfile.ZipFile(path) as archive:
        entries = [(info.filename, archive.read(info)) for info in archive.infolist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in change(entries):
            archive.writestr(entry(name), data)
    return path


def in_manifest(change: Callable[[dict[str, Any]], object]) -> Callable[[Entries], Entries]:
    """Changes the manifest and nothing else."""

    def changed(entries: Entries) -> Entries:
        manifest = json.loads(dict(entries)[NAME])
        change(manifest)
        return [(name, json.dumps(manifest).encode() if name == NAME else data) for name, data in entries]

    return changed


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    """A sound archive."""
    return written(tmp_path / "sound.zip", lines())


def test_a_sound_archive_is_sound(sound: Path) -> None:
    """What the tests below damage passes before."""
    assert [(body.kind, body.rows) for body in verify(sound).parts[0].bodies if body.rows] == [
        ("scope", 1),
        ("entities", 1),
        ("memories", 3),
        ("about", 1),
        ("ops", 3),
    ]
    with pytest.raises(NotFound, match="no file"):
        verify(sound.with_name("none.zip"))


def test_an_archive_of_before_relations_is_sound(sound: Path) -> None:
    """It lacks that body and holds no relation."""
    before = in_manifest(
        lambda m: m["parts"][0].update(bodies=[b for b in m["parts"][0]["bodies"] if b["kind"] != "relates"])
    )
    old = repacked(sound, lambda e: before([each for each in e if not each[0].endswith("/relates.jsonl")]))
    (part,) = verify(old).parts
    assert [kind.name for kind in part.kinds()] == [kind.name for kind in KINDS if kind.name != "relates"]


CONTAINERS: dict[str, tuple[Callable[[Entries], Entries], str]] = {
    "no manifest": (lambda e: [each for each in e if each[0] != NAME], r"manifest\.json: expected .* missing"),
    "an entry is missing": (lambda e: [each for each in e if each[0] != MEMORIES], "memories.jsonl.*missing"),
    "an extra entry": (lambda e: [*e, ("notes.txt", b"x")], "'notes.txt': expected in the archive, and extra"),
    "a path out of it": (lambda e: [*e, ("../evil", b"x")], r"'\.\./evil': expected a name inside"),
    "an absolute path": (lambda e: [*e, ("/evil", b"x")], "'/evil': expected a name inside"),
    "a body changed": (
        lambda e: [(n, d.replace(b"digs", b"dugs") if n == MEMORIES else d) for n, d in e],
        "memories.jsonl: expected SHA-256",
    ),
    "a body shorter": (
        lambda e: [(n, d[:-9] if n == MEMORIES else d) for n, d in e],
        "memories.jsonl: expected .*byte",
    ),
    "the manifest is no JSON": (
        lambda e: [(n, b"{" if n == NAME else d) for n, d in e],
        "manifest.json: expected JSON",
    ),
    "the manifest is a list": (lambda e: [(n, b"[]" if n == NAME else d) for n, d in e], "manifest.json: manifest"),
    "another version": (in_manifest(lambda m: m.update(version=2)), "version: expected 1, got 2"),
    "another format": (in_manifest(lambda m: m.update(format="x")), "manifest.json: format"),
    "an unknown kind": (in_manifest(lambda m: m["parts"][0]["bodies"][2].update(kind="x")), "no record kind"),
    "a body left out": (in_manifest(lambda m: m["parts"][0]["bodies"].pop()), "expected the bodies"),
    "a wrong count": (in_manifest(lambda m: m["parts"][0]["bodies"][2].update(rows=4)), "expected 4 rows, got 3"),
    "a wrong revision": (in_manifest(lambda m: m["parts"][0].update(revision=4)), "expected 4 rows for revision 4"),
    "a scope twice": (in_manifest(lambda m: m["parts"].append(m["parts"][0])), "each scope once"),
}


@pytest.mark.parametrize("damage", CONTAINERS)
def test_a_container_that_is_not_what_it_says_is_refused(sound: Path, damage: str) -> None:
    """HYB-18, HYB-20: by the name of the file inside and what was expected."""
    change, message = CONTAINERS[damage]
    with pytest.raises(Damaged, match=message):
        verify(repacked(sound, change))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_twice_is_refused(sound: Path) -> None:
    """Two entries of one name could say two things."""
    with pytest.raises(Damaged, match="expected once, and there twice"):
        verify(repacked(sound, lambda entries: [*entries, entries[0]]))


def test_a_body_that_unpacks_beyond_belief_is_refused(tmp_path: Path) -> None:
    """A bomb is refused before it is unpacked."""
    content = lines()
    content["memories"] = [b" " * 3_000_000]
    with pytest.raises(Damaged, match=r"memories\.jsonl: expected it to unpack to at most"):
        verify(written(tmp_path / "bomb.zip", content))


LINES: dict[str, tuple[str, int, Callable[[dict[str, Any]], object] | bytes, str]] = {
    "no JSON": ("memories", 1, b'{"id":', "memories.jsonl:2: "),
    "a list": ("memories", 1, b"[]", "memories.jsonl:2: expected an object"),
    "nested beyond depth": ("memories", 1, b"[" * 200_000, "memories.jsonl:2: "),
    "no text": ("memories", 1, b"\xff{}", "memories.jsonl:2: .*utf-8"),
    "not a number": ("memories", 0, lambda r: r.update(trust=float("nan")), "expected a finite number, got NaN"),
    "a text for a number": ("memories", 0, lambda r: r.update(created_at="1"), "created_at: expected int, got str"),
    "a yes for a number": ("memories", 0, lambda r: r.update(created_at=True), "created_at: expected int, got bool"),
    "a number too wide": ("memories", 0, lambda r: r.update(created_at=2**63), "created_at: expected a 64-bit"),
    "null": ("memories", 0, lambda r: r.update(content=None), "content: expected str, got NoneType"),
    "a lone surrogate": ("memories", 0, lambda r: r.update(content="\ud800"), "content: expected text without"),
    "an unknown property": ("memories", 0, lambda r: r.update(colour="x"), "expected no property 'colour'"),
    "a missing property": ("memories", 0, lambda r: r.pop("content"), "expected the property 'content'"),
    "another scope": ("memories", 0, lambda r: r.update(scope="x"), "scope: expected 'archived', got 'x'"),
    "an id twice": ("memories", 1, lambda r: r.update(id=1), "memories.jsonl:2: id: expected more than 1, got 1"),
    "a link to nothing": ("about", 0, lambda r: r.update(target=8), "target: expected one of the entities .* got 8"),
    "a link from nothing": ("about", 0, lambda r: r.update(source=4), "source: expected one of the memories"),
    "a revision twice": ("ops", 1, lambda r: r.update(revision=1), "ops.jsonl:2: revision: expected more"),
    "an op under another id": ("ops", 2, lambda r: r.update(id=5), "key: expected id"),
    "an op of another scope": ("ops", 0, lambda r: r.update(scope="x"), "scope: expected 'archived'"),
    "an unfinished op": ("ops", 0, lambda r: r.update(phase="pending"), "phase: expected 'done'"),
    "another node": ("scope", 0, lambda r: r.update(name="x"), "expected the node of scope 'archived'"),
    "a key that is none": ("keyed", 0, ROWS["ops"][0].__class__.__name__.encode(), "keyed.jsonl:1: "),
}


@pytest.mark.parametrize("damage", LINES)
def test_a_line_that_is_no_row_is_refused(tmp_path: Path, damage: str) -> None:
    """Under true checksums too: every line is parsed with its types and compared with the others."""
    kind, position, change, message = LINES[damage]
    content = lines()
    if isinstance(change, bytes):
        content[kind][position : position + 1] = [change]
    else:
        row = json.loads(content[kind][position])
        change(row)
        content[kind][position] = json.dumps(row).encode()
    with pytest.raises(Damaged, match=message):
        verify(written(tmp_path / "bad.zip", content))


def test_a_property_twice_is_refused(tmp_path: Path) -> None:
    """One of the two would be lost."""
    content = lines()
    content["about"] = [b'{"id":11,"id":11,"source":1,"target":7}']
    with pytest.raises(Damaged, match=re.escape("about.jsonl:1: expected each property once")):
        verify(written(tmp_path / "bad.zip", content))


def test_a_row_of_an_older_version_is_read(tmp_path: Path) -> None:
    """Properties that came later have their defaults."""
    content = lines()
    row = json.loads(content["memories"][0])
    del row["write_phase"]
    content["memories"][0] = json.dumps(row).encode()
    assert verify(written(tmp_path / "old.zip", content)).rows == 9


@given(st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_flipped_bit_or_a_cut_changes_nothing_that_is_read(sound: Path, data: st.DataObject) -> None:
    """Whatever is damaged: refused, or read as exactly what was written (a bit in a date or a flag may be free)."""
    whole, manifest = sound.read_bytes(), verify(sound)
    position = data.draw(st.integers(0, len(whole) - 1))
    bad = sound.with_name("bad.zip")
    if data.draw(st.booleans()):
        bad.write_bytes(whole[:position])
        with pytest.raises(Damaged):
            verify(bad)
        return
    flipped = bytearray(whole)
    flipped[position] ^= 1 << data.draw(st.integers(0, 7))
    bad.write_bytes(bytes(flipped))
    try:
        assert verify(bad) == manifest
    except Damaged:
        return


async def test_nothing_is_written_for_a_damaged_archive(each_graph: Graph, sound: Path) -> None:
    """B01: restore verifies the whole archive first."""
    before = await counts(each_graph)
    with pytest.raises(Damaged, match="expected SHA-256"):
        await restore(each_graph, repacked(sound, CONTAINERS["a body changed"][0]))
    assert await counts(each_graph) == before


def test_every_record_has_a_body() -> None:
    """Whatever the graph holds as a record is in a snapshot; vectors are derived and no record of it."""
    assert {kind.record for kind in KINDS} == {*get_args(Node), *get_args(Edge)}


def test_checksums_are_of_the_lines(sound: Path) -> None:
    """Anyone can check a body without HydraMind: unzip and sha256sum."""
    with zipfile.ZipFile(sound) as archive:
        for body in verify(sound).parts[0].bodies:
            assert hashlib.sha256(archive.read(body.file)).hexdigest() == body.sha256
