"""Every form of every query: inside HydraDB's documented subset where HydraDB gets it, and equal where it can run."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from hydradb_subset import violations

import hydramind.queries
from hydramind.errors import Unsupported
from hydramind.graph.connection import Graph
from hydramind.graph.engines import ENGINES, OTHER, Engine, engine_for
from hydramind.ids import stable_id
from hydramind.queries import vectors
from hydramind.queries.query import Capability, Query
from hydramind.service import HydraMind
from hydramind.settings import Settings
from tests.conftest import TestClock
from tests.scoped import DENIAL, FACT, FAR_REST, REST, Scoped

HYDRADB = next(engine for engine in ENGINES if engine.name == "hydradb")


def queries_in(value: object) -> Iterator[Query[Any]]:
    """Queries in a module's value, inside tuples, mappings and dataclasses too."""
    if isinstance(value, Query):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from queries_in(inner)
    elif isinstance(value, tuple):
        for inner in value:
            yield from queries_in(inner)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from queries_in(getattr(value, field.name))


MODULES = [
    importlib.import_module(f"hydramind.queries.{module.name}")
    for module in pkgutil.iter_modules(hydramind.queries.__path__)
]
QUERIES = {query.name: query for module in MODULES for value in vars(module).values() for query in queries_in(value)}
READS = {name: query for name, query in QUERIES.items() if " RETURN " in " ".join(query.forms())}


def test_the_walk_finds_the_queries() -> None:
    """The checks below are about every query: each module but the type's own holds some, and names are unique."""
    found = [query for module in MODULES for value in vars(module).values() for query in queries_in(value)]
    assert len({id(query) for query in found}) == len(QUERIES)
    assert all(
        module.__name__.endswith(".query") or any(True for value in vars(module).values() for _ in queries_in(value))
        for module in MODULES
    )
    assert len(QUERIES) > 30


@pytest.mark.parametrize("query", QUERIES.values(), ids=list(QUERIES))
def test_hydradb_gets_only_what_it_documents(query: Query[Any]) -> None:
    """HYD-53: the form for HydraDB lies inside its subset; what has none needs a capability that HydraDB lacks."""
    try:
        text = query.form(HYDRADB.capabilities)
    except Unsupported:
        assert set(query.when) <= {Capability.DDL, Capability.PATTERN_PATHS, Capability.BATCH_READS}
        return
    assert violations(text) == []


@pytest.mark.parametrize("query", QUERIES.values(), ids=list(QUERIES))
@pytest.mark.parametrize("engine", [*ENGINES, OTHER], ids=lambda engine: engine.name)
def test_transactional_engines_never_scan_for_a_merge(query: Query[Any], engine: Engine) -> None:
    """DESIGN 3: where labels stand in MERGE they are used; no HydraDB marker reaches an engine that would store it."""
    if not engine.can(Capability.TRANSACTIONS):
        return
    try:
        text = query.form(engine.capabilities)
    except Unsupported:
        assert set(query.when) == {Capability.PROCEDURE_PATHS}
        return
    assert "MERGE (n {" not in text
    assert "__hydradb" not in text


def test_a_query_without_a_fitting_form_says_what_it_needs() -> None:
    """STYLE: `Unsupported` names the query and the capability; no second try with another form."""
    with pytest.raises(Unsupported, match=r"'paths of length 2': it needs bounded variable-length patterns"):
        QUERIES["paths of length 2"].form(HYDRADB.capabilities)


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("Neo4j/5.26.0 compatible (ArcadeDB 26.10.2)", "arcadedb"),
        ("Neo4j/5.26.30", "neo4j"),
        ("SlateDBGraph/0.1.0", "hydradb"),
        ("Memgraph/3.0", "other"),
        ("", "other"),
    ],
)
def test_the_engine_is_settled_by_its_agent(agent: str, name: str) -> None:
    """DESIGN 3: once, by the server agent, overridable."""
    assert engine_for(agent).name == name
    assert engine_for(agent, "hydradb").name == "hydradb"


async def rows_of(graph: Graph, query: Query[Any], text: str, parameters: dict[str, Any]) -> list[str]:
    """The mapped rows of one form, in a fixed order."""
    form: Query[Any] = Query(query.name, text, query.row)  # pyright: ignore[reportArgumentType]
    return sorted(repr(row) for row in await graph.read(form, **parameters))


@pytest.fixture
async def furnished(each_graph: Graph, engine_settings: Settings, clock: TestClock, scope: str) -> list[int]:
    """A scope with something of every kind in it; returns the ids of its memories and entities and of its ops."""
    async with HydraMind.open(engine_settings, clock=clock) as mind:
        scoped = Scoped(mind, scope)
        root = await scoped.remember(FACT, entity_refs=["gateway", "TLS"], idempotency_key="k")
        rest = await scoped.keep(REST, derived_from=[root.memory.id], entity_refs=["gateway"])
        await scoped.keep(FAR_REST, derived_from=[rest, root.memory.id])
        denial = await scoped.keep(DENIAL, entity_refs=["gateway"])
        await scoped.forget(denial)
        await scoped.keep(DENIAL)
        await scoped.revise(rest, "The office has no lift.")
        await scoped.relate(rest, root.memory.id, relation="supports", weight=0.5, reason="an audit")
    vector = {
        "id": stable_id("vector", scope),
        "scope": scope,
        "memory_id": 1,
        "embedder": "e",
        "scale": 0.5,
        "data": "AQI=",
    }
    await each_graph.read(vectors.UPSERT, rows=[vector])
    every: Query[int] = Query(
        "every id", "MATCH (n) WHERE n.scope = $scope RETURN n.id AS id", lambda columns: int(columns["id"])
    )
    return sorted(await each_graph.read(every, scope=scope))


NEVER_FULL = {"schema marker"}
"""Reads that a furnished scope gives nothing for: beside what comes in from other scopes, what is no scope's."""


@pytest.mark.parametrize("name", [name for name, query in READS.items() if query.text and "Scope" not in query.text])
async def test_every_form_gives_the_rows_of_the_portable_form(
    each_graph: Graph, furnished: list[int], scope: str, name: str
) -> None:
    """B07, STYLE: on each engine each form that it can run gives the same rows, for every id of a scope."""
    query = READS[name]
    forms = [text for needed, text in query.when.items() if each_graph.engine.can(needed)]
    by_id = "$id" in query.text
    portable: list[str] = []
    for id_ in furnished if by_id else [0]:
        portable += await rows_of(each_graph, query, query.text, {"id": id_, "scope": scope})
    for text in forms:
        rows: list[str] = []
        if "$rows" in text:
            rows = await rows_of(each_graph, query, text, {"rows": [{"id": id_} for id_ in furnished], "scope": scope})
        else:
            for id_ in furnished if by_id else [0]:
                rows += await rows_of(each_graph, query, text, {"id": id_, "scope": scope})
        assert sorted(rows) == sorted(portable)
    foreign: list[str] = []
    for id_ in furnished if by_id else [0]:
        foreign += await rows_of(each_graph, query, query.text, {"id": id_, "scope": scope + "-other"})
    assert foreign == []
    assert portable or "into a scope" in name or name in NEVER_FULL
