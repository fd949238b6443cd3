"""Window frames: resolve bounds to constants of the type that the sort key requires."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ir import types as t
from ir.call_expressions import Call
from ir.calls import call
from ir.casts import can_cast
from ir.errors import ValidationException
from ir.expressions import Expression, ResolvedExpression, SortOrder, TypeLiteral, ValueLiteral
from ir.frames import CURRENT_ROW, FIRST_ROW, LAST_ROW, Direction, Frame, FrameBound, FrameUnit
from ir.functions.arithmetic import MINUS_PREFIX
from ir.functions.conversion import CAST
from ir.literal_values import MICROSECONDS
from ir.literals import literal, negate
from ir.messages import Term, message
from ir.summaries import Summary
from ir.types import LogicalType
from ir.unresolved import UnresolvedBound, UnresolvedWindow

Resolve = Callable[[Expression], ResolvedExpression]

# --- frames as written -----------------------------------------------------------------------------------------------


def frame_of(window: UnresolvedWindow, resolve: Resolve, order_by: Sequence[SortOrder] = ()) -> Frame | None:
    """Return the frame of a window as it was written, before it is checked against the order.

    Without ``following``, the frame ends at the current row. A distance in SQL is converted as Spark converts it for
    the sort key.

    Raises:
        ValidationException: a bound is not a constant, or only one of the two bounds counts rows.
    """
    if window.preceding is None:
        return None
    unit, lower = _resolve_bound(window.preceding, "preceding", resolve, order_by)
    if window.following is None:
        return Frame(unit, lower, CURRENT_ROW)
    other, upper = _resolve_bound(window.following, "following", resolve, order_by)
    if unit is not other:
        raise ValidationException(
            "preceding and following must both count rows (UNBOUNDED_ROW, CURRENT_ROW, row_interval(…)) or both be "
            "about values of the sort key (UNBOUNDED_RANGE, CURRENT_RANGE, intervals, range_interval(…)), but "
            f"preceding is of {unit.value} and following of {other.value}."
        )
    if is_written_in_sql(window):
        _require_one_type(lower, upper, order_by)
    frame = Frame(unit, lower, upper)
    if not _is_current(window.preceding) and not _is_current(window.following) and CURRENT_ROW in (lower, upper):
        # A distance of 0 becomes the current row, after which its position can no longer be compared.
        _require_order(frame)
    return frame


def is_written_in_sql(window: UnresolvedWindow) -> bool:
    """Whether the frame of a window was written in Spark's SQL."""
    return isinstance(window.preceding, UnresolvedBound) and window.preceding.is_sql


def _is_current(given: Expression) -> bool:
    return isinstance(given, UnresolvedBound) and given.is_current


def _require_one_type(lower: FrameBound, upper: FrameBound, order_by: Sequence[SortOrder]) -> None:
    """Refuse two types of distances from a date or timestamp, as Spark does; other distances become the key's type."""
    types = [bound.offset.data_type.as_nullable() for bound in (lower, upper) if bound.offset is not None]
    is_cast = not order_by or isinstance(order_by[0].expression.data_type, (t.NumericType, t.IntervalType))
    if len(types) == 2 and types[0] is not types[1] and not is_cast:
        raise ValidationException(
            "Both distances of a frame from a point in time must be of one type, but are "
            f"{lower.offset!r} of type {types[0].as_summary_string()} and {upper.offset!r} of type "
            f"{types[1].as_summary_string()}.",
            condition="DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_DIFF_TYPES",
        )


def _resolve_bound(
    given: Expression, side: str, resolve: Resolve, order_by: Sequence[SortOrder]
) -> tuple[FrameUnit, FrameBound]:
    unit, is_sql = None, False
    if isinstance(given, UnresolvedBound):
        if given.is_current:
            return given.unit, CURRENT_ROW
        if given.offset is None:
            return given.unit, FIRST_ROW if side == "preceding" else LAST_ROW
        unit, is_sql, given = given.unit, given.is_sql, given.offset
    offset = _constant(resolve(given))
    if offset is not None and unit is not None and is_sql:
        offset = _convert_sql_distance(offset, unit, side, order_by)
    if offset is None or not isinstance(offset.data_type, (t.NumericType, t.IntervalType)):
        raise make_bound_error(side, repr(resolve(given)))
    if unit is None:
        unit = FrameUnit.RANGE if isinstance(offset.data_type, t.IntervalType) else FrameUnit.ROWS
    if unit is FrameUnit.ROWS:
        if offset.is_null:
            raise ValidationException(
                message(
                    "{side} takes a number of rows, but was given NULL, on which Spark fails as it runs. Write "
                    "{bounds} or a number.",
                    side=Term(side, side.upper()),
                    bounds=Term("UNBOUNDED_ROW, CURRENT_ROW", "UNBOUNDED, CURRENT ROW"),
                ),
                condition="INVALID_SQL_SYNTAX.INVALID_WINDOW_FRAME_BOUND",
            )
        offset = _number_of_rows(offset, side)
    return unit, make_bound(Direction.PRECEDING if side == "preceding" else Direction.FOLLOWING, offset)


