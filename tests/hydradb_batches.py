"""The UNWIND forms of HydraDB's subset: upserts, relationships between matched nodes, deletes, one read."""

from __future__ import annotations

from hydradb_grammar import (
    Path,
    Reader,
    Refused,
    Token,
    read_labels,
    read_node,
    read_path,
    read_paths,
    read_value,
)

GUARD = "__hydradb_update_if_newer_by"


def read_batch(r: Reader) -> None:
    """What follows UNWIND."""
    r.take("parameter")
    r.need("AS")
    r.row = r.identifier()
    if r.took("MERGE"):
        _upsert_nodes(r)
    elif r.took("CREATE"):
        _ends_by_id(r, read_path(r), "")
    else:
        r.need("MATCH")
        _batch_match(r)
    r.require(r.row not in r.nodes | r.edges, f"{r.row!r} is the row already")


def _upsert_nodes(r: Reader) -> None:
    node = read_node(r)
    r.require(bool(node.name) and not node.labels, "an upserted node has a name and no label; SET gives the label")
    r.require(node.properties.keys() == {"id"}, "an upserted node is merged by id alone")
    _check_fields(r, node.properties)
    r.need("SET")
    _assignments(r, node.name, labels=1)


def _batch_match(r: Reader) -> None:
    paths = read_paths(r)
    detached = r.took("DETACH")
    if r.took("DELETE"):
        _batch_delete(r, paths, r.identifier(), detached=detached)
    elif r.took("RETURN"):
        _batch_read(r, paths)
    elif r.sees("MERGE") or r.sees("CREATE"):
        merging = r.take("name").upper() == "MERGE"
        _batch_edges(r, paths, merging=merging)
    else:
        raise Refused(f"a batch MATCH ends in RETURN, DELETE, CREATE or MERGE, not {r.next.text or 'the end'!r}")


def _batch_delete(r: Reader, paths: list[Path], name: str, *, detached: bool) -> None:
    path = paths[0]
    r.require(len(paths) == 1 and len(path.edges) < 2, "a batch DELETE matches one node or one relationship")
    if not path.edges:
        r.require(name == path.nodes[0].name, "a batch DELETE takes the matched node")
        r.require(not path.nodes[0].labels, "a node of a batch DELETE has no label")
        r.require(path.nodes[0].properties.keys() == {"id"}, "a node of a batch DELETE is matched by id alone")
        _check_fields(r, path.nodes[0].properties)
        return
    edge = path.edges[0]
    r.require(name == edge.name and not detached, "a batch DELETE takes the matched relationship, without DETACH")
    if not edge.properties:
        _ends_by_id(r, path, "")
        return
    r.require(len(edge.properties) == 1 and "id" not in edge.properties, "a batch DELETE looks at one property, not id")
    r.require(all(n.is_bare and not n.properties for n in path.nodes) and not edge.ranged, "its ends are bare")
    _check_fields(r, edge.properties)


def _batch_read(r: Reader, paths: list[Path]) -> None:
    source, target = (_field_column(r), _field_column(r, after=",")) if len(paths) == 1 else ("", "")
    if not source or len(paths[0].edges) != 1:
        raise Refused("a batch read is one hop from a node by id, returning the row's id field and the other end's id")
    _ends_by_id(r, paths[0], target.partition(".")[0])
    by_id = [node.properties["id"].text for node in paths[0].nodes if "id" in node.properties]
    r.require([source] == by_id, "the first column of a batch read is the field that the node is matched by")
    r.require(target.endswith(".id"), "the second column of a batch read is the id of the other end")


def _field_column(r: Reader, after: str = "") -> str:
    if after:
        r.need(after)
    text = read_value(r).text
    if r.took("AS"):
        r.identifier()
    return text


def _ends_by_id(r: Reader, path: Path, free: str) -> None:
    """One plain relationship between unlabelled nodes by id; `free` names the end without an id, if any."""
    if len(path.edges) != 1:
        raise Refused("a batch takes one relationship")
    r.require(not path.edges[0].properties and not path.edges[0].ranged, "the relationship of this batch is bare")
    for node in path.nodes:
        wanted = set[str]() if free and node.name == free else {"id"}
        r.require(not node.labels and node.properties.keys() == wanted, "the ends of this batch are unlabelled, by id")
        _check_fields(r, node.properties)


def _batch_edges(r: Reader, matched: list[Path], *, merging: bool) -> None:
    ends = [path.nodes[0] for path in matched if not path.edges]
    r.require(len(ends) == len(matched) == 2, "a batch of relationships matches two nodes")
    names = {node.name for node in ends}
    r.require(len(names - {""}) == 2, "the two matched nodes have names of their own")
    for node in ends:
        r.require(len(node.labels) == 1 and node.properties.keys() == {"id"}, "a matched end has one label and its id")
        _check_fields(r, node.properties)
    path = read_path(r)
    r.require({n.name for n in path.nodes} == names, "the relationship joins the two matched nodes")
    r.require(all(n.is_bare and not n.properties for n in path.nodes), "the joined nodes are written as bare names")
    if len(path.edges) != 1:
        raise Refused("a batch takes one relationship")
    edge = path.edges[0]
    needed = {"id"} if merging or edge.properties else set[str]()
    r.require(needed <= edge.properties.keys() and not edge.ranged, "the relationship needs its id from the row")
    r.require(not merging or edge.properties.keys() == {"id"}, "a relationship is merged by id alone")
    _check_fields(r, edge.properties)
    if merging and r.took("SET"):
        _assignments(r, edge.name, labels=0)


def _check_fields(r: Reader, properties: dict[str, Token]) -> None:
    for key, value in properties.items():
        reads = value.kind == "field" and value.text.startswith(f"{r.row}.")
        r.require(reads, f"{key!r} is {value.text!r}: in a batch it reads a field of {r.row!r}")


def _assignments(r: Reader, name: str, labels: int) -> None:
    """The SET of an upsert: the label of a node, and properties read from the row."""
    given: dict[str, Token] = {}
    labelled = 0
    while not (given or labelled) or r.took(","):
        r.require(r.identifier() == name, f"SET changes {name!r} alone")
        if r.sees(":"):
            labelled += len(read_labels(r))
            continue
        r.need(".")
        key = r.take("name")
        r.need("=")
        r.require(key not in given and key.lower() != "id", f"SET cannot change {key!r} (twice)")
        given[key] = read_value(r)
    _check_fields(r, given)
    r.require(labelled == labels, f"SET gives {labelled} labels where {labels} belong")
    if guard := given.pop(GUARD, None):
        guarded = given.get(guard.text.partition(".")[2])
        r.require(guarded is not None and guarded.text == guard.text, "the guard names no property set from its field")
    r.require(not any(key.startswith("__hydradb") for key in given), "that marker is not known here")
