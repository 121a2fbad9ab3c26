"""Where this runs: the user's folders, the command that starts the server, and the settings it needs to be given."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from pydantic import SecretStr

from hydramind.settings import PREFIX, Settings


@dataclass(frozen=True, slots=True)
class World:
    """`command` starts the stdio server, its first part an absolute path: hosts do not share the shell's PATH."""

    home: Path
    platform: str
    environ: Mapping[str, str]
    command: tuple[str, ...]

    @classmethod
    def here(cls) -> Self:
        """This machine and user."""
        return cls(Path.home(), sys.platform, dict(os.environ), server_command())

    def folder(self, variable: str, default: Path) -> Path:
        """The folder that an environment variable names, else `default`."""
        named = self.environ.get(variable, "").strip()
        return Path(named).expanduser() if named else default

    @property
    def app_config(self) -> Path:
        """Where desktop applications of this platform keep their settings."""
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support"
        if self.platform == "win32":
            return self.folder("APPDATA", self.home / "AppData" / "Roaming")
        return self.folder("XDG_CONFIG_HOME", self.home / ".config")

    @property
    def settings(self) -> dict[str, str]:
        """The HYDRAMIND_* variables set here that hold no secret: a host starts the server without them otherwise."""
        return {name: self.environ[name] for name in _names(secret=False) if self.environ.get(name)}

    @property
    def secrets(self) -> tuple[str, ...]:
        """Names of the HYDRAMIND_* variables set here that hold a secret: they are named in a config, never copied."""
        return tuple(name for name in _names(secret=True) if self.environ.get(name))


def server_command() -> tuple[str, ...]:
    """The console script beside this interpreter, else the one on the PATH, else this interpreter with `-m`."""
    name = "hydramind.exe" if sys.platform == "win32" else "hydramind"
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which("hydramind")
    return (str(Path(found).absolute()),) if found else (sys.executable, "-m", "hydramind")


def _names(*, secret: bool) -> list[str]:
    fields = Settings.model_fields.items()
    return [PREFIX + name.upper() for name, field in fields if (field.annotation is SecretStr) is secret]
