"""Settings: names, defaults, bounds, and secrets that never show."""

from __future__ import annotations

import pytest
from pydantic import SecretStr

from hydramind.errors import Misconfigured
from hydramind.settings import load

URI = {"HYDRAMIND_URI": "neo4j://127.0.0.1:7687", "HYDRAMIND_TOKEN": "s3cret-token"}


def test_defaults_are_those_promised() -> None:
    """HYD-56, HYD-58..63: names and values of the seed; without a URI the embedded node is used."""
    settings = load({})
    assert settings.embedded
    assert (settings.username, settings.database, settings.source, settings.max_inflight_writes) == (
        "neo4j",
        "",
        "mcp",
        8,
    )
    assert (settings.mcp_host, settings.mcp_port, settings.mcp_max_body_bytes) == ("127.0.0.1", 8788, 1_048_576)
    assert (settings.ui_host, settings.ui_port) == ("127.0.0.1", 8787)


def test_a_uri_names_any_bolt_engine() -> None:
    """HYD-55..58: uri, user, token and database are used as given; `default` is the server's own default."""
    settings = load({**URI, "HYDRAMIND_USERNAME": "ann", "HYDRAMIND_DATABASE": "default"})
    assert (settings.uri, settings.username, settings.secret) == (URI["HYDRAMIND_URI"], "ann", "s3cret-token")
    assert (settings.embedded, settings.database) == (False, "")
    assert load({**URI, "HYDRAMIND_DATABASE": "memories"}).database == "memories"


def test_the_token_comes_before_the_password() -> None:
    """HYD-57: the password is the fallback; white space around a secret is not part of it."""
    both = {**URI, "HYDRAMIND_PASSWORD": "pw"}
    assert load(both).secret == "s3cret-token"
    assert load({**both, "HYDRAMIND_TOKEN": " "}).secret == "pw"
    assert load({**both, "HYDRAMIND_TOKEN": "", "HYDRAMIND_PASSWORD": " pw\n"}).secret == "pw"


@pytest.mark.parametrize("name", ["HYDRAMIND_URL", "hydramind_tokn", "HYDRAMIND_", "HYDRAMIND_MCP_PORTS"])
def test_unknown_names_are_refused(name: str) -> None:
    """HYD-9: a misspelt setting stops the start and the known names are listed."""
    with pytest.raises(Misconfigured, match=f"unknown setting {name}; known are HYDRAMIND_DATABASE, "):
        load({name: "x"})


def test_other_programs_variables_are_ignored() -> None:
    """Names without the prefix, and those that tests and scripts read, are not ours."""
    assert load({"PATH": "/bin", "HYDRAMIND_TEST_URI": "x", "HYDRAMIND_DATA": "x", "HYDRAMINDX": "x"}) == load({})


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("MAX_INFLIGHT_WRITES", {"1": 1, "64": 64}, ["0", "65", "-1", "many", ""]),
        ("MCP_MAX_BODY_BYTES", {"1024": 1_024, "4194304": 4_194_304}, ["1023", "4194305", "4e9"]),
        ("MCP_PORT", {"0": 0, "65535": 65_535}, ["-1", "65536", "x"]),
        ("UI_PORT", {"0": 0, "65535": 65_535}, ["-1", "65536", "x"]),
        ("NODE_HEAP_MB", {"128": 128, "65536": 65_536}, ["127", "65537"]),
        ("NODE_IDLE_SECONDS", {"1": 1, "2592000": 2_592_000}, ["0", "2592001"]),
        ("MAX_OPEN_SCOPES", {"1": 1, "10000": 10_000}, ["0", "10001"]),
        ("ENGINE", {"arcadedb": "arcadedb", "neo4j": "neo4j", "hydradb": "hydradb", "": ""}, ["mysql"]),
        (
            "EMBEDDER",
            {name: name for name in ("auto", "offline", "onnx", "openai", "tei", "none")},
            ["", "Auto", "Onnx", "e5"],
        ),
        ("EMBEDDER_DIMENSION", {"0": 0, "65536": 65_536}, ["-1", "65537", "x"]),
        ("EMBEDDER_BUDGET", {"0": 0, "1000000": 1_000_000}, ["-1", "1.5", "none"]),
        ("EMBEDDER_QUERY_PREFIX", {"query: ": "query: "}, ["x" * 501]),
        ("LOG_LEVEL", {"DEBUG": "DEBUG", "ERROR": "ERROR"}, ["debug", "LOUD"]),
        ("SOURCE", {"x" * 200: "x" * 200}, ["x" * 201]),
        ("MCP_STRUCTURED", {"true": True, "0": False}, ["maybe"]),
    ],
)
def test_bounds(name: str, good: dict[str, object], bad: list[str]) -> None:
    """HYD-60..62: each bound is inclusive; a value outside names the variable."""
    for value, kept in good.items():
        assert getattr(load({f"HYDRAMIND_{name}": value}), name.lower()) == kept
    for value in bad:
        with pytest.raises(Misconfigured, match=f"^HYDRAMIND_{name}: "):
            load({f"HYDRAMIND_{name}": value})


def test_a_server_needs_a_secret() -> None:
    """HYD-9: a URI without token or password does not start, and says which variables to set."""
    for secret in ({}, {"HYDRAMIND_TOKEN": "  "}):
        with pytest.raises(Misconfigured, match="HYDRAMIND_TOKEN"):
            load({"HYDRAMIND_URI": "neo4j://127.0.0.1:7687", **secret})


def test_a_uri_must_look_like_one() -> None:
    """HYD-9: a bare host is refused with an example."""
    with pytest.raises(Misconfigured, match=r"expected a Bolt URI such as 'neo4j://"):
        load({"HYDRAMIND_URI": "localhost:7687", "HYDRAMIND_TOKEN": "x"})


@pytest.mark.parametrize("name", ["TOKEN", "PASSWORD", "HTTP_TOKEN", "EMBEDDER_KEY", "RERANKER_KEY"])
def test_secrets_never_show(name: str) -> None:
    """HYD-14: neither repr, text nor JSON of the settings holds a secret, nor does a refusal beside it."""
    secret = "hunter2-hunter2"
    settings = load({"HYDRAMIND_" + name: secret})
    assert isinstance(getattr(settings, name.lower()), SecretStr)
    for shown in (repr(settings), str(settings), settings.model_dump_json(), str(settings.model_dump())):
        assert secret not in shown
    with pytest.raises(Misconfigured) as refusal:
        load({"HYDRAMIND_" + name: secret, "HYDRAMIND_MCP_PORT": "x"})
    assert secret not in str(refusal.value)


def test_settings_do_not_change() -> None:
    """Frozen once loaded; a variable in lower case counts as on Windows."""
    settings = load({"hydramind_source": "notes"})
    assert settings.source == "notes"
    with pytest.raises(ValueError, match="frozen"):
        settings.source = "other"
