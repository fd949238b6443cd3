"""The answer of each tool: the fields of a document of ``docs/json-documents.json``."""

from __future__ import annotations

import json
from typing import Any

from grammar.errors import place_in
from ir import condition_meanings
from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.functions.builtins import BUILT_INS
from ir.identifiers import ObjectIdentifier
from tableapi.catalog.read_cache import cache_reads
from tableapi.cli.checking import check_fields
from tableapi.cli.compiling import is_text
from tableapi.cli.deploying import matches, plan_fields, plan_for
from tableapi.cli.lineage_verb import find_traces, lineage_fields
from tableapi.cli.querying import column_documents, diff_fields, explain_fields, function_fields, tree_document
from tableapi.cli.serve.workspace import Workspace, is_file
from tableapi.environment.table_environment import parts_of
from tableapi.project.check_memory import check_every_view
from tableapi.project.configuration import ProjectError
from tableapi.project.lineage import project_lineage
from tableapi.project.project import Project
from tableapi.project.rehearsal import rehearse_since
from tableapi.query_diff.diff import diff

Fields = dict[str, Any]


def compile_query(workspace: Workspace, query: str, target: str | None, tree_json: bool) -> Fields:
    """Return the document of ``explain``.

    Raises:
        TableException: the query is invalid, or the target lacks a part of it.
    """
    found = workspace.compiled(query, target)
    fields = explain_fields(found, target)
    if tree_json:
        fields["query"] = json.loads(tree_document(found))
    return fields


# --- types -----------------------------------------------------------------------------------------------------------


def types(workspace: Workspace, name: str, columns: bool) -> Fields:
    """Return the tables and views of the project that match a name or a pattern, each with its columns.

    Raises:
        ValidationException: none matches; the message has the nearest name.
    """
    project = workspace.project()
    catalog = project.catalog
    every = _relations(project)
    pattern = name.replace("`", "").removeprefix(f"{catalog.name}.")
    matching = {shown: place for shown, place in every.items() if matches(shown, [pattern])}
    if not matching:
        known = [*every, *(one.name for one in every.values())]
        raise ValidationException(
            f"The project {project.configuration.name} has no table or view {name!r}." + did_you_mean(pattern, known)
        )
    views = set(project.names())
    relations: list[Fields] = []
    with cache_reads():
        for shown, place in matching.items():
            relation: Fields = {"name": shown, "kind": "view" if place in views else "table"}
            if columns:
                describe = _describe_view if place in views else _describe_table
                try:
                    relation |= describe(project, place)
                except TableException as error:
                    relation["problem"] = str(error)
            relations.append(relation)
    return {"relations": relations}


def _relations(project: Project) -> dict[str, ObjectIdentifier]:
    """Return the full names of all tables and views by their shown names: those of other catalogs begin with it."""
    found = {}
    for catalog in (project.catalog, *map(project.environment.get_catalog, project.configuration.catalogs)):
        prefix = "" if catalog is project.catalog else f"{catalog.name}."
        for database in catalog.list_databases():
            for name in catalog.list_tables(database):
                found[f"{prefix}{database}.{name}"] = ObjectIdentifier(name, database, catalog.name)
    return found


def _describe_table(project: Project, identifier: ObjectIdentifier) -> Fields:
    table = parts_of(project.environment).runtime.manager.find(identifier)
    return {"comment": table.comment or "", "columns": column_documents(table.schema)}


def _describe_view(project: Project, identifier: ObjectIdentifier) -> Fields:
    view = project.view(f"`{identifier.database}`.`{identifier.name}`")
    file = f"{view.file}:{view.line}" if view.line else view.file
    return {"comment": view.view.comment or "", "file": file, "columns": column_documents(view.view.schema)}


# --- errors ----------------------------------------------------------------------------------------------------------


def explain_error(workspace: Workspace, query: str | None, code: str | None) -> Fields:
    """Explain the error of a query, or the meaning of an SQLSTATE or of a condition of Spark.

    Raises:
        ValidationException: both or none of the two are given, or the code is unknown.
    """
    if (query is None) == (code is None):
        raise ValidationException("explain_error takes one of the arguments query and code.")
    if code is not None:
        return {"meanings": _meanings(code)}
    assert query is not None
    if is_file(query):
        # A file that cannot be read is no invalid query.
        workspace.text(query)
    try:
        workspace.compiled(query)
    except TableException as error:
        return {"is_valid": False, "problem": _problem(workspace, query, error)}
    return {"is_valid": True, "problem": None}


