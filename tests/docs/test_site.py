"""The site: all links and anchors hold, each page is in the navigation once, and pages are read as forges read them."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from docs.public_api import as_markdown
from docs.website import pages as pages_module
from docs.website.navigation import all_pages, navigation
from docs.website.pages import Page, broken_links, with_languages


@pytest.fixture(scope="module")
def site() -> tuple[dict[str, Page], dict[str, Path]]:
    return all_pages()


@pytest.mark.slow
def test_no_link_is_broken(site: tuple[dict[str, Page], dict[str, Path]]) -> None:
    pages, files = site
    assert sum(len(page.links) for page in pages.values()) > 1000
    assert broken_links(pages, files) == []


def test_broken_links_are_found() -> None:
    text = "# One\n\n[a](two.md#there) [b](two.md#gone) [c](no.md) [d](#one) [`e`](#two)\n\n```\n[f](no-link.md)\n```\n"
    pages = {"one.md": Page("one.md", text), "two.md": Page("two.md", "# Two\n\n## There\n\n`[g](in-code.md)`\n")}
    assert broken_links(pages, {}) == [
        "one.md: two.md has no heading with the anchor #gone",
        "one.md: there is no no.md",
        "one.md: one.md has no heading with the anchor #two",
    ]


def test_each_page_is_in_the_navigation_once(site: tuple[dict[str, Page], dict[str, Path]]) -> None:
    pages, _ = site
    sections = navigation(pages)
    assert list(sections) == ["Start", "How to", "Migration", "Reference", "Explanations", "Working on it"]
    listed = [place for places in sections.values() for place in places]
    listed += [child for page in pages.values() for child in page.children]
    assert sorted([*listed, "index.md"]) == sorted(pages)


def test_each_class_that_users_import_has_a_place(site: tuple[dict[str, Page], dict[str, Path]]) -> None:
    pages, _ = site
    assert "Table.join" in pages["reference/tableapi.Table.md"].text
    assert "## SqlParserException" in pages["reference/tableapi.md"].text
    assert "## lpad" not in pages["reference/tableapi.expressions.md"].text


def test_examples() -> None:
    found = doctest.testmod(pages_module)
    assert found.attempted == 3
    assert found.failed == 0


def test_a_docstring_as_markdown() -> None:
    doc = "Return ``a*b`` of x_y.\n\nArgs:\n    a: a number,\n        or none.\n\n>>> f(1)\n1"
    assert as_markdown(doc) == (
        "Return `a*b` of x\\_y.\n\n**Parameters**\n\n- `a`: a number, or none.\n\n```pycon\n>>> f(1)\n1\n```"
    )


def test_code_blocks_get_a_language() -> None:
    text = "```\n>>> 1\n1\n\n```\n\n```\nmake test\n```\n\n```\n| a |\n```\n\n```sql\nSELECT 1\n```\n"
    assert with_languages(text) == (
        "```pycon\n>>> 1\n1\n```\n\n```console\nmake test\n```\n\n```text\n| a |\n```\n\n```sql\nSELECT 1\n```\n"
    )
