"""Live changes: two browsers on one scope, a server that dies and comes back, a node that is killed, no connection."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator

import httpx2
import pytest
from playwright.async_api import Locator, expect

from hydramind.settings import Settings
from tests.api.running import ROOT, RunningServer, environment, running
from tests.browser.conftest import Open
from tests.browser.visiting import PATIENCE_MS, Api, Visit, exact

RECOVERY_MS = 60_000
"""How long a killed node may take to be back on a busy machine."""


@pytest.fixture
async def other(browser_settings: Settings) -> AsyncIterator[tuple[RunningServer, Api]]:
    """A second server on the same node: another process that writes to the same scope."""
    with running(browser_settings) as started:
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{started.port}", timeout=60) as client:
            yield started, Api(client)


def changes(visit: Visit) -> Locator:
    """The newest changes on the overview, newest first."""
    return visit.page.get_by_role("list", name="Newest changes").get_by_role("listitem")


async def revisions(visit: Visit) -> list[int]:
    """The revisions that the overview lists."""
    shown = visit.page.get_by_role("list", name="Newest changes").get_by_title("revision of the scope")
    return [int(text) for text in await shown.all_inner_texts()]


async def test_two_browsers_see_each_others_changes(opening: Open, api: Api, scope: str) -> None:
    """What one writes stands in the other without a reload, both ways, with the trust that it cost."""
    await api.keep(scope, "The cache is enabled.")
    first = await opening(f"/app?scope={scope}")
    second = await opening(f"/app/remember?scope={scope}")
    await first.revision(1)
    await second.page.get_by_label("One statement, in plain words").fill("The cache is disabled.")
    await second.button("Remember").click()
    rows = first.page.get_by_role("list", name="Newest memories").get_by_role("listitem")
    await expect(rows.filter(has_text="The cache is enabled.")).to_contain_text("0.60", timeout=PATIENCE_MS)
    await expect(rows.filter(has_text="The cache is disabled.")).to_contain_text("1.00")
    await rows.filter(has_text="The cache is disabled.").get_by_role("link").click()
    await second.go(first.page.url.removeprefix(first.origin))
    await first.button("Forget").click()
    await expect(second.button("Undo forgetting")).to_be_visible(timeout=PATIENCE_MS)
    await second.button("Undo forgetting").click()
    await expect(first.button("Forget")).to_be_visible(timeout=PATIENCE_MS)
    assert (await api.stats(scope))["revision"] == 4
    for visit in (first, second):
        await visit.revision(4)
        visit.clean()


async def test_a_change_keeps_where_one_is(opening: Open, api: Api, scope: str) -> None:
    """Words being typed and the focus stay while other people's changes arrive."""
    await api.keep(scope, "The cache is enabled.")
    visit = await opening(f"/app/remember?scope={scope}")
    await visit.revision(1)
    field = visit.page.get_by_label("One statement, in plain words")
    await field.press_sequentially("The mailer ")
    await api.keep(scope, "The importer is enabled.")
    await visit.revision(2)
    await field.press_sequentially("uses SQS.")
    await expect(field).to_have_value("The mailer uses SQS.")
    await expect(field).to_be_focused()
    visit.clean()


async def test_a_killed_event_stream_resumes_without_loss_or_doubles(
    opening: Open, other: tuple[RunningServer, Api], browser_settings: Settings, scope: str
) -> None:
    """The server is killed with the page open, others write meanwhile, it comes back: each revision once, in order."""
    _, writer = other
    await writer.keep(scope, "Shelf 1 holds box number 7.")
    with running(browser_settings) as first:
        port = first.port
        visit = await opening("/")
        visit.origin = f"http://127.0.0.1:{port}"
        await visit.go(f"/app?scope={scope}")
        await visit.revision(1)
        await writer.keep(scope, "Shelf 2 holds box number 14.")
        await visit.revision(2)
        first.process.kill()
        first.process.wait()
    await expect(visit.page.get_by_role("alert")).to_contain_text("the server does not answer", timeout=PATIENCE_MS)
    for n in range(3, 8):
        await writer.keep(scope, f"Shelf {n} holds box number {n * 7}.")
    with running(browser_settings, "--port", str(port)):
        await visit.revision(7)
        await expect(visit.page.get_by_role("alert")).to_have_count(0)
        await writer.keep(scope, "Shelf 8 holds box number 56.")
        await visit.revision(8)
        await expect(changes(visit)).to_have_count(8, timeout=PATIENCE_MS)
        assert await revisions(visit) == [8, 7, 6, 5, 4, 3, 2, 1]
        await expect(visit.figure("memories")).to_have_text("8", timeout=PATIENCE_MS)
        assert all("ERR_CONNECTION" in error or "ERR_INCOMPLETE" in error for error in visit.errors), visit.errors
        # Its first page was of the other server: everything else went to this one.
        assert [url for url in visit.foreign if not url.startswith("http://127.0.0.1:")] == []
        await visit.page.close()


