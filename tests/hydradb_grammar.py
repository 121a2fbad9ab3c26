"""Reads the pieces of a Cypher statement that the HydraDB checks are about: tokens, values and patterns."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MOST_HOPS = 16
RESERVED = set(
    "ALL AND AS ASC ASCENDING BY CALL CASE CREATE DELETE DESC DESCENDING DETACH DISTINCT EXISTS FALSE FOREACH IN IS "
    "LIMIT LOAD MATCH MERGE NOT NULL ON OPTIONAL OR ORDER REMOVE RETURN SET SKIP STARTS TRUE UNION UNWIND USING WHERE "
    "WITH XOR YIELD".split()
)
_TOKEN = re.compile(
    r"""\s*(?:(?P<name>[A-Za-z_]\w*)|(?P<parameter>\$[A-Za-z_]\w*)|(?P<float>\d+\.\d+)|(?P<integer>\d+)
    |(?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<symbol>->|<-|<>|<=|>=|\.\.|[][(){}:,.=<>*+|-])|(?P<end>$))""",
    re.VERBOSE | re.ASCII | re.DOTALL,
)


class Refused(Exception):
    """The statement cannot be read further."""


@dataclass(frozen=True)
class Token:
    """A piece of the text; `kind` is a group of the token pattern, or number, boolean, field."""

    kind: str
    text: str
    at: int


@dataclass(frozen=True)
class Node:
    """A node pattern; an anonymous one has no name."""

    name: str
    labels: tuple[str, ...]
    properties: dict[str, Token]

    @property
    def is_bare(self) -> bool:
        """Whether it says nothing beyond a name and an id."""
        return not self.labels and not self.properties.keys() - {"id"}


@dataclass(frozen=True)
class Edge:
    """A relationship pattern; `ranged` says that it has a variable length."""

    name: str
    properties: dict[str, Token]
    ranged: bool


@dataclass(frozen=True)
class Path:
    """Nodes and the relationships between them, as written."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


@dataclass
class Reader:
    """The tokens, how far they were read, what is bound, and what was found wrong on the way."""

    tokens: list[Token] = field(default_factory=list[Token])
    at: int = 0
    nodes: set[str] = field(default_factory=set[str])
    edges: set[str] = field(default_factory=set[str])
    problems: list[str] = field(default_factory=list[str])
    row: str = ""

    @property
    def next(self) -> Token:
        """The first token not yet read; the last one has the kind "end"."""
        return self.tokens[self.at]

    def sees(self, *words: str) -> bool:
        """Whether the next tokens are these keywords or symbols."""
        ahead = self.tokens[self.at : self.at + len(words)]
        return [t.text.upper() if t.kind in ("name", "symbol") else t.kind for t in ahead] == list(words)

    def took(self, *words: str) -> bool:
        """Read these keywords or symbols if they are next."""
        if not self.sees(*words):
            return False
        self.at += len(words)
        return True

    def need(self, *words: str) -> None:
        """Read these keywords or symbols; raises Refused when they are not next."""
        if not self.took(*words):
            raise Refused(f"expected {' '.join(words)} at {self.next.at}, found {self.next.text or 'the end'!r}")

    def take(self, *kinds: str) -> str:
        """Read one token of these kinds; raises Refused when another is next."""
        if self.next.kind not in kinds:
            raise Refused(f"expected {' or '.join(kinds)} at {self.next.at}, found {self.next.text or 'the end'!r}")
        self.at += 1
        return self.tokens[self.at - 1].text

    def identifier(self) -> str:
        """Read a name of the author's own; raises Refused on a keyword."""
        text = self.take("name")
        if text.upper() in RESERVED:
            raise Refused(f"{text!r} at {self.tokens[self.at - 1].at} stands where a name belongs")
        return text

    def require(self, holds: bool, problem: str) -> None:
        """Note the problem unless it holds, and read on."""
        if not holds:
            self.problems.append(problem)

    def bound(self, name: str, *, among: set[str] | None = None) -> None:
        """Require that a pattern bound the name, as any of `among` when given."""
        known = self.nodes | self.edges if among is None else among
        self.require(name in known, f"{name!r} is not bound to what this place needs")


