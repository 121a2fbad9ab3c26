"""The floor: texts by how many of the query's distinct words they hold, the earlier first among equals."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchmarks.peer_programs.wire import Item, Setup, serve


class Overlap:
    """The words of each text."""

    def __init__(self, setup: Setup) -> None:
        del setup
        self._words: dict[str, list[tuple[str, set[str]]]] = {}

    def add(self, scope: str, items: Sequence[Item]) -> int:
        """Split once; none is refused."""
        self._words[scope] = [(item.id, _words(item.text)) for item in items]
        return 0

    def find(self, scope: str, query: str, limit: int) -> list[str]:
        """Only texts that hold a word of the query."""
        wanted = _words(query)
        counted = [(len(wanted & words), id_) for id_, words in self._words[scope]]
        return [id_ for count, id_ in sorted(counted, key=lambda pair: -pair[0]) if count][:limit]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


if __name__ == "__main__":
    serve(Overlap, [])
