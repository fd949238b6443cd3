"""What a release promises, in one file a release: its public names, and the SQL that it emitted.

``python -m docs.releases`` writes ``docs/releases/VERSION.json.gz`` of the current version, which is committed with the
release. Tests compare later versions with it (``tests/docs/test_public_api.py``, ``tests/test_released_sql.py``).
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from docs.public_api import public_names
from tableapi._version import __version__

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "releases"
CHANGELOG = ROOT / "CHANGELOG.md"
EMISSION_HEADING = "### Emitted SQL"
_SECTION = re.compile(r"^## (\d+\.\d+\.\d+)(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Release:
    """What a release promised.

    Attributes:
        version: its version.
        names: the kind and the signature of each public name, as in ``docs/public-api.txt``.
        texts: the text in the layout MERGED of each test program.
    """

    version: str
    names: Mapping[str, str]
    texts: Mapping[str, str]


def releases() -> list[Release]:
    """Return the releases whose files are kept, the oldest first."""
    files = sorted(FOLDER.glob("*.json.gz"), key=lambda file: version_key(file.name.removesuffix(".json.gz")))
    found = [(file.name.removesuffix(".json.gz"), json.loads(gzip.decompress(file.read_bytes()))) for file in files]
    return [Release(version, content["names"], content["texts"]) for version, content in found]


def version_key(version: str) -> tuple[int, ...]:
    """Return what versions are ordered by.

    >>> version_key("0.10.0") > version_key("0.9.1")
    True
    """
    return tuple(int(part) for part in version.split("."))


def names_today() -> dict[str, str]:
    """Return the public names of today, each with its kind and signature."""
    return {name.path: name.line for name in public_names()}


def texts_today() -> dict[str, str]:
    """Return the texts of the test programs in the layout MERGED, as the snapshots have them."""
    return {file.stem: file.read_text(encoding="utf-8") for file in sorted((ROOT / "snapshots/merged").glob("*.sql"))}


def changelog_since(version: str, changelog: str) -> str:
    """Return the sections of the changelog that are newer than a version; of one that is not released, its own, too.

    >>> log = "# Changelog\\n\\n## 0.2.0 (unreleased)\\n\\n- b\\n\\n## 0.1.0 (2026-12-01)\\n\\n- a\\n"
    >>> changelog_since("0.1.0", log)
    '## 0.2.0 (unreleased)\\n\\n- b\\n\\n'
    >>> changelog_since("0.2.0", log)
    '## 0.2.0 (unreleased)\\n\\n- b\\n\\n'
    """
    for section in _SECTION.finditer(changelog):
        is_released = "unreleased" not in section[2].lower()
        if version_key(section[1]) < version_key(version) or (section[1] == version and is_released):
            return changelog[_first_section(changelog) : section.start()]
    return changelog[_first_section(changelog) :]


def _first_section(changelog: str) -> int:
    found = _SECTION.search(changelog)
    return 0 if found is None else found.start()


def is_released(version: str, changelog: str) -> bool:
    """Whether the changelog has a version as released, with its date.

    >>> is_released("0.1.0", "## 0.1.0 (unreleased)"), is_released("0.1.0", "## 0.1.0 (2026-12-01)")
    (False, True)
    """
    return any(
        section[1] == version and "unreleased" not in section[2].lower() for section in _SECTION.finditer(changelog)
    )


def unannounced_names(release: Release, today: Mapping[str, str], changelog: str) -> list[str]:
    """Return a line for each public name of a release that was removed or changed without a word in the changelog.

    A word is the name in code font, with its class if it has one: `Table.join`.
    """
    news = changelog_since(release.version, changelog)
    broken = []
    for path, line in release.names.items():
        if today.get(path) != line and not _is_named(path, news):
            change = "was removed" if path not in today else f"was {line!r}, and is {today[path]!r}"
            broken.append(f"{path} {change}, and CHANGELOG.md does not name it")
    return broken


def _is_named(path: str, text: str) -> bool:
    """Whether a text names a public name: by its path, without the module, or its class as a whole."""
    parts = path.split(".")
    forms = {".".join(parts[start:]) for start in range(len(parts))}
    if parts[-1].islower() and parts[-2][:1].isupper():
        # A method alone might be one of another class.
        forms.discard(parts[-1])
    return any(re.search(rf"`{re.escape(form)}(\(.*?\))?`", text) for form in forms)


def unannounced_texts(release: Release, today: Mapping[str, str], changelog: str) -> list[str]:
    """Return the test programs whose text changed since a release, unless the changelog says why texts changed."""
    if EMISSION_HEADING in changelog_since(release.version, changelog):
        return []
    return sorted(name for name, text in release.texts.items() if name in today and today[name] != text)


def outlived(deprecations: Iterable[tuple[str, str]], version: str) -> list[str]:
    """Return the names that a version should have removed.

    >>> outlived([("f", "0.3.0"), ("g", "0.4.0")], "0.3.1")
    ['f']
    """
    return [name for name, removed_in in deprecations if version_key(removed_in) <= version_key(version)]


def main() -> int:
    """Write the file of the current version; refuse to change that of a release."""
    target = FOLDER / f"{__version__}.json.gz"
    if target.exists() and is_released(__version__, CHANGELOG.read_text(encoding="utf-8")):
        print(f"{__version__} is released, and {target} does not change any more.", file=sys.stderr)
        return 1
    FOLDER.mkdir(exist_ok=True)
    content = json.dumps({"names": names_today(), "texts": texts_today()}, ensure_ascii=False, sort_keys=True)
    target.write_bytes(gzip.compress(content.encode(), mtime=0))
    print(f"wrote {target}: {target.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
