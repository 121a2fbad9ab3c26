"""Requests counted and timed by route, in the Prometheus text format."""

from __future__ import annotations

import math
import time
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hydramind.models import RouteTiming

UNMATCHED: Final = "unmatched"
"""The route of requests that no route took: callers cannot grow the table."""
RECENT: Final = 256
"""Requests of a route whose times are kept one by one."""
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Traffic:
    """What this process has served since its start."""

    def __init__(self) -> None:
        self._requests = Counter[tuple[str, str, int]]()
        self._seconds: dict[str, float] = {}
        self._finished = Counter[str]()
        self._recent: dict[str, deque[float]] = {}
        self.in_flight = 0

    def record(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count one finished request; `route` is a template, never the path as sent."""
        self._requests[(route, method if method in _METHODS else "OTHER", status)] += 1
        self._seconds[route] = self._seconds.get(route, 0.0) + seconds
        self._finished[route] += 1
        self._recent.setdefault(route, deque(maxlen=RECENT)).append(seconds)

    def timings(self) -> tuple[RouteTiming, ...]:
        """Each route with the spread of its last requests, by name. An event stream counts from open to close."""
        return tuple(self._timing(route, sorted(times)) for route, times in sorted(self._recent.items()))

    def text(self, gauges: Mapping[str, float]) -> str:
        """The exposition, version 0.0.4; `gauges` by full name are added at the end."""
        counts = (
            (f'route="{_escape(route)}",method="{method}",status="{status}"', count)
            for (route, method, status), count in sorted(self._requests.items())
        )
        sums = ((f'route="{_escape(route)}"', round(total, 6)) for route, total in sorted(self._seconds.items()))
        finished = ((f'route="{_escape(route)}"', count) for route, count in sorted(self._finished.items()))
        return "".join(
            [
                _family("hydramind_http_requests_total", "counter", "Requests finished.", counts),
                "# HELP hydramind_http_request_seconds Time from request to last byte.\n",
                "# TYPE hydramind_http_request_seconds summary\n",
                _samples("hydramind_http_request_seconds_sum", sums),
                _samples("hydramind_http_request_seconds_count", finished),
                _family("hydramind_http_requests_in_flight", "gauge", "Requests now open.", [("", self.in_flight)]),
                *(f"# TYPE {name} gauge\n{name} {value}\n" for name, value in gauges.items()),
            ]
        )

    def _timing(self, route: str, times: Sequence[float]) -> RouteTiming:
        return RouteTiming(
            route=route,
            requests=self._finished[route],
            recent=len(times),
            p50_ms=_ms(times, 0.50),
            p95_ms=_ms(times, 0.95),
            max_ms=_ms(times, 1.0),
        )


class Measured:
    """ASGI middleware that reports to a `Traffic`."""

    def __init__(self, app: ASGIApp, traffic: Traffic) -> None:
        self._app = app
        self._traffic = traffic

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Time one request; a crash counts as 500."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, started = 500, time.perf_counter()

        async def observed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        self._traffic.in_flight += 1
        try:
            await self._app(scope, receive, observed)
        finally:
            self._traffic.in_flight -= 1
            route = getattr(scope.get("route"), "path", UNMATCHED)
            self._traffic.record(route, scope["method"], status, time.perf_counter() - started)


def _ms(ordered: Sequence[float], share: float) -> float:
    """The time that `share` of the requests did not exceed, in milliseconds."""
    return round(ordered[max(0, math.ceil(len(ordered) * share) - 1)] * 1_000, 3)


def _family(name: str, kind: str, meaning: str, samples: Iterable[tuple[str, float]]) -> str:
    return f"# HELP {name} {meaning}\n# TYPE {name} {kind}\n{_samples(name, samples)}"


def _samples(name: str, samples: Iterable[tuple[str, float]]) -> str:
    return "".join(f"{name}{{{labels}}} {value}\n" if labels else f"{name} {value}\n" for labels, value in samples)


def _escape(label: str) -> str:
    return label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
