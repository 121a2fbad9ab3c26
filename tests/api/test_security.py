"""Who may call a running server: every check is made on raw requests to a real uvicorn."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from hydramind.settings import Settings
from tests.api.running import ROOT, RunningServer, environment

PATHS = ["/", "/api/scopes", "/api/scopes/x/events", "/v1/openapi.json", "/mcp", "/mcp/", "/metrics", "/health"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "headers",
    [
        ["Host: evil.test:{port}"],
        ["Host: localhost.evil.test:{port}"],
        ["Host: localhost.:{port}"],
        ["Host: 127.0.0.1:1"],
        ["Host: 0.0.0.0:{port}"],
        ["Host: [::ffff:127.0.0.1]:{port}"],
        ["Host: evil.test", "X-Forwarded-Host: 127.0.0.1:{port}"],
        ["Host: 127.0.0.1:{port}", "Origin: https://evil.test"],
        ["Host: 127.0.0.1:{port}", "Origin: null"],
        ["Host: 127.0.0.1:{port}", "Origin: http://127.0.0.1:{port}", "Origin: https://evil.test"],
    ],
)
def test_a_foreign_host_or_origin_is_refused_on_every_route(
    path: str, headers: list[str], open_server: RunningServer
) -> None:
    """Whoever rebinds a name to loopback, or calls from another page, gets 403 before anything runs."""
    filled = [header.format(port=open_server.port) for header in headers]
    assert open_server.status(*filled, path=path) == 403


@pytest.mark.parametrize(
    "headers",
    [["Host: 127.0.0.1:{port}", "Host: 127.0.0.1:{port}"], ["Host: 127.0.0.1:{port}", "Host: evil.test"], []],
)
def test_two_hosts_or_none_are_refused(headers: list[str], open_server: RunningServer) -> None:
    """Either the server's parser (400) or the guard (403) turns it away."""
    assert open_server.status(*(header.format(port=open_server.port) for header in headers)) in (400, 403)


@pytest.mark.parametrize(
    "headers",
    [
        ["Host: 127.0.0.1:{port}"],
        ["Host: LOCALHOST:{port}"],
        ["Host: [::1]:{port}"],
        ["Host: localhost:{port}", "Origin: http://localhost:{port}"],
        ["Host: 127.0.0.1:{port}", "X-Forwarded-Host: evil.test"],
    ],
)
def test_this_machine_is_answered(headers: list[str], open_server: RunningServer) -> None:
    """By each of its loopback names; forwarding headers change nothing."""
    assert open_server.status(*(header.format(port=open_server.port) for header in headers)) == 200


def test_an_old_client_without_host_is_refused(open_server: RunningServer) -> None:
    """HTTP/1.0 does not demand the header; the guard does."""
    status, _, _ = open_server.raw("GET /api/scopes HTTP/1.0\n\n")
    assert status == 403


def test_a_preflight_is_refused_and_no_cors_header_is_sent(open_server: RunningServer) -> None:
    """A foreign page learns nothing, and one of ours needs none."""
    for origin, expected in (("https://evil.test", 403), (f"http://127.0.0.1:{open_server.port}", 405)):
        request = (
            f"OPTIONS /v1/remember HTTP/1.1\nHost: 127.0.0.1:{open_server.port}\nOrigin: {origin}\n"
            "Access-Control-Request-Method: POST\nAccess-Control-Request-Headers: content-type\nConnection: close\n\n"
        )
        status, headers, _ = open_server.raw(request)
        assert status == expected
        assert not [name for name in headers if name.startswith("access-control")]


def test_a_form_cannot_write(open_server: RunningServer) -> None:
    """The types that a page may send without asking first are refused."""
    host = f"Host: 127.0.0.1:{open_server.port}"
    body = json.dumps({"content": "planted", "scope": "forms"})
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        refused = open_server.status(host, f"Content-Type: {kind}", path="/v1/remember", method="POST", body=body)
        assert refused == 415