def make_bound_error(side: str, shown: str) -> ValidationException:
    """Return the error for an invalid frame bound."""
    return ValidationException(
        message(
            "{bound} is {unbounded}, {current}, a constant number of rows such as {rows}, or a constant distance from "
            "the sort key such as {interval}. Here it is {shown}.",
            bound=Term(f"The bound {side}", f"A bound before {side.upper()}"),
            unbounded=Term("UNBOUNDED_ROW, UNBOUNDED_RANGE", "UNBOUNDED"),
            current=Term("CURRENT_ROW, CURRENT_RANGE", "CURRENT ROW"),
            rows=Term("row_interval(2)", "2"),
            interval=Term("lit(10).minutes or range_interval(5)", "INTERVAL 10 MINUTES"),
            shown=shown,
        ),
        condition="INVALID_SQL_SYNTAX.INVALID_WINDOW_FRAME_BOUND",
    )


_WITH_DISTANCES = (t.NumericType, t.IntervalType, t.DateType, t.TimestampType, t.LocalZonedTimestampType)


def _convert_sql_distance(
    offset: ValueLiteral, unit: FrameUnit, side: str, order_by: Sequence[SortOrder]
) -> ValueLiteral:
    """Return a distance of SQL as Spark converts it: cast to the type of the key if that is numeric or an interval.

    Raises:
        ValidationException: Spark does not accept a distance of this type for the key.
    """
    given = offset.data_type
    if unit is FrameUnit.ROWS:
        if isinstance(given, t.NullType):
            raise ValidationException(
                f"NULL is no number of rows. Write UNBOUNDED {side.upper()} for all of them, CURRENT ROW or a number.",
                condition="DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_UNACCEPTED_TYPE",
            )
        if given.as_nullable() is not t.INT:
            raise ValidationException(
                f"A number of rows is an INT, but {offset!r} is {given.as_summary_string()}.",
                condition="DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_UNACCEPTED_TYPE",
            )
        return offset
    if side == "preceding" and isinstance(given, (t.StringType, t.NullType)):
        # Spark negates the distance, which casts it to a number.
        offset = _cast(offset, t.DOUBLE) or offset
        given = offset.data_type
    elif side == "preceding" and not isinstance(given, (t.NumericType, t.IntervalType)):
        return offset
    if len(order_by) != 1:
        return offset
    key = order_by[0].expression
    kind = key.data_type
    if isinstance(kind, t.DateType) and not _is_distance_of_dates(given):
        raise _unfit(offset, key, "an INT of days, an interval of whole days, INTERVAL 2 DAYS, or one of months")
    if isinstance(kind, (t.TimestampType, t.LocalZonedTimestampType)) and not isinstance(given, t.IntervalType):
        raise _unfit(offset, key, "an interval, such as INTERVAL 10 MINUTES")
    if not isinstance(kind, _WITH_DISTANCES):
        raise _unfit(offset, key, None)
    if not isinstance(kind, (t.NumericType, t.IntervalType)) or kind.as_nullable() is given.as_nullable():
        return offset
    found = _cast(offset, kind)
    if found is None:
        raise _unfit(offset, key, f"a constant that can be cast to {kind.as_nullable().as_summary_string()}")
    return found


def _cast(offset: ValueLiteral, kind: LogicalType) -> ValueLiteral | None:
    """Return a constant cast to another type, None if the cast is invalid or has no value."""
    if not can_cast(offset.data_type, kind):
        return None
    if isinstance(offset.value, float) and isinstance(kind, t.FractionalType) and not math.isfinite(offset.value):
        return literal(offset.value, kind.as_nullable())
    found = _constant(call(CAST, (offset, TypeLiteral(kind.as_nullable()))))
    return None if found is None or found.is_null is not offset.is_null else found


def _is_distance_of_dates(given: LogicalType) -> bool:
    if isinstance(given, t.DayTimeIntervalType):
        return given.start is given.end is t.IntervalField.DAY
    return isinstance(given, t.YearMonthIntervalType) or given.as_nullable() is t.INT


def _number_of_rows(offset: ValueLiteral, side: str) -> ValueLiteral:
    try:
        if not isinstance(offset.data_type, t.IntegralType):
            raise ValidationException("Spark takes no other numbers, whatever their value.")
        return literal(offset.value, t.INT)
    except ValidationException:
        raise ValidationException(
            f"{side} takes a whole number of rows from {-(2**31)} to {2**31 - 1}, but was given {offset!r}."
        ) from None


