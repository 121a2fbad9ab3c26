"""A node home of each test's own, cleared of processes afterwards whatever happened."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from node_process import end_all, processes_of, until

from hydramind.node import NodeOptions, acquire, stop


@pytest.fixture(scope="session")
async def class_cache(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Path]:
    """A folder with a class cache made once, so that the tests' many starts are cheap."""
    home = tmp_path_factory.mktemp("cached") / "home"
    try:
        await (await acquire(NodeOptions(home), lambda _: None)).release()
        await stop(NodeOptions(home))
        await until(lambda: processes_of(home) == {}, 60.0)
        yield home / "node" / "cache"
    finally:
        end_all(home)


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Path]:
    """A home that does not exist yet."""
    path = tmp_path / "home"
    yield path
    end_all(path)


@pytest.fixture
def home(fresh: Path, class_cache: Path) -> Path:
    """A home that has nothing but a class cache."""
    return furnished(fresh, class_cache)


@pytest.fixture
def options(home: Path) -> NodeOptions:
    """Ten minutes idle."""
    return NodeOptions(home)


def furnished(home: Path, class_cache: Path) -> Path:
    """Lends the class cache to a new home."""
    (home / "node").mkdir(parents=True, mode=0o700)
    home.chmod(0o700)
    (home / "node" / "cache").symlink_to(class_cache, target_is_directory=True)
    return home
