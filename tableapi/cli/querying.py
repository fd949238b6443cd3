"""The verbs sql, explain, diff and functions."""

from __future__ import annotations

import fnmatch
import subprocess
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

from ir.errors import TableException
from ir.functions.builtins import BUILT_INS
from ir.rendering import Dialect, Layout
from tableapi.cli import compiling
from tableapi.cli.output import ExitCode, Output
from tableapi.display import function_description
from tableapi.environment.table_environment import TableEnvironment
from tableapi.environment_settings import EnvironmentSettings
from tableapi.project.configuration import ProjectError, find_project
from tableapi.project.project import Project
from tableapi.query_diff.diff import diff as difference
from tableapi.table import Table


def _table(query: str, target: str | None, folder: Path) -> Table:
    """Return the table of a file, of stdin, or of a view of the project."""
    if query == compiling.STDIN or query.endswith(".sql") or Path(query).is_file():
        return _table_of_text(query, compiling.read_text(query), target)
    try:
        root = find_project(folder.absolute())
    except ProjectError as error:
        raise ProjectError(f"{query} is no file, and no view, because: {error}") from None
    return _view(Project.load(root), query)


def _table_of_text(place: str, text: str, target: str | None) -> Table:
    """Return the table of a text; an error begins with the place of the text."""
    try:
        return compiling.table_of_text(text, target)
    except TableException as error:
        raise ProjectError(f"{'<stdin>' if place == compiling.STDIN else place}: {error}") from None


def _view(project: Project, name: str) -> Table:
    return project.environment.from_operation(project.view(name).operation)


def _columns(table: Table) -> list[dict[str, Any]]:
    columns = table.get_resolved_schema().columns
    return [
        {"name": c.name, "type": c.data_type.as_serializable_string(), "nullable": c.data_type.nullable}
        for c in columns
    ]


def sql(output: Output, query: str, target: str | None, dialect: str, layout: str, folder: Path) -> ExitCode:
    """Print the SQL of a query."""
    table = _table(query, target, folder)
    chosen = Layout.NESTED if dialect == "flink" else Layout.of(layout)
    text = table.as_serializable_string(Dialect.of(dialect), chosen, target=target if dialect == "spark" else None)
    output.show_sql(text)
    output.document(sql=text, dialect=dialect, layout=chosen.value, target=target, columns=_columns(table))
    return ExitCode.OK


def explain(output: Output, query: str, target: str | None, folder: Path) -> ExitCode:
    """Print the tree, the columns and the SQL of a query."""
    table = _table(query, target, folder)
    tree = table.query_operation.as_summary_string()
    text = table.as_serializable_string("spark", Layout.MERGED, target=target)
    output.show("Tree", "bold")
    output.show(tree)
    output.show("\nColumns", "bold")
    for column in table.get_resolved_schema().columns:
        output.show(f"  {column!r}")
    output.show("\nSQL", "bold")
    output.show_sql(text)
    output.document(tree=tree, sql=text, target=target, columns=_columns(table))
    return ExitCode.OK


# --- diff ------------------------------------------------------------------------------------------------------------


def diff(output: Output, old: str, new: str, folder: Path) -> ExitCode:
    """Say what changed between two queries."""
    with tempfile.TemporaryDirectory() as scratch:
        sides = [_side(given, folder, Path(scratch)) for given in (old, new)]
        found = difference(*sides)
    output.show(str(found))
    output.document(
        differ=bool(found),
        is_compatible=found.is_compatible,
        changes=[change.as_text() for change in found.changes],
        schema_changes=[change.text for change in found.schema_changes],
    )
    return ExitCode.FOUND if found else ExitCode.OK


def _side(given: str, folder: Path, scratch: Path) -> Table:
    """Return the table of a side of a comparison, which may be at a revision: ``HEAD:sales.daily``."""
    revision, colon, query = given.partition(":")
    if not colon:
        return _table(given, None, folder)
    if query.endswith(".sql"):
        text = _git(folder, "show", f"{revision}:./{query}").decode()
        return _table_of_text(given, text, None)
    root = find_project(folder.absolute())
    place = scratch / str(len(list(scratch.iterdir())))
    place.mkdir()
    with tarfile.open(fileobj=BytesIO(_git(root, "archive", "--format=tar", revision, "--", "."))) as archive:
        archive.extractall(place, filter="data")
    return _view(Project.load(place), query)


def _git(folder: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=False)
    except OSError:
        raise ProjectError("A revision is read with git, which is not installed.") from None
    if done.returncode != 0:
        raise ProjectError(f"git {' '.join(arguments[:2])} fails: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


# --- functions -------------------------------------------------------------------------------------------------------


def functions(output: Output, pattern: str) -> ExitCode:
    """List built-in functions, or describe one."""
    found = BUILT_INS.find(pattern)
    if found is not None:
        output.show(str(function_description.describe(found)))
        output.document(functions=[found.sql_name], description=str(function_description.describe(found)))
        return ExitCode.OK
    names = sorted(name for name in BUILT_INS.names() if fnmatch.fnmatch(name.lower(), pattern.lower()))
    if not names:
        if any(sign in pattern for sign in "*?["):
            raise TableException(f"No built-in function matches {pattern!r}.")
        # Raises an error with the nearest name.
        settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
        TableEnvironment.create(settings).describe_function(pattern)
    for name in names:
        output.show(name)
    output.document(functions=names)
    return ExitCode.OK
