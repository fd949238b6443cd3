"""The examples on the pages about process table functions give the results on the pages."""

from __future__ import annotations

import ast
import doctest
import re
from pathlib import Path

from pyspark.sql import SparkSession

DOCS = Path(__file__).parents[2] / "docs"


def _run(page: Path) -> int:
    """Run the examples of a page, and return their number."""
    # Run the doctest by hand, since declarations look up the annotations of classes in a module.
    test = doctest.DocTestParser().get_doctest(
        page.read_text(encoding="utf-8"), {"__name__": "__main__"}, page.name, str(page), 0
    )
    told: list[str] = []
    found = doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert found.failed == 0, "".join(told)
    return found.attempted


def test_every_example() -> None:
    assert _run(DOCS / "process-table-functions.md") > 20


def test_the_example_over_a_stream(spark: SparkSession) -> None:
    assert _run(DOCS / "process-table-functions-running.md") > 10


def test_every_promise_names_tests_that_exist() -> None:
    text = (DOCS / "process-table-functions-proposal.md").read_text(encoding="utf-8")
    cited = set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text))
    assert len(cited) > 20
    missing = [
        f"{file}::{name}"
        for file, name in sorted(cited)
        if name not in {node.name for node in ast.parse((DOCS.parent / file).read_text()).body if hasattr(node, "name")}
    ]
    assert missing == []
    # Each promise has a test.
    promises = text.partition("## What is missing")[0]
    rows = [line for line in promises.splitlines() if line.startswith("| ") and "promise" not in line]
    assert [row for row in rows if "::" not in row] == []
