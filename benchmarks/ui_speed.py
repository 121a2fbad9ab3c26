"""How fast is the dashboard in a real browser: first usable paint of `/app` with 2,000 memories, a recall on the screen?

A temporary node is filled over HTTP, then each sample is a fresh browser context with an empty cache. Usable means that
the overview's figures and its first rows are painted and the page is live. The time of a recall runs from the key Enter
to the frame that shows its answer, less the time that the request itself took. Software rendering, no graphics card; the
gzipped JavaScript is all that the first screen loaded, compressed as a server would (gzip, level 9). One JSON line last;
the exit code is 1 when a bar is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import itertools
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import httpx2
from playwright.async_api import Browser, Page, Response, async_playwright

from benchmarks import report
from benchmarks.facts import Fact, facts
from hydramind.settings import load
from tests.api.running import running

SCOPE: Final = "speed"
WRITERS: Final = 8
WARM_UP: Final = 3
"""Samples taken first and not counted: the server's and the machine's caches."""
PAINT_SECONDS: Final = 2.0
RECALL_SECONDS: Final = 0.150
FIRST_SCREEN_KB: Final = 450

_USABLE = """
() => {
  if (window.usableAt) return true;
  const rows = document.querySelectorAll('[aria-label="Newest memories"] li');
  const figures = document.querySelectorAll("dl.figures dd");
  const live = document.querySelector('.live[data-state="live"]');
  if (rows.length === 0 || figures.length < 6 || !live) return false;
  if (!window.usableAsked) {
    window.usableAsked = true;
    requestAnimationFrame(() => setTimeout(() => { window.usableAt = performance.now(); }));
  }
  return false;
}
"""
_ARM = """
() => {
  const shown = () => document.querySelector('[aria-label="Answer"] li');
  window.answered = new Promise((done) => {
    addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      const began = event.timeStamp;
      const before = shown();
      const look = () => {
        if (!shown() || shown() === before) return false;
        requestAnimationFrame(() => setTimeout(() => {
          const asked = performance.getEntriesByType("resource").filter((one) => one.name.endsWith("/api/recall"));
          const request = asked.find((one) => one.startTime >= began - 1);
          done({ total: performance.now() - began, request: request ? request.duration : null });
        }));
        return true;
      };
      const watcher = new MutationObserver(() => look() && watcher.disconnect());
      watcher.observe(document.body, { childList: true, subtree: true, characterData: true });
    }, { once: true, capture: true });
  });
}
"""


async def fill(origin: str, count: int, seed: int) -> list[Fact]:
    """Remember `count` facts; those that were kept."""
    kept = list(itertools.islice(facts(seed), count))
    async with httpx2.AsyncClient(base_url=origin, timeout=120) as client:
        waiting = iter(kept)

        async def write() -> None:
            for fact in waiting:
                body = {"content": fact.content, "scope": SCOPE, "entity_refs": fact.entities}
                (await client.post("/api/remember", json=body)).raise_for_status()

        await asyncio.gather(*(write() for _ in range(WRITERS)))
        stored = (await client.get(f"/api/scopes/{SCOPE}/stats")).json()["memories"]
    if stored != count:
        raise SystemExit(f"{stored} memories are stored, {count} were written")
    return kept


async def first_paint(browser: Browser, origin: str) -> tuple[float, float]:
    """Seconds from the navigation to a usable overview, and to the first contentful paint."""
    context = await browser.new_context(viewport={"width": 1440, "height": 900})
    page = await context.new_page()
    await page.goto(f"{origin}/app?scope={SCOPE}", wait_until="commit")
    await page.wait_for_function(_USABLE, timeout=60_000, polling="raf")
    usable = await page.evaluate("() => window.usableAt")
    painted = await page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
    await context.close()
    return usable / 1_000, painted / 1_000


async def first_screen(browser: Browser, origin: str) -> tuple[int, list[str]]:
    """Gzipped bytes of the JavaScript that the overview loads, and the files."""
    context = await browser.new_context()
    page = await context.new_page()
    scripts: list[Response] = []
    page.on("response", lambda reply: scripts.append(reply) if reply.url.endswith(".js") else None)
    await page.goto(f"{origin}/app?scope={SCOPE}")
    await page.wait_for_function(_USABLE, polling="raf")
    bodies = {reply.url.rpartition("/")[2]: await reply.body() for reply in scripts}
    await context.close()
    return sum(len(gzip.compress(body, 9)) for body in bodies.values()), sorted(bodies)


async def recalls(browser: Browser, origin: str, asked: Sequence[Fact]) -> tuple[list[float], list[float]]:
    """Seconds from Enter to the painted answer beyond the request, and with it, question by question."""
    page: Page = await (await browser.new_context(viewport={"width": 1440, "height": 900})).new_page()
    await page.goto(f"{origin}/app/ask?scope={SCOPE}")
    await page.wait_for_selector('.live[data-state="live"]')
    beyond, whole = list[float](), list[float]()
    for fact in asked:
        await page.fill("#ask-field", fact.question)
        await page.evaluate(_ARM)
        await page.press("#ask-field", "Enter")
        took = await page.evaluate("() => window.answered")
        if took["request"] is None:
            raise SystemExit(f"the page did not ask the server for {fact.question!r}")
        beyond.append((took["total"] - took["request"]) / 1_000)
        whole.append(took["total"] / 1_000)
    await page.context.close()
    return beyond, whole


async def measure(origin: str, asked: argparse.Namespace) -> dict[str, Any]:
    """Everything, against a server that is up."""
    kept = await fill(origin, asked.memories, asked.seed)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=asked.chromium, args=["--no-sandbox"])
        paints = [await first_paint(browser, origin) for _ in range(WARM_UP + asked.samples)][WARM_UP:]
        size, files = await first_screen(browser, origin)
        step = max(1, len(kept) // (WARM_UP + asked.samples))
        beyond, whole = await recalls(browser, origin, kept[::step][: WARM_UP + asked.samples])
        version = browser.version
        await browser.close()
    async with httpx2.AsyncClient(base_url=origin, timeout=30) as client:
        health = (await client.get("/api/health")).json()
    return {
        "browser": f"Chromium {version}, headless, software rendering",
        "engine": health["engine"],
        "agent": health["agent"],
        "usable": report.percentiles([usable for usable, _ in paints]),
        "first_contentful_paint": report.percentiles([painted for _, painted in paints]),
        "recall_beyond_request": report.percentiles(beyond[WARM_UP:]),
        "recall_in_all": report.percentiles(whole[WARM_UP:]),
        "first_screen_js_gzip_bytes": size,
        "first_screen_js": files,
    }


def verdict(found: dict[str, Any]) -> bool:
    """Whether every bar is met at the 95th percentile."""
    return (
        found["usable"]["p95_ms"] <= PAINT_SECONDS * 1_000
        and found["recall_beyond_request"]["p95_ms"] <= RECALL_SECONDS * 1_000
        and found["first_screen_js_gzip_bytes"] <= FIRST_SCREEN_KB * 1_000
    )


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=2_000)
    parser.add_argument("--samples", type=int, default=30, help="at least 30 to be quoted")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--chromium", default="/usr/bin/chromium", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as home, running(load({}, home=Path(home))) as server:
        found = asyncio.run(measure(f"http://127.0.0.1:{server.port}", asked))
    met = verdict(found)
    head = {"benchmark": "ui_speed", "question": "how fast the dashboard is in a browser", "memories": asked.memories}
    tail = {"warm_up": WARM_UP, "bars_met": met, "commit": report.commit(), "machine": report.machine()}
    report.emit({**head, **found, **tail})
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
