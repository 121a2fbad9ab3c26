"""Memories, their vectors and questions about them: made up, deterministic, of a natural vocabulary's shape."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hydramind.ids import stable_id
from hydramind.mind.text import STOP_WORDS
from hydramind.records import Entity, Memory, MemoryKind
from hydramind.verbs.remember import content_key

DIMENSION: Final = 384
BLOCK: Final = 50
"""Rows that are made together: a conversation of 25 turns, then 25 facts."""

_SEED: Final = 20260301
START_MS: Final = 1_772_359_200_000
_MINUTE_MS: Final = 60_000
_VOCABULARY: Final = 200_000
_SHIFT, _BEND, _FUNCTION = 2.7, 500, 0.45
"""The word of rank r is as frequent as 1 / (r + 2.7), past rank 500 as 1 / r ** 2: somewhat richer than chat, where two
thousand turns hold two thousand different words beside function words. The first ranks are function words, 45 in 100."""
_SHORTEST, _LONGEST = 8, 32
"""Words in a text, evenly spread: 20 on average."""
_PEOPLE: Final = (
    "Amara Bjorn Chen Dalia Emeka Farah Goran Hana Ivo Jun Katya Luis Mira Noor Oskar Priya Rosa Sami".split()
)
_THINGS: Final = 2_000
_SYLLABLES: Final = [
    first + second for first in "bdfgklmnprstvz" for second in ("a", "e", "i", "o", "u", "an", "or", "il")
]
_ASKED: Final = 5
"""Words of a memory that a question about it holds."""
_DIRECTIONS: Final = 8_192
_ALIKE: Final = 1.75
"""Length of what all texts share, against 1 for what tells them apart: unrelated texts end near a cosine of 0.75."""


def _word(number: int) -> str:
    """A word of two to four syllables; each number gives another."""
    number += len(_SYLLABLES)
    parts = list[str]()
    while number:
        number, at = divmod(number, len(_SYLLABLES))
        parts.append(_SYLLABLES[at])
    return "".join(parts)


class Corpus:
    """The rows of one scope. Row `number` is the same however many there are."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        self._words = [*sorted(STOP_WORDS), *(_word(number) for number in range(_VOCABULARY))]
        ranks = np.arange(len(self._words)) + _SHIFT
        weights = np.minimum(1 / ranks, _BEND / ranks**2)
        weights[: len(STOP_WORDS)] *= _FUNCTION / weights[: len(STOP_WORDS)].sum()
        weights[len(STOP_WORDS) :] *= (1 - _FUNCTION) / weights[len(STOP_WORDS) :].sum()
        self._reach: NDArray[np.float64] = np.cumsum(weights)
        self._reach[-1] = 1.0

    def entities(self) -> list[Entity]:
        """What the facts are about."""
        names = [f"{_word(number).title()} {number}" for number in range(_THINGS)]
        return [Entity(self._thing(n), self.scope, name, name.lower(), START_MS) for n, name in enumerate(names)]

    def memories(self, count: int, start: int = 0) -> Iterator[Memory]:
        """Rows `start` up to `count`, in the order in which they were told; `start` is a multiple of `BLOCK`."""
        for block in range(start // BLOCK, -(-count // BLOCK)):
            yield from self._block(block)[: count - block * BLOCK]

    def question(self, number: int) -> tuple[str, Memory]:
        """A question that holds some words of row `number`, and that row."""
        row = self._block(number // BLOCK)[number % BLOCK]
        telling = list(dict.fromkeys(word for word in row.content.split() if word not in STOP_WORDS))
        rng = random.Random(number)
        chosen = sorted(rng.sample(range(len(telling)), min(_ASKED, len(telling))))
        who = f"{row.source} say" if row.kind == MemoryKind.TURN else "they know"
        return f"What did {who} about {' '.join(telling[at] for at in chosen)}?", row

    def _block(self, block: int) -> list[Memory]:
        rng = np.random.default_rng((_SEED, block))
        lengths = rng.integers(_SHORTEST, _LONGEST + 1, BLOCK)
        ranks = np.searchsorted(self._reach, rng.random(int(lengths.sum())))
        drawn = iter([self._words[rank] for rank in ranks.tolist()])
        texts = [" ".join(next(drawn) for _ in range(length)) for length in lengths.tolist()]
        pair = random.Random(block).sample(_PEOPLE, 2)
        turns = [self._turn(block, at, content, pair[at % 2]) for at, content in enumerate(texts[: BLOCK // 2])]
        return turns + [self._fact(block, at, content) for at, content in enumerate(texts[BLOCK // 2 :], BLOCK // 2)]

    def _turn(self, block: int, at: int, content: str, speaker: str) -> Memory:
        moment = START_MS + (block * BLOCK + at) * _MINUTE_MS
        return Memory(
            id=self._id(block, at),
            scope=self.scope,
            content=content,
            key=content_key(content),
            created_at=moment,
            event_time=moment,
            valid_from=moment,
            kind=MemoryKind.TURN.value,
            source=speaker,
            session=f"talk-{block}",
            evidence_id=f"D{block}:{at}",
            revision=1,
        )

    def _fact(self, block: int, at: int, content: str) -> Memory:
        moment = START_MS + (block * BLOCK + at) * _MINUTE_MS
        about = (block * 7 + at) % _THINGS, (block * 13 + at * 3 + 1) % _THINGS
        return Memory(
            id=self._id(block, at),
            scope=self.scope,
            content=content,
            key=content_key(content),
            created_at=moment,
            event_time=moment,
            valid_from=moment,
            source="benchmark",
            entity_ids=",".join(str(self._thing(number)) for number in about),
            revision=1,
        )

    def _id(self, block: int, at: int) -> int:
        return stable_id("memory", self.scope, block * BLOCK + at)

    def _thing(self, number: int) -> int:
        return stable_id("thing", self.scope, number)


class WordEmbedder:
    """An embedder that costs next to nothing: each word has a direction of its own, a text is the sum of its words' and of
    what all texts share. It goes by the name of the calibrated offline model, so that recall gates as it does there."""

    identity = "recall-speed/multilingual-e5-small-q4"
    dimension = DIMENSION

    def __init__(self) -> None:
        rng = np.random.default_rng(_SEED)
        self._directions = rng.standard_normal((_DIRECTIONS, DIMENSION), np.float32) / np.float32(DIMENSION**0.5)
        self._shared = rng.standard_normal(DIMENSION, np.float32) / np.float32(DIMENSION**0.5)

    async def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As passages."""
        return self.vectors(texts)

    async def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, 384) unit vectors."""
        return self.vectors(texts)

    async def close(self) -> None:
        """Nothing to close."""

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, 384) unit vectors; a text of function words alone is what all texts share."""
        rows = np.empty((len(texts), DIMENSION), np.float32)
        for at, words in enumerate(map(_telling, texts)):
            own = self._directions[words].sum(axis=0)
            rows[at] = own / max(1e-6, float(np.linalg.norm(own)))
        rows += np.float32(_ALIKE / float(np.linalg.norm(self._shared))) * self._shared
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _telling(text: str) -> list[int]:
    words = (word.strip("?:.,").lower() for word in text.split())
    return [_direction(word) for word in words if word not in STOP_WORDS]


@lru_cache(maxsize=_VOCABULARY)
def _direction(word: str) -> int:
    return stable_id(word) % _DIRECTIONS
