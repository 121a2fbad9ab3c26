"""The built pages: which file each address gives, what stands in the document, and what is said when nothing is built."""

from __future__ import annotations

import html
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from starlette.applications import Starlette

from hydramind.api.problems import on_hydramind_error
from hydramind.errors import HydraMindError
from hydramind.web.addresses import Policy
from hydramind.web.pages import page_routes

ROOT = Path(__file__).parents[2]
BASE = "http://127.0.0.1:8788"


def opened(folder: Path, token: str = "") -> httpx2.AsyncClient:
    """A client of the pages in a folder."""
    routes = page_routes(Policy("127.0.0.1", 8788, token), folder)
    app = Starlette(routes=routes, exception_handlers={HydraMindError: on_hydramind_error})
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=BASE)


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A folder as a build leaves it; its document is the real one's source."""
    (tmp_path / "app" / "assets").mkdir(parents=True)
    (tmp_path / "app" / "index.html").write_text((ROOT / "ui" / "index.html").read_text())
    (tmp_path / "app" / "assets" / "index-abc.js").write_text("export {}")
    (tmp_path / "app" / "theme.js").write_text("1")
    (tmp_path / "secret.txt").write_text("outside")
    return tmp_path / "app"


@pytest.fixture
async def client(built: Path) -> AsyncIterator[httpx2.AsyncClient]:
    """Calls the pages without a socket."""
    async with opened(built) as client:
        yield client


def facts(page: str) -> dict[str, object]:
    """What the server wrote into a document."""
    found = re.search(r'<meta name="hydramind" content="([^"]+)" />', page)
    assert found, page
    return json.loads(html.unescape(found[1]))


@pytest.mark.parametrize(
    "path", ["/", "/app", "/app/", "/app/ask", "/app/memory/12", "/app/entity/a%2Fb", "/app/index.html"]
)
async def test_every_page_is_the_one_document(path: str, client: httpx2.AsyncClient) -> None:
    """A deep link opened anew works like one followed; the document is never kept without asking."""
    reply = await client.get(path)
    assert (reply.status_code, reply.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert reply.headers["cache-control"] == "no-cache"
    assert facts(reply.text)["url"] == BASE


async def test_files_named_by_content_are_kept(client: httpx2.AsyncClient) -> None:
    """Their address changes with their content; the others are asked for again."""
    kept, asked = await client.get("/app/assets/index-abc.js"), await client.get("/app/theme.js")
    assert (kept.text, kept.headers["content-type"]) == ("export {}", "text/javascript; charset=utf-8")
    assert "immutable" in kept.headers["cache-control"]
    assert asked.headers["cache-control"] == "no-cache"


async def test_a_missing_file_is_no_page(client: httpx2.AsyncClient) -> None:
    """A script of another version must fail as a script, not parse as a page."""
    reply = await client.get("/app/assets/index-old.js")
    assert (reply.status_code, reply.json()["error"]["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    "path", ["/app/../secret.txt", "/app/%2e%2e/secret.txt", "/app/..%2Fsecret.txt", "/app//secret.txt"]
)
async def test_nothing_outside_the_folder_is_served(path: str, client: httpx2.AsyncClient) -> None:
    """An address is looked up among the built files and never turned into a path."""
    assert "outside" not in (await client.get(path)).text


async def test_the_document_names_the_token_and_does_not_hold_it(built: Path) -> None:
    """The page is read before the token is given."""
    async with opened(built, token="tok-probe-7") as client:
        page = (await client.get("/app")).text
    assert facts(page)["guarded"] is True
    assert "tok-probe-7" not in page


async def test_without_built_pages_the_start_page_is_plain(tmp_path: Path) -> None:
    """It says how to attach, with this server's address and no script; `/app` says how to build."""
    async with opened(tmp_path) as client:
        start, app = await client.get("/"), await client.get("/app/ask")
    assert "claude mcp add -t http -s user hydramind http://127.0.0.1:8788/mcp" in start.text
    assert "'sha256-" in start.headers["content-security-policy"]
    assert "script" not in start.text
    assert (app.status_code, "build_ui.py" in app.text) == (503, True)
