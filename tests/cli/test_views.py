"""Replies as people read them."""

from __future__ import annotations

import io

import pytest

from hydramind.cli.console import Console
from hydramind.cli.failures import exit_code
from hydramind.cli.layout import Screen
from hydramind.cli.views import scopes_text, text_of
from hydramind.errors import (
    Busy,
    Conflict,
    Damaged,
    HydraMindError,
    Invalid,
    Misconfigured,
    NotFound,
    Refused,
    Unauthorized,
    Unavailable,
    Unsupported,
)
from hydramind.models import (
    ConflictReport,
    EntityView,
    EvidenceItem,
    EvidenceView,
    Forgotten,
    Hit,
    MemoryView,
    PathNode,
    PathStep,
    Recalled,
    Reply,
    Retrieved,
    Revised,
    Routing,
    Timeline,
    Trace,
    TracePath,
    Version,
)

MEMORY = MemoryView(
    id="7",
    scope="s",
    content="数据库 is on\nnow",
    kind="fact",
    status="active",
    trust=1.0,
    created_at="2026-03-01T10:00:00.000Z",
    event_time="2026-03-01T10:00:00.000Z",
    valid_from="2026-03-01T10:00:00.000Z",
    valid_to=None,
    source="cli",
)
ENTITY = EntityView(id="9", name="cache")
PACKED = EvidenceItem(memory_id="7", evidence_id="", role="hit", text="(2026-03-01) on", tokens=4)
ROUTING = Routing(
    kind="default",
    cue="",
    multi_query_enabled=False,
    multi_query_variant_count=1,
    query_variants=("cache",),
    multi_query_fusion=None,
    multi_query_unique_notes=1,
    multi_query_multivariant_hits=0,
    sub_questions="none",
)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (ConflictReport(conflicts=(), compared=1_200), "no conflict found (compared with 1,200 memories)"),
        (
            Trace(max_hops=2, max_paths=20, memory=MEMORY, paths=(), truncated=False),
            "no path found from 7 in 's' (active, trust 1.00)\n数据库 is on now",
        ),
        (
            Trace(
                max_hops=2,
                max_paths=20,
                memory=MEMORY,
                paths=(
                    TracePath(
                        nodes=(
                            PathNode(id="7", label="Memory", text="x"),
                            PathNode(id="9", label="Entity", text="cache"),
                            PathNode(id="8", label="Memory", text="y", status="active", trust=0.6),
                        ),
                        steps=(PathStep(type="ABOUT", start="7", end="9"), PathStep(type="ABOUT", start="8", end="9")),
                    ),
                ),
                truncated=True,
            ),
            "7 in 's' (active, trust 1.00) 数据库 is on now\n"
            "  -ABOUT-> 9 cache\n"
            "    <-ABOUT- 8 y (active, trust 0.60)\n"
            "more paths exist; ask for them with --max-paths",
        ),
        (
            Forgotten(memory=MEMORY, changed=False),
            "had already forgotten 7 in 's' (active, trust 1.00)\n数据库 is on now",
        ),
        (
            Revised(memory=MEMORY, replaced=MEMORY.model_copy(update={"id": "6"}), flagged=("3", "4")),
            "revised 6 -> 7 in 's' (active, trust 1.00)\n数据库 is on now\nnow resting on a replaced premise: 3, 4",
        ),
        (
            Retrieved(
                limit=10,
                hits=(Hit(memory=MEMORY, score=0.5, coverage=1.0),),
                keywords=("cache",),
                considered=3,
                passed=1,
                revision=4,
                evidence=EvidenceView(budget_tokens=9, tokens=4, items=(PACKED,), skipped=("8",)),
                routing=ROUTING,
            ),
            "SCORE  TRUST  STATUS  ID  MEMORY\n0.50   1.00   active  7   数据库 is on now\n"
            "evidence: 4 of 9 tokens, 1 hits left out\n(2026-03-01) on\n1 shown, 1 passed of 3 (keywords: cache)",
        ),
        (
            Recalled(
                limit=10,
                hits=(),
                keywords=("cache",),
                considered=3,
                passed=2,
                revision=4,
                evidence=EvidenceView(budget_tokens=9, tokens=0, items=(), skipped=("7", "8")),
            ),
            "2 memories match, but none fits 9 tokens",
        ),
        (
            Recalled(
                limit=10,
                hits=(Hit(memory=MEMORY, score=0.9, coverage=0.9),),
                keywords=("on",),
                considered=5,
                passed=2,
                revision=3,
            ),
            "SCORE  TRUST  STATUS  ID  MEMORY\n"
            "0.90   1.00   active  7   数据库 is on now\n"
            "1 shown, 2 passed of 5 (keywords: on)",
        ),
        (
            Timeline(limit=20, entity=ENTITY, versions=(Version(memory=MEMORY, superseded_by="8"),), total=3),
            "cache: 3 versions\n"
            "FROM              TO    STATUS  TRUST  ID  REPLACED BY  MEMORY\n"
            "2026-03-01 10:00  open  active  1.00   7   8            数据库 is on now\n"
            "2 older versions left out; ask for more with --limit",
        ),
    ],
)
def test_a_reply_reads_like_this(reply: Reply, text: str) -> None:
    """Whole texts, as a pipe gets them."""
    assert text_of(reply, Screen()) == text


def test_no_scopes_is_said_in_words() -> None:
    """An empty table would look like a failure."""
    assert scopes_text((), Screen()) == "no scope holds anything yet"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Invalid("limit", "is odd"), 2),
        (NotFound(""), 3),
        (Conflict(""), 3),
        (Refused(""), 3),
        (Unavailable(""), 4),
        (Busy(""), 4),
        (Misconfigured(""), 4),
        (Unauthorized(""), 4),
        (Unsupported(""), 4),
        (Damaged(""), 1),
        (HydraMindError(""), 1),
    ],
)
def test_each_kind_of_error_has_its_exit_code(error: HydraMindError, code: int) -> None:
    """What a script may branch on."""
    assert exit_code(error) == code


def test_progress_is_for_people_only() -> None:
    """A script's stderr holds nothing but the error."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            """It says that it is one."""
            return True

    terminal, pipe = Terminal(), io.StringIO()
    for stream in (terminal, pipe):
        Console(io.StringIO(), stream).progress("starting")
    assert (terminal.getvalue(), pipe.getvalue()) == ("starting\n", "")
