"""Group windows: resolve a window as written to a group key."""

from __future__ import annotations

from collections.abc import Sequence

from ir.durations import duration_text
from ir.errors import ValidationException
from ir.expressions import Expression, ResolvedExpression
from ir.functions.table import EXPLODE
from ir.functions.time_window import CUMULATIVE_WINDOWS, SESSION_WINDOW, WINDOW
from ir.literals import literal
from ir.names import Names
from ir.operations.join import JoinType
from ir.operations.operation import QueryOperation
from ir.resolution.grouping import Grouping, aggregate_groups, group_and_select, resolve_group_keys
from ir.resolution.lateral import join_lateral
from ir.resolution.lookup import FunctionLookup
from ir.resolution.operations import field
from ir.resolution.streams.cumulations import cumulate_stream
from ir.resolution.streams.windows import has_watermark
from ir.resolution.windows import count as count_windows
from ir.resolution.windows.unresolved_windows import GroupWindow, counts_rows, names_window, window_time
from ir.unresolved import UnresolvedAlias, UnresolvedCall


def check_group_by(
    input: QueryOperation, window: GroupWindow, keys: Sequence[Expression], lookup: FunctionLookup
) -> None:
    """Refuse group keys without exactly one alias of the window, or with a key that is not accepted.

    Raises:
        ValidationException: there are such keys, or the window is not over a time.
    """
    found = sum(names_window(key, window) for key in keys)
    if found != 1:
        raise ValidationException(
            f"group_by after window must have the window's alias exactly once, as col({window.alias!r}), but has it "
            f"{'not at all' if not found else f'{found} times'}."
        )
    if counts_rows(window.size):
        count_windows.number_rows(input, window, keys, lookup)
    else:
        windowed, grouping = _grouping(input, window, keys, lookup)
        resolve_group_keys(windowed, grouping.keys, lookup)


def group_by_window(
    input: QueryOperation,
    window: GroupWindow,
    keys: Sequence[Expression],
    expressions: Sequence[Expression],
    lookup: FunctionLookup,
) -> QueryOperation:
    """Return the aggregation of ``input`` by a window and keys, with the projection of its result to ``expressions``.

    Raises:
        ValidationException: an expression uses a column that is neither a key nor inside an aggregate.
    """
    if counts_rows(window.size):
        return count_windows.select(input, window, keys, expressions, lookup)
    return group_and_select(*_grouping(input, window, keys, lookup), expressions, lookup)


def aggregate_by_window(
    input: QueryOperation,
    window: GroupWindow,
    keys: Sequence[Expression],
    aggregate: Expression,
    lookup: FunctionLookup,
) -> QueryOperation:
    """Return the aggregation of ``input`` by a window and keys: the keys and the result of one aggregate expression.

    Raises:
        ValidationException: the expression contains no aggregate.
    """
    if counts_rows(window.size):
        return count_windows.aggregate(input, window, keys, aggregate, lookup)
    return aggregate_groups(*_grouping(input, window, keys, lookup), aggregate, lookup)


def _grouping(
    input: QueryOperation, window: GroupWindow, keys: Sequence[Expression], lookup: FunctionLookup
) -> tuple[QueryOperation, Grouping]:
    """Return the grouped rows, and the grouping with the window in place of its alias."""
    time = window_time(input, window, lookup)
    if window.step is None:
        found = _window(window, time)
    else:
        input = _expand_cumulative_windows(input, window, time, lookup)
        found = field(input, len(input.schema) - 1)
    key = UnresolvedAlias(found, window.alias)
    return input, Grouping(tuple([key if names_window(given, window) else given for given in keys]))


def _expand_cumulative_windows(
    input: QueryOperation, window: GroupWindow, time: ResolvedExpression, lookup: FunctionLookup
) -> QueryOperation:
    """Return one copy of each row for each window that contains it, with the window as the last column."""
    names = Names(input.schema.names)
    name = window.alias if names.is_free(window.alias) else names.generate(f"{window.alias}_", 0)
    if has_watermark(time, input):
        assert window.step is not None
        assert window.size is not None
        return cumulate_stream(input, time, (window.step.value, window.size.value), name)
    lengths = [literal(duration_text(length.value)) for length in (window.step, window.size) if length is not None]
    windows = UnresolvedCall(EXPLODE, (UnresolvedCall(CUMULATIVE_WINDOWS, (time, *lengths)),))
    return join_lateral(input, UnresolvedAlias(windows, name), JoinType.INNER, None, lookup, "A window")


def _window(window: GroupWindow, time: ResolvedExpression) -> Expression:
    if window.gap is not None:
        return UnresolvedCall(SESSION_WINDOW, (time, literal(duration_text(window.gap.value, days=False))))
    lengths = [literal(duration_text(length.value)) for length in (window.size, window.slide) if length is not None]
    return UnresolvedCall(WINDOW, (time, *lengths))
