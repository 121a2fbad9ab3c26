"""The embedded graph node: finds, starts, shares and stops a local ArcadeDB server."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from hydramind.node.address import NodeAddress, NodeOptions, NodeStatus
from hydramind.node.control import log_path, status, stop, stored_bytes, tail
from hydramind.node.lease import Lease, acquire

__all__ = [
    "Lease",
    "NodeAddress",
    "NodeOptions",
    "NodeStatus",
    "acquire",
    "default_home",
    "log_path",
    "status",
    "stop",
    "stored_bytes",
    "tail",
]


def default_home() -> Path:
    """The user's data folder for hydramind; nothing is made, no environment variable of ours is read."""
    return Path(platformdirs.user_data_dir("hydramind", appauthor=False))
