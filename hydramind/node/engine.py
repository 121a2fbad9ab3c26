"""Finds the bundled server and its Java without importing them, and words their command line."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
import platform
import sys
from dataclasses import dataclass
from pathlib import Path

from hydramind.errors import Misconfigured
from hydramind.node.address import NodeOptions
from hydramind.node.keeper.layout import Layout

DATABASE = "hydramind"
MAIN = "com.arcadedb.server.ArcadeDBServer"
_PACKAGE = "arcadedb_embedded"
# Each of these opens another way in, or is of no use to a Bolt server.
_LEFT_OUT = (
    "arcadedb-mcp",
    "arcadedb-graphql",
    "arcadedb-postgresw",
    "arcadedb-redisw",
    "arcadedb-console",
    "arcadedb-python-bridge",
    "univocity-parsers",
)
_KEPT_ENVIRONMENT = ("HOME", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "SystemRoot", "USERPROFILE", "TZ")


@dataclass(frozen=True, slots=True)
class Engine:
    """The installed server; `key` changes with any jar, the Java release or the architecture."""

    java: Path
    jars: tuple[Path, ...]
    version: str
    key: str

    @property
    def class_path(self) -> str:
        """Every jar by its full path."""
        return os.pathsep.join(str(jar) for jar in self.jars)


def find_engine(java: Path | None = None) -> Engine:
    """Raises Misconfigured when the platform has no wheel, or the install is incomplete."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise Misconfigured(f"{_no_wheel_reason()}: set HYDRAMIND_URI to a Bolt server, for example bolt://host:7687")
    folder = Path(spec.submodule_search_locations[0])
    chosen = java or folder / "jre" / "bin" / ("java.exe" if sys.platform == "win32" else "java")
    jars = tuple(jar for jar in sorted((folder / "jars").glob("*.jar")) if not jar.name.startswith(_LEFT_OUT))
    if not chosen.is_file() or not jars:
        raise Misconfigured(f"java is missing at {str(chosen)!r}: reinstall arcadedb-embedded, or set HYDRAMIND_URI")
    if any(os.pathsep in str(jar) for jar in jars):
        raise Misconfigured(f"java cannot load from {str(folder)!r}: install into a path without {os.pathsep!r}")
    return Engine(chosen, jars, importlib.metadata.version("arcadedb-embedded"), _key(chosen, jars))


def flags(options: NodeOptions, layout: Layout) -> list[str]:
    """Java's and the server's settings but the ports. No secret is among them."""
    settings = {
        "server.rootPath": str(layout.server),
        "server.logsDirectory": str(layout.server / "log"),
        "server.plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
        "server.defaultDatabases": f"{DATABASE}[root]",
        "server.mode": "development",  # production hides the text of every error
        "server.httpIncomingHost": "127.0.0.1",
        "bolt.host": "127.0.0.1",
        "txWalFlush": "2",
        "command.timeout": str(options.statement_timeout_ms),
    }
    return [
        "-XX:+UseSerialGC",
        f"-Xmx{options.heap_mb}m",
        f"-XX:ErrorFile={layout.log.parent / 'java-crash.log'}",
        "-Djava.awt.headless=true",
        f"-Djava.util.logging.config.file={layout.server / 'config' / 'logging.properties'}",
        *(f"-Darcadedb.{name}={value}" for name, value in settings.items()),
    ]


def environment() -> dict[str, str]:
    """Java's own variables (JAVA_TOOL_OPTIONS and the like) stay out; the locale lets it open any path."""
    kept = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
    return kept if sys.platform == "win32" else {**kept, "LC_ALL": "C.UTF-8"}


def keeper_environment() -> dict[str, str]:
    """The keeper outlives its client, so no setting or token of the client's stays with it."""
    python = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    return {**environment(), **python}


def _key(java: Path, jars: tuple[Path, ...]) -> str:
    digest = hashlib.sha256(f"{platform.machine()} {java} {java.stat().st_mtime_ns}".encode("utf-8", "surrogateescape"))
    for jar in jars:
        found = jar.stat()
        digest.update(f"{jar.name} {found.st_size} {found.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:16]


def _no_wheel_reason() -> str:
    system, machine = platform.system(), platform.machine()
    library, version = platform.libc_ver()
    if system == "Linux" and library != "glibc":
        return "the embedded graph has no build for musl (Alpine)"
    if system == "Linux" and tuple(int(part) for part in version.split(".")[:2]) < (2, 34):
        return f"the embedded graph needs glibc 2.34 or later, this is {version}"
    if system == "Darwin" and machine == "x86_64":
        return "the embedded graph has no build for Intel Macs"
    return f"the embedded graph (arcadedb-embedded) is not installed for {system} {machine}"
