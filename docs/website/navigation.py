"""The pages of the site, and the sections in which its navigation lists them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from docs.build import llms_sections
from docs.website.gallery import gallery_pages
from docs.website.pages import Page, repository_pages, site_path
from docs.website.reference import reference_pages


def all_pages() -> tuple[dict[str, Page], dict[str, Path]]:
    """Return the pages of the site, arranged for navigation, and the files that they link to."""
    pages, files = repository_pages()
    pages.update(reference_pages())
    pages.update(gallery_pages())
    return pages, files


def navigation(pages: Mapping[str, Page]) -> dict[str, list[str]]:
    """Return the pages of each section of the navigation, and give index pages their children."""
    sections = {}
    for section, rows in llms_sections().items():
        places = [place for _, path, _ in rows if (place := site_path(os.path.normpath(f"docs/{path}"))) in pages]
        sections[section] = [place for place in places if place is not None]
    for section, owner in {
        "Built-in functions by family": "functions.md",
        "Working on the code": "contributing/index.md",
        "Optional": "decisions/index.md",
    }.items():
        pages[owner].children = sections.pop(section)
    sections["Start"].append("gallery/index.md")
    sections["Reference"].insert(0, "reference/index.md")
    listed = {place for places in sections.values() for place in places}
    listed |= {child for page in pages.values() for child in page.children}
    sections["Working on it"] += sorted(set(pages) - listed - {"index.md"})
    return sections
