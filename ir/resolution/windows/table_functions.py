"""Flink's window table functions TUMBLE, HOP, CUMULATE and SESSION, which add window bounds to each row.

A row occurs once for each window that contains its time; a row without a time is dropped. The windows of the first
three functions depend on the time alone, so that a lateral join with the array of windows computes the rows. Sessions
depend on earlier rows: a row begins a session if the previous time of the same keys is more than the gap before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ir import light_attrs as attrs
from ir.calls import call
from ir.durations import duration_text
from ir.errors import TableException, ValidationException
from ir.expressions import Expression, FieldReference, ResolvedExpression, ValueLiteral
from ir.functions.aggregate import MAX, MIN, SUM
from ir.functions.arithmetic import MINUS, PLUS
from ir.functions.collection import GET
from ir.functions.comparison import GREATER_THAN, IS_NOT_NULL
from ir.functions.logic import CASE
from ir.functions.table import EXPLODE
from ir.functions.time_window import (
    ADDED_COLUMNS,
    CUMULATIVE_WINDOWS,
    END,
    MILLISECOND,
    SLIDING_WINDOWS,
    START,
    interval_of,
)
from ir.functions.timestamps import TIMESTAMP_MICROS, UNIX_MICROS
from ir.functions.window import LAG
from ir.identifiers import fold
from ir.literals import literal
from ir.names import Names
from ir.operations.join import JoinType
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lateral import join_lateral
from ir.resolution.lookup import FunctionLookup
from ir.resolution.operations import add_columns, column_of, field, filter_rows, select
from ir.resolution.process.inputs import strip_alias
from ir.resolution.streams.cumulations import Cumulation, add_cumulative_windows, bounds_of_cumulation
from ir.resolution.streams.windows import add_windows, has_watermark
from ir.resolution.table_arguments import CallSignature, order_arguments, read_column_name, read_table
from ir.types import DayTimeIntervalType, LocalZonedTimestampType, TimestampType
from ir.unresolved import (
    Ordering,
    UnresolvedAlias,
    UnresolvedCall,
    UnresolvedOver,
    UnresolvedReference,
    UnresolvedWindow,
)

IN_ORDER = "{} takes rows in the order of their times: its table has no ORDER BY."
_DAY = 86_400_000_000
# The column of windows, of which the query reads the bounds only.
_WINDOW = "window"


@attrs.frozen
class WindowFunction:
    """A window table function, with the names of its arguments in order; ``offset`` is optional."""

    name: str
    lengths: tuple[str, ...]

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of all arguments."""
        return ("data", "timecol", *self.lengths)

    @property
    def signature(self) -> CallSignature:
        """How the function is called."""
        lengths = [f"[{name.upper()} =>] INTERVAL '…' …" for name in self.lengths if name != "offset"]
        optional = ", [OFFSET => INTERVAL '…' …]" if "offset" in self.lengths else ""
        usage = f"{self.name.upper()}([DATA =>] TABLE t, [TIMECOL =>] DESCRIPTOR(ts), {', '.join(lengths)}{optional})"
        return CallSignature(self.name.upper(), self.parameters, frozenset({"offset"}), usage)


WINDOW_FUNCTIONS = {
    function.name: function
    for function in (
        WindowFunction("tumble", ("size", "offset")),
        WindowFunction("hop", ("slide", "size", "offset")),
        WindowFunction("cumulate", ("step", "size", "offset")),
        WindowFunction("session", ("gap",)),
    )
}


def window_table(function: WindowFunction, given: Sequence[Expression], lookup: FunctionLookup) -> QueryOperation:
    """Return the rows of a table with the bounds of their windows as columns.

    If a column of the table has the name of an added column, the added column gets a number.

    Raises:
        ValidationException: the call is invalid; ``argument`` is the number of the invalid argument, if there is one.
        TableException: the call is not supported.
    """
    signature = function.signature
    by_name = order_arguments(signature, given)
    shown = signature.shown
    number = None
    try:
        written, number = by_name["data"]
        table = read_table(signature, "data", written)
        if table.order_by:
            raise ValidationException(IN_ORDER.format(shown))
        input = table.operation
        written_time, number = by_name["timecol"]
        time = column_named(input, read_column_name(signature, "timecol", written_time, " of times"))
        lengths = {}
        for name in function.lengths:
            if name in by_name:
                written_length, number = by_name[name]
                lengths[name] = length_of(function, name, written_length, lookup)
    except TableException as error:
        if error.argument is None and error.written is None:
            error.argument = number
        raise
    rows, bounds = expand_windows(function, input, time, lengths, table.partition_by, lookup)
    width = len(input.schema)
    taken = {fold(name) for name in input.schema.names}
    names = list(input.schema.names)
    for name in ADDED_COLUMNS:
        chosen, suffix = name, 0
        while fold(chosen) in taken:
            chosen, suffix = f"{name}{suffix}", suffix + 1
        taken.add(fold(chosen))
        names.append(chosen)
    return project(rows, (*[field(rows, index) for index in range(width)], *bounds), tuple(names))


def column_named(input: QueryOperation, name: str) -> FieldReference:
    """Return the time column that a descriptor names.

    Raises:
        ValidationException: there is no such column.
    """
    return column_of(input, UnresolvedReference(name), "TIMECOL")


def length_of(function: WindowFunction, name: str, written: Expression, lookup: FunctionLookup) -> int:
    """Return a length of time in microseconds.

    Raises:
        ValidationException: the expression is not a constant interval of days to seconds.
    """
    value = ExpressionResolver(Scope(()), lookup).resolve(strip_alias(written))
    if not isinstance(value, ValueLiteral) or value.is_null or not isinstance(value.data_type, DayTimeIntervalType):
        raise ValidationException(
            f"The argument {name.upper()} of {function.name.upper()} must be a constant length of time: "
            f"INTERVAL '10' MINUTE in SQL, lit(10).minutes in Python. It is {value.as_summary_string()} of type "
            f"{value.data_type.as_summary_string()}."
        )
    return int(value.value)


