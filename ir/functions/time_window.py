"""Time windows as group keys: each window is a row of its start and its end."""

from __future__ import annotations

from collections.abc import Callable

from ir import calls
from ir import types as t
from ir.call_expressions import Call
from ir.contents import TIME_WINDOW
from ir.contents import WINDOW_TIME as HAS_WINDOW_TIME
from ir.durations import duration_text, parse_duration
from ir.errors import TableException, ValidationException
from ir.expressions import FieldReference, OuterReference, ResolvedExpression, TypeLiteral, ValueLiteral
from ir.functions.arithmetic import MINUS
from ir.functions.builder import as_function, define, scalar
from ir.functions.collection import GET
from ir.functions.conversion import CAST
from ir.functions.definition import Canonical, Construct, FunctionDefinition, FunctionKind
from ir.inference import CallContext
from ir.inference.arguments import ANY, Family, Where, literal_where
from ir.inference.inputs import positional
from ir.inference.results import Computed as ComputedResult
from ir.inference.type_inference import InputTypeStrategy
from ir.light_typing import TYPE_CHECKING
from ir.literal_values import MICROSECONDS
from ir.literals import literal
from ir.messages import Term, message
from ir.migration_page import Section, see
from ir.types import LogicalType

if TYPE_CHECKING:
    from ir.functions.entries import Entry

START, END = "start", "end"
START_COLUMN, END_COLUMN = "window_start", "window_end"
ADDED_COLUMNS = (START_COLUMN, END_COLUMN, "window_time")
"""The columns that a window table function adds."""
_TIME = Family("DATE or TIMESTAMP", (t.TimestampType, t.LocalZonedTimestampType), (t.TIMESTAMP_LTZ,))
# For windows that Spark lacks. A TIME is rejected, because the result would depend on the current day.
_DAY_OR_TIME = Family("DATE or TIMESTAMP", (t.TimestampType, t.LocalZonedTimestampType, t.DateType, t.NullType))


def _is_length(value: object) -> bool:
    return value is not None


_LENGTH = literal_where(
    Family("STRING or INTEGER", (t.CharacterType, t.IntegralType)), _is_length, "length of time such as '10 minutes'"
)


class _TimeOrWindow:
    """A time, or a window, which counts as its last microsecond."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = context.argument_types[position]
        if _is_window(given):
            return given if is_window_column(context.arguments[position]) else None
        return _TIME.infer_argument(context, position)

    def describe(self) -> str:
        return "<DATE, TIMESTAMP or window>"


_WINDOWED = _TimeOrWindow()
_GAP = Where(
    Family("STRING", (t.CharacterType,)),
    lambda given: not isinstance(given, ValueLiteral) or given.is_null or isinstance(given.value, str),
    "length of time such as '10 minutes', or STRING that is one for each row",
)


def _window_function(
    name: str,
    inputs: InputTypeStrategy,
    canonical: Canonical,
    *,
    doc: str,
    example: tuple[str, str],
) -> FunctionDefinition:
    entry: Entry = {"sql": name.upper(), "doc": doc, "example": example, "canonical": canonical, "holds": TIME_WINDOW}
    return define(name, FunctionKind.OTHER, inputs, ComputedResult(_window_type), entry)


def _window_type(context: CallContext) -> LogicalType:
    time = context.argument_types[0]
    time = (time.fields[1].data_type if isinstance(time, t.RowType) else time).as_nullable()
    # Overlapping windows come from Spark's Expand operator, whose columns count as nullable.
    overlapping = len(context) > 2 and microseconds(context.arguments[1]) != microseconds(context.arguments[2])
    return t.RowType((t.RowField(START, time), t.RowField(END, time)), nullable=overlapping)


def microseconds(duration: ResolvedExpression, *, days: bool = True) -> int:
    """Return the length in microseconds that an argument of a window function denotes."""
    assert isinstance(duration, ValueLiteral)
    return parse_duration(duration.value, days=days) if isinstance(duration.value, str) else int(duration.value)


def interval_of(signed: int) -> ValueLiteral:
    """Return an interval of a length in microseconds, with as few fields as possible: ``INTERVAL '10' MINUTE``."""
    length, second = abs(signed), 1_000_000
    units = {field: second if field is t.IntervalField.SECOND else unit for field, unit in MICROSECONDS.items()}
    start = next((field for field, unit in units.items() if length >= unit), t.IntervalField.SECOND)
    end = next((field for field, unit in units.items() if length % unit == 0), t.IntervalField.SECOND)
    return ValueLiteral(signed, t.DayTimeIntervalType(min(start, end), end, nullable=False))


def _lengths_of_window(lengths: list[ResolvedExpression]) -> tuple[int, int, int]:
    """Return the size, the slide and the offset of windows, in microseconds.

    Raises:
        ValidationException: a length is invalid, or the slide is longer than the size.
    """
    size, *others = map(microseconds, lengths)
    slide = others[0] if others else size
    offset = others[1] if len(others) > 1 else 0
    for what, length in (("size", size), ("slide", slide)):
        if length <= 0:
            raise ValidationException(
                f"The {what} of a window must be longer than 0, but is {duration_text(length)!r}."
            )
    if slide > size:
        raise ValidationException(
            f"The slide of a window must not be longer than its size, since rows would belong to no window: the slide "
            f"is {duration_text(slide)!r}, the size {duration_text(size)!r}."
        )
    if abs(offset) >= slide:
        raise ValidationException(
            f"The offset of a window must be shorter than its slide: it is {duration_text(offset)!r}, the slide "
            f"{duration_text(slide)!r}."
        )
    return size, slide, offset


def _time_of(given: ResolvedExpression) -> ResolvedExpression:
    """Return the time that determines a row's window; a window counts as its last instant."""
    return calls.call(WINDOW_TIME, (given,)) if _is_window(given.data_type) else given


