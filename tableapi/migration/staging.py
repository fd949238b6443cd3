"""Try in a project of its own in which form each imported view reads back as the same tree.

A view begins in the author's text. If that reads back as another query, because a ``*`` in it means more columns now
than when the view was stored, the view gets the normalised text of its tree. If it cannot be built at all, it is kept
as text, and those who read it get its columns as those of a table.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Collection, Iterable
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

import attrs

from ir.errors import TableException
from ir.identifiers import fold, quote
from ir.rendering import Layout, Quoting
from ir.schema import ResolvedSchema
from tableapi.catalog.catalog import CatalogTable
from tableapi.catalog.file_names import file_name
from tableapi.catalog.object_files import write_object
from tableapi.catalog.relative_names import strip_catalog
from tableapi.catalog.statements import create_function, create_table
from tableapi.migration.folder import catalog_lines, project_text, write_file
from tableapi.migration.records import Failure, Form, SourceView
from tableapi.migration.sources import Surroundings, failure_of, sources_of_view
from tableapi.migration.view_files import author_text, kept_settings, view_file, view_path_of
from tableapi.project.comparable import KnownFunctions, comparable
from tableapi.project.configuration import FILE_NAME, Configuration, read_configuration
from tableapi.project.findings import Finding
from tableapi.project.objects import Key, key_of
from tableapi.project.project import Project, ProjectView

# Each round moves at least one view towards text, and a chain of views needs one for each of its links at most.
_ROUNDS: Final = 100
CATALOG: Final = "catalog"
VIEWS: Final = "views"


@attrs.define(eq=False)
class Staged:
    """A view on its way: its form, the content of its file, and why it is not in a better form."""

    view: SourceView
    form: Form
    content: bytes = b""
    failure: Failure | None = None
    notes: tuple[str, ...] = ()


class Stage:
    """A project in a folder of its own, in which views are tried.

    Args:
        root: the folder; what it has is replaced.
        configuration: the project into which the views are imported.
        surroundings: what the views read besides each other.
        normalises: whether every view gets the normalised text.
    """

    def __init__(
        self, root: Path, configuration: Configuration, surroundings: Surroundings, *, normalises: bool = False
    ) -> None:
        self.root = root
        self._configuration = configuration
        self._surroundings = surroundings
        self._normalises = normalises
        self._known: KnownFunctions = {}
        self.staged: dict[Key, Staged] = {}

    def settle(self, views: Iterable[SourceView], progress: Callable[[int], None] = lambda _: None) -> None:
        """Find the form of each view."""
        shutil.rmtree(self.root, ignore_errors=True)
        own = self._configuration
        text = project_text(self.root, None, own.database, own.name)
        text += f'catalog_name = "{own.catalog_name}"\ntime_zone = "{own.time_zone}"\n'
        text += "\n".join([*catalog_lines(own, self.root), ""])
        write_file(self.root / FILE_NAME, text.encode())
        for view in views:
            self.staged[view.key] = self._first(view)
        for path, content in self.surrounding_files(CATALOG).items():
            write_file(self.root / path, content)
        for staged in self.staged.values():
            self._write(staged)
        for number in range(_ROUNDS):
            progress(number)
            if not self._round():
                break

    def remove(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.root, ignore_errors=True)

    def project(self) -> Project:
        """Return the project of the stage."""
        return Project(read_configuration(self.root))

    def order(self) -> list[Key]:
        """Return the views so that each is after those that it reads."""
        graph = {key: sorted(self._reads(key) & self.staged.keys() - {key}) for key in sorted(self.staged)}
        try:
            return list(TopologicalSorter(graph).static_order())
        except CycleError:
            return list(self.staged)

    def all_reads(self, key: Key) -> set[Key]:
        """Return the views that a view reads, directly or by others."""
        found: set[Key] = set()
        left = [key]
        while left:
            for read in self._reads(left.pop()):
                if read in self.staged and read not in found:
                    found.add(read)
                    left.append(read)
        return found

    def _reads(self, key: Key) -> set[Key]:
        return {key_of(identifier) for identifier in sources_of_view(self.staged[key].view)}

    def _first(self, view: SourceView) -> Staged:
        staged = Staged(view, Form.AUTHOR, notes=view.notes)
        if view.operation is None:
            self._keep(staged, view.failure or Failure("It cannot be read."))
        elif self._normalises or view.dialect.name != "SPARK":
            self._normalise(staged)
        else:
            try:
                text = author_text(
                    view, self._configuration.catalog_name, self._surroundings.functions_of(view.namespace or ("",))
                )
                staged.content = view_file(view, text, self.settings_of(view))
            except TableException:
                self._normalise(staged, "The author's text cannot be stored as it is.")
        return staged

    def settings_of(self, view: SourceView) -> dict[str, str]:
        """Return the settings that the file of a view has to declare."""
        return kept_settings(view.settings, view.operation, self._configuration.time_zone)

    def _normalise(self, staged: Staged, reason: str = "") -> None:
        """Give a view the text of its tree."""
        view = staged.view
        assert view.operation is not None
        try:
            operation = strip_catalog(view.operation, self._configuration.catalog_name)
            text = operation.as_serializable_string(layout=Layout.MERGED, quoting=Quoting.NEEDED)
            definition = attrs.evolve(view.definition, renames=False)
            content = view_file(attrs.evolve(view, definition=definition), text, self.settings_of(view))
        except TableException as error:
            self._keep(staged, failure_of(error))
            return
        staged.form, staged.content = Form.NORMALISED, content
        if reason:
            staged.notes = (*staged.notes, reason)

    def _keep(self, staged: Staged, failure: Failure) -> None:
        staged.form, staged.content, staged.failure = Form.TEXT, b"", failure

    # --- files -------------------------------------------------------------------------------------------------------

    def surrounding_files(
        self, catalog: str, others: Collection[Key] = (), other_functions: Collection[Key] = ()
    ) -> dict[str, bytes]:
        """Return the files of tables and functions, below the folder of a catalog.

        Args:
            catalog: the folder.
            others: tables that get no file.
            other_functions: functions that get no file.
        """
        files = {}
        databases = {fold(staged.view.database): staged.view.database for staged in self.staged.values()}
        for (database, name), table in self._surroundings.tables.items():
            databases.setdefault(fold(database), database)
            if (fold(database), fold(name)) in others:
                continue
            path = f"{catalog}/{file_name(database)}/tables/{file_name(name)}.sql"
            files[path] = write_object(create_table(quote(name), table), {})
        for (database, name), function in self._surroundings.functions.items():
            databases.setdefault(fold(database), database)
            if (fold(database), fold(name)) in other_functions:
                continue
            path = f"{catalog}/{file_name(database)}/functions/{file_name(name)}.sql"
            files[path] = write_object(create_function(quote(name), function), function.settings)
        for database in databases.values():
            files[f"{catalog}/{file_name(database)}/database.sql"] = f"CREATE DATABASE {quote(database)};\n".encode()
        return files

    def file_of(self, staged: Staged, catalog: str) -> tuple[str, bytes] | None:
        """Return the file of a view below the folder of a catalog; None if nothing is known of a view kept as text."""
        view = staged.view
        folder = f"{catalog}/{file_name(view.database)}"
        if staged.form is not Form.TEXT:
            return view_path_of(catalog, view), staged.content
        if view.schema is None:
            return None
        comment = "A view that is kept as text; its columns are declared for the views that read it."
        table = CatalogTable(view.schema, comment)
        return f"{folder}/tables/{file_name(view.name)}.sql", write_object(create_table(quote(view.name), table), {})

    def _write(self, staged: Staged) -> None:
        found = self.file_of(staged, CATALOG)
        if found is not None:
            write_file(self.root / found[0], found[1])
        if staged.form is Form.TEXT:
            (self.root / view_path_of(CATALOG, staged.view)).unlink(missing_ok=True)

    def hide(self, keys: Collection[Key]) -> None:
        """Leave the files of views out of the project of the stage, and bring back those that were left out before."""
        for key, staged in self.staged.items():
            if key not in keys:
                self._write(staged)
            else:
                (self.root / view_path_of(CATALOG, staged.view)).unlink(missing_ok=True)

    # --- rounds ------------------------------------------------------------------------------------------------------

    def _round(self) -> bool:
        """Build the project, and give the views that do not read back another form; return whether one got one."""
        project = self.project()
        built = {key_of(view.identifier): view for view in project.views().values()}
        problems = {project.catalog.key(found.subject): found for found in project.problems if "/" not in found.subject}
        files_by_view = {key: view_path_of(CATALOG, staged.view) for key, staged in self.staged.items()}
        files = set(files_by_view.values())
        waiting, changed = [], False
        for key, staged in self.staged.items():
            if staged.form is Form.TEXT:
                continue
            view, problem = built.get(key), problems.get(key)
            if view is None and problem is not None and problem.file in files - {files_by_view[key]}:
                # A view that it reads cannot be built.
                waiting.append(staged)
                continue
            changed = self._improve(staged, view, problem) or changed
        if not changed:
            # What is still waiting reads something that is no view of the import.
            for staged in waiting:
                changed = self._improve(staged, None, problems.get(staged.view.key)) or changed
        return changed

    def _improve(self, staged: Staged, built: ProjectView | None, problem: Finding | None) -> bool:
        if built is not None and self.is_same(staged.view, built):
            return False
        if built is not None and staged.form is Form.NORMALISED:
            # The report says that it reads back as another tree.
            return False
        if staged.form is Form.AUTHOR:
            self._normalise(
                staged,
                "Its text gives another query than the view has, whose columns are those of the time when it was "
                "stored: it is written as that query."
                if built is not None
                else f"The author's text cannot be read in a project: {_first_line(problem)}",
            )
        else:
            message = "It cannot be built in a project." if problem is None else problem.message
            self._keep(staged, failure_of(_without_file(message)))
        self._write(staged)
        return True

    def is_same(self, view: SourceView, built: ProjectView) -> bool:
        """Whether a view of a project has the tree and the columns of the imported one."""
        assert view.operation is not None
        old, new = comparable(view.operation, self._known), comparable(built.operation, self._known)
        return (old is new or old.normalize() is new.normalize()) and same_columns(view.schema, built.view.schema)


def same_columns(old: ResolvedSchema | None, new: ResolvedSchema) -> bool:
    """Whether two schemas have the same names and types, in the same order."""
    if old is None:
        return False
    return [(c.name, c.data_type) for c in old.columns] == [(c.name, c.data_type) for c in new.columns]


_IN_FILE: Final = re.compile(r" in [^\n]+?\.sql(?=: )")


def _without_file(message: str) -> str:
    return _IN_FILE.sub("", message)


def _first_line(problem: Finding | None) -> str:
    if problem is None:
        return "it cannot be built."
    return failure_of(_without_file(problem.message)).reason.splitlines()[0]
