"""Remove the catalog from names, so that a stored text also works under another name of the catalog."""

from __future__ import annotations

import attrs

from ir.expressions import ResolvedExpression
from ir.functions.definition import FunctionDefinition
from ir.identifiers import FunctionIdentifier, fold
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.resolution.lookup import RESERVED_DATABASES
from ir.rewriting import replace_functions, transform_operations


def strip_catalog(operation: QueryOperation, catalog: str) -> QueryOperation:
    """Remove the catalog from the names of its objects in a query."""

    def change(current: QueryOperation) -> QueryOperation:
        if isinstance(current, Source) and fold(current.identifier.catalog or "") == fold(catalog):
            return current.evolve(identifier=current.identifier.evolve(catalog=None))
        return current

    return transform_operations(operation, change, lambda e: strip_catalog_in_expression(e, catalog))


def strip_catalog_in_expression(expression: ResolvedExpression, catalog: str) -> ResolvedExpression:
    """Remove the catalog from the names of its functions in an expression."""

    def without_catalog(function: FunctionDefinition) -> FunctionDefinition:
        identifier = function.user_code.identifier
        if identifier is None or len(identifier.parts) < 3 or fold(identifier.parts[0]) != fold(catalog):
            return function
        if fold(identifier.parts[1]) in RESERVED_DATABASES:
            return function
        code = attrs.evolve(function.user_code, identifier=FunctionIdentifier(identifier.parts[1:]))
        return attrs.evolve(function, user_code=code)

    return replace_functions(expression, without_catalog)
