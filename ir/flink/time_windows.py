"""Rewriting of aggregations by time windows to Flink's window table functions.

A window table function reads a query, a time column and lengths, and adds the columns ``window_start``, ``window_end``
and ``window_time``, by which the query then groups. The time therefore has to be a column, and no other column may have
one of these names.
"""

from __future__ import annotations

from ir import types as t
from ir.call_expressions import Call
from ir.errors import TableException
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral
from ir.functions.table import EXPLODE
from ir.functions.time_window import (
    ADDED_COLUMNS,
    CUMULATIVE_WINDOWS,
    SESSION_WINDOW,
    SLIDING_WINDOWS,
    WINDOW,
    interval_of,
    is_time_window,
    microseconds,
)
from ir.identifiers import fold
from ir.names import Names
from ir.operations.aggregate import Aggregate, are_in_order
from ir.operations.join import JoinType
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.project import Project, project
from ir.operations.set_operation import SetOperation
from ir.rewriting import replace

_KEY = "window_key_"
# Functions whose lateral join returns rows with their windows, without a grouping.
ROWS_OF_WINDOWS = (SLIDING_WINDOWS, CUMULATIVE_WINDOWS)


def window_of(aggregate: Aggregate) -> Call | None:
    """Return the key of an aggregation that is a time window, None if there is no such key."""
    for key in aggregate.group_keys:
        if is_time_window(key):
            assert isinstance(key, Call)
            return key
    return None


def rebuild_over_columns(aggregate: Aggregate) -> Aggregate:
    """Return an aggregation by a window over an input that has the columns which the table function needs.

    These are the time of the window and, for a session, the other keys.

    Raises:
        TableException: Flink does not support the windows.
    """
    window = window_of(aggregate)
    assert window is not None
    time = window.arguments[0]
    sets = aggregate.grouping_sets
    if sets is not None:
        position = aggregate.group_keys.index(window)
        if position or not are_in_order(sets, len(aggregate.group_keys)) or not all(position in keys for keys in sets):
            raise _refusal(
                window,
                "there, the window is the first key of every grouping set, and the others stand in the sets in their "
                "order. Group by one set at a time",
            )
        if window.function is SESSION_WINDOW:
            raise _refusal(window, "there, sessions are those of all keys in every set. Group by one set at a time")
    _require_local(window, time)
    needed = [time]
    gap = window.arguments[-1]
    if not isinstance(gap, ValueLiteral) or gap.is_null:
        raise _refusal(window, "all sessions there have one gap. Group by sessions of a constant gap")
    if window.function is SESSION_WINDOW:
        needed += [key for key in aggregate.group_keys if key is not window]
    input, column_of = _add_columns(aggregate.input, needed)
    keys = tuple([replace(key, column_of.get) for key in aggregate.group_keys])
    aggregates = tuple([replace(a, column_of.get) for a in aggregate.aggregates])
    return Aggregate(input, keys, aggregates, aggregate.names, sets)


def _add_columns(
    given: QueryOperation, needed: list[ResolvedExpression]
) -> tuple[QueryOperation, dict[ResolvedExpression, ResolvedExpression]]:
    """Return the input of a table function with expressions as columns, and the new column of each expression."""
    old = given.schema.columns
    names = Names([*ADDED_COLUMNS, *[c.name for c in old]])
    new_names = [names.generate(c.name + "_", 0) if _is_reserved(c.name) else c.name for c in old]
    projections: list[ResolvedExpression] = [FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(old)]
    column_of: dict[ResolvedExpression, ResolvedExpression] = {}
    for expression, name in zip(list(projections), new_names, strict=True):
        column_of[expression] = FieldReference(name, expression.data_type, 0, len(column_of))
    is_renamed = any(_is_reserved(c.name) for c in old)
    for expression in needed:
        # By these names, the parser recognizes columns that are not part of the query.
        if expression not in column_of or (is_renamed and len(projections) == len(old)):
            name = names.generate(_KEY, len(projections) - len(old))
            column_of[expression] = FieldReference(name, expression.data_type, 0, len(projections))
            projections.append(expression)
            new_names.append(name)
    input = project(given, tuple(projections), tuple(new_names))
    if isinstance(input, SetOperation):
        # Over a set operation itself, Flink's table functions read only its first operand.
        input = Project(input, tuple(projections), tuple(new_names))
    return input, column_of


def windows_of_rows(join: LateralJoin) -> Call | None:
    """Return the windows if a lateral join returns a row for each window, else None."""
    right = join.right
    if not isinstance(right, Call) or right.function is not EXPLODE or join.join_type is not JoinType.INNER:
        return None
    (windows,) = right.arguments
    return windows if isinstance(windows, Call) and windows.function in ROWS_OF_WINDOWS else None


def rows_over_columns(
    join: LateralJoin, windows: Call
) -> tuple[QueryOperation, FieldReference, list[ResolvedExpression]]:
    """Return the input of a table function with the needed columns, the time column, and the columns of the join.

    Raises:
        TableException: Flink does not support the windows.
    """
    time = windows.arguments[0]
    _require_local(windows, time)
    input, column_of = _add_columns(join.input, [time])
    found = column_of[time]
    assert isinstance(found, FieldReference)
    columns = [FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(join.input.schema.columns)]
    return input, found, [column_of[column] for column in columns]


def _require_local(window: Call, time: ResolvedExpression) -> None:
    if not isinstance(time.data_type, t.TimestampType):
        raise _refusal(
            window,
            "there, windows over a TIMESTAMP_LTZ begin at times of the session's time zone, in Spark at times of UTC. "
            "Window over the time cast to TIMESTAMP",
        )


def _is_reserved(name: str) -> bool:
    return fold(name) in ADDED_COLUMNS or fold(name).startswith(_KEY)


def recover_window_input(input: QueryOperation) -> tuple[QueryOperation, list[ResolvedExpression]]:
    """Return the original input of a window table function, and the columns of ``input`` over it.

    This is the inverse of the change that ``rebuild_over_columns`` makes to the input.
    """
    own: list[ResolvedExpression] = [
        FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(input.schema.columns)
    ]
    if not isinstance(input, Project) or not fold(input.names[-1]).startswith(_KEY):
        return input, own
    below = input.input.schema.columns
    for index, column in enumerate(below):
        if input.projections[index] is not FieldReference(column.name, column.data_type, 0, index):
            return input, own
    return input.input, list(input.projections)


def lengths(window: Call) -> list[ValueLiteral]:
    """Return the lengths of a window as intervals in Flink's order, with the slide before the size."""
    if window.function is CUMULATIVE_WINDOWS:
        return [interval_of(microseconds(length)) for length in window.arguments[1:]]
    days = window.function is not SESSION_WINDOW
    size, *others = [microseconds(length, days=days) for length in window.arguments[1:]]
    # A slide equal to the size, which is present only because of the offset after it, is no argument of TUMBLE.
    others = others[1:] if others[:1] == [size] else others
    slide, offset = (others[:1], others[1:]) if function_of(window) == "HOP" else ([], others)
    return [interval_of(length) for length in (*slide, size, *offset)]


def function_of(window: Call) -> str:
    """Return the name of the table function for a window."""
    if window.function not in (WINDOW, SLIDING_WINDOWS):
        return "SESSION" if window.function is SESSION_WINDOW else "CUMULATE"
    size, *slide = window.arguments[1:3]
    return "TUMBLE" if slide in ([], [size]) else "HOP"


def _refusal(window: Call, reason: str) -> TableException:
    return TableException(
        f"{window.as_summary_string()} has no text in Flink's SQL that means the same: {reason}, or serialise it with "
        "the dialect SPARK."
    )
