"""Evaluates constants: row counts of LIMIT and OFFSET, and values that become columns."""

from __future__ import annotations

from typing import Any

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.query_parts import QueryParts, Steps
from grammar.builder.scopes import Scope
from grammar.errors import Misread
from ir.call_expressions import Call
from ir.calls.folding import fold_constant
from ir.casts import differ_at_most_in_nullability, plain_type
from ir.expressions import Expression, ResolvedExpression, ValueLiteral
from ir.functions.collection import ARRAY, ROW
from ir.functions.constant_values import UNKNOWN, cast
from ir.resolution.expressions import ExpressionResolver
from ir.resolution.expressions import Scope as ResolverScope
from ir.types import IntType, LogicalType, NullType


def count_of(builder: QueryParts, written: Any, clause: str, position: int) -> Steps:
    """Return the row count that a clause such as LIMIT specifies.

    Raises:
        Misread: the expression is not a constant INT of at least 0.
    """
    if isinstance(written, s.Path) and builder.expressions.variable(written) is None:
        message = f"{clause} takes a constant, and no column."
        raise Misread(written.position, message, "INVALID_LIMIT_LIKE_EXPRESSION.IS_UNFOLDABLE")
    made = yield builder.expression(written, ClauseNames(Scope([])), {})
    resolved = _resolve(builder, made, position)
    found = _value(resolved)
    # Spark accepts only the type INT here, even if a value of another type would fit.
    if not found:
        message = f"{clause} takes a constant, and this is none."
        raise Misread(written.position, message, "INVALID_LIMIT_LIKE_EXPRESSION.IS_UNFOLDABLE")
    if not _is_whole(found[0]) or not isinstance(resolved.data_type, IntType):
        raise Misread(
            written.position, f"{clause} takes a whole number of type INT.", "INVALID_LIMIT_LIKE_EXPRESSION.DATA_TYPE"
        )
    if found[0] < 0:
        raise Misread(
            written.position,
            f"{clause} takes a whole number from 0 on, not {found[0]}.",
            "INVALID_LIMIT_LIKE_EXPRESSION.IS_NEGATIVE",
        )
    return found[0]


def constant_of(builder: QueryParts, expression: Expression, position: int) -> tuple[Any] | None:
    """Evaluate an expression that needs no row; return None if this module cannot evaluate it."""
    return _value(_resolve(builder, expression, position))


def constant_as(
    builder: QueryParts, expression: Expression, position: int, data_type: LogicalType
) -> tuple[Any, bool] | None:
    """Evaluate an expression that needs no row and cast its value for a comparison with a type.

    Return the value and whether it was cast.

    Return None if this module cannot evaluate the expression.
    """
    resolved = _resolve(builder, expression, position)
    found = _value(resolved)
    given = resolved.data_type
    is_same = isinstance(given, NullType) or differ_at_most_in_nullability(given, plain_type(data_type))
    if found is None or found[0] is None or is_same or given.children or data_type.children:
        return None if found is None else (found[0], False)
    made = cast(found[0], given, plain_type(data_type).as_nullable())
    return (found[0], False) if made is UNKNOWN or made is None else (made, True)


def _resolve(builder: QueryParts, expression: Expression, position: int) -> ResolvedExpression:
    if isinstance(expression, ResolvedExpression):
        return expression
    resolver = ExpressionResolver(ResolverScope(()), builder.lookup)
    resolved: ResolvedExpression = builder.call_resolver(position, resolver.resolve, expression)
    return resolved


def _value(expression: ResolvedExpression) -> tuple[Any] | None:
    """Return the value of a constant, of a foldable call, or of arrays and rows of these."""
    found: dict[ResolvedExpression, Any] = {}
    for part in expression.walk():
        constant = fold_constant(part)
        if isinstance(constant, ValueLiteral):
            found[part] = constant.value
        elif isinstance(part, Call) and all(argument in found for argument in part.arguments):
            values = [found[argument] for argument in part.arguments]
            if part.function is ARRAY:
                found[part] = values
            elif part.function is ROW:
                found[part] = tuple(values[1::2])
    return (found[expression],) if expression in found else None


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