def expand_windows(
    function: WindowFunction,
    input: QueryOperation,
    time: ResolvedExpression,
    lengths: Mapping[str, int],
    partition_by: Sequence[Expression],
    lookup: FunctionLookup,
) -> tuple[QueryOperation, list[ResolvedExpression]]:
    """Return a copy of each row for each window that contains it, and the start, end and time of that window.

    The columns of the table come first. ``partition_by`` are the keys within which sessions are found.

    Raises:
        ValidationException: the time is not a timestamp, or the function does not support such windows.
    """
    shown = function.name.upper()
    if not isinstance(time.data_type, TimestampType | LocalZonedTimestampType):
        raise ValidationException(
            f"The windows of {shown} are over a TIMESTAMP or a TIMESTAMP_LTZ, but {time.as_summary_string()} is "
            f"of type {time.data_type.as_summary_string()}."
        )
    if partition_by and function.name != "session":
        raise ValidationException(
            f"Only tables with set semantics may be partitioned, which that of {shown} does not have: its windows "
            "depend on the time alone. Leave PARTITION BY out."
        )
    if function.name == "session":
        return _expand_sessions(input, time, lengths["gap"], partition_by, lookup)
    if function.name == "cumulate":
        definition, order = CUMULATIVE_WINDOWS, ("step", "size", "offset")
    else:
        definition, order = SLIDING_WINDOWS, ("size", "slide", "offset")
        lengths = {"slide": lengths["size"], **lengths}
    arguments: tuple[ResolvedExpression, ...] = (
        time,
        *[literal(duration_text(lengths[name])) for name in order if name in lengths],
    )
    free = Names(input.schema.names)
    column = _WINDOW if free.is_free(_WINDOW) else free.generate(f"{_WINDOW}_", 0)
    if definition is SLIDING_WINDOWS and has_watermark(time, input):
        rows = add_windows(input, time, arguments[1:], column)
    elif has_watermark(time, input):
        cumulation = Cumulation.of([lengths[name] for name in order if name in lengths], time)
        rows = add_cumulative_windows(input, time, cumulation, column)
        start, end = bounds_of_cumulation(field(rows, len(rows.schema) - 1), cumulation)
        return rows, [start, end, call(MINUS, (end, MILLISECOND))]
    else:
        windows = UnresolvedAlias(UnresolvedCall(EXPLODE, (UnresolvedCall(definition, arguments),)), column)
        rows = join_lateral(input, windows, JoinType.INNER, None, lookup, shown)
    window = field(rows, len(rows.schema) - 1)
    start, end = (call(GET, (window, literal(bound))) for bound in (START, END))
    return rows, [start, end, call(MINUS, (end, MILLISECOND))]


def _expand_sessions(
    input: QueryOperation,
    time: ResolvedExpression,
    gap: int,
    partition_by: Sequence[Expression],
    lookup: FunctionLookup,
) -> tuple[QueryOperation, list[ResolvedExpression]]:
    """Return the rows of a table with the bounds of their sessions."""
    if gap <= 0:
        raise ValidationException(f"The gap of a session must be longer than 0, but is {duration_text(gap)!r}.")
    width = len(input.schema)
    free = Names(input.schema.names)
    session = free.generate("session_", 0)
    bounds = [name if free.is_free(name) else free.generate(f"{name}_", 0) for name in ADDED_COLUMNS]
    if time.data_type.nullable:
        input = filter_rows(input, UnresolvedCall(IS_NOT_NULL, (time,)), lookup)
    keys = tuple(partition_by)
    in_order = UnresolvedWindow(keys, (Ordering(time, True, True),))
    before = UnresolvedOver(UnresolvedCall(LAG, (time,)), in_order)
    # A row begins a session if it is later than the gap; the first row of a key continues one, which has the same
    # effect.
    begins = UnresolvedCall(GREATER_THAN, (time, _later(before, gap, time)))
    found = UnresolvedCall(CASE, (begins, literal(1), literal(0)))
    rows = add_columns(input, (UnresolvedAlias(found, session),), lookup, replace=False)
    number = UnresolvedOver(UnresolvedCall(SUM, (field(rows, width),)), in_order)
    rows = add_columns(rows, (UnresolvedAlias(number, session),), lookup, replace=True)
    same = UnresolvedWindow((*keys, field(rows, width)))
    first, last = (UnresolvedOver(UnresolvedCall(function, (time,)), same) for function in (MIN, MAX))
    end = _later(last, gap, time)
    columns = [first, end, UnresolvedCall(MINUS, (end, MILLISECOND))]
    added = [UnresolvedAlias(column, name) for column, name in zip(columns, bounds, strict=True)]
    rows = select(rows, (*[field(rows, index) for index in range(width)], *added), lookup)
    return rows, [field(rows, width + number) for number in range(len(ADDED_COLUMNS))]


def _later(moment: Expression, gap: int, time: ResolvedExpression) -> Expression:
    """Return a moment plus ``gap`` microseconds, in the type of ``time``."""
    if isinstance(time.data_type, LocalZonedTimestampType) and gap >= _DAY:
        # Spark adds days by the calendar of the session's time zone.
        return UnresolvedCall(
            TIMESTAMP_MICROS, (UnresolvedCall(PLUS, (UnresolvedCall(UNIX_MICROS, (moment,)), literal(gap))),)
        )
    return UnresolvedCall(PLUS, (moment, interval_of(gap)))
