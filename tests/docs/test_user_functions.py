"""The examples on the page about user-defined functions give the results on the page."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
from pathlib import Path
from typing import Any

import pytest

from ir.errors import TableException
from tableapi.expressions import col

PAGE = (Path(__file__).parents[2] / "docs" / "user-functions.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_every_example() -> None:
    scope: dict[str, object] = {}
    examples = [
        example for language, block in BLOCKS if not language for example in doctest.DocTestParser().get_examples(block)
    ]
    assert len(examples) > 15
    for example in examples:
        written = io.StringIO()
        if example.exc_msg is not None:
            with pytest.raises(TableException) as raised:
                exec(compile(example.source, "docs/user-functions.md", "single"), scope)  # the page is ours
            error = raised.value
            shown = f"{type(error).__module__}.{type(error).__name__}: {error}\n"
            assert (example.source, shown) == (example.source, example.exc_msg)
            continue
        with contextlib.redirect_stdout(written):
            exec(compile(example.source, "docs/user-functions.md", "single"), scope)  # the page is ours
        assert (example.source, written.getvalue()) == (example.source, example.want)


def test_the_four_kinds() -> None:
    scope: dict[str, Any] = {}
    blocks = [block for language, block in BLOCKS if language == "python"]
    assert len(blocks) == 1
    exec(compile(blocks[0], "docs/user-functions.md", "exec"), scope)  # the page is ours
    assert repr(scope["shout"](col("a"))) == "shout(a)"
    assert list(scope["words"].func("a bb")) == [("a", 1), ("bb", 2)]
    assert repr(scope["total"]) == "<aggregate function Total(value: BIGINT NOT NULL) -> BIGINT NOT NULL>"
    accumulator = scope["Largest"]().create_accumulator()
    for value in (3, 1, 2):
        scope["Largest"]().accumulate(accumulator, value)
    assert list(scope["Largest"]().emit_value(accumulator)) == [(2,), (3,)]
