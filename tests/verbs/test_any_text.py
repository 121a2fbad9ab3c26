"""Any text may be content, name or query: it is stored as it came, found by its words, and never executed."""

from __future__ import annotations

import pytest

from hydramind.errors import Invalid
from hydramind.graph.connection import Graph
from hydramind.models import Remember
from tests.scoped import FACT, Scoped, counts, everything

ODD = 'path C:\\tmp\\\' "q" `b` $param {map} // c\nMATCH (n) DETACH DELETE n;\r\n\t\\'
CUT = "build log \ud83d cut here"


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (ODD, "detach"),
        ("ends in one backslash \\", "backslash"),
        ("```python\nprint('x')\n``` triple quotes", "triple"),
        ("=cmd|'/c calc'!A0 cell @SUM(1)", "cell"),
        (
            "\u7b2c\u4e00 \U0001f389 party \u05e9\u05dc\u05d5\u05dd \u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",
            "\u05e9\u05dc\u05d5\u05dd",
        ),
        ("word " * 19_999 + "last", "last"),
        ("${jndi:ldap://x} {{7*7}} %s %(x)s <script>alert(1)</script> words", "script"),
    ],
    ids=["odd", "backslash", "fence", "formula", "scripts", "long", "templates"],
)
async def test_content_comes_back_byte_for_byte(each: Scoped, content: str, word: str) -> None:
    """I03: quotes, backslashes, line ends, Cypher, other scripts and 100,000 characters, by reply, by id and by recall."""
    kept = await each.remember(content, entity_refs=["thing"])
    assert kept.memory.content == content
    assert (await each.memory(kept.memory.id)).content == content
    assert await each.versions("thing") == await each.found(word) == [content]


async def test_cypher_in_any_argument_is_data(each: Scoped, each_graph: Graph) -> None:
    """I01, I02: as content, entity, key, source, reason, scope, query: the graph grows by exactly what was remembered."""
    evil = "Tool` SET n.probe=1 WITH n MATCH (z) DETACH DELETE z //"
    nodes, edges = await counts(each_graph)
    hostile = Scoped(each.mind, each.scope + " " + evil)
    kept = await hostile.remember(evil + " one", entity_refs=[evil, "a'b\"c"], idempotency_key=evil, source=evil)
    await hostile.revise(kept.memory.id, evil + " two", reason=evil)
    await hostile.recall(evil, entity_refs=[evil])
    await hostile.timeline(evil)
    after_nodes, after_edges = await counts(each_graph)
    grown = {label: after_nodes[label] - nodes.get(label, 0) for label in after_nodes}
    assert {label: n for label, n in grown.items() if n} == {"Memory": 2, "Entity": 2, "Scope": 1, "Op": 3}
    linked = {type_: after_edges[type_] - edges.get(type_, 0) for type_ in after_edges}
    assert {type_: n for type_, n in linked.items() if n} == {"ABOUT": 4, "SUPERSEDED_BY": 1}
    assert not any("probe'" in row for part in await everything(each_graph, hostile.scope) for row in part)


async def test_canonically_equal_names_are_one_entity(each: Scoped) -> None:
    """U01: two spellings of Zo\u00eb share a timeline; names equal by compatibility only do not; the first spelling is shown."""
    await each.keep("Zo\u00eb owns billing", entity_refs=["Zo\u00eb"])
    await each.keep("Zoe\u0308 is on leave", entity_refs=["Zoe\u0308"])
    timeline = await each.timeline("Zoe\u0308")
    assert sorted(v.memory.content for v in timeline.versions) == sorted(
        ["Zo\u00eb owns billing", "Zoe\u0308 is on leave"]
    )
    assert timeline.entity.name == "Zo\u00eb"
    await each.keep("square", entity_refs=["x\u00b2"])
    assert await each.versions("x2") == []
    syllable, jamo = "\ud55c", "\u1112\u1161\u11ab"
    await each.keep("Hangul", entity_refs=[jamo])
    assert await each.versions(syllable) == ["Hangul"]


async def test_case_is_folded_alike_on_every_machine(one: Scoped) -> None:
    """U04: dotted capital I and sharp s reach the same entity; dotless i is another letter."""
    await one.keep("\u0130STANBUL-CI k\u00fcmesi ye\u015fil", entity_refs=["\u0130STANBUL-CI"])
    for name in ("istanbul-ci", "ISTANBUL-CI"):
        assert len(await one.versions(name)) == len(await one.found(name)) == 1
    await one.keep("\u0131l\u0131k \u00f6nbellek a\u00e7\u0131k")
    assert await one.found("ilik") == []
    assert len(await one.found("\u0131l\u0131k")) == 1
    await one.keep("Ma\u00dfe", entity_refs=["Stra\u00dfe"])
    assert len(await one.versions("STRASSE")) == 1