def make_bound(direction: Direction, offset: ValueLiteral) -> FrameBound:
    """Return the bound at a distance in a direction: a negative distance reverses it, 0 is the current row."""
    if offset.value == 0:
        return CURRENT_ROW
    # NULL and NaN are the same in both directions.
    if offset.value is None or offset.value != offset.value or offset.value > 0:
        return FrameBound(direction, offset)
    opposite = Direction.FOLLOWING if direction is Direction.PRECEDING else Direction.PRECEDING
    negated = negate(offset)
    if negated is None:
        raise ValidationException(f"The bound {offset!r} is too far away.")
    return FrameBound(opposite, negated)


def _constant(expression: ResolvedExpression) -> ValueLiteral | None:
    """Return the constant value of an expression, including infinite floats and NaN, else None."""
    from ir.calls.folding import fold_constant

    if isinstance(expression, Call) and len(expression.arguments) == 2 and expression.function is CAST:
        of_text = _parse_not_finite(expression)
        if of_text is not None:
            return of_text
    if isinstance(expression, Call) and expression.function is MINUS_PREFIX:
        positive = _constant(expression.arguments[0])
        return positive if positive is None or positive.is_null else negate(positive)
    constant = fold_constant(expression)
    return constant if isinstance(constant, ValueLiteral) else None


_NOT_FINITE = frozenset(("nan", *[f"{sign}{word}" for sign in ("", "+", "-") for word in ("inf", "infinity")]))


def _parse_not_finite(cast: Call) -> ValueLiteral | None:
    """Return the infinite float or NaN to which Spark casts a string, None for any other value."""
    text, kind = cast.arguments[0], cast.data_type
    if not isinstance(text, ValueLiteral) or not isinstance(text.value, str) or not isinstance(kind, t.FractionalType):
        return None
    written = text.value.strip()
    return literal(float(written), kind.as_nullable()) if written.lower() in _NOT_FINITE else None


# --- frames for a sort key -------------------------------------------------------------------------------------------


def check_frame(frame: Frame | None, order_by: tuple[SortOrder, ...]) -> Frame | None:
    """Return a frame whose distances have the type that the sort key requires.

    As in Spark, a frame from the current row to preceding rows, or from following rows to the current row, is empty.
    """
    if frame is None:
        return None
    if frame.lower is LAST_ROW or frame.upper is FIRST_ROW:
        raise _make_reversed_error(frame)
    if frame.unit is FrameUnit.RANGE:
        frame = _range(frame, order_by)
    if CURRENT_ROW not in (frame.lower, frame.upper):
        _require_order(frame)
    return frame


def _require_order(frame: Frame) -> None:
    """Refuse a frame whose bounds both have a distance if it ends before it begins."""
    if any(bound.offset is not None and bound.offset.is_null for bound in (frame.lower, frame.upper)):
        return
    if _position(frame.lower) > _position(frame.upper):
        raise _make_reversed_error(frame)


def _make_reversed_error(frame: Frame) -> ValidationException:
    return ValidationException(
        f"A frame must not end before it begins, but the window has {frame!r}.",
        condition="DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_WRONG_COMPARISON",
    )


def _position(bound: FrameBound) -> tuple[float, Any]:
    """Return a sort key for bounds: unbounded ones compare by side, others by signed distance."""
    sign = {Direction.PRECEDING: -1, Direction.CURRENT_ROW: 0, Direction.FOLLOWING: 1}[bound.direction]
    if bound.is_unbounded:
        return (sign, 0)
    distance = 0 if bound.offset is None else bound.offset.value
    # NaN is greater than every number.
    return (0, sign * distance) if distance == distance else (0.5, 0)


def _range(frame: Frame, order_by: tuple[SortOrder, ...]) -> Frame:
    offsets = [bound.offset for bound in (frame.lower, frame.upper) if bound.offset is not None]
    whole = frame.lower is FIRST_ROW and frame.upper is LAST_ROW
    if not order_by and not whole:
        raise ValidationException(
            message(
                "{frame} is about the values of a sort key, and the window has none. Add {ORDER_BY}, or count rows "
                "with {rows}.",
                frame=Term(repr(frame), "RANGE"),
                rows=Term("UNBOUNDED_ROW, CURRENT_ROW and row_interval(…)", "ROWS"),
            ),
            condition="DATATYPE_MISMATCH.RANGE_FRAME_WITHOUT_ORDER",
        )
    if not offsets:
        return frame
    if len(order_by) > 1:
        raise ValidationException(
            message(
                "{frame} is a distance from the sort key, of which there must be one, but the window has {count}. "
                "Count rows instead, with {ROWS}, or sort by one key.",
                frame=Term(repr(frame), "RANGE"),
                count=len(order_by),
            ),
            condition="DATATYPE_MISMATCH.RANGE_FRAME_MULTI_ORDER",
        )
    key = order_by[0].expression
    fitted = _unify_intervals([_fit_distance(offset, key) for offset in offsets])
    bounds = iter(fitted)
    lower, upper = (
        bound if bound.offset is None else FrameBound(bound.direction, next(bounds))
        for bound in (frame.lower, frame.upper)
    )
    return Frame(frame.unit, lower, upper)


