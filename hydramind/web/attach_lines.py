"""The one-line commands that attach a host to a running server; they name the token's variable, never the token."""

from __future__ import annotations

from typing import Final

TOKEN_VARIABLE: Final = "HYDRAMIND_HTTP_TOKEN"  # noqa: S105


def attach_lines(url: str, *, guarded: bool) -> tuple[str, ...]:
    """Shell lines for the hosts that attach over HTTP; `url` is the server's root."""
    endpoint = f"{url}/mcp"
    header = f' --header "Authorization: Bearer ${TOKEN_VARIABLE}"' if guarded else ""
    variable = f" --bearer-token-env-var {TOKEN_VARIABLE}" if guarded else ""
    return (
        f"claude mcp add -t http -s user hydramind {endpoint}{header}",
        f"codex mcp add hydramind --url {endpoint}{variable}",
        f"gemini mcp add -s user -t http hydramind {endpoint}{header}",
    )


def example_line(url: str, *, guarded: bool) -> str:
    """A `curl` call that keeps a statement."""
    header = f' -H "Authorization: Bearer ${TOKEN_VARIABLE}"' if guarded else ""
    body = '{"content": "The staging database runs Postgres 16", "scope": "demo"}'
    return f"curl {url}/v1/remember{header} -H 'Content-Type: application/json' -d '{body}'"
