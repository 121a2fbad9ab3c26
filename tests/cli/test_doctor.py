"""The doctor passes on every engine claimed, and says what is wrong with one that fails."""

from __future__ import annotations

import argparse
import io
import json

import pytest

from hydramind.cli.console import Console
from hydramind.cli.doctor_run import run_doctor, settings_shown
from hydramind.doctor import CHECKS, Finding, examine
from hydramind.errors import Misconfigured
from hydramind.settings import Settings, load


async def test_an_engine_that_is_claimed_passes_every_check(engine_settings: Settings) -> None:
    """The same checks as `hydramind doctor --uri` runs."""
    told = list[Finding]()
    findings = await examine(engine_settings, told.append)
    assert [(finding.name, finding.problem) for finding in findings] == [(name, "") for name, _ in CHECKS]
    assert tuple(told) == findings


@pytest.mark.parametrize("as_json", [False, True])
async def test_the_report_is_whole(as_json: bool, embedded_settings: Settings) -> None:
    """Settings, engine, capabilities and checks; exit code 0."""
    console = Console(io.StringIO(), io.StringIO())
    code = await run_doctor(argparse.Namespace(uri=None, json=as_json), embedded_settings, console)
    assert isinstance(console.stdout, io.StringIO)
    out = console.stdout.getvalue()
    assert code == 0
    if as_json:
        report = json.loads(out)
        assert (report["passed"], report["failed"]) == (len(CHECKS), 0)
        assert report["capabilities"]["transactions"] is True
        assert report["engine"]["engine"] == "arcadedb"
    else:
        assert out.count("\npass  ") == len(CHECKS)
        assert f"{len(CHECKS)} passed, 0 failed" in out


def test_settings_are_shown_without_their_secrets() -> None:
    """H06: only whether they are set."""
    settings = load({}, uri="bolt://127.0.0.1:1", token="tok-probe")
    shown = settings_shown(settings)
    assert shown["HYDRAMIND_URI"] == "bolt://127.0.0.1:1"
    assert (shown["HYDRAMIND_TOKEN"], shown["HYDRAMIND_PASSWORD"]) == ("***", "(not set)")
    assert "probe" not in str(shown)


def test_credentials_in_the_uri_are_refused_without_repeating_them() -> None:
    """H06: the error names the settings to use and holds no part of the secret."""
    with pytest.raises(Misconfigured, match="HYDRAMIND_URI must not hold credentials") as caught:
        load({}, uri="bolt://neo4j:hunter2-probe@127.0.0.1:1", token="tok-probe")
    assert "probe" not in str(caught.value)
