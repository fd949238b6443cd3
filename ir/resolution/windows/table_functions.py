"""Flink's window table functions: TUMBLE, HOP, CUMULATE and SESSION, which add the bounds of its windows to each row.

A row comes once for each window that its time is in, so one without a time does not come at all. The windows of the
first three depend on the time alone, and a lateral join with the array of them gives the rows. Sessions are found by the
times before: a row begins one where the time before it, of the same keys, is more than the gap ago.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from ir.durations import duration_text
from ir.errors import TableException, ValidationException, did_you_mean
from ir.expressions import (
    DescriptorLiteral,
    Expression,
    FieldReference,
    ResolvedExpression,
    UnresolvedAlias,
    UnresolvedCall,
    UnresolvedNamedArgument,
    UnresolvedReference,
    ValueLiteral,
)
from ir.flink.time_windows import ADDED
from ir.functions.arithmetic import MINUS
from ir.functions.calls import call
from ir.functions.collection import GET
from ir.functions.table import EXPLODE
from ir.functions.time_window import CUMULATIVE_WINDOWS, END, MILLISECOND, SLIDING_WINDOWS, START
from ir.identifiers import fold
from ir.literals import literal
from ir.operations.join import JoinType
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lateral import join_lateral
from ir.resolution.lookup import FunctionLookup
from ir.resolution.naming import Names
from ir.resolution.operations import column_of, field
from ir.resolution.process.arguments import without_alias
from ir.resolution.process.inputs import LeftOut, TableInput
from ir.types import DateType, DayTimeIntervalType, LocalZonedTimestampType, TimestampType

# The column of windows that a query reads by its bounds alone.
_WINDOW = "window"


@attrs.frozen
class WindowFunction:
    """A window table function: the names of its arguments in order, of which ``offset`` may be left out."""

    name: str
    lengths: tuple[str, ...]

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of all arguments."""
        return ("data", "timecol", *self.lengths)

    @property
    def usage(self) -> str:
        """How a call of it looks."""
        lengths = [f"[{name.upper()} =>] INTERVAL '…' …" for name in self.lengths if name != "offset"]
        optional = ", [OFFSET => INTERVAL '…' …]" if "offset" in self.lengths else ""
        return f"{self.name.upper()}([DATA =>] TABLE t, [TIMECOL =>] DESCRIPTOR(ts), {', '.join(lengths)}{optional})"


WINDOW_FUNCTIONS = {
    function.name: function
    for function in (
        WindowFunction("tumble", ("size", "offset")),
        WindowFunction("hop", ("slide", "size", "offset")),
        WindowFunction("cumulate", ("step", "size", "offset")),
        WindowFunction("session", ("gap",)),
    )
}


def arranged(function: WindowFunction, given: Sequence[Expression]) -> dict[str, tuple[Expression, int]]:
    """Return the arguments of a call and their numbers by their names.

    Raises:
        ValidationException: one is unknown, given twice or missing; ``argument`` is the number of the wrong one.
    """
    shown = function.name.upper()
    names = function.parameters
    found: dict[str, tuple[Expression, int]] = {}
    is_named = False
    for number, written in enumerate(given):
        if isinstance(written, UnresolvedNamedArgument):
            name, value, is_named = fold(written.name), written.expression, True
            if name not in names:
                suggestion = did_you_mean(written.name, [name.upper() for name in names])
                raise ValidationException(
                    f"{shown} has no argument named {written.name!r}.{suggestion} It is called as {function.usage}.",
                    argument=number,
                )
        else:
            if is_named:
                raise ValidationException(
                    f"{shown} was given an argument without a name after one that has a name; those without names "
                    "come first.",
                    argument=number,
                )
            if number >= len(names):
                raise ValidationException(
                    f"{shown} takes {len(names)} arguments at most, but was given {len(given)}. It is called as "
                    f"{function.usage}.",
                    argument=number,
                )
            name, value = names[number], written
        if name in found:
            raise ValidationException(f"{shown} was given {name.upper()} twice.", argument=number)
        if not isinstance(value, LeftOut):
            found[name] = value, number
    for name in names:
        if name != "offset" and name not in found:
            raise ValidationException(f"{shown} needs {name.upper()}. It is called as {function.usage}.")
    return found


