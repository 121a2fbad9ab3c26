"""Snapshots: scopes as one zip of JSON lines with checksums, written, checked, and restored whole or not at all."""

from __future__ import annotations

from hydramind.archive.checking import verify
from hydramind.archive.manifest import Body, Manifest, Part
from hydramind.archive.rebuild import Rebuilt, rebuild
from hydramind.archive.restore import Restored, restore
from hydramind.archive.snapshot import snapshot

__all__ = ["Body", "Manifest", "Part", "Rebuilt", "Restored", "rebuild", "restore", "snapshot", "verify"]
