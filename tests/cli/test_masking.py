"""Secrets never reach what the process prints."""

from __future__ import annotations

import logging
import sys

import pytest

from hydramind.cli.masking import MaskingFormatter, masked


@pytest.mark.parametrize(
    ("text", "environ", "shown"),
    [
        ("bolt://neo4j:hunter2@127.0.0.1:1 down", {}, "bolt://neo4j:***@127.0.0.1:1 down"),
        ("bolt://neo4j:p@ss#1@host:1", {}, "bolt://neo4j:***@host:1"),
        ("bolt://neo4j@host:1", {}, "bolt://neo4j@host:1"),
        ("wrong tok-probe sent", {"HYDRAMIND_HTTP_TOKEN": "tok-probe"}, "wrong *** sent"),
        ("auth('neo4j', 'hunter2')", {"HYDRAMIND_PASSWORD": "hunter2"}, "auth('neo4j', '***')"),
        ("got p@ss", {"HYDRAMIND_URI": "bolt://u:p%40ss@host"}, "got ***"),
        ("got p%40ss", {"HYDRAMIND_URI": "bolt://u:p%40ss@host"}, "got ***"),
        ("a cat sat: a", {"HYDRAMIND_TOKEN": "a"}, "*** cat sat: ***"),
        ("nothing set", {"HYDRAMIND_TOKEN": " "}, "nothing set"),
        ("abcd and abcdef", {"HYDRAMIND_TOKEN": "abcd", "HYDRAMIND_PASSWORD": "abcdef"}, "*** and ***"),
    ],
)
def test_secrets_are_masked_and_the_rest_stays(text: str, environ: dict[str, str], shown: str) -> None:
    """By value, by place in a URI, percent-encoded or not; user and host may be seen."""
    assert masked(text, environ) == shown


def test_tracebacks_in_the_log_are_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message of an exception may hold the URI."""
    monkeypatch.setenv("HYDRAMIND_TOKEN", "tok-probe")
    try:
        raise RuntimeError("refused tok-probe at bolt://neo4j:hunter2@h")
    except RuntimeError:
        record = logging.LogRecord("x", logging.ERROR, __file__, 1, "failed with %s", ("tok-probe",), sys.exc_info())
    line = MaskingFormatter("%(message)s").format(record)
    assert "tok-probe" not in line
    assert "hunter2" not in line
    assert line.startswith("failed with ***")
