"""What the embedded memory and the HTTP client share: how a verb of the table gets done."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, TypeVar, cast

from hydramind.api.verb_table import VERBS, Verb
from hydramind.models import Reply, Request

Given = TypeVar("Given", bound=Reply)
_BY_NAME = {verb.name: verb for verb in VERBS}


class Performing(ABC):
    """Does verbs by name. Bad arguments raise `Invalid` before anything is sent or stored."""

    async def perform(self, verb: str, reply: type[Given], values: dict[str, Any]) -> Given:
        """Do one verb with raw arguments and give its reply; raises `HydraMindError`."""
        chosen = _BY_NAME[verb]
        assert chosen.reply is reply  # noqa: S101 - both come from the table
        return cast(Given, await self._do(chosen, chosen.request.parse(values)))

    @abstractmethod
    async def _do(self, verb: Verb[Any, Any], request: Request) -> Reply:
        """Do one verb with checked arguments."""
