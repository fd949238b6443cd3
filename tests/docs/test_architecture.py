"""The page about the architecture shows what each stage gives, and pages name only modules that exist."""

from __future__ import annotations

import doctest
import pkgutil
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
GLOSSARY = ROOT / "docs" / "glossary.md"
ROOMS = sorted(
    {
        name
        for page in (PAGE, GLOSSARY, *sorted((ROOT / "docs" / "decisions").glob("*.md")))
        for name in re.findall(r"`((?:ir|serializer|grammar|tableapi)(?:\.[a-z_]+)+)`", page.read_text("utf-8"))
    }
)


PACKAGES = sorted(
    path.parent.relative_to(ROOT).as_posix().replace("/", ".")
    for package in ("ir", "serializer", "grammar", "tableapi")
    for path in (ROOT / package).glob("*/__init__.py")
)


@pytest.mark.parametrize("package", PACKAGES)
def test_the_page_has_each_room(package: str) -> None:
    assert re.search(rf"`{re.escape(package)}[`.]", PAGE.read_text("utf-8"))


def test_example() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.attempted > 15
    assert not found.failed


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_that_pages_name_exist(room: str) -> None:
    assert pkgutil.resolve_name(room) is not None
