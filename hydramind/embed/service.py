"""Asks an HTTP service for JSON: retries with backoff and jitter, a circuit breaker, a budget of requests."""

from __future__ import annotations

import asyncio
import email.utils
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

import httpx2

from hydramind.embed.circuit import Circuit
from hydramind.errors import BadAnswer, Busy, HydraMindError, Misconfigured, Refused, Unavailable

_TRY_AGAIN: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_BUSY: Final = 429


@dataclass(frozen=True)
class Patience:
    """How long a service is waited for. Waits double from `first_wait_s`, and each is a random part of its size."""

    timeout_s: float = 30.0
    attempts: int = 4
    first_wait_s: float = 0.25
    longest_wait_s: float = 8.0
    failures: int = 5
    pause_s: float = 30.0


@dataclass(frozen=True)
class Timing:
    """Where time and chance come from; tests bring their own."""

    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    clock: Callable[[], float] = time.monotonic
    chance: Callable[[], float] = random.random


@dataclass(frozen=True)
class Place:
    """Where a service is and what it may cost. `budget` is the number of requests; 0 means none but to this machine."""

    url: str
    key: str = field(default="", repr=False)
    budget: int = 0

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Misconfigured(
                f"{self.url!r} is not the address of a service: expected such as 'http://127.0.0.1:8080'"
            )
        if "@" in parts.netloc or parts.query or parts.fragment:
            raise Misconfigured(
                "the address of a service holds neither credentials nor a query: there is a setting for the key"
            )

    @property
    def here(self) -> bool:
        """Whether it is on this machine."""
        host = urlsplit(self.url).hostname or ""
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"


class Service:
    """One service. Opens no connection before the first request; a request beyond this machine needs a budget."""

    def __init__(self, name: str, place: Place, patience: Patience | None = None, timing: Timing | None = None) -> None:
        if not place.here and place.budget < 1:
            raise Refused(
                f"{place.url!r} is not on this machine, and what is sent there may cost money: set "
                "HYDRAMIND_EMBEDDER_BUDGET to the number of requests that a process may send"
            )
        self.name = name
        self._place = place
        self._patience = patience or Patience()
        self._timing = timing or Timing()
        self._circuit = Circuit(name, self._patience.failures, self._patience.pause_s, self._timing.clock)
        self._client: httpx2.AsyncClient | None = None
        self._sent = 0

    async def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """The JSON answered to `body`, or to GET without one.

        Connection failures, time-outs, 429 and 5xx are tried again, no sooner than `Retry-After` says; the last of them is
        `Busy` (429) or `Unavailable`. Another refusal is `Refused` at once, and an answer that is not JSON `BadAnswer`.
        """
        attempt = 1
        while True:
            try:
                return await self._attempt(path, body)
            except _Again as again:
                last = attempt >= self._patience.attempts or again.wait_s > self._patience.longest_wait_s
                if last:
                    raise again.failure from None
                pause_s = max(again.wait_s, self._backoff_s(attempt))
            await self._timing.sleep(pause_s)
            attempt += 1

    def _backoff_s(self, attempt: int) -> float:
        longest = min(self._patience.first_wait_s * 2 ** (attempt - 1), self._patience.longest_wait_s)
        return longest * self._timing.chance()

    async def _attempt(self, path: str, body: dict[str, Any] | None) -> Any:
        self._circuit.enter()
        try:
            self._spend()
            response = await self._opened().request("GET" if body is None else "POST", path, json=body)
        except httpx2.TransportError as error:
            self._circuit.failed()
            why = "did not answer in time" if isinstance(error, httpx2.TimeoutException) else "cannot be reached"
            raise _Again(Unavailable(f"{self.name} at {self._place.url!r} {why} ({type(error).__name__})")) from None
        except BaseException:
            self._circuit.abandoned()
            raise
        return self._read(response)

    def _read(self, response: httpx2.Response) -> Any:
        status = response.status_code
        if status in _TRY_AGAIN and status != _BUSY:
            self._circuit.failed()
            raise _Again(Unavailable(f"{self.name} answered {status}"), _retry_after_s(response))
        self._circuit.succeeded()
        if status == _BUSY:
            raise _Again(
                Busy(f"{self.name} takes no more requests now (429); call again later"), _retry_after_s(response)
            )
        if not response.is_success:
            raise Refused(f"{self.name} refused the request with status {status}: check its address, model and key")
        try:
            return response.json()
        except ValueError:
            raise BadAnswer(self.name, "JSON") from None

    def _spend(self) -> None:
        if not self._place.here:
            if self._sent >= self._place.budget:
                raise Refused(
                    f"the budget of {self._place.budget} requests to {self.name} is spent: raise it and start again"
                )
            self._sent += 1

    def _opened(self) -> httpx2.AsyncClient:
        if self._client is None:
            headers = {"Authorization": f"Bearer {self._place.key}"} if self._place.key else {}
            self._client = httpx2.AsyncClient(
                base_url=self._place.url,
                headers=headers,
                timeout=self._patience.timeout_s,
                trust_env=not self._place.here,
            )
        return self._client

    async def close(self) -> None:
        """Close the connections; a later request opens others, in whichever event loop it runs."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()


class _Again(Exception):
    """A failure that may pass, and how many seconds the service asked to be left alone."""

    def __init__(self, failure: HydraMindError, wait_s: float = 0.0) -> None:
        super().__init__(str(failure))
        self.failure = failure
        self.wait_s = wait_s


def _retry_after_s(response: httpx2.Response) -> float:
    """Seconds that `Retry-After` asks for, as a number or as a date (RFC 9110, 10.2.3); 0 without one or for nonsense."""
    said = response.headers.get("retry-after", "").strip()
    if said.isascii() and said.isdigit():
        return float(said[:9])
    try:
        until = email.utils.parsedate_to_datetime(said)
    except ValueError:
        return 0.0
    return max(0.0, (until.astimezone(UTC) - datetime.now(UTC)).total_seconds())