def _point_of(given: ResolvedExpression) -> ResolvedExpression:
    """Cast a time to the type from which Flink's windows are computed, because Spark does not cast it."""
    wanted = _type_of_point(given.data_type)
    return given if wanted is given.data_type else calls.call(CAST, (given, TypeLiteral(wanted.as_nullable())))


def _canonical_window(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Return the window with its lengths in canonical text, without a redundant slide or offset."""
    time, *lengths = arguments
    time = _time_of(time)
    size, slide, offset = _lengths_of_window(lengths)
    kept = [size] if slide == size and not offset else [size, slide] if not offset else [size, slide, offset]
    made = (time, *[literal(duration_text(length)) for length in kept])
    return None if made == arguments else call(WINDOW, made)


WINDOW = _window_function(
    "window",
    positional(_WINDOWED, _LENGTH, _LENGTH, _LENGTH, optional=2, names="time size slide offset"),
    _canonical_window,
    doc="The window that contains time, as a group key; each such window if slide is shorter than size.",
    example=(
        "WINDOW(x, '10 minutes') FROM VALUES (TIMESTAMP_NTZ '2024-01-01 10:04:30') AS t(x)",
        "('2024-01-01 10:00:00', '2024-01-01 10:10:00')",
    ),
)


def _canonical_session(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    from ir.calls.folding import fold_constant

    time, given = arguments
    given = fold_constant(given)
    if not isinstance(given, ValueLiteral) or given.is_null:
        made: tuple[ResolvedExpression, ...] = (_time_of(time), given)
        return None if made == arguments else call(SESSION_WINDOW, made)
    gap = microseconds(given, days=False)
    if gap <= 0:
        raise ValidationException(f"The gap of a session must be longer than 0, but is {duration_text(gap)!r}.")
    made = (_time_of(time), literal(duration_text(gap, days=False)))
    return None if made == arguments else call(SESSION_WINDOW, made)


SESSION_WINDOW = _window_function(
    "session_window",
    positional(_WINDOWED, _GAP, names="time gap"),
    _canonical_session,
    doc="The session that contains time, as a group key; a session ends if no row follows within gap, which may differ "
    "for each row.",
    example=(
        "SESSION_WINDOW(x, '5 minutes') FROM VALUES (TIMESTAMP_NTZ '2024-01-01 10:04:30') AS t(x)",
        "('2024-01-01 10:04:30', '2024-01-01 10:09:30')",
    ),
)

TIME_WINDOWS = (WINDOW, SESSION_WINDOW)


def _type_of_point(given: LogicalType) -> LogicalType:
    is_point = isinstance(given, (t.TimestampType, t.LocalZonedTimestampType))
    return given if is_point else t.TIMESTAMP_LTZ.with_nullability(given.nullable)


def _sliding_windows_type(context: CallContext) -> LogicalType:
    time = _type_of_point(context.argument_types[0])
    row = t.RowType((t.RowField(START, time.not_null()), t.RowField(END, time.not_null())), nullable=False)
    # Windows of an instant are computed with PMOD, whose result Spark treats as nullable.
    return t.ArrayType(row, nullable=time.nullable or not isinstance(time, t.TimestampType))


def _canonical_sliding(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Return the windows with their lengths in canonical text, without a redundant offset."""
    time, *lengths = arguments
    size, slide, offset = _lengths_of_window(lengths)
    made = (
        _point_of(time),
        *[literal(duration_text(length)) for length in (size, slide, *([offset] if offset else []))],
    )
    return None if made == arguments else call(SLIDING_WINDOWS, made)


SLIDING_WINDOWS = scalar(
    "sliding_windows",
    positional(_DAY_OR_TIME, _LENGTH, _LENGTH, _LENGTH, optional=1, names="time size slide offset"),
    ComputedResult(_sliding_windows_type),
    sql="SLIDING_WINDOWS",
    canonical=_canonical_sliding,
    in_spark=False,
    in_flink=False,
    fluent=as_function("sliding_windows", "time size slide offset?"),
    doc="The windows of length size, slide apart, that contain time, in ascending order: one if slide equals size. "
    "EXPLODE returns a row for each, which FLINK text writes as TUMBLE or HOP.",
    example=(
        "CARDINALITY(SLIDING_WINDOWS(TIMESTAMP_NTZ '2024-01-01 10:04:30', '10 minutes', '2 minutes'))",
        "5",
    ),
)


def _cumulative_windows_type(context: CallContext) -> LogicalType:
    time = _type_of_point(context.argument_types[0])
    # As above, Spark treats the start and the windows of an instant as nullable.
    nullable = time.nullable or not isinstance(time, t.TimestampType)
    fields = (t.RowField(START, time.with_nullability(nullable)), t.RowField(END, time.not_null()))
    return t.ArrayType(t.RowType(fields, nullable=False), nullable=nullable)


def _canonical_cumulation(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Return the windows with their lengths in canonical text, without a redundant offset."""
    time, *lengths = arguments
    step, size, *others = map(microseconds, lengths)
    offset = others[0] if others else 0
    for what, length in (("step", step), ("size", size)):
        if length <= 0:
            raise ValidationException(
                f"The {what} of cumulative windows must be longer than 0, but is {duration_text(length)!r}."
            )
    if size % step:
        raise ValidationException(
            f"The size of cumulative windows must be a multiple of their step: the size is {duration_text(size)!r}, "
            f"the step {duration_text(step)!r}."
        )
    if abs(offset) >= size:
        raise ValidationException(
            f"The offset of cumulative windows must be shorter than their size: it is {duration_text(offset)!r}, the "
            f"size {duration_text(size)!r}."
        )
    made = (
        _point_of(time),
        *[literal(duration_text(length)) for length in (step, size, *([offset] if offset else []))],
    )
    return None if made == arguments else call(CUMULATIVE_WINDOWS, made)


CUMULATIVE_WINDOWS = scalar(
    "cumulative_windows",
    positional(_DAY_OR_TIME, _LENGTH, _LENGTH, _LENGTH, optional=1, names="time step size offset"),
    ComputedResult(_cumulative_windows_type),
    sql="CUMULATIVE_WINDOWS",
    canonical=_canonical_cumulation,
    in_spark=False,
    in_flink=False,
    fluent=as_function("cumulative_windows", "time step size offset?"),
    doc="The windows of Flink's CUMULATE that contain time: they start together and end step apart, up to size. "
    "EXPLODE returns a row for each, which FLINK text writes as CUMULATE.",
    example=(
        "CARDINALITY(CUMULATIVE_WINDOWS(TIMESTAMP_NTZ '2024-01-01 10:04:30', '2 minutes', '10 minutes'))",
        "3",
    ),
)


def _type_of_last_instant(context: CallContext) -> LogicalType:
    end = calls.call(GET, (context.arguments[0], literal(END)))
    return calls.call(MINUS, (end, _MICROSECOND)).data_type


_MICROSECOND = ValueLiteral(1, t.DayTimeIntervalType(t.IntervalField.SECOND, t.IntervalField.SECOND, nullable=False))
WINDOW_TIME = scalar(
    "window_time",
    positional(
        Where(ANY, lambda given: _is_window(given.data_type) and is_window_column(given), "window"), names="window"
    ),
    ComputedResult(_type_of_last_instant),
    sql="WINDOW_TIME",
    holds=HAS_WINDOW_TIME,
    in_flink=False,
    doc="The last microsecond of window, by which the results of the window can be windowed again.",
    example=(
        "WINDOW_TIME(WINDOW(x, '10 minutes')) = TIMESTAMP_NTZ '2024-01-01 10:09:59.999999' FROM VALUES (TIMESTAMP_NTZ "
        "'2024-01-01 10:04:30') AS t(x)",
        "TRUE",
    ),
)


def is_time_window(expression: ResolvedExpression) -> bool:
    """Whether an expression is a call of a time window function."""
    return isinstance(expression, Call) and expression.function in TIME_WINDOWS


def multiplies_rows(expression: ResolvedExpression) -> bool:
    """Whether an expression contains overlapping windows, for each of which Spark makes a copy of the row."""
    return bool(expression.contents & TIME_WINDOW) and any(
        isinstance(part, Call) and part.function is WINDOW and len(part.arguments) > 2 for part in expression.walk()
    )


def is_window_column(expression: ResolvedExpression) -> bool:
    """Whether an expression is a time window or a column that may contain one; no other row counts."""
    return is_time_window(expression) or isinstance(expression, (FieldReference, OuterReference))


def require_one_window(keys: tuple[ResolvedExpression, ...]) -> None:
    """Reject group keys with more than one time window.

    Raises:
        ValidationException: more than one key is a time window.
    """
    windows = [key for key in dict.fromkeys(keys) if is_time_window(key)]
    if len(windows) > 1:
        raise ValidationException(
            f"Rows are grouped by one window at most, but {windows[0]!r} and {windows[1]!r} are given. Group by one, "
            "then group the result by the other."
        )


def require_whole_windows(keys: tuple[ResolvedExpression, ...]) -> None:
    """Reject group keys that contain a time window inside another expression.

    Raises:
        ValidationException: a key contains such a window.
    """
    for key in keys:
        if not key.contents & TIME_WINDOW:
            continue
        for part in key.walk():
            if part is not key and is_time_window(part):
                raise ValidationException(
                    f"The window {part!r} is inside of {key!r}. Group by the window itself under a name; its start and "
                    "end are then read of that name in select."
                )


def refuse_sessions(keys: tuple[ResolvedExpression, ...], where: str, reason: str) -> None:
    """Reject session windows in groupings other than one by all keys at once.

    Raises:
        ValidationException: a key is a session window.
    """
    for key in keys:
        if isinstance(key, Call) and key.function is SESSION_WINDOW:
            raise ValidationException(
                f"{where} cannot group by the session {key.as_summary_string()}: {reason}. Group by the session first, "
                "then group the result by its start."
            )


def require_keys(expressions: tuple[ResolvedExpression, ...], keys: tuple[ResolvedExpression, ...]) -> None:
    """Reject time windows in expressions over groups unless they are group keys.

    Raises:
        ValidationException: an expression contains such a window.
    """
    for expression in expressions:
        if not expression.contents & TIME_WINDOW:
            continue
        for part in expression.walk():
            if is_time_window(part) and part not in keys:
                raise ValidationException(
                    message(
                        "The window {window} is not a key of {group_by}. Add it there{how}; or compute it in a query "
                        "above the groups.",
                        window=part,
                        group_by=Term("group_by", "GROUP BY"),
                        how=Term(" under a name, and select that", " as it is written here"),
                    )
                )


# --- window properties of the fluent API -----------------------------------------------------------------------------

MILLISECOND = ValueLiteral(1000, t.DayTimeIntervalType(t.IntervalField.SECOND, t.IntervalField.SECOND, nullable=False))


def window_end(expression: ResolvedExpression) -> ResolvedExpression | None:
    """Return the window end if an expression is the row time of a window, otherwise None."""
    if isinstance(expression, Call) and expression.function is MINUS and expression.arguments[1] is MILLISECOND:
        return expression.arguments[0]
    return None


def _is_window(data_type: LogicalType) -> bool:
    if not isinstance(data_type, t.RowType) or [field.name for field in data_type.fields] != [START, END]:
        return False
    return isinstance(data_type.fields[1].data_type, t.TimestampType | t.LocalZonedTimestampType)


def _field(row: ResolvedExpression, name: str) -> ResolvedExpression | None:
    is_field = isinstance(row.data_type, t.RowType) and row.data_type.field_index(name)
    return calls.call(GET, (row, literal(name))) if is_field else None


def _row_time(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression:
    (window,) = arguments
    field = _field(window, "rowtime")
    if field is not None:
        return field
    if not _is_window(window.data_type):
        raise ValidationException(
            f"rowtime is a property of a group window, which {window.as_summary_string()} is not: it is of type "
            f"{window.data_type.as_summary_string()}. Window properties can only be used on windowed tables, as in "
            "window(Tumble.over(…).on(…).alias('w')).group_by(col('w')).select(col('w').rowtime)."
        )
    return call(MINUS, (call(GET, (window, literal(END))), MILLISECOND))


def _processing_time(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression:
    field = _field(arguments[0], "proctime")
    if field is None:
        raise TableException(
            "proctime is the time at which a row of a stream is processed. Queries here run over stored rows, which "
            "have none: use a column that holds a time, and rowtime, start or end of a window over it."
            + see(Section.STREAMS)
        )
    return field


def _property(
    name: str, find: Callable[[tuple[ResolvedExpression, ...], Construct], ResolvedExpression]
) -> FunctionDefinition:
    return scalar(
        name,
        positional(ANY),
        ComputedResult(lambda context: find(context.arguments, calls.call).data_type),
        sql=name.upper(),
        canonical=find,
        doc=f"The {name} of a window.",
    )


# Queries contain no calls of these: a call becomes a field of the window, or an expression of it.
FLUENT_ROWTIME = _property("rowtime", _row_time)
FLUENT_PROCTIME = _property("proctime", _processing_time)
