"""`HydraMindClient`: the same verbs by HTTP, from a server that `hydramind up` runs."""

from __future__ import annotations

import asyncio
import random
from types import TracebackType
from typing import Any, Final, Self, TypeVar
from urllib.parse import quote, urlsplit

import httpx2
from pydantic import BaseModel, ValidationError

from hydramind.api.verb_table import Verb
from hydramind.errors import HydraMindError, Misconfigured, Unavailable
from hydramind.models import EntityView, Reply, Request, ScopeView, Stats
from hydramind.sdk.ingesting import Ingesting
from hydramind.sdk.problems import error_of
from hydramind.sdk.reading import Reading
from hydramind.sdk.tooling import Tooling
from hydramind.sdk.writing import Writing
from hydramind.web.addresses import is_loopback

Model = TypeVar("Model", bound=BaseModel)
_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 2.0


class _Scopes(BaseModel):
    scopes: tuple[ScopeView, ...]


class _Entities(BaseModel):
    entities: tuple[EntityView, ...]


class HydraMindClient(Writing, Reading, Ingesting, Tooling):
    """A server's memory. Use it as `async with HydraMindClient(url) as mind`, or call `close` at the end.

    Failures are the exceptions that the embedded memory raises. A read, and a write with an `idempotency_key`, is tried up
    to `attempts` times when the server is busy or cannot be reached; any other write is sent once.
    """

    in_flight = 8

    def __init__(self, base_url: str, token: str | None = None, *, timeout: float = 30.0, attempts: int = 4) -> None:
        """`base_url` such as `http://127.0.0.1:8788`; `timeout` in seconds for one try. Raises `Misconfigured`."""
        host = _checked(base_url)
        self._base_url = base_url.rstrip("/")
        self._attempts = attempts
        self._http = httpx2.AsyncClient(
            base_url=self._base_url,
            headers={"Authorization": f"Bearer {token}"} if token else {},
            timeout=timeout,
            trust_env=not is_loopback(host),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections; nothing can be asked afterwards."""
        await self._http.aclose()

    async def scopes(self) -> tuple[ScopeView, ...]:
        """Every scope, by name."""
        return (await self._get("/api/scopes", _Scopes)).scopes

    async def stats(self, scope: str) -> Stats:
        """Counts of one scope."""
        return await self._get(f"/api/scopes/{quote(scope, safe='')}/stats", Stats)

    async def entities(self, scope: str) -> tuple[EntityView, ...]:
        """The entities of a scope, the most linked first."""
        return (await self._get(f"/api/scopes/{quote(scope, safe='')}/entities", _Entities)).entities

    async def _do(self, verb: Verb[Any, Any], request: Request) -> Reply:
        # Only what differs from the defaults is sent, so that an older server is not asked for what it does not know.
        body = request.model_dump_json(exclude_defaults=True)
        again = not verb.writes or bool(getattr(request, "idempotency_key", ""))
        reply: type[Reply] = verb.reply
        return self._read(reply, await self._ask("POST", f"/v1/{verb.name}", body, again=again))

    async def _get(self, path: str, reply: type[Model]) -> Model:
        return self._read(reply, await self._ask("GET", path, None, again=True))

    def _read(self, reply: type[Model], content: bytes) -> Model:
        try:
            return reply.model_validate_json(content)
        except ValidationError:
            raise error_of(httpx2.codes.OK, content, self._base_url) from None

    async def _ask(self, method: str, path: str, body: str | None, *, again: bool) -> bytes:
        pause = _FIRST_PAUSE
        for left in range(self._attempts - 1 if again else 0, -1, -1):
            try:
                return await self._once(method, path, body)
            except HydraMindError as error:
                if not left or not error.retryable:
                    raise
            await asyncio.sleep(random.uniform(pause / 2, pause))  # noqa: S311 - jitter
            pause = min(pause * 2, _LONGEST_PAUSE)
        raise AssertionError("the last try returns or raises")

    async def _once(self, method: str, path: str, body: str | None) -> bytes:
        headers = {} if body is None else {"Content-Type": "application/json"}
        content = None if body is None else body.encode()
        try:
            answer = await self._http.request(method, path, content=content, headers=headers)
        except httpx2.TimeoutException:
            raise Unavailable(f"{self._base_url!r} did not answer in time") from None
        except httpx2.RequestError as error:
            reason = str(error).lower() or type(error).__name__
            raise Unavailable(f"{self._base_url!r} cannot be reached: {reason}") from error
        if not answer.is_success:
            raise error_of(answer.status_code, answer.content, self._base_url)
        return answer.content


def _checked(base_url: str) -> str:
    """The host; raises `Misconfigured` for what is no plain HTTP address."""
    if "@" in base_url:
        raise Misconfigured("base_url must not hold credentials: give the token by itself")
    try:
        parts = urlsplit(base_url)
        named = parts.port is None or parts.port > 0
    except ValueError:
        parts, named = urlsplit(""), False
    if not named or parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise Misconfigured(f"base_url: expected an address such as 'http://127.0.0.1:8788', got {base_url!r}")
    return parts.hostname
