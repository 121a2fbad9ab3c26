"""A clean stop asked over the node's loopback HTTP port: the only way that works without signals."""

from __future__ import annotations

import base64
import http.client
import json


def ask_to_stop(http_port: int, password: str) -> bool:
    """Whether the server took the request; False when nothing of ours answers there."""
    token = base64.b64encode(f"root:{password}".encode()).decode()
    headers = {"Authorization": f"Basic {token}", "Content-Type": "application/json"}
    connection = http.client.HTTPConnection("127.0.0.1", http_port, timeout=2)
    try:
        connection.request("POST", "/api/v1/server", json.dumps({"command": "shutdown"}), headers)
        return connection.getresponse().status < 300
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
