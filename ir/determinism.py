"""Nondeterministic expressions, and where Spark rejects them.

A nondeterministic expression is evaluated once for each place where it is written: two calls of RAND return two
numbers. Such an expression may not be merged with an equal one, written twice or moved to another operation. Spark
rejects it where it might be evaluated more than once for a row. Source: ``CheckAnalysis`` and
``PullOutNondeterministic`` of Spark 4.3.
"""

from __future__ import annotations

from ir.call_expressions import Call
from ir.contents import CHANGING
from ir.errors import ValidationException
from ir.expressions import ResolvedExpression
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.inference.inputs import Positional
from ir.messages import message
from ir.operations.aggregate import Aggregate
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.sort import Sort
from ir.operations.source import SINGLE_ROW, Values
from ir.summaries import Summary


def nondeterministic_call(root: ResolvedExpression, *, or_ordered_aggregate: bool = False) -> Call | None:
    """Return a nondeterministic call in an expression or in its queries, None if there is none.

    A built-in aggregate whose value depends on the order of the rows, such as FIRST, usually does not count: Spark
    accepts it where it rejects RAND, because it is computed once for each group.

    Args:
        root: the expression.
        or_ordered_aggregate: whether such an aggregate counts, too.
    """
    if not root.contents & CHANGING:
        return None
    for part in root.walk():
        if isinstance(part, Call) and _changes(part, or_ordered_aggregate):
            return part
        if isinstance(part, TableReference):
            for operation in part.operation.walk():
                for expression in operation.expressions:
                    for inner in expression.walk():
                        if isinstance(inner, Call) and _changes(inner, or_ordered_aggregate):
                            return inner
    return None


def _changes(call: Call, or_ordered_aggregate: bool) -> bool:
    function = call.function
    if function.is_deterministic:
        return False
    return or_ordered_aggregate or function.kind is not FunctionKind.AGGREGATE or not function.is_built_in


def changes_at_each_evaluation(root: ResolvedExpression) -> bool:
    """Whether two evaluations for one row differ: a random call without a seed gets a new seed for each."""
    if not root.contents & CHANGING:
        return False
    return any(isinstance(part, Call) and _lacks_seed(part.function, len(part.arguments)) for part in root.walk())


def _lacks_seed(function: FunctionDefinition, arguments: int) -> bool:
    inputs = function.inference.inputs
    if function.is_deterministic or not isinstance(inputs, Positional) or not inputs.names:
        return False
    return inputs.names[-1] == "seed" and arguments < len(inputs.names)


def occurrences(root: ResolvedExpression) -> int:
    """Return the number of nondeterministic calls in the text of an expression."""
    if not root.contents & CHANGING:
        return 0
    counts: dict[ResolvedExpression, int] = {}
    for part in root.walk():
        own = isinstance(part, Call) and not part.function.is_deterministic
        counts[part] = own + sum(counts[child] for child in part.children)
    return counts[root]


def refuse_in_join(condition: ResolvedExpression) -> None:
    """Refuse a nondeterministic join condition.

    Raises:
        ValidationException: the condition is nondeterministic.
    """
    call = nondeterministic_call(condition)
    if call is not None:
        raise ValidationException(
            message(
                "{JOIN_CONDITION} holds {call}, which has another value each time that it is evaluated. "
                "{COMPUTE_FIRST}.",
                call=Summary(call),
            ),
            condition="INVALID_NON_DETERMINISTIC_EXPRESSIONS",
            part=call,
        )


def refuse_in_aggregate(aggregate: ResolvedExpression) -> None:
    """Refuse an aggregate without OVER that has nondeterministic arguments.

    Raises:
        ValidationException: an argument is nondeterministic.
    """
    for argument in aggregate.children:
        call = nondeterministic_call(argument)
        if call is not None:
            raise ValidationException(
                message(
                    "The aggregate {aggregate} is of {call}, which has another value each time that it is evaluated. "
                    "{COMPUTE_FIRST}.",
                    aggregate=Summary(aggregate),
                    call=Summary(call),
                ),
                condition="AGGREGATE_FUNCTION_WITH_NONDETERMINISTIC_EXPRESSION",
                part=call,
            )


def refuse_as_key_of_sets(key: ResolvedExpression) -> None:
    """Refuse a nondeterministic key of several grouping sets.

    Raises:
        ValidationException: the key is nondeterministic.
    """
    call = nondeterministic_call(key)
    if call is not None:
        raise ValidationException(
            message(
                "A key of {GROUPING_SETS} cannot be {key}, which has another value each time that it is evaluated. "
                "{COMPUTE_FIRST}.",
                key=Summary(key),
            ),
            part=call,
        )


def refuse_in_lateral(input: QueryOperation, right: ResolvedExpression, where: str) -> None:
    """Refuse a nondeterministic right side of a lateral join with an input of more than one row.

    A Python function is exempt: it computes its rows before the join.

    Raises:
        ValidationException: the right side is nondeterministic.
    """
    call = nondeterministic_call(right)
    code = right.function.user_code if isinstance(right, Call) else None
    is_made_before = code is not None and code.implementation is not None and code.casts_arguments
    if call is not None and not is_made_before and not _has_one_row_at_most(input):
        raise ValidationException(
            message(
                "{where} computes {call}, which has another value each time that it is evaluated, beside a table of "
                "more than one row. {COMPUTE_FIRST}.",
                where=where,
                call=Summary(call),
            ),
            condition="UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.NON_DETERMINISTIC_LATERAL_SUBQUERIES",
            part=call,
        )


def _has_one_row_at_most(operation: QueryOperation) -> bool:
    match operation:
        case Values():
            return len(operation.rows) <= 1
        case Sort():
            return operation.fetch is not None and operation.fetch <= 1
        case Aggregate():
            return not operation.group_keys and operation.grouping_sets is None
    return operation is SINGLE_ROW
