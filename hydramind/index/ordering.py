"""The one order in which memories are shown."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def best(
    ordinals: NDArray[Any], scores: NDArray[np.float64], ids: NDArray[np.int64], created: NDArray[np.int64], limit: int
) -> NDArray[np.intp]:
    """Positions of the best `limit` of (k,) `ordinals` with (k,) `scores`: by score, then newer, then smaller id; `ids`
    and `created` are (n,) by ordinal."""
    positions = np.arange(len(scores))
    if 0 < limit < len(scores):
        cut = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        positions = positions[scores >= cut]
    chosen = ordinals[positions]
    order = np.lexsort((ids[chosen], -created[chosen], -scores[positions]))
    return positions[order[:limit]]
