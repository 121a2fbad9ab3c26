"""The whole story in a browser: from the start page to forgetting, and back."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from playwright.async_api import Route, expect

from tests.browser.conftest import Open
from tests.browser.visiting import PATIENCE_MS, Api, Visit, exact

FIGURES = ("memories", "active", "contradicted", "superseded", "forgotten")


async def shows_what_is_stored(visit: Visit, api: Api, scope: str) -> None:
    """The figures of the overview are the API's."""
    stats = await api.stats(scope)
    await visit.revision(stats["revision"])
    for name in FIGURES:
        await expect(visit.figure(name)).to_have_text(f"{stats[name]:,}", timeout=PATIENCE_MS)
    await expect(visit.figure("mean trust")).to_have_text(exact(stats["mean_trust"]))


async def trust_on_screen(visit: Visit, expected: float, status: str) -> None:
    """The head of the memory on screen says this much trust and this status."""
    head = visit.page.get_by_role("article").first
    await expect(head).to_contain_text(f"trust {exact(expected)}", timeout=PATIENCE_MS)
    await expect(head.get_by_text(status, exact=True)).to_be_visible()


async def test_from_the_start_page_to_forgetting_and_back(opening: Open, api: Api) -> None:
    """Seed, look, ask, contradict, trace the doubt, revise, see the timeline, forget, undo, ask in vain, remove."""
    visit = await opening("/")
    page = visit.page
    await expect(page.get_by_role("heading", level=1)).to_have_text("Memory that knows when it may be wrong")
    await visit.button("See it on a real graph").click()
    await page.wait_for_url(re.compile(r"/app\?scope=demo"))
    scope = parse_qs(urlsplit(page.url).query)["scope"][0]
    await shows_what_is_stored(visit, api, scope)

    await page.get_by_role("link", name="a fact that was contradicted").click()
    await trust_on_screen(visit, 0.6, "contradicted")
    premise = page.url.partition("/memory/")[2].partition("?")[0]
    story = await api.post("explain_trust", memory_id=premise, scope=scope)
    for event in story["events"]:
        await visit.see(event["narration"])
    await page.get_by_role("link", name=re.compile("caused by")).click()
    await trust_on_screen(visit, 1.0, "active")

    await page.get_by_role("link", name="Remember", exact=True).click()
    await page.get_by_label("One statement, in plain words").fill("Mara does not own the checkout service.")
    before = page.get_by_role("region", name="Before it is written")
    await expect(before.get_by_role("heading", name="Contradicts")).to_be_visible(timeout=PATIENCE_MS)
    await expect(before).to_contain_text("Mara owns the checkout service")
    assert (await api.stats(scope))["memories"] == 7
    await visit.button("Remember").click()
    moved = page.get_by_role("list", name="Trust that moved")
    await expect(moved).to_contain_text(re.compile(r"1\.00.*0\.60"), timeout=PATIENCE_MS)
    await moved.get_by_role("link").click()
    await trust_on_screen(visit, 0.6, "contradicted")
    owner = page.url
    await page.get_by_role("link", name=re.compile("caused by")).click()
    await trust_on_screen(visit, 1.0, "active")

    await visit.button("Forget").click()
    await trust_on_screen(visit, 1.0, "forgotten")
    await visit.see("Forgotten. It gave back trust: 1 memory moved.")
    await page.goto(owner)
    await trust_on_screen(visit, 1.0, "active")
    await page.go_back()
    await trust_on_screen(visit, 1.0, "forgotten")
    await visit.button("Undo forgetting").click()
    await trust_on_screen(visit, 1.0, "active")
    await page.goto(owner)
    await trust_on_screen(visit, 0.6, "contradicted")

    await page.get_by_role("link", name="Overview").click()
    await page.get_by_role("link", name="the version that holds now").click()
    await visit.button("Revise").click()
    await page.get_by_label("New version").fill("The release train leaves on Friday.")
    await page.get_by_label("Why it changed").fill("audit week")
    await visit.button("Replace the old version").click()
    await visit.see("Revised.")
    await expect(page.get_by_label("New version")).to_have_count(0)
    await expect(page.get_by_role("article").first).to_contain_text("Friday", timeout=PATIENCE_MS)
    await page.get_by_role("article").first.get_by_role("link", name="release train").click()
    versions = page.get_by_role("list", name="Versions, oldest first").get_by_role("article")
    await expect(versions).to_have_count(3, timeout=PATIENCE_MS)
    timeline = await api.post("timeline", scope=scope, entity_ref="release train")
    for place, version in enumerate(timeline["versions"]):
        await expect(versions.nth(place)).to_contain_text(version["memory"]["content"])
        await expect(versions.nth(place)).to_contain_text(version["memory"]["status"])

    await page.get_by_role("link", name="Ask", exact=True).click()
    await page.get_by_label("Your question").fill("Who chairs the security review?")
    await page.keyboard.press("Enter")
    await visit.see("No evidence", "Nothing stored answers this")

    await page.get_by_role("link", name="Overview").click()
    await shows_what_is_stored(visit, api, scope)
    await page.get_by_label("Demo scope").get_by_role("button", name="Remove").click()
    await visit.see("Removed the demo: 9 memories.")
    assert scope not in [each["name"] for each in (await api.get("/api/scopes"))["scopes"]]
    visit.clean()


