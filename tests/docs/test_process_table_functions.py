"""The examples on the page about process table functions give the results on the page."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "process-table-functions.md"


def test_every_example() -> None:
    # Run the doctest by hand, since declarations look up the annotations of classes in a module.
    test = doctest.DocTestParser().get_doctest(
        PAGE.read_text(encoding="utf-8"), {"__name__": "__main__"}, PAGE.name, str(PAGE), 0
    )
    assert len(test.examples) > 20
    told: list[str] = []
    found = doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert found.failed == 0, "".join(told)
