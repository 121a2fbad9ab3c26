"""A circuit breaker: after some failures in a row a service is left alone for a while, then tried by one call."""

from __future__ import annotations

from collections.abc import Callable

from hydramind.errors import Unavailable


class Circuit:
    """Opens after `failures` failures in a row; `pause_s` seconds later one trial closes it or opens it again."""

    def __init__(self, name: str, failures: int, pause_s: float, clock: Callable[[], float]) -> None:
        self._name = name
        self._limit = failures
        self._pause_s = pause_s
        self._clock = clock
        self._failures = 0
        self._open_until = 0.0
        self._trial = False

    def enter(self) -> None:
        """Before a request; raises `Unavailable` while open, and for all but one of the calls that come after the pause."""
        if self._failures < self._limit:
            return
        left_s = self._open_until - self._clock()
        if left_s > 0 or self._trial:
            when = f"in {left_s:.0f} s" if left_s > 0 else "when the request that tries it has ended"
            raise Unavailable(
                f"{self._name} failed {self._failures} times in a row and is left alone; call again {when}"
            )
        self._trial = True

    def succeeded(self) -> None:
        """The service answered: closed."""
        self._failures = 0
        self._trial = False

    def failed(self) -> None:
        """No answer, or one that says that the service is broken."""
        self._failures += 1
        self._trial = False
        self._open_until = self._clock() + self._pause_s

    def abandoned(self) -> None:
        """The request was given up before it told anything: another may try."""
        self._trial = False
