"""Prepares a node's folder: private, with its secret, its users and its logging set."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets
import stat
from pathlib import Path

from hydramind.errors import Refused
from hydramind.node.keeper.layout import Layout, replace_file

USERNAME = "root"
# The password is 256 random bits, so stretching it would only slow each connection down.
_ITERATIONS = 1_000
_LOGGING = b"""\
handlers = java.util.logging.ConsoleHandler
.level = INFO
io.undertow.level = WARNING
org.xnio.level = WARNING
org.jboss.level = WARNING
java.util.logging.ConsoleHandler.level = INFO
java.util.logging.ConsoleHandler.formatter = com.arcadedb.log.LogFormatter
"""


def layout_of(home: Path) -> Layout:
    """Where the node of this home lives; nothing is made."""
    return Layout(Path(os.path.abspath(home)) / "node")


def prepare(home: Path) -> Layout:
    """Makes the folders, private to the user. Raises OSError when that is impossible, Refused when another owns them."""
    layout = layout_of(home)
    layout.root.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    layout.root.mkdir(mode=0o700, exist_ok=True)
    found = layout.root.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError(f"{layout.root} is not a folder")
    if hasattr(os, "getuid") and found.st_uid != os.getuid():
        raise Refused(f"{str(layout.root)!r} belongs to user id {found.st_uid}: set HYDRAMIND_HOME to your own folder")
    if stat.S_IMODE(found.st_mode) != 0o700:
        layout.root.chmod(0o700)
    for folder in (layout.log.parent, layout.cache, layout.server, layout.server / "config"):
        folder.mkdir(mode=0o700, exist_ok=True)
    return layout


def read_secret(layout: Layout) -> str | None:
    """The password, None before the first start."""
    try:
        return layout.secret.read_text("ascii").strip() or None
    except (FileNotFoundError, UnicodeDecodeError):
        return None


def furnish(layout: Layout) -> None:
    """Writes what the server reads at its start; to be called by the holder of the start lock, while no server runs."""
    password = read_secret(layout)
    if password is None:
        password = secrets.token_urlsafe(32)
        replace_file(layout.secret, password.encode())
    layout.secret.chmod(0o600)
    config = layout.server / "config"
    replace_file(config / "logging.properties", _LOGGING)
    replace_file(config / "server-users.jsonl", _user(password))


def _user(password: str) -> bytes:
    """One line of ArcadeDB's users file; its salt is the base64 text itself, not the bytes that text stands for."""
    salt = base64.b64encode(secrets.token_bytes(32)).decode()
    digest = hashlib.pbkdf2_hmac("sha256", password.encode(), salt.encode(), _ITERATIONS, 32)
    encoded = f"PBKDF2WithHmacSHA256${_ITERATIONS}${salt}${base64.b64encode(digest).decode()}"
    return json.dumps({"name": USERNAME, "databases": {"*": ["admin"]}, "password": encoded}).encode() + b"\n"
