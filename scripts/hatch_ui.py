"""Build hook of the wheel: builds the pages and puts them in. An editable install leaves them to `scripts/run`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface  # pyright: ignore[reportMissingImports]

sys.path.insert(0, str(Path(__file__).parent))
import build_ui


class CustomBuildHook(BuildHookInterface):
    """Builds what is not fresh; a source distribution carries the built pages and not their sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Runs before files are collected; fails the build when the pages cannot be built and none are there."""
        if version == "editable":
            return
        if build_ui.SOURCES.is_dir() and not build_ui.fresh():
            build_ui.build()
        build_data["artifacts"].append("hydramind/web/static/app/**")
