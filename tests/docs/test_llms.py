"""``docs/llms.txt`` has the form of llmstxt.org, and one line for each page."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
LINES = (DOCS / "llms.txt").read_text(encoding="utf-8").splitlines()
LINK = re.compile(r"- \[[^\]]+\]\(([^)]+)\): \S.*")


def test_form() -> None:
    assert LINES[0] == "# tableapi"
    assert LINES[2].startswith("> ")
    first = LINES.index("## Start")
    for line in LINES[first:]:
        assert not line or line.startswith("## ") or LINK.fullmatch(line), line


def test_each_page_has_a_line() -> None:
    listed = [(DOCS / found[1]).resolve() for line in LINES if (found := LINK.fullmatch(line))]
    assert len(listed) == len(set(listed))
    # The page that lists the pages for people is the other one.
    assert set(listed) == {*DOCS.rglob("*.md"), DOCS.parent / "CONTRIBUTING.md"} - {DOCS / "README.md"}
