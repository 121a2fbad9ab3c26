"""Replies as text for people: a headline, then a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from hydramind.cli.layout import Cell, Screen, number, plain, table
from hydramind.models import (
    ConflictReport,
    ConflictView,
    Forgotten,
    Inspection,
    MemoryView,
    Recalled,
    Reinstated,
    Related,
    RelationView,
    Remembered,
    Reply,
    Retrieved,
    Revised,
    ScopeView,
    Stats,
    Timeline,
    Trace,
    TracePath,
    TrustChange,
    TrustStory,
)

_STATUS_COLOUR: Final = {"active": "good", "contradicted": "bad", "superseded": "warn", "forgotten": "dim"}
_KIND_COLOUR: Final = {"contradicts": "bad", "supersedes": "warn", "uncertain": "warn"}


def text_of(reply: Reply, screen: Screen) -> str:
    """The text for any verb's reply, without a final newline."""
    return _VIEWS[type(reply)](reply, screen)


def scopes_text(scopes: Sequence[ScopeView], screen: Screen) -> str:
    """The list of scopes."""
    if not scopes:
        return "no scope holds anything yet"
    return table(("SCOPE", "CREATED"), [(scope.name, _when(scope.created_at)) for scope in scopes], screen)


def _remembered(reply: Remembered, screen: Screen) -> str:
    fresh = reply.outcome == "created"
    head = "remembered" if fresh else "already known"
    return _blocks(
        f"{screen.paint(head, 'good' if fresh else 'warn')} {_named(reply.memory)}",
        _memory_line(reply.memory, screen),
        _conflicts(reply.conflicts, screen),
        _changes(reply.trust_changes, screen),
    )


def _recalled(reply: Recalled, screen: Screen) -> str:
    keywords = ", ".join(reply.keywords) or "none"
    if not reply.hits and reply.evidence is not None and reply.evidence.skipped:
        return f"{reply.passed} memories match, but none fits {reply.evidence.budget_tokens:,} tokens"
    if not reply.hits:
        return (
            f"nothing answers that: 0 of {reply.considered:,} memories hold enough of it (keywords: {plain(keywords)})"
        )
    rows = [
        (number(hit.score), number(hit.memory.trust), _status(hit.memory.status), hit.memory.id, _content(hit.memory))
        for hit in reply.hits
    ]
    foot = f"{len(reply.hits)} shown, {reply.passed} passed of {reply.considered:,} (keywords: {plain(keywords)})"
    head = table(("SCORE", "TRUST", "STATUS", "ID", "MEMORY"), rows, screen)
    return _blocks(head, _evidence(reply, screen), screen.paint(foot, "dim"))


def _evidence(reply: Recalled, screen: Screen) -> str:
    """What was packed; the texts where they are more than the hits shown."""
    evidence = reply.evidence
    if evidence is None:
        return ""
    left_out = f", {len(evidence.skipped)} hits left out" if evidence.skipped else ""
    head = f"evidence: {evidence.tokens:,} of {evidence.budget_tokens:,} tokens{left_out}"
    texts = [plain(item.text) for item in evidence.items] if isinstance(reply, Retrieved) else []
    return "\n".join([screen.paint(head, "dim"), *texts])


def _revised(reply: Revised, screen: Screen) -> str:
    flagged = f"now resting on a replaced premise: {', '.join(reply.flagged)}" if reply.flagged else ""
    return _blocks(
        f"{screen.paint('revised', 'good')} {reply.replaced.id} -> {_named(reply.memory)}",
        _memory_line(reply.memory, screen),
        flagged,
        _conflicts(reply.conflicts, screen),
        _changes(reply.trust_changes, screen),
    )


def _forgotten(reply: Forgotten, screen: Screen) -> str:
    head = "forgot" if reply.changed else "had already forgotten"
    return _blocks(f"{head} {_named(reply.memory)}", _content(reply.memory), _changes(reply.trust_changes, screen))


def _reinstated(reply: Reinstated, screen: Screen) -> str:
    head = f"{screen.paint('reinstated', 'good')} {_named(reply.memory)}"
    return _blocks(head, _content(reply.memory), _changes(reply.trust_changes, screen))


def _related(reply: Related, screen: Screen) -> str:
    head = "withdrew" if reply.relation.withdrawn_at else "related"
    head = head if reply.changed else f"already {head.replace('withdrew', 'withdrawn')}"
    return f"{screen.paint(head, 'good' if reply.changed else 'warn')} {_relation(reply.relation)}"


def _relation(each: RelationView) -> str:
    why = f": {plain(each.reason)}" if each.reason else ""
    return f"{each.source} {each.relation} {each.target} ({each.weight:.2f}{why})"


def _conflict_report(reply: ConflictReport, screen: Screen) -> str:
    compared = f"compared with {reply.compared:,} memories"
    if not reply.conflicts:
        return f"no conflict found ({compared})"
    return _blocks(_conflicts(reply.conflicts, screen), screen.paint(compared, "dim"))


def _timeline(reply: Timeline, screen: Screen) -> str:
    rows = [
        (
            _when(version.memory.valid_from),
            _when(version.memory.valid_to) if version.memory.valid_to else "open",
            _status(version.memory.status),
            number(version.memory.trust),
            version.memory.id,
            version.superseded_by or "-",
            version.memory.content,
        )
        for version in reply.versions
    ]
    heads = ("FROM", "TO", "STATUS", "TRUST", "ID", "REPLACED BY", "MEMORY")
    left_out = reply.total - len(reply.versions)
    foot = f"{left_out:,} older versions left out; ask for more with --limit" if left_out > 0 else ""
    head = f"{plain(reply.entity.name)}: {reply.total:,} versions"
    return _blocks(head, table(heads, rows, screen), screen.paint(foot, "dim"))


