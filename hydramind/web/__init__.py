"""One port for everything: landing page, JSON API, REST, MCP over HTTP, health and metrics."""
