"""The browser benchmarks run at a small size and say what they measured; the bars themselves need a quiet machine."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from tests.api.running import ROOT


def last_line(*command: str) -> dict[str, Any]:
    """The JSON of a benchmark that ran; a missed bar is an exit code of 1 and no failure here."""
    run = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode in (0, 1), run.stderr
    return json.loads(run.stdout.splitlines()[-1])


def test_the_speed_benchmark_measures_each_bar(chromium: str) -> None:
    """Paint and recall with their percentiles, and a first screen without the graph's code, under 450 kB."""
    found = last_line("benchmarks/ui_speed.py", "--memories", "40", "--samples", "2", "--chromium", chromium)
    assert found["memories"] == 40
    for name in ("usable", "first_contentful_paint", "recall_beyond_request", "recall_in_all"):
        assert found[name]["n"] == 2
        assert 0 < found[name]["p50_ms"] <= found[name]["p95_ms"]
    assert 0 < found["first_screen_js_gzip_bytes"] < 450_000
    assert not any("graph" in name for name in found["first_screen_js"])


def test_the_graph_benchmark_measures_both_painters(chromium: str) -> None:
    """With WebGL and without: frames counted, no known node moved or lost by a live update, no complaint."""
    command = ("benchmarks/ui_graph.py", "--nodes", "80", "--edges", "160", "--frames", "12", "--width", "640")
    found = last_line(*command, "--height", "480", "--chromium", chromium)
    assert (found["nodes"], found["edges"], found["sound"]) == (80, 160, True)
    for painter in ("webgl", "canvas"):
        assert found[painter]["painter"] == painter
        assert (found[painter]["moved_px"], found[painter]["lost"], found[painter]["complaints"]) == (0, 0, [])
        assert found[painter]["turning"]["p50_ms"] > 0