def tokenize(statement: str) -> list[Token]:
    """All tokens and a last one of kind "end"; raises Refused at a character of no token."""
    tokens: list[Token] = []
    at = 0
    while not tokens or tokens[-1].kind != "end":
        found = _TOKEN.match(statement, at)
        if found is None or found.lastgroup is None:
            raise Refused(f"{statement[at:].lstrip()[:1]!r} after {at} belongs to nothing the reference allows")
        tokens.append(Token(found.lastgroup, found[found.lastgroup], found.start(found.lastgroup)))
        at = found.end()
    return tokens


def read_paths(r: Reader) -> list[Path]:
    """Paths joined by commas."""
    paths = [read_path(r)]
    while r.took(","):
        paths.append(read_path(r))
    return paths


def read_path(r: Reader) -> Path:
    """One path."""
    nodes, edges = [read_node(r)], list[Edge]()
    while r.sees("-") or r.sees("<-"):
        edges.append(_edge(r))
        nodes.append(read_node(r))
    return Path(tuple(nodes), tuple(edges))


def read_node(r: Reader) -> Node:
    """One node pattern; binds its name."""
    r.need("(")
    name = r.identifier() if r.next.kind == "name" else ""
    node = Node(name, read_labels(r), _map(r))
    r.need(")")
    r.require(name not in r.edges, f"{name!r} is a relationship already")
    r.nodes |= {name} - {""}
    return node


def _edge(r: Reader) -> Edge:
    incoming = r.took("<-") or not r.took("-")
    r.need("[")
    name = r.identifier() if r.next.kind == "name" else ""
    types = read_labels(r)
    r.require(len(types) == 1 and not r.sees("|"), "a relationship pattern names exactly one type")
    while r.took("|"):
        r.take("name")
    ranged = r.took("*")
    if ranged:
        _range(r)
    edge = Edge(name, _map(r), ranged)
    r.require(
        not ranged or not (name or edge.properties), "a relationship of variable length has no name, no properties"
    )
    r.need("]")
    if incoming or not r.took("->"):
        r.need("-")
        r.require(incoming, "a relationship pattern needs a direction")
    r.require(not name or name not in r.nodes | r.edges, f"{name!r} is bound already")
    r.edges |= {name} - {""}
    return edge


def _range(r: Reader) -> None:
    least = int(r.take("integer")) if r.next.kind == "integer" else 1
    r.need("..")
    most = int(r.take("integer"))
    r.require(1 <= least <= most <= MOST_HOPS, f"a length of {least}..{most} is outside 1..{MOST_HOPS}")


def read_labels(r: Reader) -> tuple[str, ...]:
    """Names that follow colons, maybe none."""
    labels: list[str] = []
    while r.took(":"):
        labels.append(r.take("name"))
    return tuple(labels)


def _map(r: Reader) -> dict[str, Token]:
    values: dict[str, Token] = {}
    if not r.took("{"):
        return values
    while not values or r.took(","):
        key = r.take("name")
        r.need(":")
        r.require(key not in values, f"the property {key!r} is given twice")
        values[key] = read_value(r)
    r.need("}")
    return values


def read_value(r: Reader) -> Token:
    """A literal, a parameter, or a read of `name.property` (kind "field")."""
    at = r.next.at
    if r.sees("-") or r.sees("+"):
        sign = r.take("symbol")
        return Token("number", sign + r.take("integer", "float"), at)
    if r.sees("TRUE") or r.sees("FALSE"):
        return Token("boolean", r.take("name"), at)
    if r.next.kind == "name":
        name = r.identifier()
        r.need(".")
        return Token("field", f"{name}.{r.take('name')}", at)
    kind = r.next.kind
    return Token(kind, r.take("string", "integer", "float", "parameter"), at)
