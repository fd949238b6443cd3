"""The clauses of a call besides its arguments: DISTINCT, FILTER, IGNORE NULLS and WITHIN GROUP."""

from __future__ import annotations

from ir.call_expressions import Call
from ir.contents import AGGREGATE, CHANGING
from ir.errors import TableException, ValidationException
from ir.expressions import ResolvedExpression, SortOrder
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.inference.usage import ALONE, Usage
from ir.light_tuples import NamedTuple
from ir.types import BooleanType, LogicalType


class Clauses(NamedTuple):
    """The clauses of a call, and how the query uses the call.

    Attributes:
        distinct: whether the call has DISTINCT.
        filter: the condition of FILTER.
        ignore_nulls: whether the call has IGNORE NULLS.
        order_by: the keys of WITHIN GROUP.
        respect_nulls: whether the call has RESPECT NULLS.
        usage: how the query uses the call.
        expected_output: the type that the surrounding expression expects; it determines the type of a few functions.
    """

    distinct: bool = False
    filter: ResolvedExpression | None = None
    ignore_nulls: bool = False
    order_by: tuple[SortOrder, ...] = ()
    respect_nulls: bool = False
    usage: Usage = ALONE
    expected_output: LogicalType | None = None

    @staticmethod
    def of(call: Call) -> Clauses:
        """Return the clauses of a call."""
        return Clauses(call.distinct, call.filter, call.ignore_nulls, call.order_by, call.respect_nulls)


NO_CLAUSES = Clauses()


def check_clauses(definition: FunctionDefinition, clauses: Clauses, arguments: int) -> None:
    """Require that a function supports the clauses of a call.

    Args:
        definition: the function.
        clauses: the clauses.
        arguments: the number of arguments.

    Raises:
        ValidationException: the function does not support a clause, or the condition of FILTER is invalid.
        TableException: Spark fails on this combination of clauses.
    """
    if clauses.distinct and not definition.aggregation.supports_distinct:
        raise ValidationException(
            f"{definition.sql_name} does not support DISTINCT. It is for aggregate functions whose result depends on "
            "how often a value occurs.",
            condition="INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX",
        )
    if clauses.filter is not None:
        _check_filter(definition, clauses.filter, arguments)
        if clauses.distinct and clauses.order_by:
            raise TableException(
                f"{definition.sql_name} cannot have DISTINCT, an order and a condition at once: Spark fails as it "
                "runs. Leave the other rows out first, with a filter."
            )
    if clauses.ignore_nulls and not definition.aggregation.supports_ignore_nulls:
        raise ValidationException(
            f"{definition.sql_name} does not support IGNORE NULLS. It is for functions that pick the value of one row: "
            "FIRST_VALUE, LAST_VALUE, ANY_VALUE, NTH_VALUE, LAG and LEAD.",
            condition="INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX",
        )


def _check_filter(definition: FunctionDefinition, condition: ResolvedExpression, arguments: int) -> None:
    from ir.messages import message
    from ir.summaries import Summary

    if definition.kind is not FunctionKind.AGGREGATE:
        raise ValidationException(
            message(
                "{FILTER} is for aggregates, but {function} is none. Leave rows out with {WHERE}.",
                function=definition.sql_name,
            ),
            condition="INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX",
        )
    if not isinstance(condition.data_type, BooleanType):
        raise ValidationException(
            message(
                "{FILTER} of {function} requires a condition of type BOOLEAN, but {condition} is of type {type}.",
                function=definition.sql_name,
                condition=Summary(condition),
                type=condition.data_type.as_summary_string(),
            ),
            condition="INVALID_AGGREGATE_FILTER.NOT_BOOLEAN",
            argument=arguments,
        )
    if not condition.contents & (AGGREGATE | CHANGING):
        return
    for part in condition.walk():
        if isinstance(part, Call) and not part.function.is_deterministic and not is_aggregate(part):
            raise ValidationException(
                message(
                    "{FILTER} of {function} holds {part}, which has another value each time that it is evaluated. "
                    "{COMPUTE_FIRST}.",
                    function=definition.sql_name,
                    part=Summary(part),
                ),
                condition="INVALID_AGGREGATE_FILTER.NON_DETERMINISTIC",
                part=part,
            )
        if is_aggregate(part):
            raise ValidationException(
                message(
                    "{FILTER} of {function} is evaluated for each row, and cannot hold the aggregate {part}. "
                    "{SELECT_FIRST}.",
                    function=definition.sql_name,
                    part=Summary(part),
                ),
                condition="INVALID_AGGREGATE_FILTER.CONTAINS_AGGREGATE",
                part=part,
            )


def is_aggregate(expression: ResolvedExpression) -> bool:
    """Whether the expression is a call of an aggregate function."""
    return type(expression) is Call and expression.function.kind is FunctionKind.AGGREGATE


def is_window_function(expression: ResolvedExpression) -> bool:
    """Whether the expression is a call of a function that needs a window."""
    return isinstance(expression, Call) and expression.function.kind is FunctionKind.WINDOW
