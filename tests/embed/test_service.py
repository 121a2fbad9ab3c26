"""Patience with a service: what is tried again, how long it is waited for, when it is left alone, what it may cost."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from hydramind.embed.circuit import Circuit
from hydramind.embed.service import Patience, Place, Service, Timing
from hydramind.errors import BadAnswer, Busy, HydraMindError, Refused, Unavailable
from tests.embed.provider_server import service


class Hours:
    """Time that passes only when somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        self.waits.append(seconds)
        self.now += seconds

    def timing(self, chance: float = 1.0) -> Timing:
        """Where the service takes its time from."""
        return Timing(self.sleep, lambda: self.now, lambda: chance)


@asynccontextmanager
async def asking(
    url: str, hours: Hours, patience: Patience | None = None, chance: float = 1.0
) -> AsyncIterator[Service]:
    """A client of the service, closed at the end."""
    asked = Service("the probe", Place(url), patience, hours.timing(chance))
    try:
        yield asked
    finally:
        await asked.close()


INFO = {"model_id": "probe-model", "model_sha": "abc123", "max_client_batch_size": 32}


@pytest.mark.parametrize("fault", ["408", "425", "429", "500", "502", "503", "504", "drop"])
async def test_what_may_pass_is_tried_again(fault: str) -> None:
    """Twice wrong, then right: the caller sees only the answer."""
    hours = Hours()
    with service() as (url, script):
        script.faults = [fault, fault]
        async with asking(url, hours) as asked:
            assert await asked.ask("/info") == INFO
    assert (len(script.requests), hours.waits) == (3, [0.25, 0.5])


@pytest.mark.parametrize(
    ("fault", "error", "said"),
    [
        ("429", Busy, r"takes no more requests now \(429\)"),
        ("503", Unavailable, "the probe answered 503"),
        ("drop", Unavailable, r"cannot be reached \(RemoteProtocolError\)"),
    ],
)
async def test_patience_ends(fault: str, error: type[HydraMindError], said: str) -> None:
    """Four attempts, each wait a random part of twice the last one, then an error that may be tried again."""
    hours = Hours()
    with service() as (url, script):
        script.faults = [fault] * 9
        async with asking(url, hours, chance=0.5) as asked:
            with pytest.raises(error, match=said) as caught:
                await asked.ask("/info")
    assert (len(script.requests), hours.waits) == (4, [0.125, 0.25, 0.5])
    assert caught.value.retryable


@pytest.mark.parametrize("status", ["301", "400", "401", "403", "404", "413", "422"])
async def test_a_refusal_is_final(status: str) -> None:
    """The same request would be refused again; a redirection is not followed with the key."""
    hours = Hours()
    with service() as (url, script):
        script.faults = [status]
        async with asking(url, hours) as asked:
            with pytest.raises(Refused, match=f"refused the request with status {status}"):
                await asked.ask("/info")
    assert (len(script.requests), hours.waits) == (1, [])


async def test_retry_after_is_honoured() -> None:
    """No sooner than the service asks, and nonsense counts as nothing."""
    hours = Hours()
    with service() as (url, script):
        script.faults = ["429:3", "503:soon", "503:Sun, 06 Nov 1994 08:49:37 GMT"]
        async with asking(url, hours) as asked:
            assert await asked.ask("/info") == INFO
    assert hours.waits == [3.0, 0.5, 1.0]


@pytest.mark.parametrize("after", ["3600", "Fri, 31 Dec 2100 23:59:59 GMT"])
async def test_a_long_retry_after_is_told_at_once(after: str) -> None:
    """An hour is the caller's to wait, in seconds or as a date."""
    hours = Hours()
    with service() as (url, script):
        script.faults = [f"429:{after}"]
        async with asking(url, hours) as asked:
            with pytest.raises(Busy):
                await asked.ask("/info")
    assert hours.waits == []


async def test_a_service_that_is_not_there_is_unavailable() -> None:
    """Nobody listens: the address is named, the reason too."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    async with asking(url, Hours()) as asked:
        with pytest.raises(Unavailable, match=rf"the probe at '{url}' cannot be reached \(ConnectError\)"):
            await asked.ask("/info")


async def test_a_silent_service_is_given_up() -> None:
    """It accepts the connection and says nothing."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        async with asking(url, Hours(), Patience(timeout_s=0.05, attempts=1)) as asked:
            with pytest.raises(Unavailable, match=r"did not answer in time \(ReadTimeout\)"):
                await asked.ask("/info")


