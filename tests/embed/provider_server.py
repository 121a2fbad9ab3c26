"""A small embedding service on loopback that speaks the OpenAI and TEI forms and misbehaves when told to."""

from __future__ import annotations

import hashlib
import json
import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def vector(model: str, text: str, dimension: int) -> list[float]:
    """What a model makes of a text: numbers from -1 to 1 that depend on both."""
    seed = hashlib.shake_256(f"{model}\0{text}".encode()).digest(dimension * 2)
    return [int.from_bytes(seed[at : at + 2], "big") / 32_767.5 - 1 for at in range(0, dimension * 2, 2)]


def score(query: str, text: str) -> float:
    """How many of the query's words the text has."""
    return float(len(set(query.split()) & set(text.split())))


@dataclass
class Script:
    """What the service does: `faults` holds what goes wrong with the next requests, one each, "" for nothing.

    A status such as "503", "429:7" (with Retry-After), "drop" (closes the connection) or one of the bad answers in `spoil`.
    """

    model: str = "probe-model"
    reported: str | None = "probe-model"
    dimension: int = 24
    faults: list[str] = field(default_factory=list)
    requests: list[tuple[str, dict[str, Any], str]] = field(default_factory=list)

    def texts(self) -> list[list[str]]:
        """The texts of each request that had some."""
        return [body.get("input") or body.get("inputs") or body.get("texts") or [] for _, body, _ in self.requests]


@contextmanager
def service(script: Script | None = None) -> Iterator[tuple[str, Script]]:
    """A running service: its address and its script."""
    told = script or Script()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer({})

        def do_POST(self) -> None:
            self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def _answer(self, body: dict[str, Any]) -> None:
            told.requests.append((self.path, body, self.headers.get("Authorization", "")))
            fault = told.faults.pop(0) if told.faults else ""
            if fault == "drop":
                self.close_connection = True
                return
            status, _, after = fault.partition(":") if fault[:1].isdigit() else ("200", "", "")
            self.send_response(int(status))
            if after:
                self.send_header("Retry-After", after)
            whole = answer_to(told, self.path, body)
            text = "{" if fault == "broken" else json.dumps(spoil(fault, whole) if status == "200" else "no")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None:
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", told
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def answer_to(script: Script, path: str, body: dict[str, Any]) -> Any:
    """What a sound service answers."""
    if path == "/info":
        return {"model_id": script.reported, "model_sha": "abc123", "max_client_batch_size": 32}
    if path == "/rerank":
        found = [{"index": at, "score": score(body["query"], text)} for at, text in enumerate(body["texts"])]
        return sorted(found, key=lambda each: -each["score"])
    if path == "/embed":
        return [vector(script.model, text, script.dimension) for text in body["inputs"]]
    rows = [
        {"object": "embedding", "index": at, "embedding": vector(script.model, text, script.dimension)}
        for at, text in enumerate(body["input"])
    ]
    named = {} if script.reported is None else {"model": script.reported}
    return {"object": "list", "data": rows, **named}


def spoil(fault: str, answer: Any) -> Any:
    """The answer with one thing wrong; the rows of either form are spoilt alike."""
    rows: Any = answer["data"] if isinstance(answer, dict) and "data" in answer else answer
    if fault == "shuffled":
        rows.reverse()
    elif fault == "short":
        rows.pop()
    elif fault == "long":
        rows.append(rows[0])
    elif fault == "twice":
        rows[-1]["index"] = 0
    elif fault == "unnumbered":
        del rows[0]["index"]
    elif fault == "flat":
        rows[:] = [0.5] * len(rows)
    elif fault == "object":
        return {"rows": 1}
    elif fault in ("nan", "length", "zero", "text", "score"):
        _spoil_first(fault, rows)
    return answer


def _spoil_first(fault: str, rows: list[Any]) -> None:
    if fault == "score":
        rows[0]["score"] = math.nan
        return
    first: list[Any] = rows[0]["embedding"] if isinstance(rows[0], dict) else rows[0]
    if fault == "nan":
        first[3] = math.nan
    elif fault == "length":
        first.append(0.5)
    elif fault == "zero":
        first[:] = [0.0] * len(first)
    else:
        first[0] = str(first[0])
