"""Which Host and Origin headers name this server."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hydramind.errors import Misconfigured
from hydramind.web.addresses import Policy, is_loopback, require_safe, url_of

LOCAL = Policy("127.0.0.1", 8788)


@pytest.mark.parametrize("host", ["127.0.0.1:8788", "localhost:8788", "LOCALHOST:8788", "[::1]:8788"])
def test_loopback_names_with_the_right_port_are_answered(host: str) -> None:
    """IPv4, IPv6 and the name, in any case."""
    assert LOCAL.answers_to(host)


@pytest.mark.parametrize(
    "host",
    [
        "",
        ":8788",
        "evil.test:8788",
        "evil.test",
        "localhost.evil.test:8788",
        "127.0.0.1.evil.test:8788",
        "localhost.:8788",
        "127.0.0.1.:8788",
        "127.0.0.1",
        "127.0.0.1:80",
        "127.0.0.1:08788",
        "127.0.0.1:08788x",
        "127.0.0.1:+8788",
        "127.0.0.1:878８",
        "0.0.0.0:8788",
        "[::]:8788",
        "[::ffff:127.0.0.1]:8788",
        "::1:8788",
        "127.1:8788",
        "user@localhost:8788",
        "localhost:8788,evil.test",
        "localhost/x:8788",
    ],
)
def test_anything_else_is_not(host: str) -> None:
    """Evil suffixes, trailing dots, other ports, mapped and unspecified addresses."""
    assert not LOCAL.answers_to(host)


@given(st.text(max_size=40))
def test_no_text_breaks_the_check(host: str) -> None:
    """Hostile headers get an answer, and only the four known names get yes."""
    known = {f"{name}:8788" for name in ("127.0.0.1", "localhost", "[::1]")}
    assert LOCAL.answers_to(host) == (host.lower() in known)


@pytest.mark.parametrize(
    ("origin", "trusted"),
    [
        ("http://127.0.0.1:8788", True),
        ("HTTP://LocalHost:8788", True),
        ("http://[::1]:8788", True),
        ("null", False),
        ("", False),
        ("https://127.0.0.1:8788", False),
        ("http://127.0.0.1:9", False),
        ("http://127.0.0.1:8788/", False),
        ("http://127.0.0.1:8788.evil.test", False),
        ("https://evil.test", False),
        ("http://evil.test#http://127.0.0.1:8788", False),
    ],
)
def test_only_own_pages_are_trusted(origin: str, trusted: bool) -> None:
    """The origin must be this server's, scheme and port included."""
    assert LOCAL.trusts(origin) == trusted


def test_a_named_host_is_answered_beside_loopback() -> None:
    """The configured name counts, another does not."""
    policy = Policy("memory.lan", 80, "secret")
    assert [policy.answers_to(host) for host in ("memory.lan", "MEMORY.lan:80", "localhost", "other.lan")] == [
        True,
        True,
        True,
        False,
    ]


def test_a_server_on_every_address_answers_to_literals_but_to_no_foreign_name() -> None:
    """A literal address cannot be rebound."""
    policy = Policy("0.0.0.0", 8788, "secret")
    answers = [policy.answers_to(f"{host}:8788") for host in ("192.0.2.7", "[2001:db8::1]", "evil.test", "0.0.0.0")]
    assert answers == [True, True, False, False]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "[::1]", "LOCALHOST"])
def test_loopback_needs_no_token(host: str) -> None:
    """Only this machine reaches it."""
    require_safe(host, "")
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "192.0.2.7", "memory.lan", "localhost.evil.test"])
def test_any_other_address_needs_one(host: str) -> None:
    """The refusal names the variable; with a token it is accepted."""
    with pytest.raises(Misconfigured, match="HYDRAMIND_HTTP_TOKEN"):
        require_safe(host, "")
    require_safe(host, "secret")


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:1"),
        ("::1", "http://[::1]:1"),
        ("0.0.0.0", "http://127.0.0.1:1"),
        ("::", "http://[::1]:1"),
        ("memory.lan", "http://memory.lan:1"),
    ],
)
def test_the_url_shown_can_be_opened_here(host: str, url: str) -> None:
    """Wildcard addresses are shown as loopback."""
    assert url_of(host, 1) == url