def _trace(reply: Trace, screen: Screen) -> str:
    if not reply.paths:
        return _blocks(f"no path found from {_named(reply.memory)}", _content(reply.memory))
    more = "more paths exist; ask for them with --max-paths" if reply.truncated else ""
    paths = "\n".join(_path(path, screen) for path in reply.paths)
    return _blocks(f"{_named(reply.memory)} {_content(reply.memory)}", paths, screen.paint(more, "dim"))


def _path(path: TracePath, screen: Screen) -> str:
    lines = list[str]()
    for step, node, start in zip(path.steps, path.nodes[1:], path.nodes, strict=False):
        name = step.relation or step.type
        arrow = f"-{name}->" if step.start == start.id else f"<-{name}-"
        trust = f" ({node.status}, trust {node.trust:.2f})" if node.trust is not None else ""
        lines.append(f"{'  ' * (len(lines) + 1)}{screen.paint(arrow, 'dim')} {node.id} {plain(node.text)}{trust}")
    return "\n".join(lines)


def _story(reply: TrustStory, screen: Screen) -> str:
    rows = [
        (
            _when(event.at),
            event.kind,
            f"{event.before:.2f} -> {event.after:.2f}",
            event.by or "-",
            _why(event.narration, event.reason),
        )
        for event in reply.events
    ]
    return _blocks(
        f"{_named(reply.memory)} trust {reply.memory.trust:.2f}, replayed {reply.replayed:.2f}",
        _content(reply.memory),
        table(("AT", "EVENT", "TRUST", "BY", "WHY"), rows, screen, most=20),
    )


def _inspection(reply: Inspection, screen: Screen) -> str:
    memory = reply.memory
    pairs = [
        ("id", memory.id),
        ("scope", memory.scope),
        ("content", memory.content),
        ("kind", memory.kind),
        ("slot", memory.slot),
        ("status", _status(memory.status)),
        ("trust", number(memory.trust)),
        ("created", memory.created_at),
        ("held at", memory.event_time),
        ("valid", f"{memory.valid_from} to {memory.valid_to or 'open'}"),
        ("source", memory.source),
        ("entities", ", ".join(entity.name for entity in memory.entities)),
        ("premise", "superseded" if memory.premise_superseded else ""),
        ("derived from", ", ".join(reply.derived_from)),
        ("derived", ", ".join(reply.derived)),
        ("contradicts", ", ".join(reply.contradicts)),
        ("contradicted by", ", ".join(reply.contradicted_by)),
        ("supersedes", ", ".join(reply.supersedes)),
        ("superseded by", ", ".join(reply.superseded_by)),
        *(("declared", _relation(each)) for each in reply.relations),
        ("revision", str(reply.revision)),
    ]
    return pairs_text(pairs, screen)


def _stats(reply: Stats, screen: Screen) -> str:
    counted = ("memories", "active", "contradicted", "superseded", "forgotten", "entities", "revision")
    pairs = [("scope", reply.scope), *((name, f"{getattr(reply, name):,}") for name in counted)]
    return pairs_text([*pairs, ("mean trust", f"{reply.mean_trust:.2f}")], screen)


def pairs_text(pairs: Iterable[tuple[str, str | Cell]], screen: Screen) -> str:
    """Names and values, a line each; empty values are left out and long ones are not cut."""
    shown = [(name, value if isinstance(value, Cell) else Cell(value)) for name, value in pairs]
    shown = [(name, cell) for name, cell in shown if cell.text]
    widest = max((len(name) for name, _ in shown), default=0)
    return "\n".join(
        f"{screen.paint(name.ljust(widest), 'dim')}  {screen.paint(plain(cell.text), cell.colour)}"
        for name, cell in shown
    )


def _conflicts(conflicts: Sequence[ConflictView], screen: Screen) -> str:
    """The reason quotes both statements, so it has a line of its own."""
    heads = (f"{screen.paint(each.kind, _KIND_COLOUR.get(each.kind, ''))} {each.memory_id}" for each in conflicts)
    return "\n".join(f"{head}: {plain(each.reason)}" for head, each in zip(heads, conflicts, strict=True))


def _changes(changes: Sequence[TrustChange], screen: Screen) -> str:
    rows = [(each.memory_id, f"{each.before:.2f} -> {each.after:.2f}", str(each.hop)) for each in changes]
    return table(("TRUST OF", "CHANGED", "HOPS"), rows, screen)


def _memory_line(memory: MemoryView, screen: Screen) -> str:
    about = ", ".join(plain(entity.name) for entity in memory.entities)
    return _blocks(_content(memory), screen.paint(f"about {about}", "dim") if about else "")


def _named(memory: MemoryView) -> str:
    return f"{memory.id} in {plain(memory.scope)!r} ({memory.status}, trust {memory.trust:.2f})"


def _content(memory: MemoryView) -> str:
    return plain(memory.content)


def _status(status: str) -> Cell:
    return Cell(status, _STATUS_COLOUR.get(status, ""))


def _when(moment: str) -> str:
    return moment[:16].replace("T", " ")


def _why(narration: str, reason: str) -> str:
    return narration or reason or "-"


def _blocks(*parts: str) -> str:
    return "\n".join(part for part in parts if part)


_VIEWS: Final[dict[type[Reply], Callable[[Any, Screen], str]]] = {
    Remembered: _remembered,
    Recalled: _recalled,
    Retrieved: _recalled,
    Revised: _revised,
    Forgotten: _forgotten,
    Reinstated: _reinstated,
    Related: _related,
    ConflictReport: _conflict_report,
    Timeline: _timeline,
    Trace: _trace,
    TrustStory: _story,
    Inspection: _inspection,
    Stats: _stats,
}
