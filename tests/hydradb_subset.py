"""Says whether a Cypher statement lies inside the subset that HydraDB documents.

Relied on: HydraDB's Cypher reference at 6a2fbb1 (clauses, patterns, WHERE, RETURN, the UNWIND forms, the path
procedures), and three facts of its parser and executor at that commit: labels and properties of an anonymous node are
refused in MATCH, several paths in one CREATE must be bare, and an upsert may carry a guard
(`n.__hydradb_update_if_newer_by = row.p`, with `n.p = row.p` beside it). Whatever is not known here is a violation.
"""

from __future__ import annotations

from collections import Counter

from hydradb_batches import read_batch
from hydradb_grammar import MOST_HOPS, Reader, Refused, Token, read_labels, read_paths, read_value, tokenize

AGGREGATES = {"count", "sum", "avg", "collect"}
YIELDED = {"path", "pathWeight", "pathCost"}


def violations(statement: str) -> list[str]:
    """What keeps the statement out of the subset, in the order met; empty when it is inside.

    Reading stops at the first piece that cannot be understood, so the list may be short of the whole truth.
    """
    reader = Reader()
    try:
        reader.tokens = tokenize(statement)
        _statement(reader)
    except Refused as refused:
        reader.problems.append(str(refused))
    return reader.problems


def _statement(r: Reader) -> None:
    if r.took("CALL"):
        _procedure(r)
    elif r.took("UNWIND"):
        read_batch(r)
    elif r.took("CREATE") or r.sees("MERGE"):
        _write_paths(r, several=not r.took("MERGE"))
    else:
        _arms(r)
    if r.next.kind != "end":
        raise Refused(f"nothing may follow at {r.next.at}, found {r.next.text!r}")


def _arms(r: Reader) -> None:
    """Reads joined by UNION, or one MATCH that is written to."""
    columns, writes = _matched(r)
    kinds: set[bool] = set()
    while r.took("UNION"):
        kinds.add(r.took("ALL"))
        r.nodes, r.edges = set(), set()
        further, written = _matched(r)
        r.require(not writes and not written, "UNION joins reads only")
        r.require(further == columns, "the arms of a UNION name different columns")
    r.require(len(kinds) < 2, "UNION and UNION ALL are mixed")


def _matched(r: Reader) -> tuple[list[str], bool]:
    """One arm; returns its column names, and whether it writes."""
    optional = passed = False
    while True:
        if r.sees("OPTIONAL", "MATCH") or r.sees("MATCH"):
            optional |= r.took("OPTIONAL")
            r.need("MATCH")
            _match(r)
        elif r.nodes and r.took("WITH"):
            passed = True
            _pass_on(r)
        else:
            break
    if r.took("RETURN"):
        r.require(bool(r.nodes or r.edges), "RETURN needs a MATCH that binds something")
        return _returned(r), False
    if not (r.sees("SET") or r.sees("REMOVE") or r.sees("DELETE") or r.sees("DETACH")):
        raise Refused(f"expected RETURN, SET, REMOVE or DELETE at {r.next.at}, found {r.next.text or 'the end'!r}")
    r.require(not optional and not passed, "a write follows plain MATCH clauses only")
    while _changed(r):
        pass
    return [], True


def _match(r: Reader) -> None:
    for path in read_paths(r):
        for node in path.nodes:
            r.require(bool(node.name) or node.is_bare, "an anonymous node carries a label or a property other than id")
            _check_values(r, node.properties, owner="node")
        for edge in path.edges:
            _check_values(r, edge.properties, owner="relationship")
    if r.took("WHERE"):
        _either(r)


def _check_values(r: Reader, properties: dict[str, Token], owner: str) -> None:
    for key, value in properties.items():
        r.require(value.kind != "field", f"{key!r} reads {value.text!r}: only a literal or a parameter stands here")
        if key == "id" and owner == "node":
            r.require(value.kind in ("integer", "parameter"), f"id is {value.text!r}: ids are non-negative integers")
        r.require(key != "id" or owner == "node", "a relationship is not matched or created by id outside UNWIND")


