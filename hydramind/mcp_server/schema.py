"""The published schema of a tool, taken from the request model that checks its arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from hydramind.models import Request


def input_schema(model: type[Request], arguments: Sequence[str], describe: Mapping[str, str]) -> dict[str, Any]:
    """A JSON Schema object with `arguments` of `model` in that order; `describe` speaks where the model is silent.

    Clients differ in what they accept, so: no unions, no null, no references, every list with its items, nothing else
    allowed. An explicit null is accepted for optional arguments all the same.
    """
    whole = model.model_json_schema()
    fields = cast(dict[str, dict[str, Any]], whole["properties"])
    properties = {name: {**_description(name, describe), **_published(fields[name])} for name in arguments}
    required = [name for name in arguments if name in whole.get("required", ())]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _description(name: str, describe: Mapping[str, str]) -> dict[str, str]:
    return {"description": describe[name]} if name in describe else {}


def _published(field: dict[str, Any]) -> dict[str, Any]:
    options = cast(list[dict[str, Any]], field.get("anyOf", ()))
    merged = {key: value for key, value in field.items() if key not in ("anyOf", "title")}
    for option in options:
        if option.get("type") != "null":
            merged |= option
    if merged.get("default", ...) is None:
        del merged["default"]
    return merged
