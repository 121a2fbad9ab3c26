"""What HydraDB's documented subset holds, statement by statement."""

from __future__ import annotations

import pytest
from hydradb_subset import violations

READS = [
    "MATCH (m:Memory {id: $id}) WHERE m.scope = $scope RETURN m.id AS id, m.content AS content",
    "MATCH (u {id: 1})-[:FOLLOWS]->(v) RETURN v.id",
    "MATCH ()-[e:FOLLOWS {weight: 7}]->() RETURN count(*)",
    "MATCH (u {id: 1})-[:CHAIN*1..3]->(v) RETURN v.id ORDER BY v.id DESC",
    "MATCH (u {id: 1})-[:CHAIN*..16]->(v) RETURN v.id",
    "MATCH (s:S) WHERE s.a = 1 AND (s.b > 2.5 OR NOT s.c <> -3) RETURN s.id",
    "MATCH (s:S) WHERE s.key STARTS WITH $prefix RETURN s.key AS key ORDER BY key SKIP $from LIMIT 10",
    "MATCH (s:S), (d:D {p: 'it\\'s'}) WHERE s.a = d.a RETURN DISTINCT s.id AS id ORDER BY id",
    "MATCH (a:A {id: $id})-[r:T]->(b:B)<-[q:U]-(c:C) RETURN r.p AS p, q.p AS q, b.id AS b",
    "MATCH (a:A {id: $id}) OPTIONAL MATCH (a)-[:T]->(b:B) RETURN a.id AS a, b.id AS b",
    "MATCH (a:A {id: $id}) MATCH (a)-[r:T]->(b:B) WITH a, b, r RETURN b.id AS b",
    "MATCH (m:M {scope: $scope}) RETURN m.kind AS kind, count(*) AS n, avg(m.trust) AS mean ORDER BY n DESC, kind",
    "MATCH (m:M) RETURN count(m.id) AS n, collect(m.kind) AS kinds ORDER BY count(*)",
    "MATCH (a:A) RETURN a.id AS id UNION ALL MATCH (b:B) RETURN b.id AS id",
    "UNWIND $rows AS row MATCH (s {id: row.s})-[:T]->(d) RETURN row.s AS s, d.id AS d",
    "CALL algo.SSpaths({sourceNode: $id, relTypes: ['A', 'B'], relDirection: 'both', maxLen: $hops, pathCount: $limit}) "
    "YIELD path RETURN path",
    "CALL algo.SPpaths({sourceNode: 1, targetNode: $t, relTypes: ['A'], maxLen: 3}) "
    "YIELD path, pathWeight RETURN path, pathWeight",
]

WRITES = [
    "UNWIND $rows AS row MERGE (n {id: row.id}) SET n:Memory, n.scope = row.scope, n.trust = row.trust",
    "UNWIND $rows AS row MERGE (n {id: row.id}) SET n:Op, n.rev = row.rev, n.__hydradb_update_if_newer_by = row.rev",
    "UNWIND $rows AS row MATCH (s:A {id: row.s}), (d:B {id: row.d}) MERGE (s)-[r:T {id: row.id}]->(d) SET r.p = row.p",
    "UNWIND $rows AS row MATCH (s:A {id: row.s}), (d:B {id: row.d}) MERGE (d)<-[:T {id: row.id}]-(s)",
    "UNWIND $rows AS row MATCH (s:A {id: row.s}), (d:B {id: row.d}) CREATE (s)-[:T {id: row.id, p: row.p}]->(d)",
    "UNWIND $rows AS row CREATE (a {id: row.a})-[:T]->(b {id: row.b})",
    "UNWIND $rows AS row MATCH (n {id: row.id}) DETACH DELETE n",
    "UNWIND $rows AS row MATCH ()-[r:T {key: row.key}]->() DELETE r",
    "UNWIND $rows AS row MATCH (a {id: row.a})-[r:T]->(b {id: row.b}) DELETE r",
    "MATCH (m:Memory {id: $id}) WHERE m.scope = $scope SET m.trust = $trust, m.seen = true, m:Cold REMOVE m.old",
    "MATCH (a:A {id: $a})-[r:T {key: $key}]->(b:B {id: $b}) SET r.p = -0.5",
    "MATCH (a:A {id: $a})-[r:T]->(b:B {id: $b}) DELETE r",
    "MATCH (m:Memory {id: $id}) DETACH DELETE m",
    "CREATE (a:A {id: $a, p: $p})-[:T {q: $q}]->(b:B {id: 2})",
    "CREATE (a {id: 1})-[:T]->(b {id: 2}), (a {id: 1})-[:T]->(c {id: 3})",
    "MERGE (a:A {id: 1, p: 'x'})-[:T]->(b:B {id: 2})",
]

