"""`python -m hydramind.node start|status|stop|logs [--home DIR]`: the node by hand."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from hydramind.errors import HydraMindError
from hydramind.node import NodeOptions, acquire, default_home, status, stop, tail


def main() -> int:
    """Exit code 0, or 1 with one line on stderr."""
    parser = argparse.ArgumentParser(prog="python -m hydramind.node", description=__doc__)
    parser.add_argument("action", choices=("start", "status", "stop", "logs"))
    parser.add_argument("--home", type=Path, default=default_home())
    parser.add_argument("--idle-seconds", type=int, default=600)
    arguments = parser.parse_args()
    options = NodeOptions(arguments.home, idle_seconds=arguments.idle_seconds)
    try:
        sys.stdout.write(asyncio.run(_act(arguments.action, options)) + "\n")
    except HydraMindError as error:
        sys.stderr.write(f"{error.code}: {error.message}\n")
        return 1
    return 0


async def _act(action: str, options: NodeOptions) -> str:
    if action == "start":
        lease = await acquire(options, lambda text: print(text, file=sys.stderr))  # noqa: T201 - this is a command
        await lease.release()
        return str(lease.address)
    if action == "status":
        return str(await status(options))
    if action == "stop":
        return "stopped" if await stop(options) else "was not running"
    return "\n".join(tail(options))


if __name__ == "__main__":
    sys.exit(main())
