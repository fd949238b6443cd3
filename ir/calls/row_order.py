"""The row order of an aggregate (WITHIN GROUP): validation and canonical form of its sort keys."""

from __future__ import annotations

from ir.call_expressions import Call
from ir.casts import is_orderable
from ir.errors import ValidationException
from ir.expressions import ResolvedExpression, SortOrder
from ir.functions.definition import FunctionDefinition, WithinGroup
from ir.inference import CallContext
from ir.messages import Term, message
from ir.types import CharacterType, DoubleType, FloatType, LocalZonedTimestampType, LogicalType

"""The sort keys of a call without WITHIN GROUP, and their types."""

_ERROR = "INVALID_WITHIN_GROUP_EXPRESSION"


def row_order(
    definition: FunctionDefinition,
    arguments: tuple[ResolvedExpression, ...],
    order_by: tuple[SortOrder, ...],
    distinct: bool,
) -> tuple[tuple[SortOrder, ...], tuple[LogicalType, ...]]:
    """Return the sort keys of a call in canonical form, and the types to which Spark casts them.

    Raises:
        ValidationException: the function does not support the order, or requires a missing one.
    """
    order = definition.aggregation.within_group
    name = definition.sql_name
    if order is None:
        if not order_by:
            return (), ()
        raise ValidationException(
            message(
                "{name} does not support {WITHIN_GROUP}. It is for aggregates whose result depends on the order of the "
                "rows: LISTAGG, PERCENTILE_CONT, PERCENTILE_DISC and MODE.",
                name=name,
            ),
            condition="INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX",
        )
    _check_count(name, order, len(arguments), len(order_by))
    if distinct and order_by:
        _check_distinct(name, order, arguments, order_by)
    keys = tuple([item.expression for item in order_by])
    types = []
    for position, key in enumerate(keys):
        accepted = order.key.infer_argument(CallContext.of(definition.name, keys), position)
        if accepted is None or not is_orderable(key.data_type):
            raise ValidationException(
                f"{name} cannot order its rows by {key.as_summary_string()} of type "
                f"{key.data_type.as_summary_string()}: a key must be {order.key.describe()} and have an order.",
                condition="DATATYPE_MISMATCH.INVALID_ORDERING_TYPE"
                if accepted is not None
                else "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
                part=key,
            )
        types.append(accepted)
    if not order.nulls_matter:
        order_by = tuple([SortOrder(item.expression, item.ascending, item.ascending) for item in order_by])
    return order_by, tuple(types)


def _check_count(name: str, order: WithinGroup, arguments: int, keys: int) -> None:
    if keys < order.least_beside(arguments):
        raise ValidationException(
            message(
                "{name} needs an order: {call}.",
                name=name,
                call=Term(f"{name.lower()}(…).within_group(col('a'))", f"{name}(…) WITHIN GROUP (ORDER BY …)"),
            ),
            condition=f"{_ERROR}.WITHIN_GROUP_MISSING",
        )
    most = order.most_beside(arguments)
    if most is not None and keys > most:
        what = "no order beside its arguments" if most == 0 else "one sort key"
        raise ValidationException(
            message(
                "{name} takes {what} in {WITHIN_GROUP}, but {keys} {verb} given.",
                name=name,
                what=what,
                keys=keys,
                verb="was" if keys == 1 else "were",
            ),
            condition=f"{_ERROR}.WRONG_NUM_ORDERINGS",
        )


def _check_distinct(
    name: str, order: WithinGroup, arguments: tuple[ResolvedExpression, ...], order_by: tuple[SortOrder, ...]
) -> None:
    if not order.with_distinct:
        raise ValidationException(
            f"{name} does not support DISTINCT beside an order.", condition=f"{_ERROR}.DISTINCT_UNSUPPORTED"
        )
    value, key = arguments[0], order_by[0].expression
    is_same = len(order_by) == 1 and (key is value or _is_text_of(key, value) or _is_text_of(value, key))
    if not is_same:
        shown = ", ".join(item.expression.as_summary_string() for item in order_by)
        raise ValidationException(
            f"{name} with DISTINCT is ordered by the value itself, {value.as_summary_string()}, but was given {shown}: "
            "of equal values, the other ones would be lost.",
            condition=f"{_ERROR}.MISMATCH_WITH_DISTINCT_INPUT",
        )
    if isinstance(key.data_type, (FloatType, DoubleType, LocalZonedTimestampType)):
        raise ValidationException(
            f"{name} with DISTINCT cannot be ordered by {key.as_summary_string()} of type "
            f"{key.data_type.as_summary_string()}, of which different values have the same text. Cast it to STRING "
            "in both places.",
            condition=f"{_ERROR}.MISMATCH_WITH_DISTINCT_INPUT_UNSAFE_CAST",
        )


def _is_text_of(text: ResolvedExpression, value: ResolvedExpression) -> bool:
    """Whether one expression is a cast of another one to a string."""
    from ir.functions.conversion import CAST

    return (
        isinstance(text, Call)
        and text.function is CAST
        and isinstance(text.data_type, CharacterType)
        and text.arguments[0] is value
    )
