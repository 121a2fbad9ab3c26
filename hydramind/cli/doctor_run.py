"""`hydramind doctor`: what is configured, what answers, what the engine can do, and a proof by use."""

from __future__ import annotations

import argparse
import json
from typing import Any

from pydantic import SecretStr

from hydramind.cli.console import Console
from hydramind.cli.failures import OTHER
from hydramind.cli.layout import Cell, Screen, table
from hydramind.cli.masking import MASK, masked
from hydramind.cli.views import pairs_text
from hydramind.doctor import Finding, capabilities, examine
from hydramind.models import Health
from hydramind.service import HydraMind
from hydramind.settings import PREFIX, Settings, load


async def run_doctor(args: argparse.Namespace, settings: Settings, console: Console) -> int:
    """Print everything; 0 when every check passed, else 1."""
    if args.uri is not None:
        settings = load(uri=args.uri)
    return await (_as_json(settings, console) if args.json else _as_text(settings, console))


def settings_shown(settings: Settings) -> dict[str, str]:
    """Every setting by its variable's name; secrets show only whether they are set."""
    return {PREFIX + name.upper(): _shown(getattr(settings, name)) for name in type(settings).model_fields}


async def _as_text(settings: Settings, console: Console) -> int:
    screen = console.screen
    console.say(screen.paint("settings", "head"))
    console.say(pairs_text(settings_shown(settings).items(), screen))
    health = await _health(settings, console)
    console.say(f"\n{screen.paint('engine', 'head')}\n{pairs_text(_engine(health).items(), screen)}")
    rows = [(Cell(*_mark(can)), capability.value) for capability, can in capabilities(health.engine).items()]
    console.say(f"\n{table(('CAN', 'CAPABILITY'), rows, screen)}\n\n{screen.paint('checks', 'head')}")
    findings = await examine(settings, lambda finding: console.say(_finding_line(finding, screen)))
    failed = sum(not finding.passed for finding in findings)
    console.say(f"\n{len(findings) - failed} passed, {failed} failed; the throwaway scope's memories are forgotten")
    return OTHER if failed else 0


async def _as_json(settings: Settings, console: Console) -> int:
    health = await _health(settings, console)
    findings = await examine(settings)
    failed = sum(not finding.passed for finding in findings)
    body: dict[str, Any] = {
        "settings": settings_shown(settings),
        "engine": _engine(health),
        "capabilities": {each.name.lower(): can for each, can in capabilities(health.engine).items()},
        "checks": [{"name": each.name, "passed": each.passed, "problem": each.problem} for each in findings],
        "passed": len(findings) - failed,
        "failed": failed,
    }
    console.say(json.dumps(body, ensure_ascii=False))
    return OTHER if failed else 0


async def _health(settings: Settings, console: Console) -> Health:
    async with HydraMind.open(settings, report=console.progress) as mind:
        return await mind.health()


def _engine(health: Health) -> dict[str, str]:
    return {
        "status": health.status,
        "engine": health.engine,
        "agent": health.agent,
        "uri": masked(health.uri),
        "embedded": "yes" if health.embedded else "no",
        "latency": f"{health.latency_ms:.2f} ms",
    }


def _shown(value: object) -> str:
    if isinstance(value, SecretStr):
        return MASK if value.get_secret_value() else "(not set)"
    return masked(str(value)) or "(default)"


def _mark(can: bool) -> tuple[str, str]:
    return ("yes", "good") if can else ("no", "dim")


def _finding_line(finding: Finding, screen: Screen) -> str:
    mark = screen.paint("pass", "good") if finding.passed else screen.paint("FAIL", "bad")
    return f"{mark}  {finding.name}" + (f"\n      {masked(finding.problem)}" if finding.problem else "")
