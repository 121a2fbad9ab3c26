"""The relationships of a scope: inside it, once each, without cycles, and in step with status and entity lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hydramind.ids import stable_id
from hydramind.models import Finding
from hydramind.queries.audit import Link
from hydramind.records import Memory, Status
from hydramind.verify.contents import Contents

_ID_PREFIX = {
    "ABOUT": "about",
    "DERIVED_FROM": "derived",
    "SUPERSEDED_BY": "superseded",
    "CONTRADICTS": "contradicts",
    "RELATES": "related",
}
"""Types whose id follows from their two ends (and the relation, where it has a name), so that there is at most one between
them. Only a contradiction may come
back after it was withdrawn: each further event of a pair adds the revision that found it to its id."""


def check(contents: Contents) -> Iterator[Finding]:
    """Findings about relationships."""
    for links in contents.links.values():
        for link in links:
            yield from _ends(contents, link)
        yield from _once(links)
    yield from _about(contents)
    yield from _currency(contents)
    for type_ in ("DERIVED_FROM", "SUPERSEDED_BY"):
        looped = _in_cycles(contents.leading_from(type_))
        if looped:
            yield Finding(name="cycle", detail=f"{type_} leads in a circle through {sorted(looped)[:10]}")


def _ends(contents: Contents, link: Link) -> Iterator[Finding]:
    if (link.source_scope, link.target_scope) != (contents.scope, contents.scope):
        yield Finding(
            name="leaves_scope",
            detail=f"{link.type} {link.id} goes from {link.source} in {link.source_scope!r} to {link.target} in "
            f"{link.target_scope!r}",
        )
    if link.type in _ID_PREFIX and link.id not in _lawful_ids(link):
        yield Finding(name="link_id", detail=f"{link.type} {link.source} -> {link.target} has the foreign id {link.id}")


def _lawful_ids(link: Link) -> tuple[int, ...]:
    prefix = _ID_PREFIX[link.type]
    if link.type == "RELATES":
        return (stable_id(prefix, link.source_scope, link.source, link.target, link.relation),)
    first = stable_id(prefix, link.source, link.target)
    if link.type != "CONTRADICTS":
        return (first,)
    return (first, stable_id(prefix, link.source, link.target, link.revision))


def _once(links: Iterable[Link]) -> Iterator[Finding]:
    for (type_, id_), times in Counter((link.type, link.id) for link in links).items():
        if times > 1:
            yield Finding(name="link_twice", detail=f"{type_} {id_} is stored {times} times")


def _about(contents: Contents) -> Iterator[Finding]:
    linked = contents.leading_from("ABOUT")
    for memory in contents.memories:
        entities = sorted(link.target for link in linked.get(memory.id, ()))
        if entities != sorted(memory.entities):
            yield Finding(
                name="about_differs",
                detail=f"memory {memory.id} lists entities {sorted(memory.entities)}, its ABOUT lead to {entities}",
            )


def _currency(contents: Contents) -> Iterator[Finding]:
    successors, doubts = contents.leading_from("SUPERSEDED_BY"), contents.leading_to("CONTRADICTS")
    for memory in contents.memories:
        yield from _succession(memory, len(successors.get(memory.id, ())))
        standing = [link for link in doubts.get(memory.id, ()) if not link.withdrawn_at]
        for source, times in Counter(link.source for link in standing).items():
            if times > 1:
                yield Finding(
                    name="doubted_twice",
                    detail=f"memory {memory.id} is contradicted {times} times by memory {source}, all standing",
                )
        if memory.status == Status.CONTRADICTED and not standing:
            yield Finding(name="contradicted_by_none", detail=f"memory {memory.id} is contradicted by no standing link")
        if memory.status == Status.ACTIVE and standing:
            yield Finding(name="active_in_doubt", detail=f"memory {memory.id} is active, yet contradicted")
        for link in standing:
            source = contents.by_id.get(link.source)
            if source is not None and source.status == Status.FORGOTTEN:
                yield Finding(
                    name="doubt_of_forgotten",
                    detail=f"memory {memory.id} is still contradicted by the forgotten memory {link.source}",
                )


def _succession(memory: Memory, successors: int) -> Iterator[Finding]:
    if memory.status == Status.SUPERSEDED and successors == 0:
        yield Finding(name="superseded_by_none", detail=f"memory {memory.id} is superseded by no memory")
    if successors > 1:
        yield Finding(name="two_successors", detail=f"memory {memory.id} is superseded by {successors} memories")
    if successors and memory.status not in (Status.SUPERSEDED, Status.FORGOTTEN):
        yield Finding(name="current_but_superseded", detail=f"memory {memory.id} is {memory.status}, yet superseded")


def _in_cycles(leading: Mapping[int, Sequence[Link]]) -> set[int]:
    """Nodes that lie on a circle or only lead into one: what is left when ends are taken away again and again."""
    waiting = {node: {link.target for link in links} for node, links in leading.items()}
    while ends := [node for node, targets in waiting.items() if not targets & waiting.keys()]:
        for node in ends:
            del waiting[node]
    return set(waiting)
