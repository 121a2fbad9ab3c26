"""The trust ledger: replayed it gives the stored trust, and every entry has its cause and its lawful amount."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from hydramind.mind import trust
from hydramind.mind.trust import Entry
from hydramind.models import Finding
from hydramind.queries.audit import Link
from hydramind.verify.contents import Contents


def check(contents: Contents) -> Iterator[Finding]:
    """Findings about trust."""
    yield from _replayed(contents)
    yield from _contradictions(contents)
    causes = {str(link.id): link for link in contents.ledger if link.type != "TRUST_RESTORE"}
    for link in contents.links["TRUST_DECAY"]:
        yield from _decay(link, causes.get(link.caused_by))
    for link in contents.links["TRUST_RESTORE"]:
        yield from _restore(link, causes.get(link.caused_by))
    for type_ in ("TRUST_DECAY", "TRUST_RESTORE"):
        yield from _once(contents, type_)


def _replayed(contents: Contents) -> Iterator[Finding]:
    entries: dict[int, list[Entry]] = defaultdict(list)
    for link in contents.ledger:
        entries[link.target].append(Entry(link.revision, link.before, link.after, link.step))
    for memory in contents.memories:
        try:
            replayed = trust.replay(entries[memory.id])
        except ValueError as error:
            yield Finding(name="ledger_broken", detail=f"memory {memory.id}: {error}")
            continue
        if replayed != memory.trust:
            yield Finding(
                name="trust_differs", detail=f"memory {memory.id} has trust {memory.trust}, its ledger gives {replayed}"
            )


def _contradictions(contents: Contents) -> Iterator[Finding]:
    restored = {link.caused_by for link in contents.links["TRUST_RESTORE"]}
    for link in contents.links["CONTRADICTS"]:
        if link.after != trust.after_loss(link.before, trust.CONTRADICTION_LOSS):
            yield _amount(link)
        if bool(link.withdrawn_at) != (str(link.id) in restored):
            yield Finding(
                name="withdrawal",
                detail=f"CONTRADICTS {link.id} was {'' if link.withdrawn_at else 'not '}withdrawn, yet its loss was "
                f"{'not ' if link.withdrawn_at else ''}given back",
            )


def _decay(link: Link, cause: Link | None) -> Iterator[Finding]:
    if cause is None or cause.type != "CONTRADICTS" or cause.target != link.source or cause.revision != link.revision:
        yield _causeless(link)
    if not 1 <= link.hop <= trust.MAX_HOPS or link.after != trust.after_loss(link.before, trust.derived_loss(link.hop)):
        yield _amount(link)


def _restore(link: Link, cause: Link | None) -> Iterator[Finding]:
    if cause is None or cause.target != link.target or cause.revision >= link.revision:
        yield _causeless(link)
    elif link.after != trust.after_gain(link.before, trust.taken(cause.before, cause.after)):
        yield _amount(link)


def _once(contents: Contents, type_: str) -> Iterator[Finding]:
    pairs = Counter((link.caused_by, link.target) for link in contents.links[type_])
    for (cause, target), times in pairs.items():
        if times > 1:
            yield Finding(name="moved_twice", detail=f"{times} {type_} of memory {target} have the cause {cause}")


def _amount(link: Link) -> Finding:
    return Finding(
        name="ledger_amount",
        detail=f"{link.type} {link.id} moves memory {link.target} from {link.before} to {link.after}",
    )


def _causeless(link: Link) -> Finding:
    return Finding(
        name="ledger_cause", detail=f"{link.type} {link.id} names {link.caused_by!r}, which did not cause it"
    )
