"""Memory text is text: whatever it holds, nothing of it runs, loads, hides or breaks a page."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Open
from tests.browser.visiting import PATIENCE_MS, Api

HOSTILE = {
    "script": "<script>window.owned = 1</script> The cache is on.",
    "handler": '<img src=x onerror="window.owned = 1"><svg onload=window.owned=1> The cache is on.',
    "attribute": '" onmouseover="window.owned = 1" x="\' autofocus onfocus=window.owned=1',
    "address": 'javascript:window.owned=1 <a href="javascript:window.owned=1">here</a> https://example.invalid/x',
    "frame": '<iframe srcdoc="<script>parent.owned=1</script>"></iframe><base href="https://example.invalid/">',
    "style": "</style><style>body{display:none}</style><link rel=stylesheet href=https://example.invalid/x.css>",
    "template": "{{constructor.constructor('window.owned=1')()}} ${window.owned=1} <%= 1 %>",
    "bidi": "The user \u2067is not\u2069 \u200fadmin\u200e and \u061cpays.",
    "zalgo": "T" + "\u0335\u0321\u0354\u034e" * 60 + "he cache is on.",
    "entities": "&lt;b&gt; &amp; &#x3c;script&#x3e; &quot; 100% a\\nb",
    "wide": "𝕬 👩‍👩‍👧‍👦 数据库 مرحبا שלום \ufdfd",
    "one word": "x" * 3_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
async def test_a_hostile_memory_is_shown_as_text_on_every_screen(
    kind: str, opening: Open, api: Api, scope: str
) -> None:
    """Its own page, its entity, the overview, an answer, the lineage, and everything stored about it."""
    text = HOSTILE[kind]
    name = text[:150]
    stored = (await api.post("remember", scope=scope, content=text, entity_refs=[name, "plain"]))["memory"]
    other = await api.keep(scope, "Restarts were counted.", derived_from=[stored["id"]])
    visit = await opening(f"/app/memory/{stored['id']}?scope={scope}")
    shown = visit.page.get_by_role("article").first
    await expect(shown).to_contain_text(stored["content"][:500], timeout=PATIENCE_MS, use_inner_text=False)
    for path in (
        f"/app?scope={scope}",
        f"/app/entities?scope={scope}",
        "/app/entity/plain?scope=" + scope,
        f"/app/entity/{quote(stored['entities'][0]['name'], safe='')}?scope={scope}",
        f"/app/ask?scope={scope}&q={quote(stored['content'][:400], safe='')}",
        f"/app/memory/{other}?scope={scope}&tab=lineage",
        f"/app/memory/{other}?scope={scope}&tab=paths",
        f"/app/memory/{stored['id']}?scope={scope}&tab=raw",
    ):
        await visit.go(path)
        await visit.revision(2)
        await expect(visit.page.get_by_role("status").filter(has_text="Loading")).to_have_count(0, timeout=PATIENCE_MS)
        assert await visit.page.evaluate("() => window.owned ?? null") is None
        width, inside = await visit.page.evaluate(
            "() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert width <= inside, f"{path} scrolls sideways: {width} > {inside}"
        strange = await visit.page.locator(
            "main script, main iframe, main base, main link, main img, main style"
        ).count()
        assert strange == 0, path
    visit.clean()


async def test_a_memory_of_100_kilobytes_is_complete_when_asked_for(opening: Open, api: Api, scope: str) -> None:
    """The page stays quick to show: it begins with a part and says how much there is."""
    text = ("The archive lists <b>bold</b> boxes by row & shelf. " * 2_000)[:99_999] + "."
    stored = (await api.post("remember", scope=scope, content=text))["memory"]
    visit = await opening(f"/app/memory/{stored['id']}?scope={scope}")
    await visit.page.get_by_role("button", name="Show all 100,000 characters").click()
    shown = visit.page.get_by_role("article").first.locator("[dir=auto]").first
    await expect(shown).to_have_text(stored["content"], timeout=PATIENCE_MS)
    await visit.go(f"/app?scope={scope}")
    await expect(visit.page.get_by_role("list", name="Newest memories")).to_contain_text(
        "The archive lists <b>bold</b>"
    )
    visit.clean()


async def test_a_hostile_scope_name_is_text_too(opening: Open, api: Api, scope: str) -> None:
    """In the address, the title, the switcher and the health table."""
    name = f'{scope} <img src=x onerror="window.owned=1"> /../%2e a&b=c#d'
    await api.keep(name, "The cache is on.")
    visit = await opening(f"/app?scope={quote(name, safe='')}")
    await visit.revision(1)
    await expect(visit.page).to_have_title(f"{name} · HydraMind")
    await visit.page.get_by_role("button", name="Scope: ").click()
    await expect(visit.page.get_by_role("list", name="Scopes")).to_contain_text(name, timeout=PATIENCE_MS)
    await visit.go(f"/app/health?scope={quote(name, safe='')}")
    await expect(visit.page.get_by_role("region", name="Scopes held in memory")).to_contain_text(name)
    assert await visit.page.evaluate("() => window.owned ?? null") is None
    visit.clean()
