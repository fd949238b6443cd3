"""The verbs sql, explain, diff and functions."""

from __future__ import annotations

import fnmatch
from pathlib import Path
from typing import Any

from ir.errors import TableException
from ir.functions.builtins import BUILT_INS
from ir.rendering import Dialect, Layout, Quoting
from tableapi.cli import compiling
from tableapi.cli.output import ExitCode, Output
from tableapi.display import function_description
from tableapi.environment.table_environment import TableEnvironment
from tableapi.environment_settings import EnvironmentSettings
from tableapi.project.configuration import ProjectError, find_project
from tableapi.project.project import Project
from tableapi.project.revisions import commit_of, files_at, git
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


def sql(
    output: Output, query: str, target: str | None, dialect: str, layout: str, quoting: str | None, folder: Path
) -> ExitCode:
    """Print the SQL of a query; by default, texts for Spark have only the quotes that are needed."""
    table = _table(query, target, folder)
    chosen = Layout.NESTED if dialect == "flink" else Layout.of(layout)
    is_for_spark = dialect == "spark"
    quotes = Quoting.of(quoting or ("needed" if is_for_spark else "all"))
    text = table.as_serializable_string(Dialect.of(dialect), chosen, target if is_for_spark else None, quotes)
    output.show_sql(text)
    output.document(
        sql=text,
        dialect=dialect,
        layout=chosen.value,
        quoting=quotes.value,
        target=target,
        columns=_columns(table),
    )
    return ExitCode.OK


def explain(output: Output, query: str, target: str | None, folder: Path) -> ExitCode:
    """Print the tree, the columns and the SQL of a query."""
    table = _table(query, target, folder)
    tree = table.query_operation.as_summary_string()
    text = table.as_serializable_string("spark", Layout.MERGED, target, Quoting.NEEDED)
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
    found = difference(*[_side(given, folder) for given in (old, new)])
    output.show(str(found))
    output.document(
        differ=bool(found),
        is_compatible=found.is_compatible,
        changes=[change.as_text() for change in found.changes],
        schema_changes=[change.text for change in found.schema_changes],
    )
    return ExitCode.FOUND if found else ExitCode.OK


def _side(given: str, folder: Path) -> Table:
    """Return the table of a side of a comparison, which may be at a revision: ``HEAD:sales.daily``."""
    revision, colon, query = given.partition(":")
    if not colon:
        return _table(given, None, folder)
    if query.endswith(".sql"):
        text = git(folder, "show", f"{commit_of(folder, revision)}:./{query}").decode()
        return _table_of_text(given, text, None)
    with files_at(find_project(folder.absolute()), revision) as root:
        return _view(Project.load(root), query)


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
