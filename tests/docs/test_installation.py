"""The examples of the page about installation give the results on the page, and its table lists the extras."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import tomllib

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "installation.md").read_text(encoding="utf-8")
# Not for users.
_OF_THE_CHECKOUT = {"demo", "dev"}


def test_example() -> None:
    (page,) = re.findall(r"^```python\n(>>> .*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    example = doctest.DocTestParser().get_doctest(page, {}, "installation", "docs/installation.md", 0)
    assert len(example.examples) > 5
    assert doctest.DocTestRunner().run(example).failed == 0


def test_extras() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = set(tomllib.load(file)["project"]["optional-dependencies"])
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == extras - _OF_THE_CHECKOUT
