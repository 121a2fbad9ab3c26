"""The command line: `hydramind` alone is the stdio MCP server, `hydramind <command>` everything else."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Sequence

from hydramind.cli.console import Console
from hydramind.cli.failures import INTERRUPTED, OTHER, error_line, exit_code
from hydramind.errors import HydraMindError


def main(argv: Sequence[str] | None = None) -> int:
    """The entry point of `hydramind`; returns the exit code."""
    given = list(sys.argv[1:] if argv is None else argv)

    def run(console: Console) -> int:
        from hydramind.cli.dispatch import dispatch

        return dispatch(given, console)

    return _framed(run, as_json="--json" in given)


def main_http(argv: Sequence[str] | None = None) -> int:
    """The entry point of `hydramind-http`: `up` on HYDRAMIND_MCP_HOST and HYDRAMIND_MCP_PORT."""
    return _main_up("hydramind-http", argv)


def main_ui(argv: Sequence[str] | None = None) -> int:
    """The entry point of `hydramind-ui`: `up` on HYDRAMIND_UI_HOST and HYDRAMIND_UI_PORT."""
    return _main_up("hydramind-ui", argv)


def _main_up(name: str, argv: Sequence[str] | None) -> int:
    given = list(sys.argv[1:] if argv is None else argv)

    def run(console: Console) -> int:
        from hydramind.cli.dispatch import dispatch_up

        return dispatch_up(name, given, console)

    return _framed(run, as_json=False)


def _framed(run: Callable[[Console], int], *, as_json: bool) -> int:
    """The outermost frame: explained errors become one line, defects a masked traceback."""
    console = Console.of_process()
    try:
        return run(console)
    except HydraMindError as error:
        console.note(error_line(error, as_json=as_json))
        return exit_code(error)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has left; pointing stdout elsewhere keeps the interpreter from failing again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OTHER
    except Exception:  # noqa: BLE001 - the outermost frame: the traceback goes to stderr, the exit code says failure
        console.note(traceback.format_exc().rstrip())
        return OTHER
