"""Fills a scope of the graph with made-up memories and their vectors, fast, and takes it out again."""

from __future__ import annotations

import base64
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from benchmarks.recall_corpus import START_MS, Corpus, WordEmbedder
from hydramind.graph.commit import Commit, op_id, op_key, write
from hydramind.graph.connection import Graph
from hydramind.ids import stable_id
from hydramind.index.vectors import quantised
from hydramind.queries import archive, entities, removal, vectors
from hydramind.records import ChangeSet, Entity, Memory, Op, ScopeNode, Vector
from hydramind.store.embedding import vector_id

_TOGETHER = 500


async def fill(graph: Graph, corpus: Corpus, size: int) -> float:
    """Write the first `size` rows, an op and a transaction for every 500, and their vectors; seconds it took. What links
    rows is left out: neither a load nor a recall reads it."""
    embedder, started = WordEmbedder(), time.perf_counter()
    for revision, rows in enumerate(_batches(corpus.memories(size)), 1):
        async with graph.session() as session, await session.begin_transaction() as transaction:
            await write(transaction, graph.engine, [_commit(corpus, revision, rows)])
            await transaction.commit()
        made = embedder.vectors([row.text for row in rows])
        stored = [asdict(_vector(row, vector)) for row, vector in zip(rows, made, strict=True)]
        await graph.write(vectors.UPSERT, stored)
        if revision % 20 == 0:
            print(f"filled {revision * _TOGETHER} of {size}", file=sys.stderr, flush=True)
    return time.perf_counter() - started


async def empty(graph: Graph, scope: str) -> None:
    """Take a scope with its vectors out of the graph."""
    derived = [id_ for id_, _ in await graph.read(vectors.IDS_OF_SCOPE, scope=scope)]
    nodes = [node.id for node in await graph.read(entities.SCOPES) if node.name == scope]
    steps = (
        (removal.VECTORS, derived),
        (removal.MEMORIES, await graph.read(archive.MEMORY_IDS, scope=scope)),
        (removal.ENTITIES, await graph.read(archive.ENTITY_IDS, scope=scope)),
        (removal.SCOPES, nodes),
        (removal.OPS, await graph.read(archive.OP_IDS, scope=scope)),
    )
    for query, ids in steps:
        await graph.write(query, [{"id": id_} for id_ in ids])


def _commit(corpus: Corpus, revision: int, rows: Sequence[Memory]) -> Commit:
    scope, first = corpus.scope, revision == 1
    node = (ScopeNode(stable_id("scope", scope), scope, START_MS),) if first else ()
    about: Sequence[Entity] = corpus.entities() if first else ()
    memories = tuple(replace(row, revision=revision) for row in rows)
    op = Op(
        op_id(scope, revision),
        scope,
        op_key(scope, revision),
        revision,
        "fill",
        "remember",
        START_MS,
        memory_ids=",".join(str(row.id) for row in rows),
        entity_ids=",".join(str(entity.id) for entity in about),
    )
    return Commit(op, ChangeSet("remember", (*node, *about, *memories)))


def _vector(row: Memory, vector: NDArray[np.float32]) -> Vector:
    numbers, scale = quantised(vector)
    identity = WordEmbedder.identity
    data = base64.b64encode(numbers.tobytes()).decode("ascii")
    return Vector(vector_id(row.id, identity), row.scope, row.id, identity, scale, data)


def _batches(rows: Iterator[Memory]) -> Iterator[list[Memory]]:
    while batch := list(islice(rows, _TOGETHER)):
        yield batch