def _pass_on(r: Reader) -> None:
    names = [r.identifier()]
    while r.took(","):
        names.append(r.identifier())
    r.require(Counter(names) == Counter(r.nodes | r.edges), "WITH must name every binding, bare and once")


def _either(r: Reader) -> None:
    _both(r)
    while r.took("OR"):
        _both(r)


def _both(r: Reader) -> None:
    _denied(r)
    while r.took("AND"):
        _denied(r)


def _denied(r: Reader) -> None:
    while r.took("NOT"):
        pass
    if r.took("("):
        _either(r)
        r.need(")")
        return
    left = _operand(r)
    if r.took("STARTS", "WITH"):
        r.require(left == "property", "STARTS WITH looks at a property")
        r.take("string", "parameter")
        return
    if r.next.text not in ("=", "<>", "<", ">", "<=", ">="):
        raise Refused(f"WHERE compares properties; {r.next.text or 'the end'!r} at {r.next.at} is no comparison")
    r.at += 1
    right = _operand(r)
    r.require("property" in (left, right), "a comparison needs a property on one side")


def _operand(r: Reader) -> str:
    value = read_value(r)
    if value.kind != "field":
        return "value"
    _property(r, value.text)
    return "property"


def _property(r: Reader, text: str) -> None:
    """A read of `binding.property`."""
    binding, _, name = text.partition(".")
    r.bound(binding)
    r.require(binding not in r.edges or name.lower() != "id", f"{text!r}: the id of a relationship cannot be read")


def _returned(r: Reader) -> list[str]:
    distinct = r.took("DISTINCT")
    columns: list[str] = []
    aliases: set[str] = set()
    projected: set[str] = set()
    grouped = False
    while not columns or r.took(","):
        text, aggregate = _projection(r)
        grouped |= aggregate
        projected.add(text)
        if r.took("AS"):
            text = r.identifier()
            aliases.add(text)
        columns.append(text)
    r.require(len(set(columns)) == len(columns), "two columns have the same name")
    if r.took("ORDER", "BY"):
        _sorting(r, aliases, projected if distinct else None, grouped=grouped)
    for word in ("SKIP", "LIMIT"):
        if r.took(word):
            r.take("integer", "parameter")
    return columns


def _projection(r: Reader) -> tuple[str, bool]:
    """One column as written; returns its text, and whether it aggregates."""
    name = r.identifier()
    if not r.took("("):
        r.need(".")
        text = f"{name}.{r.take('name')}"
        _property(r, text)
        return text, False
    r.require(name.lower() in AGGREGATES, f"{name!r} is not one of the aggregates {sorted(AGGREGATES)}")
    if name.lower() == "count" and r.took("*"):
        inner = "*"
    else:
        inner = f"{r.identifier()}."
        r.need(".")
        inner += r.take("name")
        _property(r, inner)
    r.need(")")
    return f"{name.lower()}({inner})", True


def _sorting(r: Reader, aliases: set[str], only: set[str] | None, *, grouped: bool) -> None:
    while True:
        name = r.identifier()
        if r.took("("):
            r.need("*", ")")
            r.require(name.lower() == "count" and grouped, "only count(*) of an aggregating RETURN is sorted by")
        elif r.took("."):
            text = f"{name}.{r.take('name')}"
            _property(r, text)
            r.require(text.endswith(".id"), f"ORDER BY {text}: sort by an alias, <binding>.id or count(*)")
            r.require(not grouped, f"ORDER BY {text}: an aggregating RETURN is sorted by its columns")
            r.require(only is None or text in only, f"ORDER BY {text}: RETURN DISTINCT does not project it")
        else:
            r.require(name in aliases, f"ORDER BY {name}: no column has that alias")
        for word in ("ASC", "ASCENDING", "DESC", "DESCENDING"):
            if r.took(word):
                break
        if not r.took(","):
            return


def _changed(r: Reader) -> bool:
    """One SET, REMOVE or DELETE clause; False when there is none."""
    detached = r.took("DETACH")
    if r.took("DELETE"):
        among = r.nodes if detached else None
        r.bound(r.identifier(), among=among)
        while r.took(","):
            r.bound(r.identifier(), among=among)
        return True
    setting = r.took("SET")
    if not setting and not r.took("REMOVE"):
        return False
    _change(r, setting)
    while r.took(","):
        _change(r, setting)
    return True


