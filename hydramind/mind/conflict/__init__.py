"""Does a draft say the opposite of a stored statement? Pure, deterministic, replaceable."""

from __future__ import annotations

from hydramind.mind.conflict.analysis import forget_analyses
from hydramind.mind.conflict.detect import detect
from hydramind.mind.conflict.model import Claim, Detector, Kind, Verdict

__all__ = ["Claim", "Detector", "Kind", "Verdict", "detect", "forget_analyses"]
