"""The MCP tools for agents that are given functions instead of a server."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from typing import Any

from hydramind.api.verb_table import VERBS
from hydramind.errors import Invalid
from hydramind.mind.text import clean
from hydramind.sdk.performing import Performing

_BY_NAME = {verb.name: verb for verb in VERBS}


class Tooling(Performing, ABC):
    """Tools by name: what there is, and a call of one."""

    @staticmethod
    def tool_schemas() -> tuple[dict[str, Any], ...]:
        """`name`, `description` and `parameters` (a JSON Schema object) of each tool, as the MCP server lists them.

        Function calling takes them as they are, or as `{"type": "function", "function": schema}`.
        """
        # Here, because it brings the MCP SDK along, which whoever asks for no tools need not wait for.
        from hydramind.mcp_server.schema import input_schema
        from hydramind.mcp_server.tools import CARDS

        return tuple(
            {
                "name": card.verb,
                "description": card.description,
                "parameters": input_schema(_BY_NAME[card.verb].request, card.arguments, card.describe),
            }
            for card in CARDS
        )

    async def call_tool(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Do what a model asked for; the text for it reads as over MCP, with stored words quoted.

        Raises `Invalid` for another name or argument than those listed, else what the method of that name raises.
        """
        from hydramind.mcp_server.tools import CARDS

        card = next((card for card in CARDS if card.verb == name), None)
        if card is None:
            raise Invalid("name", f"must be one of {', '.join(each.verb for each in CARDS)}, got {name[:40]!r}")
        for given in arguments:
            if given not in card.arguments:
                raise Invalid(given, f"is not an argument of {name}; it takes {', '.join(card.arguments)}")
        verb = _BY_NAME[name]
        request = verb.request.parse(dict(arguments))
        return clean(card.say(await self._do(verb, request), request).text())
