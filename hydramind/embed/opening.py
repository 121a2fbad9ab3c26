"""Opens the embedder and the reranker that the settings name."""

from __future__ import annotations

import logging

from hydramind.embed import offline
from hydramind.embed.checked import CheckedEmbedder
from hydramind.embed.protocol import Embedder
from hydramind.errors import Misconfigured
from hydramind.settings import Settings

_log = logging.getLogger(__name__)


def open_embedder(settings: Settings) -> Embedder | None:
    """The embedder, or none: because the setting says so, or because it is `auto` and this platform has no offline one.

    Raises `Misconfigured` when the settings contradict each other or what they name is not there.
    """
    if settings.embedder == "none":
        return None
    if settings.embedder not in ("auto", "offline"):
        raise Misconfigured(
            f"HYDRAMIND_EMBEDDER: {settings.embedder!r} is not built yet; use 'auto', 'offline' or 'none'"
        )
    reason = offline.missing()
    if not reason:
        return CheckedEmbedder(offline.OfflineProvider())
    if settings.embedder == "auto":
        _log.warning("recall works without vectors: %s; HYDRAMIND_EMBEDDER names another embedder, or none", reason)
        return None
    raise Misconfigured(f"HYDRAMIND_EMBEDDER is 'offline', but {reason}")
