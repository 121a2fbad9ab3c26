"""The MCP face: ten tools over stdio and stateless Streamable HTTP. Importing it costs half a second."""

from hydramind.mcp_server.http import http_app, mcp_lifespan, mcp_routes
from hydramind.mcp_server.server import MindProvider, build_server
from hydramind.mcp_server.stdio import serve_stdio

__all__ = ["MindProvider", "build_server", "http_app", "mcp_lifespan", "mcp_routes", "serve_stdio"]
