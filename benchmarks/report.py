"""What every benchmark says beside its figures: machine, commit, engine, percentiles, and one JSON line last."""

from __future__ import annotations

import json
import math
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hydramind import __version__
from hydramind.models import Health

ROOT = Path(__file__).resolve().parent.parent


def origin(health: Health) -> dict[str, Any]:
    """Where a figure comes from: commit, engine and machine."""
    return {
        "commit": commit(),
        "hydramind": __version__,
        "engine": health.engine,
        "agent": health.agent,
        "embedded": health.embedded,
        "driver": version("neo4j"),
        "machine": machine(),
    }


def machine() -> dict[str, Any]:
    """Processor, cores, memory and versions of this machine; no name of it."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "memory_gb": _memory_gb(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def commit() -> str:
    """Commit of the checkout, `+changes` behind it when tracked files differ; `unknown` outside one."""
    head = _git("rev-parse", "--short=12", "HEAD")
    if not head:
        return "unknown"
    return head + ("+changes" if _git("status", "--porcelain", "--untracked-files=no") else "")


def percentiles(seconds: Sequence[float]) -> dict[str, Any]:
    """Nearest-rank p50, p95 and p99 in milliseconds, with n; every sample counts, none is cut."""
    ordered = sorted(seconds)
    if not ordered:
        return {"n": 0}
    ranks = {f"p{share}_ms": ordered[math.ceil(share / 100 * len(ordered)) - 1] * 1_000 for share in (50, 95, 99)}
    return {name: round(value, 3) for name, value in ranks.items()} | {"n": len(ordered)}


def ratio(part: float, whole: float) -> float:
    """`part` over `whole`, three significant digits; 0 when there is nothing to divide by."""
    return float(f"{part / whole:.3g}") if whole else 0.0


def emit(result: Mapping[str, Any], output: Path | None = None) -> None:
    """Write the result to a file, where one is given, and print it as the one JSON line that comes last."""
    if output is not None:
        keep(result, output)
    print(json.dumps(result, ensure_ascii=False), flush=True)


def keep(result: Mapping[str, Any], output: Path) -> None:
    """Write the whole result to a file, indented."""
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _cpu() -> str:
    listing = Path("/proc/cpuinfo")
    if listing.is_file():
        for line in listing.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _memory_gb() -> float | None:
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    except (ValueError, OSError, AttributeError):
        return None
