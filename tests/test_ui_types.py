"""The types of the pages are those of the models."""

from __future__ import annotations

from scripts import ui_types


def test_the_types_of_the_pages_are_generated() -> None:
    """Whoever changes a model runs `python scripts/ui_types.py`."""
    assert ui_types.TARGET.read_text("utf-8") == ui_types.source()