def _change(r: Reader, setting: bool) -> None:
    name = r.identifier()
    if r.sees(":"):
        r.bound(name, among=r.nodes)
        read_labels(r)
        return
    r.bound(name)
    r.need(".")
    r.require(r.take("name").lower() != "id", "id cannot be set or removed")
    if setting:
        r.need("=")
        value = read_value(r)
        r.require(value.kind != "field", f"SET takes a literal or a parameter, not {value.text!r}")


def _write_paths(r: Reader, several: bool) -> None:
    """The rest of a plain CREATE (of several paths) or MERGE (of one)."""
    paths = read_paths(r)
    r.require(several or len(paths) == 1, "MERGE takes one path")
    for path in paths:
        r.require(len(path.edges) == 1, "CREATE and MERGE take paths of one relationship, no lone nodes")
        for node in path.nodes:
            r.require("id" in node.properties, "each end of a written path needs its id")
            _check_values(r, node.properties, owner="node")
            r.require(len(paths) == 1 or node.is_bare, "several paths in one CREATE carry ids only")
        for edge in path.edges:
            r.require(not edge.ranged, "a written relationship has no length")
            _check_values(r, edge.properties, owner="relationship")
            r.require(len(paths) == 1 or not edge.properties, "several paths in one CREATE carry ids only")


_SCALARS = {"sourceNode": "integer", "targetNode": "integer", "maxLen": "integer", "pathCount": "integer"}
_SCALARS |= {"resultLimit": "integer", "relDirection": "string", "weightProp": "string", "costProp": "string"}
_SINGLE = {"relTypes", "relDirection", "maxLen", "pathCount", "resultLimit", "weightProp", "costProp", "maxCost"}
_ENDS = {"SSpaths": {"sourceNode"}, "SPpaths": {"sourceNode", "targetNode"}}


def _procedure(r: Reader) -> None:
    """What follows CALL: the single-source and the single-pair path procedures."""
    r.need("ALGO", ".")
    name = r.take("name")
    if name not in _ENDS:
        raise Refused(f"'algo.{name}' is not one of {sorted(_ENDS)} (the only ones checked here)")
    r.need("(", "{")
    options: set[str] = set()
    while not options or r.took(","):
        option = r.take("name")
        r.require(option not in options, f"the option {option!r} is given twice")
        options.add(option)
        r.need(":")
        _option(r, option)
    r.need("}", ")", "YIELD")
    unknown = options - _SINGLE - _ENDS[name]
    r.require(not unknown, f"'algo.{name}' does not take {sorted(unknown)}")
    missing = (_ENDS[name] | {"relTypes"}) - options
    r.require(not missing, f"'algo.{name}' needs {sorted(missing)}")
    yielded = _names(r)
    r.need("RETURN")
    r.require(set(yielded) <= YIELDED, f"YIELD names other columns than {sorted(YIELDED)}")
    r.require(set(_names(r)) <= set(yielded), "RETURN names a column that was not yielded")


def _option(r: Reader, option: str) -> None:
    if option == "relTypes":
        r.need("[")
        r.take("string")
        while r.took(","):
            r.take("string")
        r.need("]")
    elif option == "maxCost":
        r.take("integer", "float", "parameter")
    elif option in _SCALARS:
        text = r.take(_SCALARS[option], "parameter")
        r.require(option != "maxLen" or not text.isdigit() or int(text) <= MOST_HOPS, f"maxLen is above {MOST_HOPS}")
        directions = ("'incoming'", "'outgoing'", "'both'")
        r.require(option != "relDirection" or text[0] == "$" or text in directions, f"{text} is no direction")
    else:
        raise Refused(f"{option!r} is no option known here")


def _names(r: Reader) -> list[str]:
    names = [r.identifier()]
    while r.took(","):
        names.append(r.identifier())
    r.require(len(set(names)) == len(names), "a column is named twice")
    return names
