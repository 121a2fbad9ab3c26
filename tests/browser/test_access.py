"""Every screen in both themes: no serious accessibility fault, keys for everything, and it fits a phone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from importlib import resources
from typing import Any, Literal

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.visiting import PATIENCE_MS, Api

AXE = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
SCREENS = {
    "start page": "/",
    "overview": "/app?scope={scope}",
    "ask": "/app/ask?scope={scope}",
    "answer": "/app/ask?scope={scope}&q=Does+the+checkout+service+use+Postgres",
    "abstention": "/app/ask?scope={scope}&q=Who+chairs+the+security+review&as_of=2099-01-01T00:00:00Z",
    "remember": "/app/remember?scope={scope}",
    "story": "/app/memory/{conclusion}?scope={scope}",
    "lineage": "/app/memory/{conclusion}?scope={scope}&tab=lineage",
    "relations": "/app/memory/{conclusion}?scope={scope}&tab=relations",
    "paths": "/app/memory/{conclusion}?scope={scope}&tab=paths",
    "raw": "/app/memory/{conclusion}?scope={scope}&tab=raw",
    "revise": "/app/memory/{conclusion}?scope={scope}&revise=yes",
    "entities": "/app/entities?scope={scope}",
    "entity": "/app/entity/checkout%20service?scope={scope}",
    "graph": "/app/graph?scope={scope}",
    "flat graph": "/app/graph?scope={scope}&mode=2d",
    "health": "/app/health?scope={scope}",
    "empty scope": "/app?scope=nothing-here",
    "unknown memory": "/app/memory/1?scope={scope}",
    "unknown page": "/app/nowhere?scope={scope}",
}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@dataclass
class Seeded:
    """Addresses of the demo's screens."""

    scope: str
    cast: dict[str, str]

    def at(self, screen: str) -> str:
        """The address of a screen."""
        return SCREENS[screen].format(scope=self.scope, **self.cast)


@pytest.fixture(scope="module")
async def seeded(server: Any) -> AsyncIterator[Seeded]:
    """One demo for all screens, with a declared relation."""
    import httpx2

    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{server.port}", timeout=60) as client:
        api = Api(client)
        seed = await api.post("demo")
        ends = {"memory_id": seed["cast"]["premise"], "other_id": seed["cast"]["conclusion"]}
        await api.post("relate", scope=seed["scope"], relation="supports", reason="seen in the audit", **ends)
        yield Seeded(seed["scope"], seed["cast"])


async def faults(page: Page) -> list[str]:
    """Serious and critical violations with the elements that have them; the script is run, not loaded: the policy
    forbids pages to load foreign ones."""
    await page.evaluate(AXE)
    found = await page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
    return [
        f"{each['id']} ({each['impact']}): {node['html'][:160]}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


async def settled(page: Page) -> None:
    """Nothing is loading any more."""
    await expect(page.get_by_role("heading", level=1)).to_have_count(1, timeout=PATIENCE_MS)
    await expect(page.get_by_role("status").filter(has_text="Loading")).to_have_count(0, timeout=PATIENCE_MS)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("screen", SCREENS)
async def test_no_screen_has_a_serious_accessibility_fault(
    screen: str, theme: Literal["light", "dark"], opening: Open, seeded: Seeded
) -> None:
    """axe-core, on the screen as it stands once everything is read."""
    visit = await opening(seeded.at(screen), color_scheme=theme)
    await settled(visit.page)
    assert await faults(visit.page) == []
    allowed = ["404"] if screen == "unknown memory" else []
    assert [error for error in visit.errors if not any(code in error for code in allowed)] == []
    assert visit.foreign == []


@pytest.mark.parametrize("opened", ["s", "?"])
async def test_the_dialogs_have_none_either(opened: str, opening: Open, seeded: Seeded) -> None:
    """The scope switcher and the help: opened by a key, closed by Esc, the focus back where it was."""
    for theme in THEMES:
        visit = await opening(seeded.at("overview"), color_scheme=theme)
        await settled(visit.page)
        await visit.page.keyboard.press(opened)
        await expect(visit.page.get_by_role("dialog")).to_be_visible()
        assert await faults(visit.page) == []
        await visit.page.keyboard.press("Escape")
        await expect(visit.page.get_by_role("dialog")).to_have_count(0)
        visit.clean()


@pytest.mark.parametrize("screen", SCREENS)
async def test_every_screen_fits_a_phone(screen: str, opening: Open, seeded: Seeded) -> None:
    """At 390 pixels nothing scrolls sideways."""
    visit = await opening(seeded.at(screen), viewport={"width": 390, "height": 844})
    await expect(visit.page.get_by_role("heading").first).to_be_attached(timeout=PATIENCE_MS)
    await expect(visit.page.get_by_role("status").filter(has_text="Loading")).to_have_count(0, timeout=PATIENCE_MS)
    width = await visit.page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= 390


async def test_the_keyboard_alone_goes_everywhere(opening: Open, seeded: Seeded) -> None:
    """From the overview to a memory, forget and undo, to an answer and back, by keys only."""
    visit = await opening(seeded.at("overview"))
    await settled(visit.page)
    page, keys = visit.page, visit.page.keyboard
    await expect(page.get_by_role("list", name="Newest memories").get_by_role("listitem")).not_to_have_count(0)
    await keys.press("j")
    await keys.press("Enter")
    await page.wait_for_url("**/app/memory/**")
    await expect(visit.button("Forget")).to_be_visible(timeout=PATIENCE_MS)
    await keys.press("f")
    await expect(visit.button("Undo forgetting")).to_be_visible(timeout=PATIENCE_MS)
    await expect(visit.button("Undo forgetting")).to_be_enabled()
    await keys.press("f")
    await expect(visit.button("Forget")).to_be_visible(timeout=PATIENCE_MS)
    await keys.press("/")
    await page.wait_for_url("**/app/ask**")
    await expect(page.get_by_label("Your question")).to_be_focused()
    await keys.type("Does the checkout service use Postgres")
    await keys.press("Enter")
    await expect(page.get_by_role("list", name="Memories that pass, best first")).to_be_visible(timeout=PATIENCE_MS)
    await keys.press("Escape")
    for key, place in {"n": "remember", "p": "entities", "g": "graph", "i": "health"}.items():
        await keys.press(key)
        await page.wait_for_url(f"**/app/{place}**")
        await expect(page.get_by_role("heading", level=1)).to_be_attached(timeout=PATIENCE_MS)
        await keys.press("Escape")
    visit.clean()


async def test_the_chosen_theme_stays(opening: Open, seeded: Seeded) -> None:
    """Light, dark, then the system's again; a reload keeps it, and nothing flashes in the other one."""
    visit = await opening(seeded.at("overview"), color_scheme="light")
    await settled(visit.page)
    background = "() => getComputedStyle(document.documentElement).backgroundColor"
    light = await visit.page.evaluate(background)
    await visit.page.keyboard.press("t")
    await visit.page.keyboard.press("t")
    await expect(visit.page.get_by_role("button", name="Theme: dark")).to_be_visible()
    dark = await visit.page.evaluate(background)
    assert dark != light
    await visit.page.reload()
    assert await visit.page.evaluate(background) == dark
    await settled(visit.page)
    await visit.page.keyboard.press("t")
    assert await visit.page.evaluate(background) == light
    visit.clean()
