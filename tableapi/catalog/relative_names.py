"""Remove the catalog from names, so that a stored text also works under another name of the catalog."""

from __future__ import annotations

import attrs

from ir.call_expressions import Call, Over
from ir.expressions import ResolvedExpression
from ir.identifiers import FunctionIdentifier, fold
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.resolution.lookup import RESERVED_DATABASES
from ir.rewriting import transform, transform_operations


def strip_catalog(operation: QueryOperation, catalog: str) -> QueryOperation:
    """Remove the catalog from the names of its objects in a query."""

    def change(current: QueryOperation) -> QueryOperation:
        if isinstance(current, Source) and fold(current.identifier.catalog or "") == fold(catalog):
            return current.evolve(identifier=current.identifier.evolve(catalog=None))
        return current

    return transform_operations(operation, change, lambda e: strip_catalog_in_expression(e, catalog))


def strip_catalog_in_expression(expression: ResolvedExpression, catalog: str) -> ResolvedExpression:
    """Remove the catalog from the names of its functions in an expression."""

    def named(part: ResolvedExpression) -> ResolvedExpression:
        if isinstance(part, Over):
            inner = named(part.call)
            return part if inner is part.call else part.evolve(call=inner)
        identifier = part.function.user_code.identifier if isinstance(part, Call) else None
        if identifier is None or len(identifier.parts) < 3 or fold(identifier.parts[0]) != fold(catalog):
            return part
        if fold(identifier.parts[1]) in RESERVED_DATABASES:
            return part
        assert isinstance(part, Call)
        code = attrs.evolve(part.function.user_code, identifier=FunctionIdentifier(identifier.parts[1:]))
        return part.evolve(function=attrs.evolve(part.function, user_code=code))

    return transform(expression, named)
