"""A browser at the dashboard: what it asked for, what it complained of, and the API that it is compared with."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import httpx2
from playwright.async_api import BrowserContext, ConsoleMessage, Locator, Page, Request, expect

PATIENCE_MS = 15_000
"""How long a change may take to appear before a test fails."""


@dataclass
class Visit:
    """One page of one browser context. `errors` are console errors, warnings and crashes, `foreign` the requests that left."""

    page: Page
    origin: str
    errors: list[str] = field(default_factory=list[str])
    foreign: list[str] = field(default_factory=list[str])

    def watch(self) -> Visit:
        """Begin to note."""
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._asked)
        return self

    async def go(self, path: str) -> None:
        """Open an address of the server."""
        await self.page.goto(self.origin + path)

    async def see(self, *texts: str) -> None:
        """Wait for each text to be on the page."""
        for text in texts:
            await expect(self.page.get_by_text(text).first).to_be_visible(timeout=PATIENCE_MS)

    def button(self, name: str) -> Locator:
        """The button of exactly that name."""
        return self.page.get_by_role("button", name=re.compile(rf"^{re.escape(name)}( \w)?$"))

    def figure(self, name: str) -> Locator:
        """The value beside a name in the figures of a page."""
        term = self.page.locator("dt", has_text=re.compile(rf"^{re.escape(name)}$"))
        return term.locator("xpath=following-sibling::dd[1]")

    async def revision(self, expected: int) -> None:
        """Wait until the page says that it has seen a revision."""
        sign = self.page.get_by_title("The newest change of this scope that has arrived here")
        await expect(sign).to_contain_text(f"revision {expected}", timeout=PATIENCE_MS)

    def clean(self) -> None:
        """Nothing was complained of and nothing left the origin."""
        assert (self.errors, self.foreign) == ([], [])

    def _said(self, message: ConsoleMessage) -> None:
        # Software WebGL warns of its own speed; that is the test machine's, not the page's.
        if message.type in ("error", "warning") and "GL Driver Message" not in message.text:
            self.errors.append(f"{message.type}: {message.text}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((f"{self.origin}/", "data:", "blob:")):
            self.foreign.append(request.url)


async def visiting(context: BrowserContext, origin: str) -> Visit:
    """A new page in a context, noted from its first request on."""
    return Visit(await context.new_page(), origin).watch()


class Api:
    """The server as any client sees it: what the pages must agree with."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self._client = client

    async def post(self, verb: str, **values: Any) -> dict[str, Any]:
        """The reply of a verb, which must succeed."""
        reply = await self._client.post(f"/api/{verb}", json=values)
        assert reply.status_code == 200, reply.text
        return reply.json()

    async def get(self, path: str) -> dict[str, Any]:
        """The reply of a read, which must succeed."""
        reply = await self._client.get(path)
        assert reply.status_code == 200, reply.text
        return reply.json()

    async def stats(self, scope: str) -> dict[str, Any]:
        """Counts of a scope."""
        return await self.get(f"/api/scopes/{scope}/stats")

    async def keep(self, scope: str, content: str, **more: Any) -> str:
        """Remember one statement; its id."""
        return (await self.post("remember", scope=scope, content=content, **more))["memory"]["id"]


def exact(value: float) -> str:
    """A figure as the pages write it: at least two decimals, and all that there are."""
    text = repr(float(value))
    return f"{value:.2f}" if len(text.partition(".")[2]) < 2 else text
