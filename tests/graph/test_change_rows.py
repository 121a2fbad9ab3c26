"""How a change set becomes rows, batches and the text of a pending op."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.clock import FOREVER
from hydramind.errors import Damaged
from hydramind.graph import commit as commits
from hydramind.graph.commit import Commit
from hydramind.ids import MAX_ID
from hydramind.records import (
    About,
    ChangeSet,
    Contradicts,
    DerivedFrom,
    Entity,
    Memory,
    Op,
    Relates,
    ScopeNode,
    SupersededBy,
    TrustDecay,
    TrustRestore,
)

IDS = st.integers(0, MAX_ID)
TEXTS = st.text(max_size=30)
OF_TYPE = {"int": st.integers(0, FOREVER), "str": TEXTS, "float": st.floats(0, 1), "bool": st.booleans()}
RECORDS = (ScopeNode, Entity, Memory, About, DerivedFrom, Contradicts, SupersededBy, TrustDecay, TrustRestore, Relates)


def records(kind: type) -> st.SearchStrategy[object]:
    """Any record of one kind."""
    return st.builds(kind, **{field.name: OF_TYPE[str(field.type)] for field in dataclasses.fields(kind)})


OPS: st.SearchStrategy[Op] = records(Op)  # pyright: ignore[reportAssignmentType]
NODES = st.one_of([records(kind) for kind in RECORDS[:3]])
EDGES = st.one_of([records(kind) for kind in RECORDS[3:]])


@given(OPS, st.lists(NODES, max_size=4), st.lists(EDGES, max_size=4), st.none() | OPS)
def test_a_pending_op_holds_its_whole_change(
    op: Op, nodes: list[object], edges: list[object], keyed: Op | None
) -> None:
    """HYD-51: what `dump` writes, `load` gives back, value for value."""
    change = ChangeSet("remember", tuple(nodes), tuple(edges))  # pyright: ignore[reportArgumentType]
    commit = Commit(op, change, keyed)
    pending = dataclasses.replace(op, payload=commits.dump(commit))
    assert commits.load(pending) == Commit(pending, change, keyed)


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "{",
        "[]",
        "null",
        '{"verb":"x"}',
        '{"verb":"x","records":[["Nope",{}]],"keyed":null}',
        '{"verb":"x","records":[["About",{"id":1}]],"keyed":null}',
    ],
)
def test_an_unreadable_payload_is_damage(payload: str) -> None:
    """HYD-51: it is reported with the op's key, never skipped."""
    op = Op(1, "s", "s:1", 1, "t", "remember", 0, phase="pending", payload=payload)
    with pytest.raises(Damaged, match="'s:1' cannot be finished"):
        commits.load(op)


def test_ends_come_before_relationships_and_the_last_row_stands() -> None:
    """Rows are grouped by kind in writing order; of two rows with one id the later counts."""
    first, second = Entity(1, "s", "a", "a", 0), Entity(1, "s", "A", "a", 0)
    rows = commits.latest([About(9, 5, 1), first, ScopeNode(7, "s", 0), second])
    assert list(rows) == [ScopeNode, Entity, About]
    assert rows[Entity] == [{"id": 1, "scope": "s", "name": "A", "name_key": "a", "created_at": 0, "kind": "entity"}]
    assert commits.latest([]) == {}


@given(
    st.lists(
        st.builds(
            lambda size, wide: {"id": size, "text": ("\u20ac" if wide else "x") * size},
            st.integers(0, 700_000),
            st.booleans(),
        ),
        max_size=12,
    )
)
def test_batches_keep_order_and_stay_small(rows: list[dict[str, object]]) -> None:
    """DESIGN 3: no row is lost or moved; a batch of more than one row stays under a megabyte of text in UTF-8."""
    found = list(commits.batches(rows))
    assert [row for batch in found for row in batch] == rows
    for batch in found:
        assert batch
        assert len(batch) == 1 or sum(200 + len(str(row["text"]).encode()) for row in batch) <= 1_000_000


def test_batches_hold_a_thousand_rows_at_most() -> None:
    """2,001 small rows are three statements."""
    assert [len(batch) for batch in commits.batches([{"id": n} for n in range(2_001)])] == [1_000, 1_000, 1]


def test_op_ids_and_keys_are_the_same_everywhere() -> None:
    """DESIGN 4: derived from scope and revision alone, so that two writers of a revision clash; keys sort as numbers."""
    assert commits.op_id("s", 1) == commits.op_id("s", 1)
    ids = {commits.op_id(scope, n) for scope in ("s", "t") for n in range(50)} | {commits.keyed_id("s", "1")}
    assert len(ids) == 101
    assert sorted(commits.op_key("s", n) for n in (10, 9, 1)) == [commits.op_key("s", n) for n in (1, 9, 10)]
    assert all(0 <= id_ <= MAX_ID for id_ in ids)


def test_an_op_under_a_foreign_key_is_damage() -> None:
    """DESIGN 4: an id that belongs to another revision is reported, not believed."""
    op = Op(commits.op_id("s", 1), "s", commits.op_key("s", 2), 2, "t", "remember", 0)
    with pytest.raises(Damaged, match="expected 's:0000000000000001'"):
        commits.checked(op, "s", 1)
    assert commits.checked(op, "s", 2) is op


def test_rows_hold_scalars_only() -> None:
    """DESIGN 3: no null, list or map is ever a property."""
    for kind in RECORDS:
        for field in dataclasses.fields(kind):
            assert str(field.type) in OF_TYPE, f"{kind.__name__}.{field.name}"
    assert not ChangeSet("remember")
    assert ChangeSet("remember", (ScopeNode(1, "s", 0),))
