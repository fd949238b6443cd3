"""Finds the string constants with a collation, which Spark shows in generated column names."""

from __future__ import annotations

from grammar.errors import Misread
from ir.calls import collations_of_constants
from ir.collations import BINARY_COLLATION
from ir.errors import TableException
from ir.expressions import Expression, ResolvedExpression
from ir.functions.collations import COLLATE
from ir.operations.operation import QueryOperation
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.unresolved import UnresolvedCall, walk_written_parts


def collations_in_name(
    expression: Expression, operation: QueryOperation, lookup: FunctionLookup, position: int
) -> dict[str, str]:
    """Return the collation of each string constant that has one, by the string.

    Raises:
        Misread: a string occurs several times with different collations.
    """
    if not any(map(_brings_collation, walk_written_parts([expression]))):
        return {}
    try:
        resolved = ExpressionResolver(Scope((operation.schema,)), lookup, time_windows=True).resolve(expression)
    except TableException:
        # The same error is reported when the column is built.
        return {}
    found = collations_of_constants(resolved)
    for text, collations in found.items():
        if len(collations) > 1:
            raise Misread(
                position,
                f"The name that Spark gives this column shows collations of its constants, and {text!r} has several. "
                "Give the column a name with AS.",
            )
    return {text: one for text, (one,) in found.items() if one != BINARY_COLLATION}


def _brings_collation(part: Expression) -> bool:
    if isinstance(part, UnresolvedCall):
        return part.function is COLLATE
    return isinstance(part, ResolvedExpression) and part.data_type.has_collation
