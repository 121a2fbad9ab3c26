"""The built pages: one document for `/` and every route under `/app`, and the files it loads."""

from __future__ import annotations

import html
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from hydramind import __version__
from hydramind.api.problems import as_text
from hydramind.attach.hosts import HOSTS
from hydramind.errors import NotFound
from hydramind.web.addresses import Policy, url_of
from hydramind.web.attach_lines import attach_lines, example_line
from hydramind.web.landing import landing_page

BUILT: Final = Path(__file__).parent / "static" / "app"
_DOCUMENT: Final = "index.html"
_PLACE: Final = '<meta name="hydramind" content="" />'
_TYPES: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".png": "image/png",
}
_NAMED_BY_CONTENT: Final = "public, max-age=31536000, immutable"
_MISSING: Final = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>HydraMind</title>"
    "<h1>The pages are not built</h1>"
    "<p>Run <code>python scripts/build_ui.py</code> in the checkout and start the server again. "
    "Everything else works without them: see <a href=/>the start page</a>.</p></html>"
)

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


def page_routes(policy: Policy, folder: Path = BUILT) -> list[Route]:
    """`/`, `/app` and what is under it. Without built pages `/` is the plain landing page and `/app` says how to build.

    The folder is looked at for each request, so pages built while the server runs are served without a restart.
    """

    async def landing(_: Request) -> Response:
        document = _document(folder, policy)
        return _page(document) if document else _plain(policy)

    async def page(request: Request) -> Response:
        found = _listed(folder).get(request.path_params.get("path", ""))
        if found is None or found.name == _DOCUMENT:
            return _deep_link(request, _document(folder, policy))
        return _file(found)

    return [
        Route("/", landing, methods=["GET"]),
        Route("/app", page, methods=["GET"]),
        Route("/app/{path:path}", page, methods=["GET"]),
    ]


def _listed(folder: Path) -> dict[str, Path]:
    """Files by their path as an address has it: an address is looked up, never turned into a path."""
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}


def _deep_link(request: Request, document: str) -> Response:
    if not document:
        return Response(_MISSING, 503, media_type="text/html")
    if request.path_params.get("path", "").startswith("assets/"):
        raise NotFound(f"no file {request.url.path!r}; reload the page, it may be of another version")
    return _page(document)


def _document(folder: Path, policy: Policy) -> str:
    """The page with this server's facts in it; empty when nothing is built."""
    if not (folder / _DOCUMENT).is_file():
        return ""
    text = (folder / _DOCUMENT).read_text("utf-8")
    filled = f'<meta name="hydramind" content="{html.escape(as_text(_facts(policy)))}" />'
    return text.replace(_PLACE, filled)


def _facts(policy: Policy) -> dict[str, object]:
    """What the pages cannot know by themselves; the token is not among it."""
    url, guarded = url_of(policy.host, policy.port), bool(policy.token)
    return {
        "version": __version__,
        "url": url,
        "guarded": guarded,
        "attach": attach_lines(url, guarded=guarded),
        "hosts": [{"name": host.name, "title": host.title} for host in HOSTS.values()],
        "example": example_line(url, guarded=guarded),
    }


def _plain(policy: Policy) -> Response:
    return landing_page(url_of(policy.host, policy.port), guarded=bool(policy.token))


def _page(document: str) -> Response:
    return Response(document, media_type="text/html", headers={"Cache-Control": "no-cache"})


def _file(path: Path) -> Response:
    lasting = path.parent.name == "assets"
    return FileResponse(
        path,
        media_type=_TYPES.get(path.suffix, "application/octet-stream"),
        headers={"Cache-Control": _NAMED_BY_CONTENT if lasting else "no-cache"},
    )
