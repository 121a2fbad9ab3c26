"""What the command line writes to: text on stdout, everything else masked on stderr; both always UTF-8."""

from __future__ import annotations

import io
import logging
import sys
from dataclasses import dataclass
from typing import TextIO

from hydramind.cli.layout import Screen
from hydramind.cli.masking import MaskingFormatter, masked


@dataclass(frozen=True, slots=True)
class Console:
    """The two streams of one run."""

    stdout: TextIO
    stderr: TextIO

    @classmethod
    def of_process(cls) -> Console:
        """The process's own streams, set to UTF-8 whatever the locale says."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8", errors="replace")
        return cls(sys.stdout, sys.stderr)

    @property
    def screen(self) -> Screen:
        """The terminal behind stdout."""
        return Screen.of(self.stdout)

    def say(self, text: str) -> None:
        """Text for whoever asked, with a final newline."""
        self.stdout.write(f"{text}\n")
        self.stdout.flush()

    def note(self, text: str) -> None:
        """A line on stderr, masked."""
        self.stderr.write(f"{masked(text)}\n")
        self.stderr.flush()

    def progress(self, text: str) -> None:
        """A line on stderr that only a person needs: nothing when it is not a terminal."""
        if self.stderr.isatty():
            self.note(text)


def log_to_stderr(level: str) -> None:
    """Send log records of `level` and above to stderr, masked; replaces what was set up before."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(MaskingFormatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler], force=True)