def window_table(function: WindowFunction, given: Sequence[Expression], lookup: FunctionLookup) -> QueryOperation:
    """Return the rows of a table with the bounds of their windows as columns.

    A column of the table that has the name of one of these keeps it, and the added one gets a number.

    Raises:
        ValidationException: the call is wrong; ``argument`` is the number of the wrong argument where one alone is.
        TableException: the call is not supported.
    """
    by_name = arranged(function, given)
    shown = function.name.upper()
    number = None
    try:
        written, number = by_name["data"]
        written = without_alias(written)
        if not isinstance(written, TableInput):
            raise ValidationException(f"The argument DATA of {shown} must be a table: TABLE t in SQL, a Table in Python.")
        if written.order_by:
            raise ValidationException(f"{shown} takes rows in the order of their times: its table has no ORDER BY.")
        input = written.operation
        written_time, number = by_name["timecol"]
        written_time = without_alias(written_time)
        if not isinstance(written_time, DescriptorLiteral) or len(written_time.names) != 1:
            raise ValidationException(
                f"The argument TIMECOL of {shown} must name one column of times: DESCRIPTOR(ts) in SQL, "
                "descriptor('ts') in Python."
            )
        time = column_named(input, written_time.names[0])
        lengths = {}
        for name in function.lengths:
            if name in by_name:
                written_length, number = by_name[name]
                lengths[name] = length_of(function, name, written_length, lookup)
    except TableException as error:
        if error.argument is None and error.written is None:
            error.argument = number
        raise
    rows, bounds = with_windows(function, input, time, lengths, written.partition_by, lookup)
    width = len(input.schema)
    taken = {fold(name) for name in input.schema.names}
    names = list(input.schema.names)
    for name in ADDED:
        chosen, suffix = name, 0
        while fold(chosen) in taken:
            chosen, suffix = f"{name}{suffix}", suffix + 1
        taken.add(fold(chosen))
        names.append(chosen)
    return project(rows, (*[field(rows, index) for index in range(width)], *bounds), tuple(names))


def column_named(input: QueryOperation, name: str) -> FieldReference:
    """Return the column of times that a descriptor names.

    Raises:
        ValidationException: there is none.
    """
    return column_of(input, UnresolvedReference(name), "TIMECOL")


def length_of(function: WindowFunction, name: str, written: Expression, lookup: FunctionLookup) -> int:
    """Return a length of time in microseconds.

    Raises:
        ValidationException: it is not a constant interval of days to seconds.
    """
    value = ExpressionResolver(Scope(()), lookup).resolve(without_alias(written))
    if not isinstance(value, ValueLiteral) or value.is_null or not isinstance(value.data_type, DayTimeIntervalType):
        raise ValidationException(
            f"The argument {name.upper()} of {function.name.upper()} must be a constant length of time: "
            f"INTERVAL '10' MINUTE in SQL, lit(10).minutes in Python. It is {value.as_summary_string()} of type "
            f"{value.data_type.as_summary_string()}."
        )
    return int(value.value)


def with_windows(
    function: WindowFunction,
    input: QueryOperation,
    time: ResolvedExpression,
    lengths: Mapping[str, int],
    partition_by: Sequence[Expression],
    lookup: FunctionLookup,
) -> tuple[QueryOperation, list[ResolvedExpression]]:
    """Return the rows of a table once for each window that they are in, and the start, the end and the time of that.

    The columns of the table are the first ones. ``partition_by`` are the keys of each of which sessions are found.

    Raises:
        ValidationException: the time is of another type, or there are no such windows.
    """
    shown = function.name.upper()
    if not isinstance(time.data_type, TimestampType | LocalZonedTimestampType | DateType):
        raise ValidationException(
            f"The windows of {shown} are over a TIMESTAMP, a TIMESTAMP_LTZ or a DATE, but {time.as_summary_string()} is "
            f"of type {time.data_type.as_summary_string()}."
        )
    if partition_by and function.name != "session":
        raise ValidationException(
            f"Only tables with set semantics may be partitioned, which that of {shown} does not have: its windows depend "
            "on the time alone. Leave PARTITION BY out."
        )
    if function.name == "session":
        raise TableException("SESSION without a grouping is not supported.")
    if function.name == "cumulate":
        definition, order = CUMULATIVE_WINDOWS, ("step", "size", "offset")
    else:
        definition, order = SLIDING_WINDOWS, ("size", "slide", "offset")
        lengths = {"slide": lengths["size"], **lengths}
    arguments = (time, *[literal(duration_text(lengths[name])) for name in order if name in lengths])
    free = Names(input.schema.names)
    column = _WINDOW if free.is_free(_WINDOW) else free.generate(f"{_WINDOW}_", 0)
    windows = UnresolvedAlias(UnresolvedCall(EXPLODE, (UnresolvedCall(definition, arguments),)), column)
    rows = join_lateral(input, windows, JoinType.INNER, None, lookup, shown)
    window = field(rows, len(rows.schema) - 1)
    start, end = (call(GET, (window, literal(bound))) for bound in (START, END))
    return rows, [start, end, call(MINUS, (end, MILLISECOND))]
