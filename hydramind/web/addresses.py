"""Which bind addresses are safe, and which `Host` and `Origin` headers name this server."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Final

from hydramind.errors import Misconfigured

_LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
_HTTP_PORT: Final = "80"


@dataclass(frozen=True, slots=True)
class Policy:
    """Who may ask: `host` and `port` as bound; an empty `token` admits everyone on this machine."""

    host: str
    port: int
    token: str = ""

    def answers_to(self, authority: str) -> bool:
        """Whether a `host[:port]` names this server.

        A server bound to every address answers to IP literals too: a name can be rebound by whoever owns it, a literal cannot.
        """
        name, port = _split(authority)
        if port != str(self.port):
            return False
        if name in _LOOPBACK_NAMES or name == _bracketed(self.host.lower()):
            return not _unspecified(name)
        return _unspecified(self.host) and _literal(name)

    def trusts(self, origin: str) -> bool:
        """Whether an `Origin` is one of this server's own pages; `null` is not."""
        return origin.lower().startswith("http://") and self.answers_to(origin[len("http://") :])


def require_safe(host: str, token: str) -> None:
    """Raises `Misconfigured` when the address is reachable from other machines and no token guards it."""
    if not is_loopback(host) and not token:
        raise Misconfigured(
            f"{host!r} can be reached from other machines: set HYDRAMIND_HTTP_TOKEN to a secret that callers must send, "
            "or bind to 127.0.0.1"
        )


def is_loopback(host: str) -> bool:
    """True for `localhost` and the loopback addresses of IPv4 and IPv6; any other name is taken for a public one."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def url_of(host: str, port: int) -> str:
    """`http://host:port` to open on this machine; a server on every address is opened through loopback."""
    shown = "127.0.0.1" if host in ("", "0.0.0.0") else "::1" if host == "::" else host  # noqa: S104
    return f"http://{_bracketed(shown)}:{port}"


def _split(authority: str) -> tuple[str, str]:
    """Lower-case name and port digits of `name:port` or `[v6]:port`, port 80 when none is given; empty when it is neither."""
    name, colon, port = authority.lower().rpartition(":")
    if not colon or authority.endswith("]"):
        name, port = authority.lower(), _HTTP_PORT
    return ("", "") if _malformed(name) else (name, port)


def _malformed(name: str) -> bool:
    bracketed = name.startswith("[") and name.endswith("]")
    return not name or (":" in name and not bracketed) or any(char in name for char in "/@?# \t,")


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _literal(name: str) -> bool:
    try:
        return not ipaddress.ip_address(name.strip("[]")).is_unspecified
    except ValueError:
        return False


def _unspecified(host: str) -> bool:
    try:
        return not host or ipaddress.ip_address(host.strip("[]")).is_unspecified
    except ValueError:
        return False
