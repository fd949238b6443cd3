"""The verbs sql, explain, diff and functions."""

from __future__ import annotations

import contextlib
import fnmatch
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ir.errors import (
    CatalogNotExistException,
    DatabaseNotExistException,
    FunctionNotExistException,
    TableException,
    TableNotExistException,
    listing,
)
from ir.functions.builtins import BUILT_INS
from ir.rendering import Dialect, Layout, Quoting
from ir.schema import ResolvedSchema
from tableapi.cli import compiling, state_diff
from tableapi.cli.output import ExitCode, Output
from tableapi.display import function_description
from tableapi.environment.table_environment import TableEnvironment
from tableapi.environment_settings import EnvironmentSettings
from tableapi.project.configuration import ProjectError, find_project
from tableapi.project.project import Project
from tableapi.project.revisions import commit_of, files_at, git
from tableapi.query_diff.diff import diff as difference
from tableapi.query_diff.query_diff import QueryDiff
from tableapi.table import Table
from tableapi.table_statement import TableStatement

# What a text names and does not declare.
_MISSING = (
    TableNotExistException,
    DatabaseNotExistException,
    CatalogNotExistException,
    FunctionNotExistException,
)


FindProject = Callable[[], Project | None]
"""Returns the project that a text may read, None if there is none."""


def _compiled(query: str, target: str | None, folder: Path) -> Table | TableStatement:
    """Compile a SQL file, SQL from stdin, SQL text, or a view of the project."""
    if query == compiling.STDIN or query.endswith(".sql") or Path(query).is_file():
        if query.endswith(".py"):
            raise ProjectError(f"{query} is a file of Python, whose views have names." + _views_of(Path(query)))
        text = compiling.read_text(query)
        view = None if query == compiling.STDIN or not compiling.is_view(text) else _view_in_file(Path(query))
        return view or compile_sql(query, text, target, lambda: _project_around(folder))
    if compiling.is_text(query):
        return compile_sql("", query, target, lambda: _project_around(folder))
    try:
        root = find_project(folder.absolute())
    except ProjectError as error:
        raise ProjectError(f"{query} is no file, and no view, because: {error}") from None
    return view_table(Project.load(root), query)


def compile_sql(place: str, text: str, target: str | None, find: FindProject) -> Table | TableStatement:
    """Return the query or the statement about a table that a text holds.

    The project is searched for objects that the text does not declare. Declarations stay in this process.

    Args:
        place: the file of the text, with which an error begins; ``-`` for stdin, empty for an argument.
        text: the text, which may have declarations before its query.
        target: the engine, such as ``spark-4.0``; None for the newest Spark.
        find: returns the project; it is called if the text reads what it does not declare.

    Raises:
        ProjectError: the text is invalid, or reads what neither it nor the project has.
    """
    try:
        try:
            return compiling.compile_text(text, target)
        except _MISSING:
            project = None if compiling.has_declarations(text) else find()
            if project is None:
                raise
            return compiling.compile_text(text, target, project.environment)
    except TableException as error:
        shown = "<stdin>: " if place == compiling.STDIN else f"{place}: " if place else ""
        raise ProjectError(f"{shown}{error}", condition=error.condition, sql_state=error.sql_state) from None


def _view_in_file(path: Path, revision: str | None = None) -> Table | None:
    """Return the query of the view of a project in a file, None if the file is in no catalog of a project.

    Its names are looked up in the database of the view.

    Raises:
        ProjectError: the view cannot be built, or the project is not there at the revision.
    """
    path = path.resolve()
    try:
        root = find_project(path.parent)
    except ProjectError:
        return None
    with contextlib.nullcontext(root) if revision is None else files_at(root, revision) as folder:
        project, file = Project.load(folder), path.relative_to(root).as_posix()
        found = next((view for view in project.views().values() if view.file == file), None)
        if found is not None:
            return project.environment.from_operation(found.operation)
        for problem in project.problems:
            if problem.file == file:
                raise ProjectError(f"{problem.place}: {problem.message}")
    return None


def _views_of(path: Path) -> str:
    """Return the advice to name a view that a file of Python declares."""
    project = _project_around(path.resolve().parent)
    if project is None:
        return ""
    file = path.resolve().relative_to(project.configuration.root.resolve()).as_posix()
    declared = [view.name for view in project.views().values() if view.file == file]
    return f" Name one: {listing(declared)}." if declared else ""


def _project_around(folder: Path) -> Project | None:
    try:
        root = find_project(folder.absolute())
    except ProjectError:
        return None
    return Project.load(root)


def query_alone(found: Table | TableStatement, shown: str) -> Table:
    """Return the query of one side of a comparison; reject a statement about a table.

    Raises:
        ProjectError: the text is a statement about a table.
    """
    if isinstance(found, Table):
        return found
    raise ProjectError(f"{shown} is a statement about a table, and two queries can be compared.")


def view_table(project: Project, name: str) -> Table:
    """Return the query of a view of a project.

    Raises:
        ProjectError: there is no such view, for which the message has the nearest name, or it cannot be built.
    """
    return project.environment.from_operation(project.view(name).operation)


def _columns(found: Table | TableStatement) -> list[dict[str, Any]]:
    """Return the columns of a query; a statement has none."""
    return [] if isinstance(found, TableStatement) else column_documents(found.get_resolved_schema())


