"""The reference MCP memory server (npm) over stdio: an entity a text, found by its `search_nodes`; a server a scope."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.peer_programs.wire import Item, Setup, serve

_NOTES = ("its search looks for the whole query as a part of a text and ranks nothing",)
_BATCH = 200


class Session:
    """One server process and its file."""

    def __init__(self, file: Path) -> None:
        command = [os.environ["PEER_NODE"], os.environ["PEER_SCRIPT"]]
        environment = os.environ | {"MEMORY_FILE_PATH": str(file)}
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self._number = 0
        client = {"name": "benchmark", "version": "1"}
        self._call("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def tool(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The structured result of a tool call; `RuntimeError` when the tool failed."""
        found = self._call("tools/call", {"name": name, "arguments": arguments})
        if found.get("isError"):
            raise RuntimeError(str(found.get("content"))[:300])
        return found["structuredContent"]

    def _call(self, method: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": parameters})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            reply = json.loads(line)
            if reply.get("id") == self._number:
                if "error" in reply:
                    raise RuntimeError(reply["error"]["message"])
                return reply["result"]
        raise RuntimeError("the server ended")

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()


class Reference:
    """A session a scope; they end with this process's pipes."""

    def __init__(self, setup: Setup) -> None:
        self._folder = setup.folder
        self._sessions: dict[str, Session] = {}

    def add(self, scope: str, items: Sequence[Item]) -> int:
        """An entity an item; none is refused."""
        session = self._sessions[scope] = Session(self._folder / f"{len(self._sessions)}.jsonl")
        for start in range(0, len(items), _BATCH):
            entities = [
                {"name": item.id, "entityType": "turn", "observations": [item.text]}
                for item in items[start : start + _BATCH]
            ]
            session.tool("create_entities", {"entities": entities})
        return 0

    def find(self, scope: str, query: str, limit: int) -> list[str]:
        """The entities found, in the server's order."""
        found = self._sessions[scope].tool("search_nodes", {"query": query})
        return [entity["name"] for entity in found["entities"]][:limit]


if __name__ == "__main__":
    serve(Reference, [], _NOTES)