def _fit_distance(offset: ValueLiteral, key: ResolvedExpression) -> ValueLiteral:
    """Return a distance in the type that the text needs beside a sort key.

    Raises:
        ValidationException: the type of the key supports no distances, or distances of another type.
    """
    kind, given = key.data_type, offset.data_type
    accepted = None
    if isinstance(kind, t.NumericType):
        accepted = f"a number that {kind.as_nullable().as_summary_string()} can hold, as range_interval(5)"
        if isinstance(given, t.NumericType):
            found = _number(offset, kind)
            if found is not None:
                return found
    elif isinstance(kind, t.DateType):
        accepted = "an interval of whole days or of months, as lit(2).days, or a whole number of days"
        if isinstance(given, t.YearMonthIntervalType):
            return offset
        days = t.DayTimeIntervalType(t.IntervalField.DAY, t.IntervalField.DAY, nullable=False)
        if offset.is_null and isinstance(given, (t.IntegralType, t.DayTimeIntervalType)):
            return ValueLiteral(None, days.as_nullable())
        # More days have more microseconds than a BIGINT can hold.
        if isinstance(given, t.IntegralType) and abs(offset.value) <= _MOST_DAYS:
            return ValueLiteral(offset.value * MICROSECONDS[t.IntervalField.DAY], days)
        if isinstance(given, t.DayTimeIntervalType) and offset.value % MICROSECONDS[t.IntervalField.DAY] == 0:
            return ValueLiteral(offset.value, days)
    elif isinstance(kind, (t.TimestampType, t.LocalZonedTimestampType)):
        accepted = "an interval, as lit(10).minutes"
        if isinstance(given, t.IntervalType):
            return offset
    elif isinstance(kind, t.IntervalType):
        accepted = f"an interval like it, of type {kind.root}"
        if given.root == kind.root:
            return offset
    raise _unfit(offset, key, accepted)


def _unfit(offset: ValueLiteral, key: ResolvedExpression, accepted: str | None) -> ValidationException:
    shown = message("{key} of type {type}", key=Summary(key), type=key.data_type.as_summary_string())
    condition = "DATATYPE_MISMATCH.RANGE_FRAME_INVALID_TYPE"
    if accepted is None:
        return ValidationException(
            message(
                "A frame of RANGE with a distance needs a sort key that is a number, a date, a timestamp or an "
                "interval, but it is {shown}. Count rows instead, with {ROWS}.",
                shown=shown,
            ),
            condition=condition,
        )
    return ValidationException(
        message(
            "The distance from the sort key {shown} must be {accepted}, but is {offset!r} of type {type}.",
            shown=shown,
            accepted=accepted,
            offset=offset,
            type=offset.data_type.as_summary_string(),
        ),
        condition=condition,
    )


_MOST_DAYS = (2**63 - 1) // MICROSECONDS[t.IntervalField.DAY]


def _number(offset: ValueLiteral, kind: LogicalType) -> ValueLiteral | None:
    """Return a number that fits a type, None if it does not; an integer becomes INT or BIGINT for any type."""
    if offset.is_null:
        return ValueLiteral(None, kind.as_nullable())
    try:
        held = literal(offset.value, kind)
    except ValidationException:
        return None
    if isinstance(held.value, float) and not math.isfinite(held.value):
        return held
    if held.value < 2**63 and held.value == int(held.value):
        return literal(int(held.value))
    return literal(held.value) if isinstance(kind, t.DecimalType) else held


def _unify_intervals(offsets: list[ValueLiteral]) -> list[ValueLiteral]:
    """Return intervals in one common type, which both bounds of a frame must have."""
    first, last = offsets[0].data_type, offsets[-1].data_type
    if not isinstance(first, t.IntervalType) or not isinstance(last, t.IntervalType) or first is last:
        return offsets
    if type(first) is not type(last):
        raise ValidationException(
            "The bounds of a frame must both be intervals of days and times or both of years and months, but are "
            f"{offsets[0]!r} and {offsets[-1]!r}."
        )
    common = type(first)(min(first.start, last.start), max(first.end, last.end))
    return [ValueLiteral(o.value, common if o.is_null else common.not_null()) for o in offsets]
