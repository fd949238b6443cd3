"""Lower calls of user-defined functions to scalar functions that are registered with the session.

A table function becomes a scalar function that returns an array of rows, unfolded by INLINE. An aggregate function
becomes a scalar function of the rows of a group, collected by ARRAY_AGG. So they run wherever Spark takes an
expression, also beside other aggregates. Over windows, Spark calls a Python aggregate itself: it sends the rows of a
partition once, while ARRAY_AGG would collect the rows of each frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Protocol

from ir import types as t
from ir.call_expressions import Call, Over
from ir.calls import call
from ir.errors import TableException
from ir.expressions import FieldReference, ResolvedExpression, SortOrder
from ir.frames import FIRST_ROW, LAST_ROW, Frame, FrameUnit
from ir.functions.builtins import BUILT_INS
from ir.functions.collected import collect_rows
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.identifiers import fold
from ir.inference.arguments import ANY
from ir.inference.inputs import varying
from ir.inference.results import Always
from ir.inference.type_inference import TypeInference
from ir.literals import literal
from ir.lowerings import move_window_inside
from ir.operations.lateral import LateralJoin, lateral_join
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.operations.set_operation import SetOperationType
from ir.operations.source import SINGLE_ROW, Values
from ir.resolution.set_operations import combine_sets
from ir.rewriting import choose_unused_name, transform, transform_operations
from ir.types import LogicalType
from tableapi.spark.planner.lambdas import extract_code_from_lambdas
from tableapi.user_functions.declaration import PANDAS, UserFunction

# A pandas series of these types has the same dtype with and without missing values.
_WITH_MISSING = (t.FractionalType, t.StringType, t.BytesType, t.DateType, t.DecimalType)
_PLAIN = (t.IntegralType, t.FractionalType, t.BooleanType, t.StringType)
_INLINE = BUILT_INS.by_name("inline")
_GREATEST = BUILT_INS.by_name("greatest")


class SessionNames(Protocol):
    """Registers functions with a session and returns their names."""

    def call(
        self, function: UserFunction, arguments: Sequence[ResolvedExpression]
    ) -> tuple[str, tuple[ResolvedExpression, ...]]:
        """Return the name of a scalar function for arguments, and the arguments in the form in which they are sent.

        An aggregate becomes a scalar function of ``collected`` rows.
        """

    def name_over_windows(self, function: UserFunction, *, is_filtered: bool, as_series: bool) -> str | None:
        """Return the name of an aggregate over windows, or None if it runs over ``collected`` rows instead."""


def bind_functions(operation: QueryOperation, names: SessionNames) -> QueryOperation:
    """Replace calls of user-defined functions by calls of functions that the session has.

    Args:
        operation: the query.
        names: registers functions with the session and returns their names.
    """
    operation = transform_operations(operation, _rewrite_values)
    as_series = _takes_series_only(operation)

    def bound(part: ResolvedExpression) -> ResolvedExpression:
        if isinstance(part, Over):
            return _lower_over(part, names, as_series=as_series) or move_window_inside(part, bound(part.call))
        if not isinstance(part, Call) or not isinstance(part.function.user_code.implementation, UserFunction):
            return part
        function = part.function.user_code.implementation.of_call(part)
        if function.kind is FunctionKind.AGGREGATE:
            return _call(function, *names.call(function, (collect_rows(part),)), part.type_)
        made = _call(function, *names.call(function, part.arguments or (literal(0),)), _value_type(function))
        return call(_INLINE, (made,)) if function.gives_rows else made

    def changed(expression: ResolvedExpression) -> ResolvedExpression:
        return transform(extract_code_from_lambdas(expression) if _has_user_calls(expression) else expression, bound)

    return transform_operations(operation, _unfold_inline, changed)


def _rewrite_values(current: QueryOperation) -> QueryOperation:
    """Rewrite VALUES that call user-defined functions as SELECTs, because Spark rejects such calls in VALUES."""
    if not isinstance(current, Values) or not any(map(_has_user_calls, chain.from_iterable(current.rows))):
        return current
    made: QueryOperation | None = None
    for row in current.rows:
        one = project(SINGLE_ROW, row, current.schema.names)
        if made is not None:
            one = combine_sets(made, one, SetOperationType.UNION, keep_duplicates=True)
        made = one
    assert made is not None
    return made


def _has_user_calls(root: ResolvedExpression) -> bool:
    calls = (part for part in root.walk() if isinstance(part, Call))
    return any(isinstance(call.function.user_code.implementation, UserFunction) for call in calls)


def _lower_over(over: Over, names: SessionNames, *, as_series: bool) -> Over | None:
    """Lower a user-defined aggregate over a window; None for other functions, or if Spark cannot run it this way."""
    made = over.call
    if not isinstance(made.function.user_code.implementation, UserFunction):
        return None
    function = made.function.user_code.implementation.of_call(made)
    name = names.name_over_windows(function, is_filtered=made.filter is not None, as_series=as_series)
    if name is None:
        return None
    # Spark ignores FILTER for Python aggregates, so the function gets the condition as an argument.
    counts = () if made.filter is None else (made.filter,)
    arguments = (*(made.arguments or (literal(0),)), *counts)
    made = _call(function, name, arguments, made.type_, FunctionKind.AGGREGATE)
    return over.evolve(call=made) if as_series else _separate_window(over.evolve(call=made))


def _separate_window(over: Over) -> Over:
    """Rewrite a window so that Spark does not merge it with an equal window of another call.

    Spark evaluates equal windows in one operator, even if they come from a DataFrame or a temporary view. Planning
    fails if one of their functions takes Arrow columns and another pandas series. Spark would remove a constant
    partition key.
    """
    frame = over.frame
    if frame is not None and frame.unit is FrameUnit.RANGE and (frame.lower.offset or frame.upper.offset):
        # Such a frame has one sort key. GREATEST(x, x) equals x for any type, and the optimizer does not simplify it.
        if over.partition_by:
            return over.evolve(partition_by=(*over.partition_by, over.partition_by[-1]))
        (order,) = over.order_by
        if not all(not isinstance(part, Call) or part.function.is_deterministic for part in order.expression.walk()):
            return over
        same = call(_GREATEST, (order.expression, order.expression))
        return over.evolve(order_by=(order.evolve(expression=same),))
    if frame is None and not over.order_by:
        frame = Frame(FrameUnit.ROWS, FIRST_ROW, LAST_ROW)
    return over.evolve(order_by=(*over.order_by, SortOrder(literal(True), True, True)), frame=frame)


def _takes_series_only(operation: QueryOperation) -> bool:
    """Whether all user-defined aggregates over windows in a query are pandas functions that can take Spark's series.

    Series that Spark makes are faster than series made from Arrow columns. But Spark fails to plan Arrow functions
    beside pandas functions in one window operator.
    """
    return all(
        _takes_series(part.call)
        for current in operation.walk_with_subqueries()
        for expression in current.expressions
        for part in expression.walk()
        if isinstance(part, Over) and isinstance(part.call.function.user_code.implementation, UserFunction)
    )


def _takes_series(made: Call) -> bool:
    """Whether the series of a frame is a slice of the series that Spark makes from the partition."""
    assert isinstance(made.function.user_code.implementation, UserFunction)
    function = made.function.user_code.implementation.of_call(made)
    return (
        function.func_type == PANDAS
        and made.filter is None
        and bool(made.arguments)
        and isinstance(function.result, _PLAIN)
        and all(
            isinstance(argument.data_type, _WITH_MISSING)
            or (isinstance(argument.data_type, _PLAIN) and not argument.data_type.nullable)
            for argument in made.arguments
        )
    )


def _unfold_inline(current: QueryOperation) -> QueryOperation:
    """Unfold an INLINE in a lateral join without a join, which would compute its left side twice.

    The array of a non-deterministic function becomes a column first, because Spark rejects non-deterministic calls in a
    lateral join.

    Raises:
        TableException: the lateral join has a condition on rows of a non-deterministic function.
    """
    if (
        not isinstance(current, LateralJoin)
        or not isinstance(current.right, Call)
        or current.right.function is not _INLINE
    ):
        return current
    array = current.right.arguments[0]
    if all(not isinstance(part, Call) or part.function.is_deterministic for part in array.walk()):
        return lateral_join(current.input, current.right, current.names, current.join_type, current.condition)
    if current.condition is not None:
        raise TableException(
            f"The rows of {array.as_summary_string()} are others each time, and Spark would compute them anew for the "
            "condition of an outer lateral join. Join them without a condition, and filter them."
        )
    columns = [FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(current.input.schema.columns)]
    hidden = choose_unused_name("rows", {fold(name) for name in current.schema.names})
    given = project(current.input, (*columns, array), (*current.input.schema.names, hidden))
    rows = FieldReference(hidden, given.schema.columns[-1].data_type, 0, len(columns))
    joined = lateral_join(given, call(_INLINE, (rows,)), current.names, current.join_type, None)
    kept = [i for i in range(len(joined.schema)) if i != len(columns)]
    fields = [FieldReference(joined.schema.columns[i].name, joined.schema.columns[i].data_type, 0, i) for i in kept]
    return project(joined, tuple(fields), current.schema.names)


def _value_type(function: UserFunction) -> LogicalType:
    return t.ArrayType(function.result) if function.gives_rows else function.result.as_nullable()


def _call(
    function: UserFunction,
    name: str,
    arguments: tuple[ResolvedExpression, ...],
    data_type: LogicalType,
    kind: FunctionKind = FunctionKind.SCALAR,
) -> Call:
    definition = FunctionDefinition(
        name,
        kind,
        TypeInference(varying(ANY), Always(data_type)),
        name,
        is_deterministic=function.is_deterministic,
    )
    return Call(definition, arguments, data_type)
