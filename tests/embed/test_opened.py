"""The models of the settings are opened and closed in one place."""

from __future__ import annotations

from pathlib import Path

import hydramind
from hydramind.embed.opened import open_embedding, open_models
from hydramind.settings import load
from tests.embed.provider_server import service


def test_one_module_opens_the_embedder_of_the_settings() -> None:
    """Every face and command comes by it, so that none forgets to open beside the event loop or to close."""
    package = Path(hydramind.__file__).parent
    naming = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if "open_embedder" in path.read_text(encoding="utf-8")
    }
    assert naming == {"embed/opened.py", "embed/opening.py"}


async def test_the_embedder_alone_is_the_one_among_the_models() -> None:
    """Of one identity, with nothing else asked; none where the settings say so."""
    with service() as (url, _):
        settings = load({}, embedder="tei", embedder_url=url)
        async with open_embedding(settings) as alone, open_models(settings) as models:
            assert alone is not None
            assert models.embedder is not None
            assert (models.embedder.identity, models.reranker) == (alone.identity, None)
            assert (await alone.embed_queries(["x"])).shape == (1, 24)
    async with open_embedding(load({}, embedder="none")) as nothing:
        assert nothing is None
