"""Windows over rows: make an Over from a call, keys and a frame, with the restrictions of Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ir.call_expressions import Call, Over
from ir.casts import is_orderable, name_unordered_type
from ir.contents import OVER
from ir.errors import ValidationException
from ir.expressions import Expression, ResolvedExpression, SortOrder, ValueLiteral
from ir.frames import EVERY_ROW, FIRST_ROW, LAST_ROW, VALUES_SO_FAR, Direction, Frame, FrameUnit
from ir.functions.aggregate import KEY_FUNCTIONS
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.inference.usage import Usage, WindowUsage
from ir.literals import literal
from ir.messages import Term, message
from ir.resolution.windows.frames import check_frame, make_bound
from ir.summaries import Summary
from ir.types import INT

Resolve = Callable[[Expression], ResolvedExpression]

# --- the call --------------------------------------------------------------------------------------------------------


def build_over(
    call: ResolvedExpression,
    partition_by: tuple[ResolvedExpression, ...],
    order_by: tuple[SortOrder, ...],
    frame: Frame | None = None,
) -> Over:
    """Return a call over a window in canonical form, in which the default frame is None.

    Raises:
        ValidationException: the function cannot be computed over the window.
    """
    kinds = (FunctionKind.AGGREGATE, FunctionKind.WINDOW)
    if not isinstance(call, Call) or call.function.kind not in kinds or call.function in KEY_FUNCTIONS:
        raise make_not_over_error(call.as_summary_string())
    function = call.function
    if call.distinct:
        raise ValidationException(
            message(
                "Spark cannot compute {function} with DISTINCT over a window. Keep the distinct rows first, with "
                "{instead}, or leave DISTINCT out.",
                function=function.sql_name,
                instead=Term("distinct() or group_by", "SELECT DISTINCT in a subquery"),
            ),
            condition="DISTINCT_WINDOW_FUNCTION_UNSUPPORTED",
        )
    _refuse_order(call, bool(order_by) or frame is not None)
    for part in (*call.children, *partition_by, *order_by):
        _refuse_nested(part, call)
    require_comparable(partition_by, order_by)
    if function.aggregation.ordered and not order_by:
        raise ValidationException(
            message(
                "{function} needs a window with an order: {window}.",
                function=function.sql_name,
                window=Term("Over.partition_by(…).order_by(…)", "OVER (… ORDER BY …)"),
            ),
            condition="WINDOW_FUNCTION_FRAME_NOT_ORDERED",
        )
    return Over(call, partition_by, order_by, _canonical(check_frame(frame, order_by), function, bool(order_by)))


def usage_over(
    function: FunctionDefinition,
    partition_by: tuple[ResolvedExpression, ...],
    order_by: tuple[SortOrder, ...],
    frame: Frame | None,
) -> Usage:
    """Return the usage of a call over a window, with the frame that its text means, written or not."""
    rows = function.aggregation.own_frame or (VALUES_SO_FAR if order_by else EVERY_ROW)
    if frame is not None and _canonical(frame, function, bool(order_by)) is not None:
        rows = frame
    return Usage(window=WindowUsage(bool(partition_by), bool(order_by), rows))


def require_own_frame(call: ResolvedExpression, frame: Frame) -> None:
    """Refuse a frame written in SQL for a function with a fixed frame, unless the two are equal.

    Spark accepts no other frame there, not even the default frame of a window with an order.
    """
    assert isinstance(call, Call)
    own = call.function.aggregation.own_frame or _build_neighbour_frame(call)
    if frame is not own:
        raise ValidationException(
            f"{call.function.sql_name} has a frame of its own, {own!r}, and takes no other; the window has {frame!r}. "
            "Leave the frame out."
        )


def _build_neighbour_frame(call: Call) -> Frame:
    """Return the frame of LAG or LEAD: the single row at the offset."""
    from ir.functions.window import LAG

    offset = call.arguments[1] if len(call.arguments) > 1 else None
    rows = offset.value if isinstance(offset, ValueLiteral) else 1
    bound = make_bound(Direction.FOLLOWING, literal(-rows if call.function is LAG else rows, INT))
    return Frame(FrameUnit.ROWS, bound, bound)


def _refuse_order(call: Call, has_order_or_frame: bool) -> None:
    function, own = call.function, call.function.aggregation.within_group
    takes_order = function.aggregation.takes_window_order
    if call.order_by and own is not None and not own.beside_window_order:
        takes_order = False
    if has_order_or_frame and not takes_order:
        raise ValidationException(
            message(
                "{call} is computed over a whole partition: its window takes neither {ORDER_BY} nor a frame.",
                call=Term(call.as_summary_string(), function.sql_name),
            ),
            condition="INVALID_WINDOW_SPEC_FOR_AGGREGATION_FUNC",
        )


def make_not_over_error(shown: str) -> ValidationException:
    """Return the error for an expression that cannot be computed over a window."""
    return ValidationException(
        message(
            "{OVER} follows a call of an aggregate or a window function, but {shown} is neither. Write {sum}, and "
            "compute with the result: {sum} + 1.",
            OVER=Term("over", "OVER"),
            shown=shown,
            sum=Term("col('a').sum.over(…)", "SUM(a) OVER (…)"),
        ),
        condition="UNSUPPORTED_EXPR_FOR_WINDOW",
    )


def make_missing_window_error(function: FunctionDefinition) -> ValidationException:
    """Return the error for a window function without an OVER clause."""
    return ValidationException(
        message(
            "{function} is computed over a window, and has none here. Write {over} after its call.",
            function=function.sql_name,
            over=Term("….over(Over.partition_by(…).order_by(…))", "OVER (PARTITION BY … ORDER BY …)"),
        ),
        condition="WINDOW_FUNCTION_WITHOUT_OVER_CLAUSE",
    )


def is_over(expression: ResolvedExpression) -> bool:
    """Whether an expression is an OVER call."""
    return isinstance(expression, Over)


def _refuse_nested(part: ResolvedExpression, call: Call) -> None:
    if not part.contents & OVER:
        return
    for inner in part.walk():
        if isinstance(inner, Over):
            raise ValidationException(
                f"{inner.as_summary_string()} is inside of the window of {call.as_summary_string()}. Select the inner "
                "one under a name first, then use that.",
                part=inner,
            )


def require_comparable(partition_by: Sequence[ResolvedExpression], order_by: Sequence[SortOrder]) -> None:
    """Refuse window keys whose type cannot be compared.

    Raises:
        ValidationException: there is such a key.
    """
    _require_ordered(
        partition_by, "{PARTITION_BY} cannot use {key} of type {type}: values of type {unordered} cannot be compared."
    )
    keys = [order.expression for order in order_by]
    _require_ordered(
        keys, "{ORDER_BY} of a window cannot sort by {key} of type {type}: values of type {unordered} have no order."
    )


def _require_ordered(keys: Iterable[ResolvedExpression], template: str) -> None:
    for key in keys:
        if not is_orderable(key.data_type):
            raise ValidationException(
                message(
                    template,
                    key=Summary(key),
                    type=key.data_type.as_summary_string(),
                    unordered=name_unordered_type(key.data_type),
                ),
                condition="DATATYPE_MISMATCH.INVALID_ORDERING_TYPE",
                part=key,
            )


def _canonical(frame: Frame | None, function: FunctionDefinition, ordered: bool) -> Frame | None:
    if frame is None or frame is function.aggregation.own_frame:
        return None
    whole = frame.lower is FIRST_ROW and frame.upper is LAST_ROW
    if frame is VALUES_SO_FAR if ordered else whole:
        return None
    if not function.aggregation.takes_frame:
        raise ValidationException(
            f"{function.sql_name} takes no frame, but the window has {frame!r}. Give it a window without preceding and "
            "following."
        )
    return frame