async def test_a_killed_node_is_back_while_the_page_is_open(
    opening: Open, api: Api, browser_settings: Settings, scope: str
) -> None:
    """SIGKILL of the graph's process: nothing acknowledged is lost, the page goes on without a reload."""
    kept = await api.keep(scope, "The cache is enabled.")
    visit = await opening(f"/app?scope={scope}")
    await visit.revision(1)
    before = node_pid(browser_settings)
    os.kill(before, signal.SIGKILL)
    await api.keep(scope, "The cache is disabled.")
    assert node_pid(browser_settings) != before
    sign = visit.page.get_by_title("The newest change of this scope that has arrived here")
    await expect(sign).to_contain_text("revision 2", timeout=RECOVERY_MS)
    await expect(sign).to_contain_text("live")
    await expect(visit.page.get_by_role("alert")).to_have_count(0)
    rows = visit.page.get_by_role("list", name="Newest memories").get_by_role("listitem")
    await expect(rows.filter(has_text="The cache is enabled.")).to_contain_text("0.60", timeout=PATIENCE_MS)
    assert (await api.post("inspect", memory_id=kept, scope=scope))["memory"]["trust"] == 0.6
    assert await revisions(visit) == [2, 1]
    assert visit.foreign == []
    assert all("503" in error for error in visit.errors), visit.errors


def node_pid(settings: Settings) -> int:
    """The process id of the graph, as `hydramind node status` says it."""
    command = [sys.executable, "-m", "hydramind", "node", "status", "--json"]
    said = subprocess.run(command, env=environment(settings), cwd=ROOT, capture_output=True, text=True, check=True)
    return int(json.loads(said.stdout)["pid"])


async def test_without_a_connection_a_banner_says_how_old_the_page_is(opening: Open, api: Api, scope: str) -> None:
    """Offline: what was read stays, a write fails aloud and keeps its words; online: the change that was missed is there."""
    await api.keep(scope, "The cache is enabled.")
    visit = await opening(f"/app/remember?scope={scope}")
    await visit.revision(1)
    await visit.page.get_by_label("One statement, in plain words").fill("The mailer uses SQS.")
    await visit.see("Nothing stored clashes with it.")
    await visit.page.context.set_offline(True)
    banner = visit.page.get_by_role("alert").filter(has_text="Offline")
    await expect(banner).to_contain_text(re.compile("no connection.*revision 1"))
    await visit.button("Remember").click()
    await visit.see("It was not remembered", "Your words are still here.")
    await visit.page.context.set_offline(False)
    await expect(banner).to_have_count(0, timeout=PATIENCE_MS)
    await visit.button("Try again").click()
    await expect(visit.page.get_by_role("heading", name="Remembered")).to_be_visible(timeout=PATIENCE_MS)
    assert (await api.stats(scope))["memories"] == 2
    await visit.revision(2)
    assert visit.foreign == []
    assert all("ERR_INTERNET_DISCONNECTED" in error for error in visit.errors), visit.errors


async def test_every_figure_of_the_overview_follows_the_api(opening: Open, api: Api, scope: str) -> None:
    """After each kind of change the counts on screen are those of the API, and so is each row's trust."""
    visit = await opening(f"/app?scope={scope}")
    cache = await api.keep(scope, "The cache is enabled.", entity_refs=["cache"])
    await api.keep(scope, "Load tests rely on the cache.", derived_from=[cache])
    denial = await api.keep(scope, "The cache is disabled.")
    train = await api.keep(scope, "The release train leaves on Tuesday.")
    await api.post("revise", memory_id=train, content="The release train leaves on Thursday.", scope=scope)
    for step in (None, "forget", "reinstate"):
        if step:
            await api.post(step, memory_id=denial, scope=scope)
        stats = await api.stats(scope)
        await visit.revision(stats["revision"])
        for name in ("memories", "active", "contradicted", "superseded", "forgotten"):
            await expect(visit.figure(name)).to_have_text(str(stats[name]), timeout=PATIENCE_MS)
        await expect(visit.figure("mean trust")).to_have_text(exact(stats["mean_trust"]))
        drawn = (await api.get(f"/api/scopes/{scope}/graph?limit=30"))["nodes"]
        rows = visit.page.get_by_role("list", name="Newest memories").get_by_role("listitem")
        for node in (node for node in drawn if node["label"] == "Memory"):
            await expect(rows.filter(has_text=node["text"])).to_contain_text(exact(node["trust"]), timeout=PATIENCE_MS)
    visit.clean()


