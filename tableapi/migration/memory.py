"""The journal of an import in a folder, a line for each step, so that an interrupted run can be repeated.

``.tableapi_import/done.jsonl`` has a line before each file that is written, and a line after each view that is done. A
line that was cut by the end of a process is ignored. A file is of an import if a line announces its content.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tableapi import __version__
from tableapi.catalog.file_lock import try_lock
from tableapi.migration.records import ViewResult
from tableapi.project.configuration import ProjectError

FOLDER: Final = ".tableapi_import"
_FILE: Final = "done.jsonl"
_LOCK: Final = "lock"
_FORMAT: Final = 1


def content_digest(content: bytes | str) -> str:
    """Return a fingerprint of a content.

    >>> content_digest("SELECT 1") == content_digest(b"SELECT 1")
    True
    """
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()[:32]


class ImportMemory:
    """The memory of the imports into one folder; only one process has it at a time.

    Args:
        root: the folder of the project.
        form: in which form views are written: ``sql``, ``normalised sql`` or ``python``.
        origin: what is imported, in words.
    """

    def __init__(self, root: Path, form: str, origin: str) -> None:
        self._folder = root / FOLDER
        self._path = self._folder / _FILE
        self._written: dict[str, set[str]] = {}
        self._results: dict[str, tuple[str, ViewResult]] = {}
        self._origins: dict[str, set[str]] = {}
        self._form = form
        self._origin = origin

    @property
    def folder(self) -> Path:
        """The folder of what imports keep for themselves."""
        return self._folder

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the memory while a run works.

        Raises:
            ProjectError: another process imports into the folder, or an earlier run wrote views in another form.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / ".gitignore").write_text("*\n", "utf-8")
        descriptor = os.open(self._folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            try:
                try_lock(descriptor)
            except OSError:
                raise ProjectError(f"Another process imports views into {self._folder.parent} now.") from None
            self._read()
            yield
        finally:
            os.close(descriptor)

    def _read(self) -> None:
        try:
            text = self._path.read_text("utf-8")
        except FileNotFoundError:
            self._add({"format": _FORMAT, "form": self._form})
            return
        for line in text.splitlines():
            try:
                found = json.loads(line)
                self._take(found)
            except (ValueError, KeyError, TypeError):
                # The line was cut when its process ended, or another version wrote it.
                continue
        if text and not text.endswith("\n"):
            self._append("\n")

    def _take(self, found: Mapping[str, Any]) -> None:
        if "form" in found and found["form"] != self._form:
            raise ProjectError(
                f"{self._folder.parent} has views that were imported as {found['form']}, and this run would write "
                f"{self._form}. Choose another folder, or remove {self._folder} and what was imported."
            )
        if "write" in found:
            self._written.setdefault(found["write"], set()).add(found["digest"])
            self._origins.setdefault(found["write"], set()).add(found["origin"])
        elif "view" in found:
            self._results[found["view"]] = found["digest"], ViewResult.from_json(found["result"])

    def _add(self, line: Mapping[str, Any]) -> None:
        self._append(json.dumps(line, ensure_ascii=False) + "\n")

    def _append(self, text: str) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())

    # --- files -------------------------------------------------------------------------------------------------------

    def is_own(self, path: str, content: bytes) -> bool:
        """Whether an import wrote this content of a file."""
        return content_digest(content) in self._written.get(path, ())

    def files(self) -> list[str]:
        """Return the files that imports wrote, relative to the folder of the project."""
        return sorted(self._written)

    def files_of_origin(self) -> list[str]:
        """Return the files that only imports of the same origin wrote."""
        return sorted(path for path, origins in self._origins.items() if origins == {self._origin})

    def announce(self, path: str, content: bytes) -> None:
        """Record that content will be written, before it is written."""
        digest = content_digest(content)
        if digest not in self._written.get(path, ()) or self._origin not in self._origins.get(path, ()):
            self._add({"write": path, "digest": digest, "origin": self._origin})
            self._written.setdefault(path, set()).add(digest)
            self._origins.setdefault(path, set()).add(self._origin)

    # --- views -------------------------------------------------------------------------------------------------------

    def result(self, name: str, digest: str) -> ViewResult | None:
        """Return how a view ended in an earlier run with the same fingerprint; None if none finished it."""
        known = self._results.get(name)
        return known[1] if known is not None and known[0] == digest else None

    def remember(self, name: str, digest: str, result: ViewResult) -> None:
        """Record the outcome of a view."""
        self._add({"view": name, "digest": digest, "result": result.to_json()})
        self._results[name] = digest, result


def run_digest(*facts: object) -> str:
    """Return a fingerprint of the facts on which a result depends, with the version of this library."""
    return content_digest(json.dumps([__version__, *map(str, facts)]))
