"""Correlated queries over the rows of a stream that Spark runs as joins of the stream with its own distinct values.

Spark turns a correlated query into a join. Where its references to the outer query are not plain equalities, or an
aggregate has to have a row for each outer row, the join needs the distinct values of the outer columns, which are those
of the stream: an aggregation without a watermark, or an outer join of the stream with itself. Spark's checker does not
see either, and the query fails at its start.
"""

from __future__ import annotations

from collections.abc import Iterator

from ir.call_expressions import Call
from ir.contents import OUTER, QUERY
from ir.expressions import OuterReference, ResolvedExpression
from ir.functions.comparison import EQUALS, IN
from ir.functions.subquery import SCALAR
from ir.messages import message
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Filter
from ir.operations.join import JoinType
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.outer_references import find_own_references
from ir.operations.set_operation import SetOperation
from ir.streaming.refusals import EVERY_MODE, OutputMode, Refusal
from ir.streaming.time_bounds import split_conjuncts

_APPEND = frozenset({OutputMode.APPEND})


def refused_correlation(operation: QueryOperation) -> Iterator[Refusal]:
    """Yield the reasons against the correlated queries in an operation over a stream."""
    if isinstance(operation, LateralJoin):
        modes = _modes_of_lateral(operation)
        if modes:
            yield _refuse(operation, modes, "A LATERAL query" if _is_query(operation.right) else "LEFT JOIN LATERAL")
        return
    for expression in operation.expressions:
        if not expression.contents & QUERY:
            continue
        for part in expression.walk():
            query = next((a for a in part.arguments if _is_query(a)), None) if isinstance(part, Call) else None
            if not isinstance(query, TableReference) or not query.operation.contents & OUTER:
                continue
            assert isinstance(part, Call)
            if part.function is SCALAR and not _has_equalities_only(query.operation):
                yield _refuse(operation, EVERY_MODE, "A scalar subquery")
            elif part.function is IN and _sums_all(query.operation):
                yield _refuse(operation, _APPEND, "A subquery of IN")


def _modes_of_lateral(operation: LateralJoin) -> frozenset[OutputMode]:
    """Return the modes in which Spark cannot run a lateral join."""
    is_left = operation.join_type is JoinType.LEFT_OUTER
    if not isinstance(operation.right, TableReference):
        return EVERY_MODE if is_left else frozenset()
    query = operation.right.operation
    if not query.contents & OUTER:
        return frozenset()
    has_equalities = _has_equalities_only(query)
    if is_left:
        return frozenset() if has_equalities and not _sums_all(query) else EVERY_MODE
    if any(isinstance(part, SetOperation) and part.contents & OUTER for part in query.walk()):
        return EVERY_MODE
    if _sums_all(query):
        return _APPEND if has_equalities else EVERY_MODE
    return frozenset()


def _refuse(operation: QueryOperation, modes: frozenset[OutputMode], what: str) -> Refusal:
    return Refusal(
        operation,
        modes,
        message(
            "{what} with this correlation becomes a join of the stream with its own distinct values in Spark.",
            what=what,
        ),
        message(
            "Group or compute the other side in a subquery of FROM, and join that with the stream by equal columns."
        ),
        fails_at_start=True,
    )


def _is_query(expression: ResolvedExpression) -> bool:
    return isinstance(expression, TableReference)


def _sums_all(query: QueryOperation) -> bool:
    """Whether a correlated query aggregates without keys, so that it has a row for each outer row."""
    return any(isinstance(part, Aggregate) and not part.group_keys and part.contents & OUTER for part in query.walk())


def _has_equalities_only(query: QueryOperation) -> bool:
    """Whether all references to the outer query are filters that compare a column of it by equality."""
    for operation in query.walk():
        if not find_own_references(operation):
            continue
        if not isinstance(operation, Filter):
            return False
        outer = [part for part in split_conjuncts(operation.condition) if part.contents & OUTER]
        if not all(isinstance(part, Call) and part.function is EQUALS and _is_plain(part) for part in outer):
            return False
    return True


def _is_plain(equality: Call) -> bool:
    first, second = equality.arguments
    if isinstance(first, OuterReference):
        return not second.contents & OUTER
    return isinstance(second, OuterReference) and not first.contents & OUTER
