"""Is the drawing of 5,000 nodes and 15,000 edges interactive in a browser that renders on the processor?

Builds the page that shows the drawings with synthetic data, serves it under a strict content policy and drives it in
headless Chromium: turning, moving, and moving while live updates arrive. Every frame measured had new input, so none is
idle. It also says how far a live update moved what was there before (0 pixels is the bar) and whether the browser
complained. One JSON line comes last; the exit code is 1 when a known node moved, was lost, or the console held an error.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import http.server
import itertools
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from benchmarks import report

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
PAINTERS = {
    "webgl": ["--enable-unsafe-swiftshader"],
    "canvas": ["--disable-gpu", "--disable-software-rasterizer"],
}
"""Chromium flags that leave it with software WebGL, or with none."""
WARM_UP_FRAMES = 30
SETTLE_SECONDS = 180.0
ADDED = 25
"""Memories in each live update."""

_DRIVE = """
([frames, addEvery, added]) => new Promise((done) => {
  const host = document.querySelector(".graph-host");
  const box = host.getBoundingClientRect();
  const stamps = [];
  const turn = (now) => {
    stamps.push(now);
    const at = stamps.length;
    if (at > frames) return done(stamps);
    const [x, y] = [box.left + 4 + 120 * (1 - Math.cos(at / 20)), box.top + 4 + 60 * (1 - Math.cos(at / 31))];
    host.dispatchEvent(new PointerEvent("pointermove", { pointerId: 1, clientX: x, clientY: y, bubbles: true }));
    if (addEvery && at % addEvery === 0) graphDemo.add(added);
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
})
"""
_RENDERER = """
() => {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl && gl.getExtension("WEBGL_debug_renderer_info");
  return gl ? String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)) : "2D canvas, no WebGL";
}
"""
_PLACES = "(count) => Array.from({ length: count }, (_, at) => graphDemo.whereIs(`n${at}`))"


@dataclass(frozen=True, slots=True)
class Run:
    """What is drawn and how long each part lasts."""

    nodes: int
    edges: int
    frames: int
    width: int
    height: int


class _Pages(http.server.SimpleHTTPRequestHandler):
    """The built files, under the content policy, without a log."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", CONTENT_POLICY)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        del format, args


def main() -> int:
    """Measure with each painter and print the figures."""
    run, executable = _asked()
    with _served() as address, sync_playwright() as playwright:
        parts: dict[str, Any] = {}
        for painter, flags in PAINTERS.items():
            browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", *flags])
            parts[painter] = {"browser": browser.version} | _measured(browser, address, run)
            print(f"{painter}: {parts[painter]}")
            browser.close()
    sound = all(part["sound"] for part in parts.values())
    report.emit(
        {
            "benchmark": "ui_graph",
            "question": "frame intervals of the graph drawing under software rendering",
            "nodes": run.nodes,
            "edges": run.edges,
            "viewport": [run.width, run.height],
            "sound": sound,
            **parts,
            "commit": report.commit(),
            "machine": report.machine(),
        }
    )
    return 0 if sound else 1


def _measured(browser: Browser, address: str, run: Run) -> dict[str, Any]:
    page = browser.new_page(viewport={"width": run.width, "height": run.height})
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.extend(_complaint(message)))
    began = time.perf_counter()
    page.goto(f"{address}/index.html?nodes={run.nodes}&edges={run.edges}")
    page.wait_for_selector(".graph-host canvas")
    drawn = time.perf_counter() - began
    _settle(page)
    settled = time.perf_counter() - began
    figures = {
        "painter": page.get_attribute(".graph-host", "data-painter"),
        "renderer": page.evaluate(_RENDERER),
        "canvas_s": round(drawn, 2),
        "settled_s": round(settled, 2),
        "turning": _frames(page, run, shift=False),
        "moving": _frames(page, run, shift=True),
        "moving_while_live": _frames(page, run, shift=True, add_every=60),
    }
    _settle(page)
    figures |= _live_update(page, run.nodes)
    figures["complaints"] = complaints
    figures["sound"] = not complaints and figures["moved_px"] == 0 and figures["lost"] == 0
    page.close()
    return figures


def _frames(page: Page, run: Run, *, shift: bool, add_every: int = 0) -> dict[str, Any]:
    """Intervals between frames of a drag with input in every frame, after a warm-up; everything is in view at first."""
    page.focus(".graph-host")
    page.keyboard.press("0")
    page.wait_for_timeout(500)
    box = page.locator(".graph-host").bounding_box()
    assert box is not None
    if shift:
        page.keyboard.down("Shift")
    page.mouse.move(box["x"] + 4, box["y"] + 4)
    page.mouse.down()
    stamps = page.evaluate(_DRIVE, [run.frames + WARM_UP_FRAMES, add_every, ADDED])
    page.mouse.up()
    page.keyboard.up("Shift")
    kept = stamps[WARM_UP_FRAMES:]
    return report.percentiles([(after - before) / 1_000 for before, after in itertools.pairwise(kept)])


def _live_update(page: Page, known: int) -> dict[str, Any]:
    """How far the known nodes moved on the screen while an update arrived and settled, and how many are gone."""
    before = page.evaluate(_PLACES, known)
    page.evaluate("(count) => graphDemo.add(count)", ADDED)
    page.wait_for_function("() => document.querySelector('.graph-host').dataset.settled === 'false'")
    _settle(page)
    after = page.evaluate(_PLACES, known)
    pairs = [(old, new) for old, new in zip(before, after, strict=True) if old is not None]
    moved = [max(abs(old["x"] - new["x"]), abs(old["y"] - new["y"])) for old, new in pairs if new is not None]
    return {"moved_px": max(moved), "lost": sum(new is None for _, new in pairs), "compared": len(pairs)}


def _settle(page: Page) -> None:
    page.wait_for_selector('.graph-host[data-settled="true"]', timeout=SETTLE_SECONDS * 1_000)


def _complaint(message: ConsoleMessage) -> list[str]:
    """Errors, except that of the icon no page of this benchmark has."""
    about_icon = "favicon" in message.location.get("url", "")
    return [message.text] if message.type == "error" and not about_icon else []


@contextlib.contextmanager
def _served() -> Iterator[str]:
    """Build the demonstration page into a temporary folder and serve it on loopback."""
    ui = report.ROOT / "ui"
    with tempfile.TemporaryDirectory() as folder:
        vite = ui / "node_modules" / "vite" / "bin" / "vite.js"
        build = ["node", str(vite), "build", "--config", "src/graph/demo/vite.config.ts", "--outDir", folder]
        subprocess.run([*build, "--logLevel", "warn"], cwd=ui, check=True)
        handler = functools.partial(_Pages, directory=folder)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_address[1]}"
            server.shutdown()


def _asked() -> tuple[Run, str]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=5_000)
    parser.add_argument("--edges", type=int, default=15_000)
    parser.add_argument(
        "--frames", type=int, default=320, help="frames measured in each part, at least 300 to be quoted"
    )
    parser.add_argument("--width", type=int, default=1440)
    parser.add_argument("--height", type=int, default=900)
    parser.add_argument("--chromium", default="/usr/bin/chromium", type=Path)
    given = parser.parse_args()
    return Run(given.nodes, given.edges, given.frames, given.width, given.height), str(given.chromium)


if __name__ == "__main__":
    sys.exit(main())
