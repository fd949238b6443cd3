"""Rewriting of calls over windows to Flink's SQL, for windows with the same meaning in Flink."""

from __future__ import annotations

from collections.abc import Callable

from ir import types as t
from ir.call_expressions import Call, Over
from ir.cast_rules import written_type
from ir.expressions import ResolvedExpression, SortOrder, TypeLiteral, ValueLiteral
from ir.flink.casts import NoForm, cast
from ir.frames import Direction, Frame, FrameBound, FrameUnit
from ir.functions import window as win
from ir.functions.aggregate import FIRST_VALUE, LAST_VALUE
from ir.functions.conversion import CAST, TRY_CAST
from ir.functions.definition import FunctionDefinition
from ir.functions.string import LOWER
from ir.lowerings import move_window_inside

# --- the window ------------------------------------------------------------------------------------------------------

_COMPARED = (win.RANK, win.DENSE_RANK, win.PERCENT_RANK)
_RANKED = (t.NumericType, t.BooleanType, t.CharacterType, t.DateType, t.TimeType, t.TimestampType, t.NullType)


def build_flink_over(over: Over, call: ResolvedExpression) -> ResolvedExpression:
    """Return ``call``, the form of the call over a window, over that window.

    Raises:
        NoForm: Flink gives the window another meaning, or fails to compute it.
    """
    function = over.call.function
    if over.call.filter is not None:
        raise NoForm("an aggregate over a window has no condition there")
    if function in _PICKS and over.call.arguments[0].data_type.nullable and not over.call.ignore_nulls:
        raise NoForm(f"its {function.sql_name} passes over NULL; with ignore_nulls it does in Spark, too")
    for order in over.order_by:
        kind = order.expression.data_type
        if function in _COMPARED and not isinstance(kind, _RANKED):
            raise NoForm(f"its {function.sql_name} compares no {kind.as_nullable().as_summary_string()}")
    if over.frame is not None:
        _require_frame(over.frame, over.order_by)
    if function.aggregation.ordered and all(isinstance(order.expression, ValueLiteral) for order in over.order_by):
        raise NoForm(f"its {function.sql_name} needs an order by something that is no constant")
    return move_window_inside(over, call)


def _require_frame(frame: Frame, order_by: tuple[SortOrder, ...]) -> None:
    if not order_by:
        raise NoForm("without an order it takes the whole partition for any frame")
    offsets = [bound.offset for bound in (frame.lower, frame.upper) if bound.offset is not None]
    if frame.unit is FrameUnit.ROWS or not offsets:
        return
    if isinstance(order_by[0].expression.data_type, t.TimestampType | t.LocalZonedTimestampType):
        raise NoForm("a distance from a timestamp fails there; count rows, or sort by a date or a number")
    if any(isinstance(offset.data_type, t.YearMonthIntervalType) for offset in offsets):
        raise NoForm("a frame has no distances in months there")
    if not (_holds_current(frame.lower, Direction.FOLLOWING) and _holds_current(frame.upper, Direction.PRECEDING)):
        raise NoForm("a frame with a distance, that is unbounded or without the current row, has other rows there")


def _holds_current(bound: FrameBound, excluded: Direction) -> bool:
    return not bound.is_unbounded and bound.direction is not excluded


# --- the call --------------------------------------------------------------------------------------------------------

_NEIGHBOURS = (t.NumericType, t.BooleanType, t.CharacterType, t.DateType, t.TimeType, t.TimestampType)
_PICKS = (FIRST_VALUE, LAST_VALUE)


def picking_call(call: Call) -> Call:
    """Return a call over a window without IGNORE NULLS if Flink's function always ignores NULL."""
    return call.evolve(ignore_nulls=False) if call.function in _PICKS else call


def _pick(part: Call) -> ResolvedExpression:
    if part.ignore_nulls:
        raise NoForm(f"outside of a window its {part.function.sql_name} cannot say that it passes over NULL")
    return part


def _rank(part: Call) -> ResolvedExpression:
    # Flink returns a BIGINT.
    return cast(part.evolve(type_=t.BIGINT.not_null()), part.type_)


def _neighbour(part: Call) -> ResolvedExpression:
    if part.ignore_nulls:
        raise NoForm(f"its {part.function.sql_name} does not pass over NULL")
    value, *rest = part.arguments
    if len(rest) == 2:
        _require_own_text(part, value, rest[1])
    kind = written_type(value.data_type)
    if not isinstance(kind, _NEIGHBOURS):
        raise NoForm(f"its {part.function.sql_name} takes no {kind.as_nullable().as_summary_string()}")
    if isinstance(value, ValueLiteral) and isinstance(kind, t.CharacterType):
        # The type of a string constant has its length, to which Flink would truncate the default.
        value = Call(CAST, (value, TypeLiteral(t.STRING)), kind)
    if len(rest) == 2 and kind.nullable and not rest[1].data_type.nullable:
        # A NOT NULL default makes Flink's result NOT NULL, and turns a NULL value into -1.
        rest[1] = Call(TRY_CAST, (rest[1], TypeLiteral(kind.as_nullable())), kind.as_nullable())
    return part.evolve(arguments=(value, *rest))


def _require_own_text(part: Call, value: ResolvedExpression, default: ResolvedExpression) -> None:
    """Refuse a default whose text would equal the text of another default: an INT constant in the same cast."""
    # The string of a BOOLEAN is also converted to lower case.
    while isinstance(default, Call) and default.function in (CAST, TRY_CAST, LOWER):
        default = default.arguments[0]
    if not isinstance(default, ValueLiteral):
        return
    if isinstance(value, ValueLiteral) or isinstance(default.type_, (t.TinyIntType, t.SmallIntType)):
        shown = f"the constant {default.as_summary_string()} of type {default.type_.as_summary_string()}"
        raise NoForm(
            f"its {part.function.sql_name} cannot tell {shown} as default from others; take one of type INT beside a "
            "column"
        )


def _reject(part: Call) -> ResolvedExpression:
    raise NoForm(f"it has no {part.function.sql_name}")


def _reject_without_equivalent(part: Call) -> ResolvedExpression:
    raise NoForm(f"its {part.function.sql_name} differs between rows with equal sort keys")


# Rewritings of calls whose arguments already have their casts.
WINDOW_FORMS: dict[FunctionDefinition, Callable[[Call], ResolvedExpression]] = {
    **dict.fromkeys(_PICKS, _pick),
    **dict.fromkeys((win.ROW_NUMBER, win.RANK, win.DENSE_RANK, win.NTILE), _rank),
    **dict.fromkeys((win.LAG, win.LEAD), _neighbour),
    win.CUME_DIST: _reject_without_equivalent,
    win.NTH_VALUE: _reject,
}
