"""How many source files a new operation and a new function touch, from the history of the repository."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import NamedTuple

from tests.house.sources import PACKAGES

_INDEX = "ir/functions/index.py"
_OPERATION = r"^class [A-Za-z]+\((QueryOperation|Pairing)\)"


class Addition(NamedTuple):
    """A commit that added something, and the source files that it changed."""

    subject: str
    files: list[str]


def last_new_operation(root: Path) -> Addition | None:
    """Return the last commit that added a module with a class of operations, None outside of a repository."""
    added = ("log", "-1", "--diff-filter=A", "-G", _OPERATION, "--format=%H", "--", "ir/operations/*.py")
    return _addition(root, _git(root, *added))


def last_new_function(root: Path) -> Addition | None:
    """Return the last commit after which the index of functions has more entries, None outside of a repository."""
    for commit in _git(root, "log", "--format=%H", "--", _INDEX).split():
        added, removed, _ = _git(root, "show", "--numstat", "--format=", commit, "--", _INDEX).split(maxsplit=2)
        if int(added) > int(removed):
            return _addition(root, commit)
    return None


def _addition(root: Path, commit: str) -> Addition | None:
    commit = commit.strip()
    if not commit:
        return None
    subject, _, changed = _git(root, "show", "--name-only", "--format=%s%n", commit).partition("\n")
    in_packages = [path for path in changed.split() if path.split("/")[0] in PACKAGES]
    # Stubs, the schema of documents and what versions of Spark lack are written by programs.
    files = [path for path in in_packages if not path.endswith((".pyi", ".json"))]
    return Addition(subject, files)


def _git(root: Path, *arguments: str) -> str:
    """Return what git prints, an empty string if it fails: a figure of the history is then unknown."""
    found = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    return found.stdout if found.returncode == 0 else ""