@pytest.mark.parametrize(
    ("query", "content"),
    [
        ("\u84dd\u7eff\u90e8\u7f72", "\u5468\u4e94\u7684\u53d1\u5e03\u6539\u6210\u84dd\u7eff\u90e8\u7f72"),
        ("\u53d1\u5e03", "\u5468\u4e94\u7684\u53d1\u5e03\u6539\u6210\u84dd\u7eff\u90e8\u7f72"),
        ("\u53d1", "\u5468\u4e94\u7684\u53d1\u5e03\u6539\u6210\u84dd\u7eff\u90e8\u7f72"),
        ("svc-q4m", "\u6392\u67e5svc-q4m\u65f6\u8d85\u65f6"),
        ("\ub9ac\uc804", "\ubd80\uc0b0 \ub9ac\uc804 \uc7a5\uc560 \ub2f4\ub2f9\uc740 \uc18c\ub77c"),
        ("zephyr", "Zephyr\u2122 needs glibc"),
        ("abc", "mixed width \uff21\uff22\uff23"),
    ],
)
async def test_words_of_other_scripts_are_found(one: Scoped, query: str, content: str) -> None:
    """U02: two-character words, a name glued to Chinese, Hangul, a trade mark sign, full-width letters."""
    for text in (
        "\u5468\u4e94\u7684\u53d1\u5e03\u6539\u6210\u84dd\u7eff\u90e8\u7f72",
        "\u6392\u67e5svc-q4m\u65f6\u8d85\u65f6",
        "\ubd80\uc0b0 \ub9ac\uc804 \uc7a5\uc560 \ub2f4\ub2f9\uc740 \uc18c\ub77c",
        "Zephyr\u2122 needs glibc",
        "mixed width \uff21\uff22\uff23",
    ):
        await one.keep(text)
    assert await one.found(query) == [content]


async def test_lone_surrogates_are_replaced_once(each: Scoped) -> None:
    """U05: in content, entity and query; every reply is valid UTF-8; a proper pair is one character."""
    kept = await each.remember(CUT, entity_refs=["half \udc00"], idempotency_key="k \ud800")
    assert kept.memory.content == "build log \ufffd cut here"
    await each.keep("party \ud83c\udf89")
    for reply in (await each.recall("build log \ud800"), await each.timeline("half \udc00"), kept):
        reply.model_dump_json().encode("utf-8")
    assert await each.found("build log") == ["build log \ufffd cut here"]
    assert await each.found("party") == ["party \U0001f389"]
    assert (await each.remember(CUT, entity_refs=["half \udc00"], idempotency_key="k \ud800")) == kept


async def test_control_characters_are_dropped_once(each: Scoped) -> None:
    """U06: NUL, escapes and noncharacters go before hashing and indexing; tab, line feed and return stay; a retry is one row."""
    dirty = "token\x00name=alpha\ttab\r\n\x1b[31mred\ufffe"
    kept = await each.remember(dirty, entity_refs=["svc\x00a"], idempotency_key="k\x001")
    assert kept.memory.content == "tokenname=alpha\ttab\r\n[31mred"
    assert [entity.name for entity in kept.memory.entities] == ["svca"]
    assert await each.found("alpha") == [kept.memory.content]
    assert (await each.remember(dirty)).memory.id == kept.memory.id
    assert await each.remember(dirty, entity_refs=["svc\x00a"], idempotency_key="k1") == kept


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("qx-", True),
        ("src/api/v2", True),
        ("C++ (std::move)", True),
        ("why? AND", False),
        ("why? rollback AND", True),
        ("NOT", False),
        ('foo"bar', False),
        ("a:b~2^", False),
        ("[1 TO", False),
        ("/", False),
        ("*", False),
        ("\\", False),
        ("&&", False),
        (")", False),
        ("(" * 10_000, False),
        ("*rollback", True),
        ("rollback\\", True),
        ("scope:other", False),
    ],
)
async def test_a_query_is_data(one: Scoped, query: str, found: bool) -> None:
    """Q01: no metacharacter fails; what holds a real word finds it; punctuation alone finds nothing."""
    await one.keep("qx-77 rollback uses src/api/v2 (C++ std::move)")
    assert bool(await one.found(query)) is found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("85%", ["disk at 85%"]),
        ("850", ["disk at 850 MB"]),
        ("max_conn", ["raise max_conn"]),
        ("maxconn", ["raise maxconn"]),
        ("%", []),
        ("_", []),
        (".*", []),
        ("(?i)DISK.AT.85", ["disk at 85%"]),
        ("\\E85", []),
        ("max.conn", ["raise max_conn"]),
    ],
)
async def test_a_query_is_no_pattern(one: Scoped, query: str, found: list[str]) -> None:
    """Q03: percent, underscore, dot and the signs of regular expressions stand for themselves; so they do in a name."""
    for content in ("disk at 85%", "disk at 850 MB", "raise max_conn", "raise maxconn"):
        await one.keep(content, entity_refs=[content])
    assert await one.found(query) == found
    assert await one.versions(query) == []


