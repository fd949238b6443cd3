"""Resolves the values of session variables."""

from __future__ import annotations

from ir.contents import AGGREGATE, OVER, QUERY
from ir.errors import ValidationException
from ir.expressions import Expression, ResolvedExpression
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.schema import ResolvedSchema
from ir.types import LogicalType


def resolve_value(written: Expression, data_type: LogicalType | None, lookup: FunctionLookup) -> ResolvedExpression:
    """Return the value of a variable, which may come from subqueries.

    Args:
        written: the expression.
        data_type: the type of the variable; None if it is unknown.
        lookup: finds functions.

    Raises:
        ValidationException: a name or function is unknown, or there is an aggregate or window function.
    """
    value = ExpressionResolver(Scope((ResolvedSchema(()),)), lookup).resolve(written, data_type)
    if value.contents & (AGGREGATE | OVER):
        raise ValidationException(
            "The value of a variable holds an aggregate or a function over a window, and there are no rows. Compute it "
            "in a query: SET VARIABLE … = (SELECT max(a) FROM t)."
        )
    return value


def resolve_default(written: Expression, data_type: LogicalType | None, lookup: FunctionLookup) -> ResolvedExpression:
    """Return the default of a variable.

    Raises:
        ValidationException: as of ``resolve_value``; or there is a subquery.
    """
    value = resolve_value(written, data_type, lookup)
    if value.contents & QUERY:
        raise ValidationException(
            "The default of a variable holds a subquery, which Spark does not allow there. Declare the variable, and "
            "set it then: SET VARIABLE … = (SELECT …).",
            condition="INVALID_DEFAULT_VALUE.SUBQUERY_EXPRESSION",
        )
    return value