async def test_the_clock_of_a_demo_moves_what_is_written_next(opening: Open, api: Api) -> None:
    """Seven days on, on screen and in what is stored; another scope has no such control."""
    scope = (await api.post("demo"))["scope"]
    visit = await opening(f"/app/remember?scope={scope}")
    await visit.page.get_by_role("button", name="Skip 7 days").click()
    await visit.see("(7 days ahead)")
    earlier = (await api.post("remember", scope="plain", content="The mailer sends on port 587."))["memory"]
    later = (await api.post("remember", scope=scope, content="The mailer sends on port 587."))["memory"]
    assert later["created_at"][:10] > earlier["created_at"][:10]
    await visit.go("/app?scope=plain")
    await visit.revision(1)
    await expect(visit.page.get_by_label("Demo scope")).to_have_count(0)
    visit.clean()


async def test_a_revision_shows_what_it_clashes_with_before_it_is_written(opening: Open, api: Api, scope: str) -> None:
    """Beside the version it replaces; nothing is written yet, and the open form has an address."""
    old = await api.keep(scope, "The gateway is documented in the handbook.", entity_refs=["gateway"])
    await api.keep(scope, "The gateway uses mutual TLS.", entity_refs=["gateway"])
    visit = await opening(f"/app/memory/{old}?scope={scope}&revise=yes")
    await visit.page.get_by_label("New version").fill("The gateway does not use mutual TLS.")
    before = visit.page.get_by_role("region", name="Before it is written")
    await expect(before.get_by_role("heading", name="Contradicts")).to_be_visible(timeout=PATIENCE_MS)
    await expect(before).to_contain_text("The gateway uses mutual TLS")
    assert (await api.stats(scope))["revision"] == 2
    await visit.button("Cancel").click()
    await expect(visit.page).to_have_url(f"{visit.origin}/app/memory/{old}?scope={scope}")
    visit.clean()


async def test_who_left_the_revise_form_is_not_pulled_back(opening: Open, api: Api, scope: str) -> None:
    """The write arrives after the person went elsewhere: they stay there and are told."""
    old = await api.keep(scope, "The release train leaves on Tuesday.")
    visit = await opening(f"/app/memory/{old}?scope={scope}&revise=yes")
    held: list[Route] = []
    await visit.page.route("**/api/revise", lambda route: held.append(route))
    await visit.page.get_by_label("New version").fill("The release train leaves on Thursday.")
    async with visit.page.expect_request("**/api/revise"):
        await visit.button("Replace the old version").click()
    await visit.page.get_by_role("link", name="Health").click()
    await visit.page.wait_for_url("**/app/health**")
    await held[0].continue_()
    await visit.see("Revised.", "See the new version")
    assert "/app/health" in visit.page.url
    visit.clean()


async def test_a_reinstated_memory_tells_that_it_was_hidden(opening: Open, api: Api, scope: str) -> None:
    """Its trust story on screen is the API's, with what contradicted it meanwhile."""
    fact = await api.keep(scope, "The gateway uses mutual TLS.")
    await api.post("forget", memory_id=fact, scope=scope)
    await api.keep(scope, "The gateway does not use mutual TLS.")
    await api.post("reinstate", memory_id=fact, scope=scope)
    story = await api.post("explain_trust", memory_id=fact, scope=scope)
    assert [event["kind"] for event in story["events"]] == ["created", "forgotten", "reinstated", "contradicted"]
    visit = await opening(f"/app/memory/{fact}?scope={scope}")
    await trust_on_screen(visit, 0.6, "contradicted")
    for event in story["events"]:
        await visit.see(event["narration"])
    visit.clean()


async def test_a_relation_is_declared_read_from_the_other_end_and_withdrawn(
    opening: Open, api: Api, scope: str
) -> None:
    """What the server refuses stands under the field that it names, and nothing is written by that."""
    board = await api.keep(scope, "The board signs every launch.")
    launch = await api.keep(scope, "Lantern launches in May.")
    visit = await opening(f"/app/memory/{launch}?scope={scope}&tab=relations")
    form = visit.page.get_by_role("form", name="Declare a relation")
    await form.get_by_label("This memory").select_option("depends on")
    await form.get_by_label("that memory").fill("who signs every launch")
    await form.get_by_role("button", name="The board signs every launch.").click()
    await form.get_by_label("Weight").fill("0")
    await visit.button("Declare").click()
    await expect(form.locator("[data-field=weight]").get_by_role("alert")).to_contain_text("weight")
    assert (await api.stats(scope))["revision"] == 2
    await form.get_by_label("Weight").fill("0.5")
    await form.get_by_label("Why").fill("they said so")
    await visit.button("Declare").click()
    rows = visit.page.get_by_role("list", name="Declared relations, newest first")
    await expect(rows).to_contain_text(re.compile("depends on.*The board signs.*weight 0.50.*they said so", re.S))
    await rows.get_by_role("link").click()
    await visit.page.wait_for_url(f"**/app/memory/{board}?**tab=relations")
    await expect(rows).to_contain_text(re.compile("needed by.*Lantern launches", re.S))
    await visit.button("Withdraw").click()
    await visit.see("Withdrawn.", "Nothing was declared of it and another memory.")
    await visit.button("Undo").click()
    await expect(rows).to_contain_text("weight 0.50", timeout=PATIENCE_MS)
    assert [error for error in visit.errors if "422" not in error] == []
    assert visit.foreign == []
