"""Resolution of nearest-neighbour joins."""

from __future__ import annotations

from ir.casts import is_orderable
from ir.contents import CHANGES, QUERY
from ir.errors import ValidationException
from ir.expressions import Expression, ResolvedExpression
from ir.operations.join import JoinType
from ir.operations.nearest_join import Measure, NearestJoin, Search
from ir.operations.operation import QueryOperation
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.resolution.operations import refuse_aggregate, refuse_over

_NOT_SUPPORTED = "UNSUPPORTED_EXPR_FOR_OPERATOR"


def join_nearest(
    left: QueryOperation,
    right: QueryOperation,
    join_type: JoinType,
    ranking: Expression,
    count: int,
    measure: Measure,
    search: Search,
    lookup: FunctionLookup,
) -> QueryOperation:
    """Return the join of rows with their nearest rows by a ranking of pairs.

    Raises:
        ValidationException: the type of the ranking has no order, the ranking contains an aggregate, a window or a
            query, or Spark has no such join of this type or with so many rows.
    """
    resolved = ExpressionResolver(Scope((left.schema, right.schema)), lookup).resolve(ranking)
    require_ranking(resolved)
    if (left.contents | right.contents) & CHANGES:
        from ir.resolution.retractions import refuse_retractions_in_join

        refuse_retractions_in_join(left, right, join_type, None, chooses=True)
    return NearestJoin(left, right, join_type, resolved, count, measure, search)


def require_ranking(resolved: ResolvedExpression) -> None:
    """Reject a ranking of pairs that Spark does not support.

    Raises:
        ValidationException: the type of the ranking has no order, or the ranking contains an aggregate, a window or a
            query.
    """
    where = "The ranking of NEAREST"
    refuse_aggregate(resolved, where, "Select the aggregate under a name first.", condition=_NOT_SUPPORTED)
    refuse_over(resolved, where, condition=_NOT_SUPPORTED)
    if resolved.contents & QUERY:
        raise ValidationException(
            f"{where} holds a query, which Spark does not resolve there. Join the row that it gives first, and use its "
            "column.",
            part=resolved,
        )
    if not is_orderable(resolved.data_type):
        raise ValidationException(
            f"{where} is of type {resolved.data_type.as_summary_string()}, whose values have no order. A number says "
            "how far two rows are from each other, such as ABS(a.x - b.x).",
            condition="NEAREST_BY_JOIN.NON_ORDERABLE_RANKING_EXPRESSION",
            part=resolved,
        )
