"""Expressions in the rows of ``from_elements``."""

from __future__ import annotations

from collections.abc import Mapping

from ir import light_attrs as attrs
from ir.call_expressions import Call
from ir.contents import AGGREGATE, OVER, QUERY
from ir.errors import ValidationException
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.light_typing import TYPE_CHECKING, Any
from ir.literals import ATOMIC
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from tableapi.expression import Expression, unwrap
from tableapi.lazy import lazy
from tableapi.spark.runtime.row import Row

if TYPE_CHECKING:
    from ir import determinism
    from ir.functions import collection
else:
    determinism = lazy(__name__, "ir.determinism")
    collection = lazy(__name__, "ir.functions.collection")

_MISPLACED = (
    (AGGREGATE, "is an aggregate"),
    (OVER, "is computed over a window"),
    (QUERY, "holds a query"),
)


def resolve_rows(rows: list[Any], lookup: FunctionLookup) -> list[Any]:
    """Return the rows with all expressions in them resolved.

    A row made by ``row(…)`` is split into its values; any other row expression becomes the single column ``f0``.

    Raises:
        ValidationException: an expression is not constant or cannot be resolved; the message has the row number.
    """
    if not any(map(_has_expression, rows)):
        return rows
    resolver = ExpressionResolver(Scope(()), lookup)
    found = []
    for number, row in enumerate(rows):
        try:
            made = _resolve(row, resolver)
        except ValidationException as error:
            raise ValidationException(f"Row {number}: {error}") from None
        found.append(_row_of(made) if isinstance(made, ResolvedExpression) else made)
    return found


def _row_of(made: ResolvedExpression) -> Row:
    if isinstance(made, Call) and made.function is collection.ROW:
        names = [name.value for name in made.arguments[::2] if isinstance(name, ValueLiteral)]
        return Row.of(names, made.arguments[1::2])
    return Row.of(("f0",), (made,))


def _has_expression(value: Any) -> bool:
    if type(value) in ATOMIC:
        return False
    if isinstance(value, Expression):
        return True
    if isinstance(value, tuple | list | Row):
        # Check the types first, because rows of plain values are common.
        return not ATOMIC.issuperset(map(type, value)) and any(map(_has_expression, value))
    if isinstance(value, Mapping):
        return any(map(_has_expression, value)) or any(map(_has_expression, value.values()))
    return any(_has_expression(getattr(value, name)) for name in _field_names(value))


def _resolve(value: Any, resolver: ExpressionResolver) -> Any:
    if isinstance(value, Expression):
        return _constant(value, resolver)
    if isinstance(value, list):
        return [_resolve(part, resolver) for part in value]
    if isinstance(value, Mapping):
        return {_resolve(key, resolver): _resolve(part, resolver) for key, part in value.items()}
    if isinstance(value, tuple | Row):
        names = getattr(value, "names" if isinstance(value, Row) else "_fields", None)
        parts = [_resolve(part, resolver) for part in value]
        return Row.of(names, parts) if names else tuple(parts)
    names = _field_names(value)
    return Row.of(names, [_resolve(getattr(value, name), resolver) for name in names]) if names else value


def _constant(value: Expression[Any], resolver: ExpressionResolver) -> ResolvedExpression:
    made = resolver.resolve(unwrap(value))
    for content, problem in _MISPLACED:
        if made.contents & content:
            raise ValidationException(
                f"{made.as_summary_string()} {problem}, and the rows of from_elements hold constants. Select it from a "
                "table instead."
            )
    call = determinism.nondeterministic_call(made)
    if call is not None:
        raise ValidationException(
            f"{call.as_summary_string()} has another value each time that it is evaluated, and the rows of "
            "from_elements hold constants. Add it with add_columns instead."
        )
    return made


def _field_names(value: Any) -> list[str]:
    """Return the field names of a dataclass or attrs object, an empty list for any other value."""
    fields = getattr(type(value), "__dataclass_fields__", None)
    if fields is None and attrs.has(type(value)):
        fields = [field.name for field in attrs.fields(type(value))]
    return list(fields or ())
