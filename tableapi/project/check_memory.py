"""Remember the views that a check found valid, until the views or their sources change.

A view is as it was if its file, and the files of all that it reads, have the same content, and so has the rest of what
a check depends on: the names of all objects, the functions, the project file, the engine, and this library itself.
Views in Python, and those that read one, are built each time, because Python code may read anything.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from ir.identifiers import ObjectIdentifier, fold
from tableapi import __version__
from tableapi.catalog.read_cache import cache_reads
from tableapi.project.configuration import FILE_NAME
from tableapi.project.findings import Finding
from tableapi.project.objects import Key, key_of

if TYPE_CHECKING:
    from tableapi.project.project import Project, ProjectView

FOLDER = ".tableapi_cache"
_FORMAT = 1


@attrs.frozen
class Checked:
    """The outcome of a check.

    Attributes:
        findings: what is wrong, ordered by file and line.
        views: the names of the views that can be built, sorted.
        unchanged: how many of them were not built, because they are as the last check found them right.
    """

    findings: list[Finding]
    views: list[str]
    unchanged: int


def check_changed_views(project: Project, *, every: bool = False) -> Checked:
    """Check a project, without building the views that are as the last check found them right.

    Args:
        project: the project.
        every: whether to build all views.
    """
    # Each file is read once, so that what is checked is one state of them.
    with cache_reads():
        memory = CheckMemory(project)
        names = project.names()
        unchanged = set() if every else memory.unchanged(names)
        findings = project.check(unchanged)
    wrong = {project.catalog.key(finding.subject) for finding in findings if "/" not in finding.subject}
    memory.remember(unchanged, [view for view in project.checked if key_of(view.identifier) not in wrong])
    kept = [f"{name.database}.{name.name}" for name in names if key_of(name) in unchanged]
    return Checked(findings, sorted([*kept, *(view.name for view in project.checked)]), len(kept))


def check_every_view(project: Project) -> Checked:
    """Build and check all views of a project; nothing is kept for the next check, so no file is written.

    Args:
        project: the project.
    """
    with cache_reads():
        findings = project.check()
    return Checked(findings, sorted(view.name for view in project.checked), 0)


class CheckMemory:
    """The views that the last check of a project found right.

    Args:
        project: the project that is checked now.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._file = project.configuration.root / FOLDER / "checked.json"
        self._digests: dict[Key, str | None] = {}
        self._world = self._describe_world()
        self._known = self._read()
        self._signatures: dict[Key, str | None] = {}
        # Before anything is built: a file that is edited during the check is built again next time.
        catalog = project.catalog
        for database in catalog.list_databases():
            for name in catalog.list_tables(database):
                self._digest((fold(database), fold(name)))

    def unchanged(self, identifiers: Iterable[ObjectIdentifier]) -> set[Key]:
        """Return those of some views that the last check found right, and that are as they were."""
        views = [key_of(identifier) for identifier in identifiers]
        return {view for view in views if view in self._known and self._sign(view) == self._known[view]["signature"]}

    def remember(self, unchanged: set[Key], right: Iterable[ProjectView]) -> None:
        """Keep which views are right: those that are as they were, and those that were built.

        Nothing is kept if the folder of the project cannot be written.
        """
        kept = {view: self._known[view] for view in unchanged}
        for view in right:
            digest = self._digest(key_of(view.identifier))
            if digest is not None:
                kept[key_of(view.identifier)] = {
                    "digest": digest,
                    "reads": [list(key_of(read)) for read in view.own_reads],
                }
        if kept.keys() == self._known.keys() and len(kept) == len(unchanged):
            return
        self._known, self._signatures = kept, {}
        for key, entry in list(kept.items()):
            entry["signature"] = self._sign(key)
            if entry["signature"] is None:
                # It reads a view in Python, or one with a problem.
                del kept[key]
        self._write(kept)

    # --- signatures --------------------------------------------------------------------------------------------------

    def _sign(self, wanted: Key) -> str | None:
        """Return a digest of a view or table and of all that it reads; None if something of that is unknown."""
        waiting = [wanted]
        while waiting:
            current = waiting[-1]
            reads = self._reads(current)
            missing = [read for read in reads or () if read not in self._signatures]
            # Views that read each other have no signature, as they cannot be built.
            if missing and not set(missing) & set(waiting):
                waiting += missing
                continue
            waiting.pop()
            parts = [self._digest(current), *[self._signatures.get(read) for read in reads or ()]]
            known = [part for part in parts if part is not None]
            self._signatures[current] = _hash(known) if reads is not None and len(known) == len(parts) else None
        return self._signatures[wanted]

    def _reads(self, key: Key) -> list[Key] | None:
        """Return the tables and views that a view reads, [] for a table; None if the view changed since the check."""
        entry = self._known.get(key)
        if entry is None:
            return [] if self._is_table(key) else None
        return [(database, name) for database, name in entry["reads"]] if entry["digest"] == self._digest(key) else None

    def _is_table(self, key: Key) -> bool:
        file = self._project.catalog.file_of(*key)
        return file is not None and file.parent.name == "tables"

    def _digest(self, key: Key) -> str | None:
        """Return a digest of the file of a table or view; None for one that Python declares, or without a file."""
        if key not in self._digests:
            catalog = self._project.catalog
            file = None if catalog.declaration(*key) is not None else catalog.file_of(*key)
            self._digests[key] = None if file is None else _hash([self._world, _content(file)])
        return self._digests[key]

    def _describe_world(self) -> str:
        """Return a digest of what each view depends on, besides what it reads."""
        catalog, configuration = self._project.catalog, self._project.configuration
        library = sorted(
            f"{path} {stat.st_mtime_ns} {stat.st_size}"
            for package in ("tableapi", "ir", "grammar", "serializer")
            for path in Path(str(sys.modules[package].__file__)).parent.rglob("*.py")
            for stat in (path.stat(),)
        )
        databases = catalog.list_databases()
        names = [f"{database}.{name}" for database in databases for name in catalog.list_tables(database)]
        functions = [
            catalog.function_file(database, f) for database in databases for f in catalog.list_functions(database)
        ]
        others = [file for folder in configuration.catalogs.values() for file in sorted(folder.rglob("*.sql"))]
        described = [
            *(f"{file} {_content(file)}" for file in others),
            *(str(_FORMAT), __version__, sys.version, *library, *names),
            *(str(self._project.engine), _content(configuration.root / FILE_NAME)),
            *(f"{file} {_content(file)}" for file in functions if file is not None),
        ]
        return _hash(described)

    # --- the file ----------------------------------------------------------------------------------------------------

    def _read(self) -> dict[Key, dict[str, Any]]:
        try:
            found: Mapping[str, Any] = json.loads(self._file.read_text("utf-8"))
            views: Mapping[str, Mapping[str, Any]] = found["views"] if found["format"] == _FORMAT else {}
            return {
                (database, name): dict(entry)
                for database, of_database in views.items()
                for name, entry in of_database.items()
            }
        except (OSError, ValueError, KeyError, AttributeError, TypeError):
            # There is none, or it was cut off: everything is checked.
            return {}

    def _write(self, kept: Mapping[Key, Mapping[str, Any]]) -> None:
        views: dict[str, dict[str, Any]] = {}
        for (database, name), entry in sorted(kept.items()):
            views.setdefault(database, {})[name] = entry
        try:
            self._file.parent.mkdir(exist_ok=True)
            (self._file.parent / ".gitignore").write_text("*\n", "utf-8")
            partial = self._file.with_suffix(f".{os.getpid()}")
            partial.write_text(json.dumps({"format": _FORMAT, "views": views}), "utf-8")
            partial.replace(self._file)
        except OSError:
            # A folder that cannot be written costs time, and nothing else.
            return


def _content(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return ""


def _hash(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
