"""Subqueries that Flink's SQL can write, but that Flink 2.3 cannot plan or evaluates differently from Spark."""

from __future__ import annotations

from ir.call_expressions import Call
from ir.errors import TableException
from ir.expressions import OuterReference, ResolvedExpression
from ir.functions import arithmetic as ar
from ir.functions import comparison as cmp
from ir.functions.aggregate import COUNT
from ir.functions.collection import GET
from ir.functions.conversion import CAST
from ir.functions.logic import AND, NOT
from ir.functions.subquery import EXISTS, SCALAR
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Filter
from ir.operations.join import Join
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.outer_references import outer_references
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation
from ir.operations.sort import Sort
from ir.operations.source import Values
from ir.resolution.subqueries import subqueries


def require_flink_subqueries(root: QueryOperation) -> None:
    """Refuse a query with a subquery that Flink does not evaluate with the same meaning.

    Raises:
        TableException: the query contains such a subquery; the message gives the reason.
    """
    _require_flink_existence(root)
    literal: set[int] = set()
    for current in root.walk_with_subqueries():
        found = [(call, table.operation) for e in current.expressions for call, table in subqueries(e)]
        queries = current.subqueries
        if isinstance(current, Values) or any(id(child) in literal for child in (*current.inputs, *queries)):
            literal.add(id(current))
        if isinstance(current, LateralJoin) and isinstance(current.right, TableReference):
            raise _refusal(current, "its answers to correlated queries of a lateral join are not reliable")
        if isinstance(current, Join) and any(call.function is not SCALAR for call, _ in found):
            raise _refusal(current, "it fails on EXISTS and IN in the predicate of a join, or gives other rows")
        for call, _ in found:
            if call.function is SCALAR and call.data_type.children:
                raise _refusal(current, "it has no scalar subquery of an array, a map or a row")
        for query in queries:
            if outer_references(query):
                if id(query) in literal or any(id(child) in literal for child in current.inputs):
                    raise _refusal(current, "it does not plan a correlated subquery over rows that are written out")
                _require_flink_correlation(current, query)


def _require_flink_existence(root: QueryOperation) -> None:
    """Refuse an uncorrelated EXISTS beside a correlated subquery, because Flink treats it as TRUE.

    The same holds for a comparison with a count of rows in a filter, which Flink turns into EXISTS. Flink evaluates an
    EXISTS that is a conjunct of a filter by a join, unless another conjunct contains a subquery inside an expression.
    """
    correlated, suspected = False, None
    for current in root.walk_with_subqueries():
        answered: set[ResolvedExpression] = set()
        if isinstance(current, Filter):
            answered = {_strip_negation(part) for part in _conjuncts(current.condition)}
        found = [(call, table.operation) for e in current.expressions for call, table in subqueries(e)]
        separate = all(call in answered for call, _ in found)
        for call, query in found:
            if outer_references(query):
                correlated = True
                continue
            exists = call.function is EXISTS and not (separate and call in answered)
            if exists or (call.function is SCALAR and isinstance(current, Filter) and _counts(query)):
                suspected = suspected or current
    if correlated and suspected is not None:
        raise _refusal(suspected, "beside a correlated subquery, it takes an EXISTS without references to be TRUE")


def _conjuncts(condition: ResolvedExpression) -> tuple[ResolvedExpression, ...]:
    return condition.arguments if isinstance(condition, Call) and condition.function is AND else (condition,)


def _strip_negation(part: ResolvedExpression) -> ResolvedExpression:
    """Return the operand of a negation, or the part itself."""
    return part.arguments[0] if isinstance(part, Call) and part.function is NOT else part


def _counts(query: QueryOperation) -> bool:
    """Whether a query returns a single row with a COUNT."""
    while isinstance(query, Project):
        query = query.input
    if not isinstance(query, Aggregate) or query.group_keys:
        return False
    return any(isinstance(made, Call) and made.function is COUNT for made in query.aggregates)


def _require_flink_correlation(holder: QueryOperation, query: QueryOperation) -> None:
    correlated: set[int] = set()
    holders = {id(operation) for operations in outer_references(query).values() for operation in operations}
    for current in query.walk():
        below = any(id(child) in correlated for child in current.inputs)
        if below and isinstance(current, Sort) and current.is_limited:
            raise _refusal(holder, "it does not take a limit for each row, over which a reference to that row stands")
        if below and isinstance(current, SetOperation):
            raise _refusal(holder, "it does not plan a reference to the enclosing row below a set operation")
        if isinstance(current, LateralJoin):
            raise _refusal(holder, "it does not plan a correlated subquery with a lateral join in it")
        if isinstance(current, Join) and id(current) in holders:
            raise _refusal(holder, "it does not plan a reference to the enclosing row in the predicate of a join")
        if id(current) in holders:
            _require_strict(holder, current)
        if below or id(current) in holders:
            correlated.add(id(current))


_COMPARISONS = {
    cmp.EQUALS,
    cmp.NOT_EQUALS,
    cmp.LESS_THAN,
    cmp.LESS_THAN_OR_EQUAL,
    cmp.GREATER_THAN,
    cmp.GREATER_THAN_OR_EQUAL,
}
# Functions that return NULL if an argument is NULL.
_STRICT = {*_COMPARISONS, ar.PLUS, ar.MINUS, ar.TIMES, ar.MINUS_PREFIX, CAST, GET}


def _require_strict(holder: QueryOperation, operation: QueryOperation) -> None:
    """Refuse a reference whose NULL matters: Flink joins with the values, and loses rows with NULL."""
    for expression in operation.expressions:
        for part in _conjuncts(expression):
            references = [p for p in part.walk() if isinstance(p, OuterReference) and p.type_.nullable]
            if references and not (isinstance(operation, Filter) and _is_strict_comparison(part)):
                raise _refusal(
                    holder,
                    f"it loses rows where the value of {references[0].name!r} is NULL, except if that is compared in a "
                    "filter",
                )


def _is_strict_comparison(part: ResolvedExpression) -> bool:
    if not isinstance(part, Call) or part.function not in _COMPARISONS:
        return False
    return all(not isinstance(p, Call) or p.function in _STRICT for p in part.walk())


def _refusal(operation: QueryOperation, reason: str) -> TableException:
    return TableException(
        f"{operation.title}: {operation.describe()} has no text that Flink runs with the same meaning: {reason}. "
        "Serialise it with the dialect SPARK."
    )
