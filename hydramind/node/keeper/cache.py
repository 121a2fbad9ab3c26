"""The ahead-of-time class cache (JEP 514): recorded by the first run, made after its stop, used by every later start."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from .log import BoundedLog

RECORD = "-XX:AOTMode=record"
_MAKE_SECONDS = 120.0


def cache_flags(cache: str) -> list[str]:
    """Java's flags to use the cache, or to record for it while there is none. A stale cache makes Java warn only."""
    if not cache:
        return []
    if os.path.exists(cache):
        return [f"-XX:AOTCache={cache}"]
    return [RECORD, f"-XX:AOTConfiguration={_recording(cache)}"]


def make_cache(cache: str, java: Sequence[str], environment: dict[str, str], log: BoundedLog) -> None:
    """Turns the recording into a cache, at the lowest priority; takes about 3 s of one core. Older caches are removed."""
    recording, target = _recording(cache), Path(cache)
    if not recording.exists():
        return
    if sys.platform != "win32":
        os.nice(19)
    made = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    try:
        _make(recording, made, java, environment)
        os.replace(made, target)
        for older in target.parent.glob("*.aot"):
            if older != target:
                older.unlink()
    except (OSError, subprocess.SubprocessError) as error:
        log.note(f"no class cache made, starts stay slower: {error}")
    finally:
        made.unlink(missing_ok=True)
        recording.unlink(missing_ok=True)


def _make(recording: Path, made: Path, java: Sequence[str], environment: dict[str, str]) -> None:
    program, *flags = java
    subprocess.run(  # noqa: S603 - the bundled Java
        [program, "-XX:AOTMode=create", f"-XX:AOTConfiguration={recording}", f"-XX:AOTCache={made}", *flags],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        timeout=_MAKE_SECONDS,
        check=True,
    )


def _recording(cache: str) -> Path:
    return Path(f"{cache}.{os.getpid()}.recording")
