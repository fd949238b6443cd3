"""Checks where Spark allows a query to refer to columns of the outer query."""

from __future__ import annotations

from collections.abc import Mapping

from ir.call_expressions import Call
from ir.contents import OUTER
from ir.errors import ValidationException
from ir.expressions import OuterReference, ResolvedExpression
from ir.functions.logic import AND
from ir.messages import Term, message
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Filter
from ir.operations.join import Join, JoinType
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.outer_references import find_own_references, outer_references

_COMPUTE_BEFORE = Term(
    "Make it a column with add_columns before, and use that column",
    "Compute it in a subquery in FROM first, and use that column",
)
_FILTER_AFTER = Term("Refer to it in a filter after that", "Refer to it in a WHERE after that")


def require_correlation(query: QueryOperation, where: str, *, exists: bool = False, searched: bool = False) -> None:
    """Reject a correlated subquery that Spark would reject, fail to run, or compute wrongly.

    Args:
        query: the subquery.
        where: the use of the subquery, for the message.
        exists: whether the subquery is an EXISTS.
        searched: whether the subquery is searched for a row, as by EXISTS and IN, rather than a scalar.

    Raises:
        ValidationException: the subquery refers to the outer query in an unsupported place.
    """
    correlated: set[int] = set()
    if not query.contents & OUTER:
        return
    for current in query.walk():
        below = [id(child) in correlated for child in current.inputs]
        own = find_own_references(current)
        if own and not current.takes_outer_references:
            reference, expression = next(iter(own.items()))
            shown = f", in {expression.as_summary_string()}"
            place = Term(_place(current) + shown, _clause(current))
            raise _make_error(where, reference, place, _COMPUTE_BEFORE)
        if any(below) and current.hides_outer_query:
            reference = next(iter(outer_references(current)))
            raise _make_error(
                where,
                reference,
                Term(f"below its operation {current.title}", f"below {current.sql_clause}"),
                _FILTER_AFTER,
            )
        if isinstance(current, Join):
            _require_correlated_join(current, below, own, where, exists)
        if searched and own:
            _require_one_level(current, where)
        if own or any(below):
            correlated.add(id(current))


def _require_correlated_join(
    join: Join, below: list[bool], own: Mapping[OuterReference, ResolvedExpression], where: str, exists: bool
) -> None:
    kind = join.join_type.value.lower()
    for side, may_lack, refers in zip(("left", "right"), join.nullable_sides, below, strict=True):
        if may_lack and refers:
            raise _make_error(
                where,
                next(iter(outer_references(join.inputs[side == "right"]))),
                f"below the {side} side of a {kind} join, whose rows a pair may lack",
                _FILTER_AFTER,
            )
    if own and join.join_type is JoinType.FULL_OUTER:
        raise _make_error(
            where, next(iter(own)), f"in the predicate of a {kind} join, where rows would be lost", _FILTER_AFTER
        )
    if exists and sum([*below, bool(own)]) > 1:
        raise _make_error(
            where,
            next(iter(outer_references(join))),
            "in more than one of left side, right side and predicate of a join, which Spark 4.3 fails to run",
            _FILTER_AFTER,
        )


def _require_one_level(operation: QueryOperation, where: str) -> None:
    """Reject a condition that refers to two levels of outer queries, which Spark 4.3 fails to run."""
    conditions = [operation.condition] if isinstance(operation, (Filter, Join)) and operation.condition else []
    for condition in conditions:
        parts = condition.children if isinstance(condition, Call) and condition.function is AND else (condition,)
        for part in parts:
            inside = list(part.walk())
            references = [p for p in inside if isinstance(p, OuterReference)]
            if references and any(isinstance(p, TableReference) and outer_references(p.operation) for p in inside):
                place = f"in one condition with another correlated subquery, {part.as_summary_string()}"
                raise _make_error(where, references[0], place, _COMPUTE_BEFORE)


def _make_error(where: str, reference: OuterReference, place: str | Term, advice: Term) -> ValidationException:
    return ValidationException(
        message(
            "{subquery} refers to the column {column!r} of the query around it {place}. Spark does not support a "
            "reference there. {advice}.",
            subquery=Term(f"The subquery of {where}", "The subquery"),
            column=reference.name,
            place=place,
            advice=advice,
        ),
        part=reference,
    )


def _clause(operation: QueryOperation) -> str:
    """Return the SQL clause that contains the expressions of an operation, for messages."""
    return _GROUPS if isinstance(operation, Aggregate) else f"in {operation.sql_clause}"


def _place(operation: QueryOperation) -> str:
    return _GROUPS if isinstance(operation, Aggregate) else f"in its operation {operation.title}"


_GROUPS = "in a group key or an aggregate"