INVISIBLE = {
    "rotate keys monthly\U000e0049\U000e0067\U000e006e\U000e006f\U000e0072\U000e0065": "rotate keys monthly",
    "user\u202egnp.exe uploaded": "usergnp.exe uploaded",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\U0001f469\u200d\U0001f4bb is on call": "\U0001f469\u200d\U0001f4bb is on call",
}


async def test_what_nobody_sees_hides_nothing_and_parts_nothing(one: Scoped) -> None:
    """U07: tags and overrides are dropped, joiners of Persian and of emoji stay; queries match with and without them; a word
    joiner makes no second entity."""
    for content, kept in INVISIBLE.items():
        assert (await one.remember(content, entity_refs=["svc\u2060a"])).memory.content == kept
    for query, found in (
        ("rotate keys monthly", "rotate keys monthly"),
        ("ro\u200btate ke\u00adys monthly", "rotate keys monthly"),
        ("usergnp.exe", "usergnp.exe uploaded"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("call", "\U0001f469\u200d\U0001f4bb is on call"),
    ):
        assert await one.found(query) == [found]
    assert len(await one.versions("svca")) == 4


async def test_a_megabyte_of_nothing_is_dropped_before_it_counts(one: Scoped) -> None:
    """U06: control characters are cleaned away before the length is judged; next line stays; a retry is one row."""
    kept = await one.remember("tok" + "\x01" * 1_000_000 + "en\x85two")
    assert kept.memory.content == "token\x85two"
    assert (await one.remember("token\x85two")).memory.id == kept.memory.id
    assert await one.found("token two") == ["token\x85two"]


@pytest.mark.parametrize(
    ("query", "content"),
    [
        (
            "\u0e27\u0e31\u0e19\u0e28\u0e38\u0e01\u0e23\u0e4c",
            "\u0e2a\u0e33\u0e23\u0e2d\u0e07\u0e17\u0e38\u0e01\u0e27\u0e31\u0e19\u0e28\u0e38\u0e01\u0e23\u0e4c",
        ),
        (
            "\u0936\u0941\u0915\u094d\u0930\u0935\u093e\u0930",
            "\u0938\u0930\u094d\u0935\u0930 \u0936\u0941\u0915\u094d\u0930\u0935\u093e\u0930 \u0915\u094b \u092c\u0902\u0926",
        ),
        ("\u4f50\u3005\u6728", "\u4f50\u3005\u6728\u3055\u3093\u306f\u6728\u66dc\u306b\u6765\u308b"),
    ],
)
async def test_words_with_vowel_signs_and_without_spaces_are_found(one: Scoped, query: str, content: str) -> None:
    """U02: a Thai word inside a sentence, a Hindi word whole, a Japanese name with its mark of repetition; and nothing else."""
    for text in (
        content,
        "\u0e2a\u0e33\u0e23\u0e2d\u0e07\u0e27\u0e31\u0e19\u0e1e\u0e38\u0e18",
        "\u0936\u0939\u0930 \u0915\u094b",
        "\u4f50\u85e4\u3055\u3093\u306f\u6728\u66dc\u306b\u6765\u308b",
    ):
        await one.keep(text)
    assert await one.found(query) == [content]


@pytest.mark.parametrize("blank", ["", " \n\t ", "\u200b\ufeff", "\x00\x01", None])
async def test_blank_text_is_refused_and_nothing_is_made(one: Scoped, blank: str | None) -> None:
    """M01: blank content, query, entity, scope: an error that names the field; no scope, entity or op comes to be."""
    memory = await one.keep(FACT)
    before = await one.stats()
    with pytest.raises(Invalid, match="content"):
        await one.remember(blank)  # pyright: ignore[reportArgumentType]
    with pytest.raises(Invalid, match="query"):
        await one.recall(blank)  # pyright: ignore[reportArgumentType]
    with pytest.raises(Invalid, match="content"):
        await one.revise(memory, blank)  # pyright: ignore[reportArgumentType]
    with pytest.raises(Invalid, match="entity_ref"):
        await one.timeline(blank)  # pyright: ignore[reportArgumentType]
    with pytest.raises(Invalid, match="entity_refs"):
        await one.remember("fine", entity_refs=["ok", blank])
    assert await one.stats() == before


@pytest.mark.parametrize(
    "extra",
    [
        {"metadata": {"trust": 0.999, "id": "chosen"}},
        {"trust": 0.1},
        {"id": "7"},
        {"scope_": "other"},
        {"entity_refs": [{"name": "x", "kind": "Tool` SET n.probe=1 //"}]},
        {"entity_refs": [["x"]]},
        {"relations": []},
    ],
)
def test_nobody_assigns_what_the_system_computes(extra: dict[str, object]) -> None:
    """I01, I02: unknown arguments and structured entities are refused by name, so no trust, id or label comes from outside."""
    with pytest.raises(Invalid, match=next(iter(extra))):
        Remember.parse({"content": FACT, "scope": "s", **extra})
