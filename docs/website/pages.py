"""The pages of the site: where each file of the repository is on it, and links that hold there."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
# Pages outside docs/, by their path in the repository.
_OTHERS = {
    "README.md": "index.md",
    "docs/README.md": "all-pages.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
    "examples/README.md": "examples.md",
    "examples/project/README.md": "examples/project.md",
    "examples/process_functions/README.md": "examples/process-functions.md",
}
# Files that have a place of their own on the site.
_FILES = {"docs/llms.txt": "llms.txt"}
_FENCE = re.compile(r"^( *)(```+)(.*?)\n(.*?)^\1\2[ \t]*$", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"(`+)(?:(?!\1).)+?\1(?!`)", re.DOTALL)
_LINK = re.compile(r"(\]\()([^()\s]+)(\))")
# Languages that Pygments does not know.
_WITHOUT_COLOURS = ("lark",)
_ARROW = re.compile(r"(\w+)(?:\[\"(.*?)\"\])? *-->(?:\|\"?(.*?)\"?\|)? *(\w+)(?:\[\"(.*?)\"\])?")
_HEADING = re.compile(r"^(#{1,6}) +(.+?) *#* *$", re.MULTILINE)


@dataclass
class Page:
    """A page of the site.

    Attributes:
        path: its path on the site, with the suffix ``.md``.
        text: its Markdown, with links as they are on the site.
        children: paths of the pages below it in the navigation.
    """

    path: str
    text: str
    children: list[str] = field(default_factory=list)

    @property
    def title(self) -> str:
        """The first heading, without code font."""
        found = _HEADING.search(without_code(self.text, spans=False))
        return found[2].replace("`", "") if found else self.path

    @property
    def anchors(self) -> frozenset[str]:
        """The anchors of its headings, as forges make them."""
        seen: dict[str, int] = {}
        made = set()
        for heading in _HEADING.finditer(without_code(self.text, spans=False)):
            slug = anchor(heading[2])
            times = seen[slug] = seen.get(slug, -1) + 1
            made.add(f"{slug}-{times}" if times else slug)
        return frozenset(made)

    @property
    def links(self) -> list[str]:
        """The targets of its links, without those in code."""
        return [link[2] for link in _LINK.finditer(without_code(self.text))]


def anchor(heading: str) -> str:
    """Return the anchor of a heading.

    >>> anchor("Which function a name means"), anchor("`te.sql_query`: SQL, read")
    ('which-function-a-name-means', 'tesql_query-sql-read')
    """
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("\\", "")
    return re.sub(r"[^\w\s-]", "", text.strip().lower()).replace(" ", "-")


def without_code(text: str, *, spans: bool = True) -> str:
    """Return Markdown without its code blocks, and without what is in code font."""
    outside = _FENCE.sub("", text)
    return _CODE.sub("", outside) if spans else outside


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """Change what is not code."""
    made, at = [], 0
    for block in _FENCE.finditer(text):
        made += [_outside_spans(text[at : block.start()], change), block[0]]
        at = block.end()
    return "".join([*made, _outside_spans(text[at:], change)])


def _outside_spans(text: str, change: Callable[[str], str]) -> str:
    # A link may have a text in code font, so spans are hidden, not cut out.
    spans: list[str] = []

    def hide(span: re.Match[str]) -> str:
        spans.append(span[0])
        return f"\0{len(spans) - 1}\0"

    changed = change(_CODE.sub(hide, text))
    return re.sub("\0(\\d+)\0", lambda place: spans[int(place[1])], changed)


def site_path(path: str) -> str | None:
    """Return where a page of the repository is on the site; None if it is no page.

    >>> site_path("docs/decisions/README.md"), site_path("docs/fmt.md"), site_path("tests/README.md")
    ('decisions/index.md', 'fmt.md', None)
    """
    if path in _OTHERS:
        return _OTHERS[path]
    if not path.startswith("docs/") or not path.endswith(".md"):
        return None
    return re.sub(r"README\.md$", "index.md", path.removeprefix("docs/"))


def repository_pages() -> tuple[dict[str, Page], dict[str, Path]]:
    """Return the pages that are files of the repository by their paths, and the other files that they link to."""
    sources = [*sorted(DOCS.rglob("*.md")), *[ROOT / path for path in _OTHERS if (ROOT / path).is_file()]]
    pages: dict[str, Page] = {}
    files: dict[str, Path] = {}
    for source in sources:
        path = source.relative_to(ROOT).as_posix()
        place = site_path(path)
        if place is not None and place not in pages:
            text = _outside_code(source.read_text(encoding="utf-8"), lambda part, p=path: _relink(part, p, files))
            pages[place] = Page(place, text)
    return pages, files


def _relink(text: str, path: str, files: dict[str, Path]) -> str:
    """Return the text of a page with links as they are on the site; add the files that it links to."""
    place = site_path(path) or path

    def change(link: re.Match[str]) -> str:
        target, _, fragment = link[2].partition("#")
        if not target or "://" in target or target.startswith("mailto:"):
            return link[0]
        found = os.path.normpath((PurePosixPath(path).parent / target).as_posix())
        if (ROOT / found).is_dir() and (ROOT / found / "README.md").is_file():
            found += "/README.md"
        on_site = site_path(found)
        if on_site is None and (ROOT / found).is_file():
            on_site = _FILES.get(found, f"files/{found}")
            files[on_site] = ROOT / found
        if on_site is None:
            # Reported by the check of links, with the page and the target.
            return link[0]
        shown = os.path.relpath(on_site, PurePosixPath(place).parent.as_posix())
        return f"{link[1]}{shown}{'#' + fragment if fragment else ''}{link[3]}"

    return _LINK.sub(change, text)


def with_languages(text: str) -> str:
    """Return Markdown whose code blocks all have a language, for colours."""

    def change(block: re.Match[str]) -> str:
        indent, marks, language, code = block.groups()
        first = code.lstrip().splitlines()[0] if code.strip() else ""
        if not language.strip():
            is_shell = re.match(r"(\$ |make |pip |python |tableapi |\.venv/)", first) is not None
            language = "pycon" if first.startswith(">>>") else "console" if is_shell else "text"
        elif language.strip() == "mermaid":
            return _steps_of(code)
        elif language.strip() in _WITHOUT_COLOURS:
            language = "text"
        body = code.rstrip() + "\n"
        return f"{indent}{marks}{language}\n{body}{indent}{marks}"

    return _FENCE.sub(change, text)


def _steps_of(flowchart: str) -> str:
    """Return a flowchart of Mermaid as a table of its arrows, which needs no JavaScript.

    >>> print(_steps_of('flowchart TD\\n    a["text"] -->|parse| b["tree"]\\n    b --> a'))
    | from | step | to |
    |---|---|---|
    | text | parse | tree |
    | tree |  | text |
    """
    arrows = _ARROW.findall(flowchart)
    names: dict[str, str] = {}
    for start, start_text, _, end, end_text in arrows:
        names |= {key: text for key, text in ((start, start_text), (end, end_text)) if text}
    rows = [f"| {names.get(start, start)} | {step} | {names.get(end, end)} |" for start, _, step, end, _ in arrows]
    return "\n".join(["| from | step | to |", "|---|---|---|", *rows])


def broken_links(pages: Mapping[str, Page], files: Mapping[str, Path]) -> list[str]:
    """Return a line for each link of a page to a page, an anchor or a file that the site does not have."""
    anchors = {path: page.anchors for path, page in pages.items()}
    broken = []
    for path, page in pages.items():
        for link in page.links:
            target, _, fragment = link.partition("#")
            if "://" in target or target.startswith("mailto:"):
                continue
            found = os.path.normpath((PurePosixPath(path).parent / target).as_posix()) if target else path
            if found not in pages and found not in files:
                broken.append(f"{path}: there is no {link}")
            elif fragment and found in pages and fragment not in anchors[found]:
                broken.append(f"{path}: {found} has no heading with the anchor #{fragment}")
    return broken
