"""The page at `/`: what this server is, what to open, how to attach."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from importlib import resources

from starlette.responses import Response

from hydramind import __version__
from hydramind.web.attach_lines import attach_lines, example_line


def landing_page(url: str, *, guarded: bool) -> Response:
    """The page for a server at `url`; its style is allowed by hash and nothing else is."""
    page = resources.files("hydramind.web").joinpath("landing.html").read_text("utf-8")
    filled = page
    for name, value in {
        "version": __version__,
        "attach": "\n".join(attach_lines(url, guarded=guarded)),
        "example": example_line(url, guarded=guarded),
    }.items():
        filled = filled.replace(f"{{{name}}}", html.escape(value))
    return Response(filled, media_type="text/html", headers={"Content-Security-Policy": _policy(page)})


def _policy(page: str) -> str:
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = hashlib.sha256(style.group(1).encode() if style else b"").digest()
    return (
        f"default-src 'none'; style-src 'sha256-{base64.b64encode(digest).decode()}'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
