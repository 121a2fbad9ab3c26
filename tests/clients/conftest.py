"""Tests that install programs from npm; they run when HYDRAMIND_TEST_CLIENTS=1."""

from __future__ import annotations

import os

import pytest

collect_ignore_glob = [] if os.environ.get("HYDRAMIND_TEST_CLIENTS") == "1" else ["test_*.py"]


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker."""
    config.addinivalue_line("markers", "clients: runs programs installed from npm")
