"""The SDK has every verb with every argument, and importing the package loads nothing of it."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import hydramind
from hydramind import HydraMind, HydraMindClient
from hydramind.api.verb_table import VERBS, Verb
from scripts import sdk_methods

ROOT = Path(__file__).parents[2]
each_verb = pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)


def test_the_methods_are_generated() -> None:
    """Whoever changes a verb or its arguments runs `python scripts/sdk_methods.py`."""
    for path, text in sdk_methods.sources().items():
        assert path.read_text("utf-8") == text, f"{path.name} is not what scripts/sdk_methods.py writes"


@each_verb
def test_every_verb_is_a_method_of_both_under_both_its_names(verb: Verb[Any, Any]) -> None:
    """Arguments are the request's fields, in its order; the optional ones go by keyword."""
    for face in (HydraMind, HydraMindClient):
        method = getattr(face, verb.name)
        assert getattr(face, verb.command) is method
        parameters = dict(inspect.signature(method).parameters)
        del parameters["self"]
        assert list(parameters) == list(verb.request.model_fields)
        optional = {name for name, field in verb.request.model_fields.items() if not field.is_required()}
        assert {name for name, each in parameters.items() if each.kind is each.KEYWORD_ONLY} == optional


def test_importing_the_package_stays_light() -> None:
    """Neither a driver nor a client nor any other part of the package comes with it; the names are found when asked for."""
    code = (
        "import sys, hydramind\n"
        "before = sorted(name for name in sys.modules if name.startswith('hydramind.') or name in ('neo4j', 'httpx2'))\n"
        "hydramind.HydraMindClient\n"
        "heavy = [name for name in ('neo4j', 'numpy', 'starlette', 'mcp') if name in sys.modules]\n"
        "sys.exit(str(before + heavy) if before + heavy else 0)"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_an_unknown_name_is_an_attribute_error() -> None:
    """As of any other module."""
    with pytest.raises(AttributeError, match="has no attribute 'Hydra'"):
        _ = hydramind.Hydra  # type: ignore[attr-defined]