def _problem(workspace: Workspace, query: str, error: TableException) -> Fields:
    """Return an error with its place in a text, or in a file of the project."""
    file, line, column, because_of = "", 0, 0, ""
    message, condition = str(error), error.condition or ""
    if is_text(query) or is_file(query):
        file = query if is_file(query) else ""
        line, column = place_in(message)
    else:
        project = workspace.project()
        key = project.catalog.key(query)
        for finding in project.problems:
            if project.catalog.key(finding.subject) == key:
                message, condition, because_of = finding.message, finding.condition, finding.because_of
                file, line, column = finding.file, finding.line, finding.column
                break
        else:
            # There is no such view, so the query itself is what is wrong.
            raise error
    meanings = condition_meanings.explain_code(condition) if condition else []
    return {
        "message": message,
        "file": file,
        "line": line,
        "column": column,
        "because_of": because_of,
        "condition": condition,
        "sql_state": meanings[0].sql_state if meanings else "",
        "meaning": meanings[0].meaning if meanings else "",
    }


def _meanings(code: str) -> list[Fields]:
    found = condition_meanings.explain_code(code)
    if not found:
        raise ValidationException(
            f"{code!r} is neither an SQLSTATE (five letters and digits, such as 42703) nor an error condition that is "
            "known here, such as UNRESOLVED_COLUMN." + did_you_mean(code.upper(), condition_meanings.MEANINGS)
        )
    return [
        {"condition": one.condition, "sql_state": one.sql_state, "meaning": one.meaning, "class": one.state_class}
        for one in found
    ]


# --- the project -----------------------------------------------------------------------------------------------------


def lineage(workspace: Workspace, name: str, direction: str, depth: int | None) -> Fields:
    """Return the document of ``lineage``, without OpenLineage's facet.

    Raises:
        ValidationException: there is no such table, view or column; the message has the nearest name.
    """
    graph = project_lineage(workspace.project()).graph
    up, down = direction in ("up", "both"), direction in ("down", "both")
    return lineage_fields(graph, name, find_traces(graph, name, up=up, down=down, depth=depth))


def compare(workspace: Workspace, old: str, new: str) -> Fields:
    """Return the document of ``diff``.

    Raises:
        TableException: one of the two is invalid, or there is no such revision.
    """
    return diff_fields(diff(workspace.compared(old), workspace.compared(new)))


def plan(workspace: Workspace, since: str | None, target: str | None) -> Fields:
    """Return the document of ``plan``, for changes since a revision or for a target that is a directory.

    Raises:
        ProjectError: neither is given, there is no such revision, or the target would start Spark.
        ValidationException: there is no such target.
    """
    if since is not None:
        return plan_fields(rehearse_since(workspace.root, since, target))
    if target is None:
        targets = workspace.project().configuration.targets.values()
        directories = [one.name for one in targets if one.directory is not None]
        raise ProjectError(
            "plan takes since with a revision of git, such as HEAD or origin/main, or a target that is a directory; "
            f"the project has {listing(directories) if directories else 'none'}."
        )
    workspace.require_directory(target)
    return plan_fields(plan_for(workspace.project(target), target).plan())


def check(workspace: Workspace, target: str | None) -> Fields:
    """Return the document of ``check``.

    Raises:
        TableException: the project file is invalid, or there is no such target.
    """
    return check_fields(check_every_view(workspace.project(target)))


def functions(pattern: str, about: str | None) -> Fields:
    """Return the document of ``functions``.

    Args:
        pattern: a name or a pattern.
        about: what the name or the description contains; None for any.

    Raises:
        TableException: no built-in function matches; the message has the nearest name.
    """
    fields = function_fields(pattern)
    if about is None:
        return fields
    names = [name for name in fields["functions"] if _is_about(name, about.lower())]
    if not names:
        raise ValidationException(
            f"No built-in function that matches {pattern!r} has {about!r} in its name or its description. Try one word."
        )
    return function_fields(names[0]) if len(names) == 1 else {"functions": names}


def _is_about(name: str, words: str) -> bool:
    found = BUILT_INS.find(name)
    return words in name.lower() or (found is not None and words in found.documentation.doc.lower())
