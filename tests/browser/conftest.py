"""Chromium, and a real server on an embedded node of its own."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import httpx2
import pytest
from playwright.async_api import Browser, async_playwright

from hydramind.settings import Settings, load
from hydramind.web.pages import BUILT
from tests.api.running import RunningServer, running
from tests.browser.visiting import PATIENCE_MS, Api, Visit, visiting

Open = Callable[..., Awaitable[Visit]]
FLAGS = ["--no-sandbox", "--enable-unsafe-swiftshader"]
"""No sandbox, because tests may run as root; software WebGL, because there is no graphics card to rely on."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here needs the browser."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser's path; CHROMIUM names another than the system's."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not found:
        pytest.skip("Chromium is missing: install the package chromium, or set CHROMIUM to one")
    if not (BUILT / "index.html").is_file():
        pytest.skip("the pages are not built: run scripts/build_ui.py")
    return found


@pytest.fixture(scope="session")
async def browser(chromium: str) -> AsyncIterator[Browser]:
    """One headless browser for all tests; each test has contexts of its own."""
    async with async_playwright() as playwright:
        opened = await playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield opened
        await opened.close()


@pytest.fixture(scope="session")
def browser_settings(tmp_path_factory: pytest.TempPathFactory, chromium: str) -> Settings:
    """A node that only these tests use, because some of them kill it."""
    del chromium
    return load({}, home=tmp_path_factory.mktemp("browser"), node_idle_seconds=20, embedder="none")


@pytest.fixture(scope="session")
def server(browser_settings: Settings) -> Iterator[RunningServer]:
    """`hydramind up` on that node."""
    with running(browser_settings) as started:
        yield started


@pytest.fixture
def origin(server: RunningServer) -> str:
    """Where the server is."""
    return f"http://127.0.0.1:{server.port}"


@pytest.fixture
async def api(origin: str) -> AsyncIterator[Api]:
    """The same server without a browser."""
    async with httpx2.AsyncClient(base_url=origin, timeout=60) as client:
        yield Api(client)


@pytest.fixture
async def opening(browser: Browser, origin: str) -> AsyncIterator[Open]:
    """Opens a browser context at an address; keywords go to the context."""
    async with contextlib.AsyncExitStack() as opened:

        async def open_at(path: str, **options: object) -> Visit:
            context = await browser.new_context(**{"reduced_motion": "reduce", **options})  # type: ignore[arg-type]
            context.set_default_timeout(PATIENCE_MS)
            opened.push_async_callback(context.close)
            visit = await visiting(context, origin)
            await visit.go(path)
            return visit

        yield open_at
