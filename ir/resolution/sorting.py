"""Resolution of sorts, and of the limits that follow them."""

from __future__ import annotations

from collections.abc import Sequence

from ir.contents import CHANGES
from ir.errors import ValidationException
from ir.expressions import Expression, ResolvedExpression, SortOrder, ValueLiteral
from ir.operations.keys import require_orderable
from ir.operations.operation import QueryOperation
from ir.operations.sort import Sort
from ir.resolution.expressions import ExpressionResolver, Scope, resolve_order
from ir.resolution.lookup import FunctionLookup
from ir.resolution.operations import expand_columns, refuse_aggregate, refuse_over
from ir.resolution.subqueries import refuse_sql_functions_as_keys, refuse_subqueries_as_keys
from ir.resolution.windows.columns import extract_window_of_keys
from ir.unresolved import Ordering


def order_rows(input: QueryOperation, keys: Sequence[Expression], lookup: FunctionLookup) -> QueryOperation:
    """Return the rows of ``input`` in order; constant keys are dropped, since they order nothing.

    Raises:
        ValidationException: there is no key, or the type of a key has no order.
    """
    order = sort_keys(input, keys, lookup, "order_by", "ORDER BY")
    return Sort(input, order) if order else input


def extract_windows_of_keys(
    input: QueryOperation, keys: Sequence[Expression], lookup: FunctionLookup
) -> tuple[QueryOperation, list[Ordering]]:
    """Project the time window in sort keys to the last column, and return the rows with the keys over it.

    Raises:
        ValidationException: the keys need two windows over the same rows.
    """
    resolver = ExpressionResolver(Scope((input.schema,)), lookup, time_windows=True)
    orders: tuple[ResolvedExpression, ...] = tuple([resolve_order(resolver, key) for key in keys])
    input, orders = extract_window_of_keys(input, orders)
    return input, [Ordering(o.expression, o.ascending, o.nulls_first) for o in orders if isinstance(o, SortOrder)]


def sort_keys(
    input: QueryOperation, keys: Sequence[Expression], lookup: FunctionLookup, method: str, clause: str
) -> tuple[SortOrder, ...]:
    """Return the resolved keys of a sort without constants; ``method`` and ``clause`` name the sort in errors.

    Raises:
        ValidationException: there is no key, or the type of a key has no order.
    """
    if not keys:
        raise ValidationException(f"{method} needs at least one expression.")
    resolver = ExpressionResolver(Scope((input.schema,)), lookup)
    orders = [resolve_order(resolver, key) for key in expand_columns(input, keys, lookup)]
    require_sort_keys([order.expression for order in orders], method, clause)
    # ORDER BY 1 would mean the first column, in either dialect.
    return tuple([order for order in orders if not isinstance(order.expression, ValueLiteral)])


def require_sort_keys(keys: Sequence[ResolvedExpression], method: str, clause: str) -> None:
    """Reject sort keys that Spark does not support.

    Raises:
        ValidationException: a key contains an aggregate, an OVER call or an unsupported subquery, or its type has no
            order.
    """
    for key in keys:
        refuse_aggregate(key, method, "Select the aggregate under a name first.", clause)
        refuse_over(key, method, clause)
        refuse_subqueries_as_keys(key, method, clause, "sort")
        refuse_sql_functions_as_keys(key, method, clause, "sort")
    require_orderable(keys, method, clause)


def skip_rows(input: QueryOperation, offset: int) -> QueryOperation:
    """Return the rows of ``input`` without the first ``offset``, merged with a Sort below if possible.

    Raises:
        ValidationException: the rows are changes without their kinds.
    """
    _refuse_changes(input, "offset", "OFFSET")
    if isinstance(input, Sort) and input.offset is None and input.fetch is None:
        return Sort(input.input, input.order, offset, None)
    return Sort(input, (), offset, None)


def take_rows(input: QueryOperation, fetch: int) -> QueryOperation:
    """Return the first ``fetch`` rows of ``input``, merged with a Sort below if possible.

    Raises:
        ValidationException: the rows are changes without their kinds.
    """
    _refuse_changes(input, "fetch", "LIMIT")
    if isinstance(input, Sort) and input.fetch is None:
        return Sort(input.input, input.order, input.offset, fetch)
    return Sort(input, (), None, fetch)


def _refuse_changes(input: QueryOperation, method: str, clause: str) -> None:
    if input.contents & CHANGES:
        from ir.resolution.retractions import refuse_retractions_in_rows

        refuse_retractions_in_rows(input, method, clause)
