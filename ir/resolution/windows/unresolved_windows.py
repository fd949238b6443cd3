"""Group windows as they were written, and the checks that need nothing else."""

from __future__ import annotations

from ir import light_attrs as attrs
from ir import types as t
from ir.durations import duration_text
from ir.errors import ValidationException
from ir.expressions import Expression, ResolvedExpression, ValueLiteral
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.resolution.lookup import FunctionLookup
from ir.resolution.operations import resolve_rows
from ir.unresolved import UnresolvedReference


@attrs.frozen(eq=False, repr=False)
class GroupWindow:
    """A window of fixed ``size``, with one beginning at every ``slide`` if that is given, or a session with a ``gap``.

    With a ``step``, windows of growing length begin together, each longer by ``step`` until ``size`` is reached. A
    length is an interval of time or, as a BIGINT, a number of rows.
    """

    time: Expression
    alias: str
    size: ValueLiteral | None = None
    slide: ValueLiteral | None = None
    gap: ValueLiteral | None = None
    step: ValueLiteral | None = None


def convert_window_length(expression: Expression, what: str, *, rows: bool = True) -> ValueLiteral:
    """Return the length of a window from an expression: a time or, if ``rows`` allows it, a number of rows.

    Raises:
        ValidationException: the expression is not a constant, has another type, or is not positive.
    """
    accepted = "an interval such as lit(10).minutes" + (" or a number of rows, row_interval(10)" if rows else "")
    if not isinstance(expression, ValueLiteral) or expression.is_null:
        raise ValidationException(f"The {what} must be a constant: {accepted}.")
    if isinstance(expression.data_type, t.YearMonthIntervalType):
        raise ValidationException(f"The {what} must not have months, which differ in length; it takes {accepted}.")
    is_rows = isinstance(expression.data_type, t.BigIntType)
    if not isinstance(expression.data_type, t.DayTimeIntervalType) and not (rows and is_rows):
        raise ValidationException(
            f"The {what} must be {accepted}, but is {expression!r} of type {expression.data_type.as_summary_string()}."
        )
    if expression.value <= 0:
        shown = f"{expression.value} rows" if is_rows else duration_text(expression.value)
        raise ValidationException(f"The {what} must be more than 0, but is {shown}.")
    return expression


def counts_rows(length: ValueLiteral | None) -> bool:
    """Whether the length of a window is a number of rows."""
    return length is not None and isinstance(length.data_type, t.BigIntType)


def require_alike(size: ValueLiteral, slide: ValueLiteral) -> None:
    """Refuse a slide of another kind than the size, or one that is longer.

    Raises:
        ValidationException: only one of the two counts rows, or the slide is a longer time than the size.
    """
    if counts_rows(size) is not counts_rows(slide):
        raise ValidationException(
            f"The size and the slide of a window must both be intervals or both numbers of rows, but are {size!r} and "
            f"{slide!r}."
        )
    if slide.value > size.value and not counts_rows(size):
        raise ValidationException(
            f"The slide of a window must not be longer than its size, since rows would belong to no window: the slide "
            f"is {slide!r}, the size {size!r}."
        )


def names_window(key: Expression, window: GroupWindow) -> bool:
    """Whether a group key is the alias of the window."""
    return isinstance(key, UnresolvedReference) and fold(key.name) == fold(window.alias)


def window_time(input: QueryOperation, window: GroupWindow, lookup: FunctionLookup) -> ResolvedExpression:
    """Return the time of a window over rows of ``input``.

    Raises:
        ValidationException: the expression is not a date or timestamp, or cannot be resolved.
    """
    resolved, _ = resolve_rows(input, [window.time], lookup, "on")
    if len(resolved) != 1:
        raise ValidationException(f"on takes the one time of a row, as in col('ts'), but was given {len(resolved)}.")
    (time,) = resolved
    if not isinstance(time.data_type, t.DateType | t.TimestampType | t.LocalZonedTimestampType):
        raise ValidationException(
            f"A window is over a time: on takes a value of type TIMESTAMP, TIMESTAMP_LTZ or DATE, but "
            f"{time.as_summary_string()} is of type {time.data_type.as_summary_string()}."
        )
    return time
