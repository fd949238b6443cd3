"""The examples of the pages that need no more than this library give what the pages show."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    "page",
    [
        "changing-rows",
        "fmt",
        "kafka",
        "lineage",
        "nats",
        "stability",
        "streaming-queries",
        "table-changes",
        "table-declarations",
        "table-formats",
        "tree-json",
    ],
)
def test_examples(page: str) -> None:
    found = doctest.testfile(str(DOCS / f"{page}.md"), module_relative=False, encoding="utf-8")
    assert found.attempted > 1
    assert not found.failed
