"""Reduce queries of different catalogs to their meaning, so that they can be compared."""

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
    """Return a query without column comments of tables, with equal functions for equal names.

    The body of a stored function is not part of a query that calls it; the plan has a step for the function.

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
