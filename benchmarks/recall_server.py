"""The product's HTTP server in a process of its own, with the benchmark's embedder; prints its address once it answers."""

from __future__ import annotations

import asyncio
import sys

import uvicorn

from benchmarks.recall_corpus import WordEmbedder
from benchmarks.recall_measures import service
from hydramind.api.state import ServerState
from hydramind.settings import load
from hydramind.web.addresses import Policy, url_of
from hydramind.web.app import build_app
from hydramind.web.server import listen

_HOST = "127.0.0.1"


async def serve() -> None:
    """Serve until stdin ends."""
    listener = listen(_HOST, 0)
    policy = Policy(_HOST, listener.getsockname()[1])
    async with service(load(), WordEmbedder()) as (mind, _, _):
        app = build_app(ServerState(mind, mind.settings.mcp_max_body_bytes), policy)
        server = uvicorn.Server(uvicorn.Config(app, lifespan="on", http="h11", ws="none", log_config=None))
        running = asyncio.create_task(server.serve([listener]))
        print(url_of(_HOST, policy.port), flush=True)
        await asyncio.to_thread(sys.stdin.read)
        server.should_exit = True
        await running


if __name__ == "__main__":
    asyncio.run(serve())