@pytest.mark.parametrize(
    "path", ["/api/scopes", "/api/scopes/x/events", "/v1/openapi.json", "/mcp", "/metrics", "/ready", "/nope"]
)
def test_with_a_token_every_other_route_needs_it(path: str, guarded_server: RunningServer) -> None:
    """Unknown routes too, so that nothing is told about what exists."""
    host = f"Host: 127.0.0.1:{guarded_server.port}"
    assert guarded_server.status(host, path=path) == 401
    assert guarded_server.status(host, path=f"{path}?token=tok-probe-1") == 401


def test_liveness_and_the_landing_page_need_no_token(guarded_server: RunningServer) -> None:
    """A supervisor and a lost visitor hold none."""
    host = f"Host: 127.0.0.1:{guarded_server.port}"
    assert [guarded_server.status(host, path=path) for path in ("/", "/health")] == [200, 200]
    assert [guarded_server.status(host, path=path) for path in ("//", "/health/", "/health/../api/scopes")] == [401] * 3


@pytest.mark.parametrize(
    "value",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer wrong",
        "Bearer tok-probe-",
        "Bearer tok-probe-1x",
        "Basic tok-probe-1",
        "tok-probe-1",
    ],
)
def test_a_wrong_token_is_refused_and_never_echoed(value: str, guarded_server: RunningServer) -> None:
    """The answer says how to send one, not what was sent."""
    status, headers, body = guarded_server.raw(
        f"GET /api/scopes HTTP/1.1\nHost: 127.0.0.1:{guarded_server.port}\nAuthorization: {value}\nConnection: close\n\n"
    )
    assert (status, headers["www-authenticate"]) == (401, "Bearer")
    assert "tok-probe" not in body
    assert json.loads(body)["error"]["code"] == "unauthorized"


@pytest.mark.parametrize("value", ["Bearer tok-probe-1", "bearer tok-probe-1"])
def test_the_right_token_is_admitted(value: str, guarded_server: RunningServer) -> None:
    """The scheme's case does not matter; a second header or a foreign origin does."""
    host, right = f"Host: 127.0.0.1:{guarded_server.port}", f"Authorization: {value}"
    assert guarded_server.status(host, right) == 200
    assert guarded_server.status(host, right, "Authorization: Bearer wrong") == 401
    assert guarded_server.status(host, right, "Origin: https://evil.test") == 403


def test_the_token_stands_nowhere_in_what_the_server_said(guarded_server: RunningServer) -> None:
    """The attach lines name its variable."""
    said = "".join(guarded_server.said)
    assert "tok-probe" not in said
    assert "$HYDRAMIND_HTTP_TOKEN" in said


@pytest.mark.parametrize("token", [None, "", "  "])
def test_an_open_bind_without_a_token_does_not_start(token: str | None, embedded_settings: Settings) -> None:
    """A blank token is none; the refusal names the variable."""
    extra = {} if token is None else {"HYDRAMIND_HTTP_TOKEN": token}
    ended = subprocess.run(
        [sys.executable, "-m", "hydramind", "up", "--port", "0", "--host", "0.0.0.0"],
        cwd=ROOT,
        env=environment(embedded_settings, **extra),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (ended.returncode, ended.stdout) == (4, "")
    assert "HYDRAMIND_HTTP_TOKEN" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_a_taken_port_is_a_clear_error(open_server: RunningServer, embedded_settings: Settings) -> None:
    """It says which, and what to do."""
    ended = subprocess.run(
        [sys.executable, "-m", "hydramind", "up", "--port", str(open_server.port)],
        cwd=ROOT,
        env=environment(embedded_settings),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.returncode == 4
    assert f"port {open_server.port}" in ended.stderr
    assert "--port 0" in ended.stderr


@pytest.mark.parametrize("path", ["/", "/api/scopes", "/nope", "/health", "/mcp"])
def test_every_answer_carries_the_security_headers(path: str, open_server: RunningServer) -> None:
    """Refusals and errors included."""
    for host in (f"127.0.0.1:{open_server.port}", "evil.test"):
        _, headers, _ = open_server.raw(f"DELETE {path} HTTP/1.1\nHost: {host}\nConnection: close\n\n")
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert "server" not in headers
