"""Each verb is on every face, and the faces read it from one table."""

from __future__ import annotations

import inspect
import typing

import pytest
from mcp import Client

from hydramind import HydraMind as Embedded
from hydramind import models
from hydramind.api.openapi import openapi
from hydramind.api.routes import api_routes, rest_routes
from hydramind.api.verb_table import VERBS, Verb
from hydramind.cli.parser import HOSTS, grammar, positionals
from hydramind.cli.views import _VIEWS  # pyright: ignore[reportPrivateUsage]
from hydramind.mcp_server import build_server
from hydramind.service import HydraMind
from hydramind.settings import load

each_verb = pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)


@each_verb
def test_the_service_has_the_method_with_these_models(verb: Verb[typing.Any, typing.Any]) -> None:
    """Name, request and reply agree with the table."""
    method = getattr(HydraMind, verb.name)
    hints = typing.get_type_hints(method, dict(vars(models)))
    assert (hints["request"], hints["return"]) == (verb.request, verb.reply)
    assert inspect.iscoroutinefunction(method)


async def test_every_verb_for_agents_is_a_tool_and_every_tool_a_verb() -> None:
    """MCP offers neither more nor less; `reinstate` is left to people, because undoing is theirs to decide, and
    `retrieve` to programs that tune its stages."""

    async def never() -> HydraMind:
        raise AssertionError("listing the tools opened the service")

    async with Client(build_server(never, load({}))) as client:
        listed = await client.list_tools()
    assert sorted(tool.name for tool in listed.tools) == sorted(verb.name for verb in VERBS if verb.tool)
    assert [verb.name for verb in VERBS if not verb.tool] == ["retrieve", "reinstate"]


@each_verb
def test_every_verb_has_its_routes(verb: Verb[typing.Any, typing.Any]) -> None:
    """POST below /v1 and /api."""
    posts = {route.path for route in [*rest_routes(), *api_routes()] if "POST" in (route.methods or ())}
    assert {f"/v1/{verb.name}", f"/api/{verb.name}"} <= posts


@each_verb
def test_every_verb_is_a_command_with_all_its_arguments(verb: Verb[typing.Any, typing.Any]) -> None:
    """By its short word and by its full name; the reply can be shown."""
    words = [f"word-{n}" for n, _ in enumerate(positionals(verb))]
    for command in {verb.command, verb.name}:
        args = grammar().parse_args([command, *words, "--scope", "s"])
        assert args.verb is verb
        assert set(verb.request.model_fields) <= set(vars(args))
    assert verb.reply in _VIEWS


def test_the_description_of_v1_is_whole() -> None:
    """Every verb with its models, and every reference leads somewhere."""
    described = openapi()
    assert set(described["paths"]) == {f"/v1/{verb.name}" for verb in VERBS}
    schemas = described["components"]["schemas"]
    for verb in VERBS:
        operation = described["paths"][f"/v1/{verb.name}"]["post"]
        assert _reference(operation["requestBody"]) == verb.request.__name__
        assert _reference(operation["responses"]["200"]) == verb.reply.__name__
    assert set(_references(described)) <= set(schemas)
    assert schemas["Recall"]["additionalProperties"] is False


def test_a_client_can_list_the_relations(capsys: pytest.CaptureFixture[str]) -> None:
    """HYB-40: the description of /v1, the tools and the help of the command name the same words, and all of them."""
    names = [
        "related_to",
        "analogous_to",
        "led_to",
        "supports",
        "caused_by",
        "retrieved_during",
        "refined_by",
        "depends_on",
        "invalidated_by",
    ]
    assert openapi()["components"]["schemas"]["Relate"]["properties"]["relation"]["enum"] == names
    relate = next(tool for tool in Embedded.tool_schemas() if tool["name"] == "relate")
    assert relate["parameters"]["properties"]["relation"]["enum"] == names
    with pytest.raises(SystemExit):
        grammar().parse_args(["relate", "--help"])
    assert f"One of: {', '.join(names)}." in " ".join(capsys.readouterr().out.split())


def _reference(body: dict[str, typing.Any]) -> str:
    return body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]


def _references(value: object) -> typing.Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "$ref":
                yield inner.rpartition("/")[2]
            yield from _references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _references(inner)


def test_the_hosts_of_attach_are_those_it_knows() -> None:
    """The grammar names them without importing them."""
    from hydramind.attach import HOSTS as KNOWN

    assert set(HOSTS) == set(KNOWN)
