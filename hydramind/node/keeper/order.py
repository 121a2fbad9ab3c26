"""What the starting client asks of the keeper."""

from __future__ import annotations

from typing import NamedTuple


class Order(NamedTuple):
    """`port` 0 means any; `cache` is where the class cache is or is to be, empty for none; `root` is the node's folder."""

    root: str
    java: str
    flags: list[str]
    class_path: str
    main: str
    environment: dict[str, str]
    port: int
    idle_seconds: float
    start_timeout_seconds: float
    cache: str