REFUSED = {
    "MATCH (m:M) RETURN m": "expected .",
    "MATCH (m:M) RETURN *": "expected name",
    "MATCH (m:M) RETURN min(m.p) AS p": "'min' is not one of the aggregates",
    "MATCH (m:M) RETURN count(m) AS n": "expected .",
    "MATCH (m:M) RETURN count(DISTINCT m.p) AS n": "stands where a name belongs",
    "MATCH (m:M) RETURN toString(m.id) AS id": "'toString' is not one",
    "MATCH (m:M) RETURN m.p AS a, m.q AS a": "same name",
    "MATCH (m:M) RETURN m.a + 1 AS a": "nothing may follow",
    "MATCH (a:A)-[r:T]->(b:B) RETURN r.id AS id": "the id of a relationship",
    "MATCH (a:A)-[r:T]->(b:B) WHERE r.id = $id RETURN b.id": "the id of a relationship",
    "MATCH (m:M) RETURN x.id AS id": "'x' is not bound",
    "MATCH (m:M) RETURN m.p AS p ORDER BY m.p": "sort by an alias",
    "MATCH (m:M) RETURN m.p AS p ORDER BY q": "no column has that alias",
    "MATCH (m:M) RETURN m.p AS p, count(*) AS n ORDER BY m.id": "sorted by its columns",
    "MATCH (m:M) RETURN DISTINCT m.p AS p ORDER BY m.id": "does not project it",
    "MATCH (m:M) RETURN m.p AS p LIMIT 1 + 1": "nothing may follow",
    "RETURN 1 AS one": "needs a MATCH",
    "MATCH (m:M)": "expected RETURN, SET",
    "": "expected RETURN, SET",
    "MATCH (a:A)-[:T]-(b:B) RETURN b.id": "needs a direction",
    "MATCH (a:A)-->(b:B) RETURN b.id": "expected [",
    "MATCH (a:A)-[r]->(b:B) RETURN b.id": "exactly one type",
    "MATCH (a:A)-[:T|U]->(b:B) RETURN b.id": "exactly one type",
    "MATCH (a:A)-[:T*]->(b:B) RETURN b.id": "expected ..",
    "MATCH (a:A)-[:T*1..]->(b:B) RETURN b.id": "expected integer",
    "MATCH (a:A)-[:T*1..$hops]->(b:B) RETURN b.id": "expected integer",
    "MATCH (a:A)-[:T*1..17]->(b:B) RETURN b.id": "outside 1..16",
    "MATCH (a:A)-[:T*3..2]->(b:B) RETURN b.id": "outside 1..16",
    "MATCH (a:A)-[r:T*1..2]->(b:B) RETURN b.id": "has no name",
    "MATCH p = (a:A)-[:T]->(b:B) RETURN b.id": "expected (",
    "MATCH (:A {id: $id})-[:T]->(b:B) RETURN b.id": "an anonymous node",
    "MATCH ({key: $key})-[:T]->(b:B) RETURN b.id": "an anonymous node",
    "MATCH (m:M {id: -1}) RETURN m.p": "non-negative integers",
    "MATCH (m:M {id: 'a'}) RETURN m.p": "non-negative integers",
    "MATCH (m:M {p: null}) RETURN m.p": "stands where a name belongs",
    "MATCH (m:M {p: 1, p: 2}) RETURN m.p": "given twice",
    "MATCH (m:M) WHERE m.p IN $ps RETURN m.id": "no comparison",
    "MATCH (m:M) WHERE m.p CONTAINS 'x' RETURN m.id": "no comparison",
    "MATCH (m:M) WHERE m.p ENDS WITH 'x' RETURN m.id": "no comparison",
    "MATCH (m:M) WHERE m.p IS NULL RETURN m.id": "no comparison",
    "MATCH (m:M) WHERE m.flag RETURN m.id": "no comparison",
    "MATCH (m:M) WHERE m.a < m.b < m.c RETURN m.id": "expected RETURN",
    "MATCH (m:M) WHERE m.a = 1 XOR m.b = 2 RETURN m.id": "expected RETURN",
    "MATCH (m:M) WHERE 1 = 1 RETURN m.id": "needs a property",
    "MATCH (m:M) WHERE m.p STARTS WITH m.q RETURN m.id": "expected string",
    "MATCH (m:M) WHERE m:Cold RETURN m.id": "expected .",
    "MATCH (m:M) WITH m WHERE m.p = 1 RETURN m.id": "expected RETURN",
    "MATCH (m:M), (n:N) WITH m RETURN m.id": "every binding",
    "MATCH (m:M) WITH m AS n RETURN n.id": "expected RETURN",
    "MATCH (m:M) WITH DISTINCT m RETURN m.id": "stands where a name belongs",
    "MATCH (a:A) RETURN a.id AS x UNION MATCH (b:B) RETURN b.id AS y": "different columns",
    "MATCH (a:A) RETURN a.id AS x UNION MATCH (b:B) RETURN b.id AS x UNION ALL MATCH (c:C) RETURN c.id AS x": "mixed",
    "MATCH (m:M) RETURN m.id AS id; MATCH (n:N) RETURN n.id AS id": "belongs to nothing",
    "MATCH (m:`M`) RETURN m.id AS id": "belongs to nothing",
    "MATCH (m:M) /* all */ RETURN m.id AS id": "belongs to nothing",
    "CREATE (m:M {id: 1})": "no lone nodes",
    "CREATE (a {id: 1})-[:T]->(b)": "needs its id",
    "CREATE (a:A {id: 1})-[:T]->(b {id: 2}), (a {id: 1})-[:T]->(c {id: 3})": "carry ids only",
    "CREATE (a {id: 1})-[:T]->(b {id: 2}) RETURN a.id": "nothing may follow",
    "CREATE (a {id: 1})-[:T {id: 3}]->(b {id: 2})": "by id outside UNWIND",
    "CREATE (a {id: 1})-[:T*1..2]->(b {id: 2})": "has no length",
    "CREATE (a {id: row.a})-[:T]->(b {id: 2})": "only a literal or a parameter",
    "MERGE (m:M {id: 1})": "no lone nodes",
    "MERGE (a {id: 1})-[:T]->(b {id: 2}) ON CREATE SET a.p = 1": "nothing may follow",
    "MERGE (a {id: 1})-[:T]->(b {id: 2}), (a {id: 1})-[:T]->(c {id: 3})": "takes one path",
    "MATCH (a:A {id: 1}), (b:B {id: 2}) CREATE (a)-[:T]->(b)": "expected RETURN, SET",
    "MATCH (m:M {id: 1}) SET m += $p": "expected .",
    "MATCH (m:M {id: 1}) SET m.n = m.n + 1": "a literal or a parameter",
    "MATCH (m:M {id: 1}) SET m.id = 2": "id cannot be set",
    "MATCH (m:M {id: 1}) SET m.p = 1 RETURN m.id": "nothing may follow",
    "MATCH (a:A)-[r:T]->(b:B) SET r:L": "'r' is not bound",
    "MATCH (a:A)-[r:T]->(b:B) DETACH DELETE r": "'r' is not bound",
    "OPTIONAL MATCH (m:M {id: 1}) SET m.p = 1": "plain MATCH",
    "UNWIND [1, 2] AS row MATCH (n {id: row.id}) DELETE n": "expected parameter",
    "UNWIND $rows AS row MERGE (n:M {id: row.id}) SET n.p = row.p": "SET gives the label",
    "UNWIND $rows AS row MERGE (n {id: row.id, p: row.p}) SET n:M": "by id alone",
    "UNWIND $rows AS row MERGE (n {id: row.id})": "expected SET",
    "UNWIND $rows AS row MERGE (n {id: row.id}) SET n.p = row.p": "0 labels where 1 belong",
    "UNWIND $rows AS row MERGE (n {id: row.id}) SET n:M, n.p = $p": "reads a field of 'row'",
    "UNWIND $rows AS row MERGE (n {id: row.id}) SET n:M, n.p = row.p, n.p = row.q": "cannot change 'p'",
    "UNWIND $rows AS row MERGE (n {id: row.id}) SET n:M, n += row": "expected .",
    "UNWIND $rows AS row MERGE (n {id: row.id}) ON CREATE SET n:M": "expected SET",
    "UNWIND $rows AS row MERGE (n {id: row.id}) SET n:M, n.__hydradb_update_if_newer_by = row.rev": "the guard names",
    "UNWIND $rows AS row MERGE (n {id: row.id}) SET n:M, n.p = row.p RETURN n.id": "nothing may follow",
    "UNWIND $rows AS row MATCH (m:M {id: row.id}) RETURN m.id AS id": "expected ,",
    "UNWIND $rows AS row MATCH (m:M {id: row.id}) WHERE m.p = 1 RETURN m.id AS id": "ends in RETURN, DELETE",
    "UNWIND $rows AS row MATCH (s:M {id: row.s})-[:T]->(d) RETURN row.s, d.id": "unlabelled",
    "UNWIND $rows AS row MATCH (s {id: row.s})-[:T]->(d) RETURN d.id, row.s": "unlabelled",
    "UNWIND $rows AS row MATCH (s {id: row.s})-[:T]->(d) RETURN row.s, d.p": "is the id of the other end",
    "UNWIND $rows AS row MATCH (n:M {id: row.id}) DELETE n": "has no label",
    "UNWIND $rows AS row MATCH (n {key: row.key}) DELETE n": "by id alone",
    "UNWIND $rows AS row MATCH (n {id: row.id}) DELETE m": "takes the matched node",
    "UNWIND $rows AS row MATCH (a:A)-[r:T {key: row.key}]->() DELETE r": "its ends are bare",
    "UNWIND $rows AS row MATCH (s {id: row.s}), (d:B {id: row.d}) MERGE (s)-[r:T {id: row.id}]->(d)": "has one label",
    "UNWIND $rows AS row MATCH (s:A {id: row.s}), (d:B {id: row.d}) MERGE (s)-[r:T]->(d)": "needs its id",
    "UNWIND $rows AS row MATCH (s:A {id: row.s}), (d:B {id: row.d}) MERGE (s)-[r:T {id: row.id, p: row.p}]->(d)": (
        "merged by id alone"
    ),
    "UNWIND $rows AS row MATCH (s:A {id: row.s}) MERGE (s)-[r:T {id: row.id}]->(s)": "matches two nodes",
    "UNWIND $rows AS row MATCH (row {id: row.id}) DELETE row": "is the row already",
    "CALL algo.SSpaths({sourceNode: $id, relTypes: $types}) YIELD path RETURN path": "expected [",
    "CALL algo.SSpaths({sourceNode: $id, relTypes: []}) YIELD path RETURN path": "expected string",
    "CALL algo.SSpaths({sourceNode: $id}) YIELD path RETURN path": "needs ['relTypes']",
    "CALL algo.SSpaths({sourceNode: 1, targetNode: 2, relTypes: ['A']}) YIELD path RETURN path": "does not take",
    "CALL algo.SSpaths({sourceNode: 1, relTypes: ['A'], maxLen: 17}) YIELD path RETURN path": "maxLen is above",
    "CALL algo.SSpaths({sourceNode: 1, relTypes: ['A'], relDirection: 'up'}) YIELD path RETURN path": "no direction",
    "CALL algo.SSpaths({sourceNode: 1, relTypes: ['A']}) YIELD path RETURN pathCost": "was not yielded",
    "CALL algo.SSpaths({sourceNode: 1, relTypes: ['A']}) YIELD path RETURN path LIMIT 3": "nothing may follow",
    "CALL algo.SSpaths({sourceNode: 1, relTypes: ['A']}) YIELD path AS p RETURN p": "expected RETURN",
    "CALL db.labels() YIELD label RETURN label": "expected ALGO",
    "CREATE CONSTRAINT FOR (m:Memory) REQUIRE m.id IS UNIQUE": "expected (",
}


@pytest.mark.parametrize("statement", READS + WRITES)
def test_documented_statements_are_inside(statement: str) -> None:
    """Every form that the reference shows, or that follows from its rules, has no violation."""
    assert violations(statement) == []


@pytest.mark.parametrize(("statement", "why"), REFUSED.items())
def test_other_statements_are_refused_with_the_reason(statement: str, why: str) -> None:
    """What the reference excludes, or does not know, is a violation that says what is wrong."""
    assert why in "; ".join(violations(statement))


@pytest.mark.parametrize("statement", READS + WRITES)
def test_letter_case_of_keywords_and_spacing_do_not_matter(statement: str) -> None:
    """Keywords in lower case and a line break a space leave the verdict as it is."""
    words = [
        word.lower() if word in ("MATCH", "WHERE", "RETURN", "SET", "MERGE") else word for word in statement.split()
    ]
    assert violations("\n".join(words)) == []


@pytest.mark.parametrize("statement", READS + WRITES)
def test_a_statement_cut_short_or_followed_by_more_is_refused(statement: str) -> None:
    """Neither half a statement nor two of them are inside."""
    assert violations(statement[: statement.rindex(" ")] + " (")
    assert violations(f"{statement} {statement}")
