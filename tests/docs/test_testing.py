"""The examples on the page about tests give the results on the page, and its tables list what the kit has."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from tableapi import testing
from tableapi.testing import ProcessTableFunctionTestHarness

PAGE = Path(__file__).parents[2] / "docs" / "testing.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_every_example() -> None:
    examples = "\n".join(re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {"__name__": "__main__"}, PAGE.name, str(PAGE), 0)
    assert len(test.examples) > 40
    told: list[str] = []
    found = doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert found.failed == 0, "".join(told)


def test_every_public_name_is_on_the_page() -> None:
    records = {"AsyncCall", "AsyncRun", "GivenRows", "LateRow", "SqlSnapshotExtension", "TimerRecord"}
    for name in set(testing.__all__) - records:
        assert f"`{name}`" in TEXT or f" {name}" in TEXT, name


def test_every_method_of_the_harness_is_on_the_page() -> None:
    methods = [name for name in vars(ProcessTableFunctionTestHarness) if not name.startswith("_")]
    assert len(methods) > 10
    for name in methods:
        assert name in TEXT, name
