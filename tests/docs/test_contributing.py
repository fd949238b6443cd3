"""The pages for contributors: their examples run, and what they name and quote is in the code."""

from __future__ import annotations

import doctest
import pkgutil
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {page.stem: page.read_text("utf-8") for page in sorted((ROOT / "docs" / "contributing").glob("*.md"))}
WITHOUT_EXAMPLES = {"README", "add-an-operation"}
ROOMS = ("ir", "grammar", "serializer", "tableapi", "tests", "docs", "snapshots")
every_page = pytest.mark.parametrize("page", PAGES)


@cache
def _files() -> tuple[str, ...]:
    """Return the paths of all files and directories, each with a slash before it."""
    found = [path for room in ROOMS for path in (ROOT / room).rglob("*") if path.suffix != ".pyc"]
    return tuple([f"/{path.relative_to(ROOT).as_posix()}" for path in (*found, *ROOT.glob("*.toml"))])


@cache
def _source() -> str:
    texts = [(ROOT / path[1:]).read_text("utf-8") for path in _files() if path.endswith((".py", ".lark", ".txt"))]
    return "\n".join(texts)


@cache
def _words() -> frozenset[str]:
    return frozenset(re.findall(r"\w+", _source()))


@cache
def _lines() -> frozenset[str]:
    return frozenset(map(str.strip, _source().splitlines()))


def _in_code_font(page: str) -> list[str]:
    """Return what stands between single backticks in the text of a page, outside its examples."""
    prose = re.sub(r"^```.*?^```$", "", PAGES[page], flags=re.DOTALL | re.MULTILINE)
    return re.findall(r"(?<!`)`([^`]+)`(?!`)", prose)


@pytest.mark.parametrize("page", [page for page in PAGES if page not in WITHOUT_EXAMPLES])
def test_example(page: str) -> None:
    found = doctest.testfile(
        str(ROOT / "docs" / "contributing" / f"{page}.md"), module_relative=False, encoding="utf-8"
    )
    assert found.attempted > 5
    assert not found.failed


@every_page
def test_named_files_exist(page: str) -> None:
    named = [
        text.rstrip("/") for text in _in_code_font(page) if re.fullmatch(r"[\w/]+(/|/\w+|\.(py|lark|sql|toml))", text)
    ]
    missing = [name for name in named if not any(path.endswith(f"/{name}") for path in _files())]
    assert not missing


@every_page
def test_named_modules_exist(page: str) -> None:
    for name in _in_code_font(page):
        if re.fullmatch(r"(ir|serializer|grammar|tableapi)(\.[a-z_]+)+", name):
            assert pkgutil.resolve_name(name) is not None


@every_page
def test_named_identifiers_exist(page: str) -> None:
    dotted = [text for text in _in_code_font(page) if re.fullmatch(r"[A-Za-z_][\w.]*(\(\))?", text)]
    parts = {part for text in dotted for part in text.removesuffix("()").split(".")}
    identifiers = {part for part in parts if "_" in part or re.search(r"[a-z][A-Z]", part)}
    assert identifiers <= _words()


@every_page
def test_quoted_code_is_current(page: str) -> None:
    quoted = re.findall(r"^```python\n(.*?)^```$", PAGES[page], flags=re.DOTALL | re.MULTILINE)
    lines = {line.strip() for block in quoted for line in block.splitlines() if '"""' not in line}
    assert lines <= _lines() | {""}


@every_page
def test_links_lead_to_pages(page: str) -> None:
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[\w-]+)?\)", PAGES[page])
    assert not [link for link in links if not (ROOT / "docs" / "contributing" / link).exists()]


def test_index_lists_every_page() -> None:
    assert all(f"({page}.md)" in PAGES["README"] for page in PAGES if page != "README")
