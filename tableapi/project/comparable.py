"""Queries of different catalogs as they are compared: without what is no part of their meaning."""

from __future__ import annotations

from ir.functions.definition import FunctionDefinition
from ir.identifiers import FunctionIdentifier, fold_path
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.rewriting import transform_operations
from tableapi.project.called_functions import change_functions

KnownFunctions = dict[tuple[str, ...], FunctionDefinition]
"""Functions by their folded full names, filled while queries are made comparable."""


def comparable(operation: QueryOperation, known: KnownFunctions) -> QueryOperation:
    """Return a query as it is compared: tables have no comments of columns, and functions of one name are one.

    What a stored function does is no part of a query that calls it: its own step says what changes in it.

    Args:
        operation: the query.
        known: the functions of all queries that are compared with each other.
    """

    def change(current: QueryOperation) -> QueryOperation:
        if not isinstance(current, Source) or all(column.comment is None for column in current.schema.columns):
            return current
        return current.evolve(schema=current.schema.with_types(current.schema.types))

    def first_of(identifier: FunctionIdentifier, function: FunctionDefinition) -> FunctionDefinition:
        return known.setdefault(fold_path(identifier.parts), function)

    return transform_operations(operation, change, lambda expression: change_functions(expression, first_of))