async def test_an_answer_that_is_no_json_is_not_asked_for_again() -> None:
    """HYB-20: it answered, and badly."""
    with service() as (url, script):
        script.faults = ["broken"]
        async with asking(url, Hours()) as asked:
            with pytest.raises(BadAnswer, match="expected JSON"):
                await asked.ask("/info")
    assert len(script.requests) == 1


async def test_a_failing_service_is_left_alone_and_tried_again() -> None:
    """Two failures open the circuit, nothing is sent during the pause, then one request closes it."""
    hours = Hours()
    with service() as (url, script):
        script.faults = ["500", "500"]
        async with asking(url, hours, Patience(attempts=2, failures=2, pause_s=30.0)) as asked:
            with pytest.raises(Unavailable, match="answered 500"):
                await asked.ask("/info")
            with pytest.raises(Unavailable, match="failed 2 times in a row and is left alone; call again in 30 s"):
                await asked.ask("/info")
            assert len(script.requests) == 2
            hours.now += 30.0
            assert await asked.ask("/info") == INFO
            assert await asked.ask("/info") == INFO


async def test_a_cancelled_request_lets_another_try() -> None:
    """Whoever tries an open circuit may be cancelled: the next caller tries instead."""
    hours = Hours()
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        async with asking(url, hours, Patience(timeout_s=0.05, attempts=1, failures=1, pause_s=5.0)) as asked:
            with pytest.raises(Unavailable, match="in time"):
                await asked.ask("/info")
            hours.now += 5.0
            trying = asyncio.create_task(asked.ask("/info"))
            await asyncio.sleep(0)
            trying.cancel()
            with pytest.raises(asyncio.CancelledError):
                await trying
            with pytest.raises(Unavailable, match="in time"):
                await asked.ask("/info")


def test_one_trial_at_a_time() -> None:
    """While one request tries an open circuit, others are told to wait; its failure opens the circuit for as long again."""
    now = [0.0]
    circuit = Circuit("the probe", 1, 10.0, lambda: now[0])
    circuit.enter()
    circuit.failed()
    now[0] = 10.0
    circuit.enter()
    with pytest.raises(Unavailable, match="when the request that tries it has ended"):
        circuit.enter()
    circuit.failed()
    now[0] = 19.0
    with pytest.raises(Unavailable, match="failed 2 times in a row and is left alone; call again in 1 s"):
        circuit.enter()
    now[0] = 20.0
    circuit.enter()
    circuit.succeeded()
    circuit.enter()


@pytest.mark.parametrize(
    "url", ["http://service.invalid", "https://198.51.100.7", "http://localhost.invalid", "http://[2001:db8::1]"]
)
def test_another_machine_needs_a_budget(url: str) -> None:
    """HYB-21: refused before anything is sent."""
    with pytest.raises(Refused, match=r"is not on this machine.*HYDRAMIND_EMBEDDER_BUDGET"):
        Service("the probe", Place(url))


@pytest.mark.parametrize(
    "url", ["http://localhost:1", "http://127.0.0.1", "http://127.8.8.8:9", "http://[::1]:8080/path"]
)
def test_this_machine_needs_none(url: str) -> None:
    """Loopback in all its spellings."""
    Service("the probe", Place(url))


async def test_a_budget_is_spent_by_requests_and_their_repetitions(monkeypatch: pytest.MonkeyPatch) -> None:
    """HYB-21: what would be too much is not sent."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with service() as (url, script):
        # Not a loopback address by name, though it leads to this machine.
        place = Place(url.replace("127.0.0.1", "0.0.0.0"), budget=3)
        script.faults = ["503", "", "503", "503"]
        asked = Service("the probe", place, timing=Hours().timing())
        assert await asked.ask("/info") == INFO
        for _ in range(2):
            with pytest.raises(Refused, match="the budget of 3 requests to the probe is spent"):
                await asked.ask("/info")
        await asked.close()
    assert len(script.requests) == 3


def test_a_key_is_not_shown() -> None:
    """HYD-14: neither in the text of the place nor anywhere else."""
    assert "k-probe" not in repr(Place("http://127.0.0.1", "k-probe"))