async def test_the_receipts_of_an_answer_are_the_apis(opening: Open, api: Api, scope: str) -> None:
    """Coverage, trust, score, keywords, what was considered and the revision, hit by hit in the same order."""
    for n in range(1, 6):
        await api.keep(scope, f"Rack {n} of the Bergen site holds the spare cache nodes.")
    await api.keep(scope, "The Bergen site is enabled.")
    await api.keep(scope, "The Bergen site is disabled.")
    question = "Which rack of the Bergen site holds spare nodes today?"
    recalled = await api.post("recall", query=question, scope=scope, limit=20)
    assert len(recalled["hits"]) == 5
    visit = await opening(f"/app/ask?scope={scope}&q={question.replace(' ', '+').replace('?', '%3F')}")
    answer = visit.page.get_by_role("region", name="Answer")
    await expect(answer).to_contain_text(f"of {recalled['considered']} considered", timeout=PATIENCE_MS)
    await expect(answer).to_contain_text(f"revision {recalled['revision']}")
    hits = answer.get_by_role("list", name="Memories that pass, best first").get_by_role("article")
    await expect(hits).to_have_count(5)
    for place, hit in enumerate(recalled["hits"]):
        receipt = hits.nth(place).get_by_role("group", name="Receipt")
        await expect(hits.nth(place)).to_contain_text(hit["memory"]["content"])
        for name, value in (("coverage", hit["coverage"]), ("trust", hit["memory"]["trust"]), ("score", hit["score"])):
            await expect(receipt).to_contain_text(re.compile(rf"{name}\s*{re.escape(exact(value))}"))
        assert await hits.nth(place).locator('[data-held="true"]').all_inner_texts() == hit["matched"]
    visit.clean()


async def test_an_open_graph_reads_what_changed_and_keeps_the_rest(opening: Open, api: Api, scope: str) -> None:
    """A change by somebody else is drawn from the changed part alone; the chosen node stays chosen, in the address too."""
    cache = await api.keep(scope, "The cache is enabled.", entity_refs=["cache"])
    for n in range(12):
        await api.keep(scope, f"Shelf {n} holds box number {n * 7}.", entity_refs=["shelves"])
    visit = await opening(f"/app/graph?scope={scope}&mode=2d&node={cache}")
    await visit.page.wait_for_selector('.graph-host[data-settled="true"]')
    rows = visit.page.get_by_role("complementary", name="Nodes")
    await expect(rows.get_by_role("button", name=re.compile("The cache is enabled")).first).to_be_visible()
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url) if "/graph?" in request.url else None)
    denial = await api.keep(scope, "The cache is disabled.", entity_refs=["cache"])
    await expect(rows).to_contain_text("The cache is disabled.", timeout=PATIENCE_MS)
    await expect(rows).to_contain_text("0.60")
    await api.post("forget", memory_id=denial, scope=scope)
    await expect(rows).not_to_contain_text("The cache is disabled.", timeout=PATIENCE_MS)
    await api.post("reinstate", memory_id=denial, scope=scope)
    await expect(rows).to_contain_text("The cache is disabled.", timeout=PATIENCE_MS)
    ends = {"memory_id": denial, "other_id": cache}
    await api.post("relate", scope=scope, relation="refined_by", **ends)
    await expect(visit.page.get_by_role("button", name="relates 1")).to_be_visible(timeout=PATIENCE_MS)
    await api.post("relate", scope=scope, relation="refined_by", withdraw=True, **ends)
    await expect(visit.page.get_by_role("button", name="relates 0")).to_be_visible(timeout=PATIENCE_MS)
    assert [url for url in asked if "changed_after=" not in url] == []
    assert f"node={cache}" in visit.page.url
    visit.clean()
