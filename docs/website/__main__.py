"""Build the site: ``python -m docs.website`` (``make site``), in an environment with ``docs/website/requirements.txt``.

It writes ``build/site/VERSION`` and, above the versions, a page that leads to the newest.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from sphinx.application import Sphinx

from docs.build import llms_text
from docs.website.navigation import all_pages, navigation
from docs.website.pages import ROOT, Page, broken_links, site_path, with_languages
from tableapi._version import __version__

HERE = Path(__file__).parent
BUILD = ROOT / "build"
_REFERENCE = re.compile(r'(?:href|src)="([^"]*)"')
_REDIRECT = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={newest}/index.html">
<title>tableapi</title>
<p>The documentation of tableapi:</p>
<ul>
{versions}
</ul>
</html>
"""


def _toctree(paths: list[str], place: str, caption: str = "") -> str:
    folder = PurePosixPath(place).parent.as_posix()
    entries = "\n".join(os.path.relpath(path, folder) for path in paths)
    return f"\n```{{toctree}}\n:hidden:\n{f':caption: {caption}' if caption else ''}\n\n{entries}\n```\n"


def write_sources(folder: Path, pages: Mapping[str, Page], files: Mapping[str, Path]) -> None:
    """Write what Sphinx reads."""
    sections = navigation(pages)
    shutil.rmtree(folder, ignore_errors=True)
    for place, page in pages.items():
        text = with_languages(page.text)
        if page.children:
            text += _toctree(page.children, place)
        if place == "index.md":
            text += "".join(_toctree(paths, place, section) for section, paths in sections.items())
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    for place, file in files.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, folder / place)


def write_twins(folder: Path, pages: Mapping[str, Page], files: Mapping[str, Path]) -> None:
    """Write the Markdown of each page beside it, the files that pages link to, and ``llms.txt``."""
    for place, page in pages.items():
        (folder / place).write_text(page.text, encoding="utf-8")
    for place, file in files.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, folder / place)
    reference = [f"- [{page.title}]({place})" for place, page in pages.items() if place.startswith("reference/")]
    relinked = re.sub(
        r"\]\(([^)]+)\)", lambda link: f"]({site_path(os.path.normpath(f'docs/{link[1]}')) or link[1]})", llms_text()
    )
    (folder / "llms.txt").write_text("\n".join([relinked, "## API reference", "", *reference, ""]), encoding="utf-8")


def missing_files(folder: Path) -> list[str]:
    """Return a line for each file of the built site that a page of it refers to, and that is not there."""
    missing = []
    for page in sorted(folder.rglob("*.html")):
        for target in set(_REFERENCE.findall(page.read_text(encoding="utf-8"))):
            path = unquote(target.partition("#")[0].partition("?")[0])
            is_elsewhere = "://" in path or path.startswith(("mailto:", "data:"))
            if path and not is_elsewhere and not (page.parent / path).is_file():
                missing.append(f"{page.relative_to(folder)}: there is no {path}")
    return missing


def main() -> int:
    """Build the site; return 1 if a link is broken or Sphinx has warned."""
    pages, files = all_pages()
    broken = broken_links(pages, files)
    for line in broken:
        print(line, file=sys.stderr)
    source, site = BUILD / "source", BUILD / "site"
    write_sources(source, pages, files)
    version = site / __version__
    shutil.rmtree(version, ignore_errors=True)
    app = Sphinx(
        str(source),
        str(HERE),
        str(version),
        str(BUILD / "doctrees"),
        "html",
        freshenv=True,
        warningiserror=True,
        parallel=os.cpu_count() or 1,
    )
    app.build()
    write_twins(version, pages, files)
    missing = missing_files(version)
    for line in missing:
        print(line, file=sys.stderr)
    versions = sorted((entry.name for entry in site.iterdir() if entry.is_dir()), key=_parts, reverse=True)
    listed = "\n".join(f'<li><a href="{name}/index.html">{name}</a></li>' for name in versions)
    (site / "index.html").write_text(_REDIRECT.format(newest=versions[0], versions=listed), encoding="utf-8")
    size = sum(file.stat().st_size for file in version.rglob("*") if file.is_file()) / 1e6
    print(f"{len(pages)} pages, {size:.1f} MB: {site / 'index.html'}")
    return int(bool(broken or missing) or app.statuscode != 0)


def _parts(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


if __name__ == "__main__":
    sys.exit(main())
