"""A loopback server that speaks two model APIs and, instead of thinking, asks for the tool calls it was given."""

from __future__ import annotations

import json
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SEARCH = "ToolSearch"
"""Claude Code's tool that brings deferred tools into view."""

Step = tuple[str, dict[str, Any]]
"""A tool's name in the client's own spelling, and its arguments."""


@dataclass
class Script:
    """What the model asks for, one call a turn, and every request that the client sent."""

    steps: Sequence[Step]
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def next(self, answered: int) -> Step | None:
        """The step after `answered` results; None when all are done."""
        return self.steps[answered] if answered < len(self.steps) else None


@contextmanager
def model_api(steps: Sequence[Step]) -> Generator[tuple[str, Script]]:
    """The server's root URL and its script; it listens on loopback only."""
    script = Script(steps)

    class Handler(_Handler):
        """Bound to this script."""

        plan = script

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", script
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    plan: Script
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Silent."""

    def do_HEAD(self) -> None:
        """Reachability probes."""
        self._send(200, b"", "text/plain")

    def do_GET(self) -> None:
        """Lists of models and the like: there are none."""
        self._send(200, b'{"data": [], "models": []}', "application/json")

    def do_POST(self) -> None:
        """One turn of the model."""
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        path = self.path.split("?")[0]
        if path.endswith("/responses"):
            self._stream(_responses(self.plan, json.loads(body)))
        elif path.endswith("/messages"):
            self._stream(_messages(self.plan, json.loads(body)))
        elif path.endswith("/count_tokens"):
            self._send(200, b'{"input_tokens": 1}', "application/json")
        else:
            self._send(200, b"{}", "application/json")

    def _stream(self, events: Iterator[dict[str, Any]]) -> None:
        text = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
        self._send(200, text.encode(), "text/event-stream")

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _responses(plan: Script, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """OpenAI Responses API, streamed."""
    plan.requests.append(request)
    done = [item for item in request["input"] if item.get("type", "").endswith("_call_output")]
    step, ident = plan.next(len(done)), f"resp_{len(plan.requests)}"
    yield {"type": "response.created", "response": {"id": ident}}
    yield {"type": "response.output_item.done", "output_index": 0, "item": _item(step, len(done))}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    yield {"type": "response.completed", "response": {"id": ident, "usage": usage}}


def _item(step: Step | None, number: int) -> dict[str, Any]:
    if step is None:
        content = [{"type": "output_text", "text": "Done."}]
        return {"type": "message", "role": "assistant", "id": f"msg_{number}", "content": content}
    name, arguments = step
    namespace, _, tool = name.rpartition("/")
    call: dict[str, Any] = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": tool}
    return call | ({"namespace": namespace} if namespace else {}) | {"arguments": json.dumps(arguments)}


def _messages(plan: Script, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Anthropic Messages API, streamed; a tool that is not in view is searched for first, as a model would."""
    plan.requests.append(request)
    done, step = _turn(plan, request)
    message = {"id": f"msg_{len(plan.requests)}", "type": "message", "role": "assistant", "model": request["model"]}
    usage = {"input_tokens": 1, "output_tokens": 1}
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None, "usage": usage}}
    if step is None:
        yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
        yield {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Done."}}
    else:
        use = {"type": "tool_use", "id": f"toolu_{done}", "name": step[0], "input": {}}
        yield {"type": "content_block_start", "index": 0, "content_block": use}
        part = {"type": "input_json_delta", "partial_json": json.dumps(step[1])}
        yield {"type": "content_block_delta", "index": 0, "delta": part}
    yield {"type": "content_block_stop", "index": 0}
    reason = "end_turn" if step is None else "tool_use"
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": reason, "stop_sequence": None},
        "usage": {"output_tokens": 1},
    }
    yield {"type": "message_stop"}


def _turn(plan: Script, request: dict[str, Any]) -> tuple[int, Step | None]:
    """How many tool results the request holds, and what to ask for next; side requests (titles) get no step."""
    blocks = [block for message in request["messages"] for block in _blocks(message)]
    used = [block["name"] for block in blocks if block.get("type") == "tool_use"]
    offered = {tool["name"] for tool in request.get("tools", ())}
    step = plan.next(len([name for name in used if name != SEARCH]))
    if step is None or SEARCH not in offered:
        return len(used), None
    if step[0] in offered or SEARCH in used:
        return len(used), step
    return len(used), (SEARCH, {"query": f"select:{','.join(name for name, _ in plan.steps)}"})


def _blocks(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message["content"]
    return content if isinstance(content, list) else []
