"""The examples of the page about declaring tables."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "table-declarations.md"


def test_examples_run() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.attempted > 5
    assert found.failed == 0
