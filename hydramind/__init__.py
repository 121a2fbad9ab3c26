"""Persistent memory for agents that knows when it may be wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hydramind.sdk.client import HydraMindClient
    from hydramind.sdk.embedded import HydraMind

__all__ = ["HydraMind", "HydraMindClient", "__version__"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """The two entrances, imported when they are asked for, so that importing the package stays light."""
    if name == "HydraMind":
        from hydramind.sdk.embedded import HydraMind

        return HydraMind
    if name == "HydraMindClient":
        from hydramind.sdk.client import HydraMindClient

        return HydraMindClient
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
