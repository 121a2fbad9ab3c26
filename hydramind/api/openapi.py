"""The OpenAPI 3.1 description of `/v1`, generated from the request and reply models."""

from __future__ import annotations

from typing import Any, Final

from pydantic.json_schema import models_json_schema

from hydramind import __version__
from hydramind.api.verb_table import VERBS, Verb

_REFERENCE: Final = "#/components/schemas/{model}"
_PROBLEMS: Final = {
    "400": "The body is not one JSON object in UTF-8.",
    "401": "The bearer token is missing or wrong.",
    "403": "The Host or Origin header is not this server's, or the request is not allowed.",
    "404": "The scope holds no such memory or entity.",
    "409": "The state has moved on, or an idempotency key was reused with another payload.",
    "413": "The body is over the limit.",
    "415": "The content type is not application/json.",
    "422": "A field is malformed; `field` names it.",
    "429": "Too many writes are waiting; retry.",
    "503": "The graph cannot be reached; retry.",
}
_PROBLEM_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "retryable"],
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "field": {"type": "string"},
                "retryable": {"type": "boolean"},
            },
        }
    },
}


def openapi() -> dict[str, Any]:
    """The whole document; the same for every server of this version."""
    models = {verb.request for verb in VERBS}, {verb.reply for verb in VERBS}
    ordered = [(model, "validation") for model in sorted(models[0], key=_name)]
    ordered += [(model, "serialization") for model in sorted(models[1], key=_name)]
    _, definitions = models_json_schema(ordered, ref_template=_REFERENCE)  # pyright: ignore[reportArgumentType]
    return {
        "openapi": "3.1.0",
        "info": {"title": "HydraMind", "version": __version__, "license": {"name": "MIT", "identifier": "MIT"}},
        "servers": [{"url": "/"}],
        "security": [{}, {"bearer": []}],
        "paths": {f"/v1/{verb.name}": {"post": _operation(verb)} for verb in VERBS},
        "components": {
            "schemas": {**definitions.get("$defs", {}), "Problem": _PROBLEM_SCHEMA},
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(verb: Verb[Any, Any]) -> dict[str, Any]:
    problems = {status: {"description": meaning, "content": _json("Problem")} for status, meaning in _PROBLEMS.items()}
    done = {"description": _first_line(verb.reply), "content": _json(verb.reply.__name__)}
    return {
        "operationId": verb.name,
        "summary": verb.summary,
        "requestBody": {"required": True, "content": _json(verb.request.__name__)},
        "responses": {"200": done, **problems},
    }


def _json(schema: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": _REFERENCE.format(model=schema)}}}


def _name(model: type) -> str:
    return model.__name__


def _first_line(model: type) -> str:
    return (model.__doc__ or model.__name__).strip().splitlines()[0]
