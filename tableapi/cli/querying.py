"""The verbs sql, explain, diff and functions."""

from __future__ import annotations

import fnmatch
import json
from pathlib import Path
from typing import Any

from ir.errors import (
    CatalogNotExistException,
    DatabaseNotExistException,
    FunctionNotExistException,
    TableException,
    TableNotExistException,
)
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
from tableapi.table_statement import TableStatement

# What a text names and does not declare.
_MISSING = (
    TableNotExistException,
    DatabaseNotExistException,
    CatalogNotExistException,
    FunctionNotExistException,
)


def _compiled(query: str, target: str | None, folder: Path) -> Table | TableStatement:
    """Return what a file, stdin or a text of SQL holds, or a view of the project."""
    if query == compiling.STDIN or query.endswith(".sql") or Path(query).is_file():
        return _compile_text(query, compiling.read_text(query), target, folder)
    if compiling.is_text(query):
        return _compile_text("", query, target, folder)
    try:
        root = find_project(folder.absolute())
    except ProjectError as error:
        raise ProjectError(f"{query} is no file, and no view, because: {error}") from None
    return _view(Project.load(root), query)


def _table(query: str, target: str | None, folder: Path) -> Table:
    """Return the query of a file, of stdin, of a text, or of a view of the project."""
    found = _compiled(query, target, folder)
    if isinstance(found, Table):
        return found
    raise ProjectError(f"{query} is a statement about a table, and two queries can be compared.")


def _compile_text(place: str, text: str, target: str | None, folder: Path) -> Table | TableStatement:
    """Return what a text holds; an error begins with the place of the text.

    What the text does not declare, the project may have. Declarations stay in this process.
    """
    try:
        try:
            return compiling.compile_text(text, target)
        except _MISSING:
            root = _project_around(folder)
            if root is None or compiling.has_declarations(text):
                raise
            return compiling.compile_text(text, target, Project.load(root).environment)
    except TableException as error:
        shown = "<stdin>: " if place == compiling.STDIN else f"{place}: " if place else ""
        raise ProjectError(f"{shown}{error}") from None


def _project_around(folder: Path) -> Path | None:
    try:
        return find_project(folder.absolute())
    except ProjectError:
        return None


def _view(project: Project, name: str) -> Table:
    return project.environment.from_operation(project.view(name).operation)


def _columns(found: Table | TableStatement) -> list[dict[str, Any]]:
    """Return the columns of a query; a statement has none."""
    if isinstance(found, TableStatement):
        return []
    columns = found.get_resolved_schema().columns
    return [
        {"name": c.name, "type": c.data_type.as_serializable_string(), "nullable": c.data_type.nullable}
        for c in columns
    ]


def sql(
    output: Output, query: str, target: str | None, dialect: str, layout: str, quoting: str | None, folder: Path
) -> ExitCode:
    """Print the SQL of a query or a statement; by default, queries for Spark have only the quotes that are needed."""
    found = _compiled(query, target, folder)
    chosen = Layout.NESTED if dialect == "flink" else Layout.of(layout)
    is_for_spark = dialect == "spark"
    engine = target if is_for_spark else None
    if isinstance(found, TableStatement):
        quotes = Quoting.ALL
        text = found.as_serializable_string(Dialect.of(dialect), chosen, target=engine)
    else:
        quotes = Quoting.of(quoting or ("needed" if is_for_spark else "all"))
        text = found.as_serializable_string(Dialect.of(dialect), chosen, engine, quotes)
    output.show_sql(text)
    output.document(
        sql=text,
        dialect=dialect,
        layout=chosen.value,
        quoting=quotes.value,
        target=target,
        columns=_columns(found),
    )
    return ExitCode.OK


def explain(output: Output, query: str, target: str | None, folder: Path, *, tree_json: bool = False) -> ExitCode:
    """Print the tree, the columns and the SQL of a query, or the tree and the SQL of a statement.

    With ``tree_json``, print the JSON document of the query's tree alone; the verb's own document has it as a field.
    """
    found = _compiled(query, target, folder)
    document = _tree_document(found) if tree_json else None
    if document is not None and not output.is_json:
        print(document)
        return ExitCode.OK
    if isinstance(found, TableStatement):
        tree = found.get_command().as_summary_string()
        text = found.as_serializable_string("spark", Layout.MERGED, target=target)
    else:
        tree = found.query_operation.as_summary_string()
        text = found.as_serializable_string("spark", Layout.MERGED, target, Quoting.NEEDED)
    output.show("Tree", "bold")
    output.show(tree)
    if isinstance(found, Table):
        output.show("\nColumns", "bold")
        for column in found.get_resolved_schema().columns:
            output.show(f"  {column!r}")
    output.show("\nSQL", "bold")
    output.show_sql(text)
    more = {} if document is None else {"query": json.loads(document)}
    output.document(tree=tree, sql=text, target=target, columns=_columns(found), **more)
    return ExitCode.OK


def _tree_document(found: Table | TableStatement) -> str:
    if isinstance(found, Table):
        return found.to_tree_json()
    raise ProjectError("--tree-json is for queries, and this is a statement about a table.")


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
        found = _compile_text(given, text, None, folder)
        if not isinstance(found, Table):
            raise ProjectError(f"{given} is a statement about a table, and two queries can be compared.")
        return found
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
