"""Resolution of the operations that distribute rows over partitions and sort within each."""

from __future__ import annotations

from collections.abc import Sequence

from ir.casts import is_groupable, ungroupable_type
from ir.errors import ValidationException
from ir.expressions import Expression, ResolvedExpression
from ir.messages import message
from ir.operations.operation import QueryOperation
from ir.operations.partitions import Distribute, SortPartitions
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.resolution.operations import expand_columns, refuse_aggregate, refuse_over
from ir.resolution.sorting import sort_keys
from ir.resolution.subqueries import refuse_sql_functions_as_keys, refuse_subqueries_as_keys
from ir.summaries import Summary


def distribute_rows(input: QueryOperation, keys: Sequence[Expression], lookup: FunctionLookup) -> QueryOperation:
    """Return the rows of ``input`` with rows of equal keys in one partition.

    Raises:
        ValidationException: there is no key, a key contains an aggregate, an OVER call or an unsupported subquery, or
            the type of a key cannot be compared.
    """
    if not keys:
        raise ValidationException("distribute_by needs at least one expression.")
    resolver = ExpressionResolver(Scope((input.schema,)), lookup)
    resolved = tuple([resolver.resolve(key) for key in expand_columns(input, keys, lookup)])
    require_distribution_keys(resolved)
    return Distribute(input, resolved)


def require_distribution_keys(keys: Sequence[ResolvedExpression]) -> None:
    """Reject keys by which Spark cannot distribute rows.

    Raises:
        ValidationException: a key contains an aggregate, an OVER call or an unsupported subquery, or its type cannot be
            compared.
    """
    for key in keys:
        advice = "Select the aggregate under a name first."
        refuse_aggregate(key, "distribute_by", advice, "DISTRIBUTE BY", "UNSUPPORTED_EXPR_FOR_OPERATOR")
        refuse_over(key, "distribute_by", "DISTRIBUTE BY", "UNSUPPORTED_EXPR_FOR_OPERATOR")
        refuse_subqueries_as_keys(key, "distribute_by", "DISTRIBUTE BY", "distribute")
        refuse_sql_functions_as_keys(key, "distribute_by", "DISTRIBUTE BY", "distribute")
    _require_groupable(keys)


def sort_partitions(input: QueryOperation, keys: Sequence[Expression], lookup: FunctionLookup) -> QueryOperation:
    """Return the rows of ``input`` in order within each partition; constant keys are dropped.

    Raises:
        ValidationException: there is no key, or the type of a key has no order.
    """
    order = sort_keys(input, keys, lookup, "sort_within_partitions", "SORT BY")
    return SortPartitions(input, order) if order else input


def _require_groupable(keys: Sequence[ResolvedExpression]) -> None:
    for key in keys:
        if not is_groupable(key.data_type):
            kind = ungroupable_type(key.data_type)
            raise ValidationException(
                message(
                    "{DISTRIBUTE_BY} cannot distribute by {key}: values of type {kind} cannot be compared.",
                    key=Summary(key),
                    kind=kind,
                ),
                clause="DISTRIBUTE BY",
                condition="UNSUPPORTED_FEATURE.PARTITION_BY_VARIANT",
                part=key,
            )
