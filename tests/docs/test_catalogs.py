"""The examples on the catalog page give the results on the page."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "catalogs.md").read_text(encoding="utf-8")


def test_every_example() -> None:
    scope: dict[str, object] = {}
    examples = [
        example
        for block in re.findall(r"^```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
        for example in doctest.DocTestParser().get_examples(block)
    ]
    assert len(examples) > 20
    checker = doctest.OutputChecker()
    for example in examples:
        written = io.StringIO()
        with contextlib.redirect_stdout(written):
            try:
                exec(compile(example.source, "docs/catalogs.md", "single"), scope)  # the page is ours
            except Exception as error:
                print(f"{type(error).__name__}: {error}")
        if not checker.check_output(example.want, written.getvalue(), sum(example.options)):
            assert (example.source, written.getvalue()) == (example.source, example.want)
