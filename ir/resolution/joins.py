"""Resolution of joins."""

from __future__ import annotations

from collections.abc import Sequence

from ir.contents import CHANGES
from ir.determinism import refuse_in_join
from ir.errors import ValidationException, listing
from ir.expressions import Expression, ResolvedExpression, ValueLiteral
from ir.operations.join import Join, JoinType
from ir.operations.operation import QueryOperation
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.resolution.operations import refuse_aggregate, refuse_over, require_condition, split_alias
from ir.resolution.subqueries import refuse_sql_functions_in_join, refuse_subqueries_in_join
from ir.schema import ResolvedSchema


def join_tables(
    left: QueryOperation,
    right: QueryOperation,
    join_type: JoinType,
    predicate: Expression | None,
    lookup: FunctionLookup,
) -> QueryOperation:
    """Return the join of two operations.

    Raises:
        ValidationException: both have a column of the same name, the predicate is not of type BOOLEAN, or a change
            would be matched like a row.
    """
    refuse_shared_names(left.schema, right.schema)
    condition = None
    if predicate is not None:
        resolver = ExpressionResolver(Scope((left.schema, right.schema)), lookup)
        condition = resolver.resolve(split_alias(predicate)[0])
        require_join_condition(condition, left.schema, right.schema)
        if isinstance(condition, ValueLiteral) and condition.value is True:
            condition = None
    if (left.contents | right.contents) & CHANGES:
        from ir.resolution.retractions import refuse_retractions_in_join

        refuse_retractions_in_join(left, right, join_type, condition)
    if condition is not None and left.is_unbounded and right.is_unbounded:
        from ir.resolution.streams.windows import join_streams

        return join_streams(left, right, join_type, condition)
    return Join(left, right, join_type, condition)


def refuse_shared_names(left: ResolvedSchema, right: ResolvedSchema) -> None:
    """Refuse to join relations with a column of the same name.

    Raises:
        ValidationException: there is such a column.
    """
    if left.shares_names_with(right):
        shared = [name for name in right.names if left.index_of(name) is not None]
        raise ValidationException(
            f"join relations with ambiguous names: [{listing(shared)}]. Rename them on one side, for example with "
            f"rename_columns({_renamings(shared)})."
        )


def require_join_condition(condition: ResolvedExpression, left: ResolvedSchema, right: ResolvedSchema) -> None:
    """Reject a join condition that Spark does not support.

    Raises:
        ValidationException: the condition is not of type BOOLEAN, is nondeterministic, or contains an aggregate, an
            OVER call or an unsupported subquery.
    """
    require_condition(condition, "join", "ON")
    instead = "Select the aggregate under a name first."
    refuse_aggregate(condition, "The join condition", instead, "ON", "UNSUPPORTED_EXPR_FOR_OPERATOR")
    refuse_over(condition, "The join condition", "ON")
    refuse_subqueries_in_join(condition, left, right)
    refuse_sql_functions_in_join(condition)
    refuse_in_join(condition)


def _renamings(names: Sequence[str]) -> str:
    """Return example arguments of ``rename_columns`` for some columns."""
    shown = [f"col({name!r}).alias({'right_' + name!r})" for name in names[:3]]
    return ", ".join([*shown, "…"] if len(names) > 3 else shown)
