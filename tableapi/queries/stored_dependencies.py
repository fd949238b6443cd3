"""Checks that the readers of a permanent view or function find everything on which it depends."""

from __future__ import annotations

from collections.abc import Iterable

from ir.errors import ValidationException
from ir.functions.definition import FunctionDefinition
from ir.identifiers import ObjectIdentifier, fold_path
from ir.operations.operation import QueryOperation
from ir.operations.source import InlineSource, Source
from ir.rewriting import sources_of, user_functions
from tableapi.catalog.catalog import Catalog
from tableapi.queries.runtime import Runtime
from tableapi.user_functions.sql_function import SqlFunction


def refuse_recursion(runtime: Runtime, view: ObjectIdentifier, operation: QueryOperation) -> None:
    """Reject a view definition that reads the view itself, directly or through other views.

    Raises:
        ValidationException: the query of the view reads the view.
    """
    target = fold_path(view.parts)
    for source in runtime.sources_behind(operation):
        if isinstance(source, Source) and fold_path(source.identifier.parts) == target:
            raise ValidationException(
                f"The view {view.as_summary_string()} would read itself, directly or through another view. "
                "Store it under another name."
            )


def refuse_temporary(
    runtime: Runtime, operation: QueryOperation, stored: ObjectIdentifier, catalog: Catalog, kind: str = "view"
) -> None:
    """Reject a permanent view or function that depends on objects which its readers cannot find.

    Raises:
        ValidationException: the definition depends on such an object; the message names it and an alternative.
    """
    shown, instead = f"The permanent {kind} {stored.as_summary_string()}", f"create_temporary_{kind}"
    for source in sources_of(operation):
        problem, way_out = None, ""
        if isinstance(source, InlineSource):
            problem = f"an anonymous {source.kind} of this process, which ends with this process"
            way_out = "Store the data as a table and query that"
        elif isinstance(source, Source) and source.identifier.is_temporary:
            problem = f"the temporary view {source.identifier.as_summary_string()!r}, which ends with this process"
            way_out = "Store that with create_view first and query the stored one"
        elif isinstance(source, Source) and not runtime.is_in_spark(source.identifier):
            problem, way_out = _problem_of(runtime, source.identifier, catalog, kind)
        if problem is not None:
            raise ValidationException(
                f"{shown} cannot depend on {problem}. {way_out}, or use {instead} for this one, too. "
                "Nothing was stored."
            )
    refuse_functions(runtime, user_functions(operation), stored, catalog, kind)


def refuse_functions(
    runtime: Runtime,
    functions: Iterable[FunctionDefinition],
    stored: ObjectIdentifier,
    catalog: Catalog,
    kind: str = "view",
) -> None:
    """Reject a permanent view or function that calls functions which its readers cannot find.

    Raises:
        ValidationException: a function cannot be found by the readers.
    """
    whole, instead = f"The permanent {kind} {stored.as_summary_string()}", f"create_temporary_{kind}"
    for function in functions:
        identifier = function.user_code.identifier
        shown = function.name if identifier is None else identifier.as_summary_string()
        if identifier is None or runtime.functions.is_temporary(function):
            raise ValidationException(
                f"{whole} cannot depend on the temporary function {shown!r}, "
                "which ends with this process. Store that with create_function first and call the stored one, or "
                f"use {instead} for this one, too. Nothing was stored."
            )
        if isinstance(function.user_code.implementation, SqlFunction):
            if catalog.is_in_spark and not runtime.is_function_of_spark(identifier):
                raise ValidationException(
                    f"{whole} calls {shown!r}, which Spark does not have: its catalog is not Spark's. Store the "
                    f"function in the catalog of the {kind}. Nothing was stored."
                )
        elif function.user_code.implementation is not None and catalog.is_in_spark:
            raise ValidationException(
                f"{whole} calls {shown!r}, which is written in Python, and Spark stores no {kind}s over such "
                f"functions: its other readers could not run them. Store the {kind} in a directory catalog, or use "
                f"{instead}. Nothing was stored."
            )


def _problem_of(runtime: Runtime, read: ObjectIdentifier, target: Catalog, kind: str) -> tuple[str | None, str]:
    """Return why a stored object cannot depend on an object of a catalog, and an alternative; None if it can."""
    found = runtime.manager.catalog(str(read.catalog))
    shown = read.as_summary_string()
    if target.is_lasting and not found.is_lasting:
        return (
            f"{shown!r} of an in-memory catalog, which ends with this process",
            "Store that in the same catalog first",
        )
    if target.is_in_spark:
        return (
            f"{shown!r} of the catalog {read.catalog}, which Spark does not have",
            f"Store the {kind} in the catalog {read.catalog}, too",
        )
    return None, ""
