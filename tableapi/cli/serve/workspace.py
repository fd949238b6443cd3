"""The project that is served, reloaded when its files change."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import attrs

from ir.errors import ValidationException
from tableapi.cli.compiling import is_text, read_text
from tableapi.cli.querying import compile_sql, query_alone, split_revision, table_at, view_table
from tableapi.project.configuration import FILE_NAME, Configuration, ProjectError, read_configuration
from tableapi.project.project import Project
from tableapi.table import Table
from tableapi.table_statement import TableStatement

States = dict[Path, tuple[int, int] | None]
"""The time of the last change and the size of files; None for a file that cannot be read."""


@attrs.frozen(eq=False)
class _Kept:
    """A project that was read, with the states of its files at that time."""

    project: Project
    states: States


class Workspace:
    """The folder of a project, with the project as its files were when it was last read.

    Args:
        root: the folder with the project file.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._kept: dict[str | None, _Kept] = {}

    # --- the project -------------------------------------------------------------------------------------------------

    def project(self, target: str | None = None) -> Project:
        """Return the project, which is read if a file of it changed, came or went since the last call.

        Args:
            target: a target of the project file, for whose version of Spark views are compiled; None for the newest.

        Raises:
            ProjectError: the project file is invalid.
            ValidationException: there is no such target.
        """
        kept = self._kept.get(target)
        if kept is not None and kept.states == self._states(kept.project.configuration, kept.project.module_files):
            return kept.project
        self._kept.pop(target, None)
        configuration = read_configuration(self.root)
        # Before it is read: a file that is edited meanwhile is read again next time.
        states = self._states(configuration, [])
        project = Project(configuration, target)
        self._kept[target] = _Kept(project, {**_states_of(project.module_files), **states})
        return project

    def _states(self, configuration: Configuration, modules: Iterable[Path]) -> States:
        views = [path for given in configuration.views for path in (given.rglob("*.py") if given.is_dir() else [given])]
        folders = [configuration.catalog, *configuration.catalogs.values()]
        files = [path for folder in folders if folder.is_dir() for path in folder.rglob("*.sql")]
        return _states_of([self.root / FILE_NAME, *views, *files, *modules])

    # --- queries -----------------------------------------------------------------------------------------------------

    def compiled(self, query: str, target: str | None = None) -> Table | TableStatement:
        """Return the compiled query of a SQL text, of a ``.sql`` file of the project or of a view of the project.

        Args:
            query: the SQL, the path of the file relative to the project, or the name of the view.
            target: the engine, such as ``spark-4.0``; None for the newest Spark.

        Raises:
            ProjectError: the query is invalid, or the file is outside the project.
        """
        if is_text(query):
            return compile_sql("", query, target, self.project)
        if is_file(query):
            return compile_sql(query, self.text(query), target, self.project)
        return view_table(self.project(), query)

    def compared(self, side: str) -> Table:
        """Return the query of a side of a comparison, which may be at a revision: ``HEAD:sales.daily``.

        Raises:
            ProjectError: the query is invalid or a statement about a table, or there is no such revision.
        """
        revision, query = split_revision(side)
        if revision is None:
            return query_alone(self.compiled(query), query)
        if is_file(query):
            self._file(query)
        return table_at(self.root, revision, query, self.project)

    def text(self, path: str) -> str:
        """Return the text of a file of the project.

        Raises:
            ProjectError: the file cannot be read.
            ValidationException: the path leads out of the project.
        """
        file = self._file(path)
        try:
            return read_text(str(file))
        except ProjectError as error:
            raise ProjectError(str(error).replace(str(file), path)) from None

    def _file(self, path: str) -> Path:
        file = (self.root / path).resolve()
        if not file.is_relative_to(self.root.resolve()):
            raise ValidationException(
                f"{path} is outside the project. tableapi serve reads files in the folder of the project alone; their "
                "paths are relative to it."
            )
        return file

    def require_directory(self, target: str) -> None:
        """Refuse a target that is not a directory, because reading it would start Spark.

        Raises:
            ProjectError: the target is reached by a session.
            ValidationException: there is no such target.
        """
        if self.project().configuration.target(target).directory is None:
            raise ProjectError(
                f"Planning for the target {target} would start Spark, which tableapi serve never does. It plans for "
                "targets with directory = 'folder', and for changes since a revision (since). On the command line: "
                f"tableapi plan {target}"
            )


def is_file(query: str) -> bool:
    """Whether a query is the path of a file.

    >>> is_file("reports/daily.sql"), is_file("sales.daily"), is_file("SELECT 1 -- as in daily.sql")
    (True, False, False)
    """
    return query.endswith(".sql") and not is_text(query)


def _states_of(files: Iterable[Path]) -> States:
    states: States = {}
    for file in files:
        try:
            stat = file.stat()
        except OSError:
            states[file] = None
        else:
            states[file] = (stat.st_mtime_ns, stat.st_size)
    return states