def column_documents(schema: ResolvedSchema) -> list[dict[str, Any]]:
    """Return the columns of a schema as JSON documents have them."""
    return [
        {"name": c.name, "type": c.data_type.as_serializable_string(), "nullable": c.data_type.nullable}
        for c in schema.columns
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
    document = tree_document(found) if tree_json else None
    if document is not None and not output.is_json:
        print(document)
        return ExitCode.OK
    fields = explain_fields(found, target)
    output.show("Tree", "bold")
    output.show(fields["tree"])
    if isinstance(found, Table):
        output.show("\nColumns", "bold")
        for column in found.get_resolved_schema().columns:
            output.show(f"  {column!r}")
    output.show("\nSQL", "bold")
    output.show_sql(fields["sql"])
    output.document(**fields, **({} if document is None else {"query": json.loads(document)}))
    return ExitCode.OK


def explain_fields(found: Table | TableStatement, target: str | None) -> dict[str, Any]:
    """Return the fields of the JSON document of ``explain``: the tree, the SQL for a target, and the columns.

    Args:
        found: a query, or a statement about a table, which has no columns.
        target: the engine, such as ``spark-4.0``; None for the newest Spark.

    Raises:
        TableException: the target lacks a part of the query.
    """
    if isinstance(found, TableStatement):
        tree = found.get_command().as_summary_string()
        text = found.as_serializable_string("spark", Layout.MERGED, target=target)
    else:
        tree = found.query_operation.as_summary_string()
        text = found.as_serializable_string("spark", Layout.MERGED, target, Quoting.NEEDED)
    return {"tree": tree, "sql": text, "target": target, "columns": _columns(found)}


def tree_document(found: Table | TableStatement) -> str:
    """Return the typed tree of a query as the text of a JSON document.

    Raises:
        ProjectError: the text is a statement about a table.
    """
    if isinstance(found, Table):
        return found.to_tree_json()
    raise ProjectError("--tree-json is for queries, and this is a statement about a table.")


# --- diff ------------------------------------------------------------------------------------------------------------


def diff(output: Output, old: str, new: str, folder: Path) -> ExitCode:
    """Print the changes between two queries, or between two states of a project."""
    if state_diff.are_states(old, new, folder):
        return state_diff.diff_states(output, old, new, folder)
    found = difference(*[_side(given, folder) for given in (old, new)])
    output.show(str(found))
    output.document(**diff_fields(found))
    return ExitCode.FOUND if found else ExitCode.OK


def diff_fields(found: QueryDiff) -> dict[str, Any]:
    """Return the fields of the JSON document of ``diff``."""
    return {
        "differ": bool(found),
        "is_compatible": found.is_compatible,
        "changes": [change.as_text() for change in found.changes],
        "schema_changes": [change.text for change in found.schema_changes],
    }


def _side(given: str, folder: Path) -> Table:
    """Return the query of a side of a comparison, which may be at a revision: ``HEAD:sales.daily``."""
    revision, query = split_revision(given)
    if revision is None:
        return query_alone(_compiled(given, None, folder), given)
    root = folder if query.endswith(".sql") else find_project(folder.absolute())
    return table_at(root, revision, query, lambda: _project_around(folder))


def split_revision(given: str) -> tuple[str | None, str]:
    """Return the revision of git and the view or file of a side of a comparison.

    >>> split_revision("HEAD:sales.daily"), split_revision("sales.daily"), split_revision("SELECT a::INT FROM t")
    (('HEAD', 'sales.daily'), (None, 'sales.daily'), (None, 'SELECT a::INT FROM t'))
    """
    revision, colon, query = given.partition(":")
    return (revision, query) if colon and not compiling.is_text(given) else (None, given)


def table_at(folder: Path, revision: str, query: str, find: FindProject) -> Table:
    """Return the query of a view or of a file at a revision of git.

    Args:
        folder: the folder of the project for a view; the folder that a path is relative to for a file.
        revision: a commit, branch or tag.
        query: the name of a view, or the path of a ``.sql`` file.
        find: returns the project whose tables the text of a file may read, as they are now.

    Raises:
        ProjectError: there is no such revision, or the query was not there or could not be built at that time.
    """
    if query.endswith(".sql"):
        shown = f"{revision}:{query}"
        text = git(folder, "show", f"{commit_of(folder, revision)}:./{query}").decode()
        view = _view_in_file(folder / query, revision) if compiling.is_view(text) else None
        return view or query_alone(compile_sql(shown, text, None, find), shown)
    with files_at(folder, revision) as root:
        try:
            return view_table(Project.load(root), query)
        except ProjectError as error:
            raise ProjectError(f"At {revision}: {error}") from error


# --- functions -------------------------------------------------------------------------------------------------------


def functions(output: Output, pattern: str) -> ExitCode:
    """List built-in functions, or describe one."""
    fields = function_fields(pattern)
    for line in [fields["description"]] if "description" in fields else fields["functions"]:
        output.show(line)
    output.document(**fields)
    return ExitCode.OK


def function_fields(pattern: str) -> dict[str, Any]:
    """Return the fields of the JSON document of ``functions``: names that match, and the description of a single one.

    Raises:
        TableException: no built-in function matches; the message has the nearest name.
    """
    # The product has this name, too.
    found = None if pattern == "*" else BUILT_INS.find(pattern)
    if found is not None:
        return {"functions": [found.sql_name], "description": str(function_description.describe(found))}
    names = sorted(name for name in BUILT_INS.names() if fnmatch.fnmatch(name.lower(), pattern.lower()))
    if not names:
        if any(sign in pattern for sign in "*?["):
            raise TableException(f"No built-in function matches {pattern!r}.")
        # Raises an error with the nearest name.
        settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
        TableEnvironment.create(settings).describe_function(pattern)
    return {"functions": names}
