"""`hydramind node start|status|stop|logs`: the embedded graph node of HYDRAMIND_HOME."""

from __future__ import annotations

import argparse
import dataclasses
import json

from hydramind import node
from hydramind.cli.console import Console
from hydramind.cli.views import pairs_text
from hydramind.clock import to_iso
from hydramind.errors import NotFound
from hydramind.node import NodeOptions, NodeStatus
from hydramind.opening import node_options
from hydramind.settings import Settings


async def run_node(args: argparse.Namespace, settings: Settings, console: Console) -> int:
    """Do one action; `status` of a stopped node is no failure."""
    options = node_options(settings)
    if args.action == "logs":
        return _logs(options, args.json, console)
    if args.action == "start":
        lease = await node.acquire(options, console.progress)
        await lease.release()
    elif args.action == "stop":
        stopped = await node.stop(options)
        console.progress("the node has stopped" if stopped else "no node was running")
    _say(await node.status(options), args.json, console)
    return 0


def _logs(options: NodeOptions, as_json: bool, console: Console) -> int:
    lines = node.tail(options)
    if as_json:
        console.say(json.dumps({"log": str(node.log_path(options)), "lines": lines}, ensure_ascii=False))
    elif not lines:
        raise NotFound(f"no log yet at {str(node.log_path(options))!r}: the node has not been started")
    else:
        console.say("\n".join(lines))
    return 0


def _say(status: NodeStatus, as_json: bool, console: Console) -> None:
    started = to_iso(int(status.started_at * 1_000)) if status.started_at else None
    values = dataclasses.asdict(status) | {"log": str(status.log), "started_at": started}
    if as_json:
        console.say(json.dumps(values, ensure_ascii=False))
    else:
        pairs = ((name.replace("_", " "), _word(value)) for name, value in values.items())
        console.say(pairs_text(pairs, console.screen))


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
