"""Group windows over row counts: lower them to a row number and ordinary grouping.

The rows of each combination of the other keys are numbered by time. As in Flink, a window is always full: the rows
after the last full window belong to no window. Flink has such windows on streams only, where the first window begins
with the first row that arrives. Here the same rows, in the order of their times, have the same windows.
"""

from __future__ import annotations

from collections.abc import Sequence

from ir import light_attrs as attrs
from ir import types as t
from ir.calls import call
from ir.errors import TableException
from ir.expressions import Expression, FieldReference, ResolvedExpression, SortOrder, ValueLiteral
from ir.functions.aggregate import COUNT
from ir.functions.arithmetic import MINUS, MOD, PLUS
from ir.functions.comparison import EQUALS, GREATER_THAN_OR_EQUAL, IS_NOT_NULL, LESS_THAN
from ir.functions.logic import AND
from ir.functions.time_window import require_keys
from ir.functions.window import ROW_NUMBER
from ir.identifiers import fold
from ir.inference.usage import usage_of_groups
from ir.literals import literal
from ir.names import Names
from ir.operations.filter import Filter
from ir.operations.join import Join, JoinType
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.operations.source import Values
from ir.resolution.aggregation import GroupKeys, select_aggregated
from ir.resolution.grouping import resolve_aggregate, resolve_group_keys, resolve_of_groups
from ir.resolution.lookup import FunctionLookup
from ir.resolution.operations import split_alias
from ir.resolution.windows.over import build_over
from ir.resolution.windows.unresolved_windows import GroupWindow, names_window, window_time
from ir.schema import ResolvedSchema

_MOST_WINDOWS = 10_000


_NO_PROPERTIES = (
    "The window {!r} is over a number of rows, so that it has no start, end or rowtime, as in Flink: they cannot be "
    "selected for a row-count window. Aggregate the time instead, with min and max."
)


@attrs.frozen(eq=False, repr=False)
class NumberedRows:
    """One copy of a row for each window that contains it, the group keys, and the condition that a window is full."""

    rows: QueryOperation
    keys: tuple[ResolvedExpression, ...]
    key_names: tuple[str | None, ...]
    window: int
    is_full: ResolvedExpression


def select(
    input: QueryOperation,
    window: GroupWindow,
    keys: Sequence[Expression],
    expressions: Sequence[Expression],
    lookup: FunctionLookup,
) -> QueryOperation:
    """Return the aggregation of ``input`` by windows of rows, with the projection of its result to ``expressions``."""
    numbered = number_rows(input, window, keys, lookup)
    refused = {fold(window.alias): _NO_PROPERTIES.format(window.alias)}
    names = numbered.key_names
    resolved, given = resolve_of_groups(input, numbered.keys, names, expressions, lookup, refused)
    require_keys(resolved, numbered.keys)
    return select_aggregated(numbered.rows, GroupKeys(numbered.keys, names), resolved, given, numbered.is_full)


def aggregate(
    input: QueryOperation,
    window: GroupWindow,
    keys: Sequence[Expression],
    written: Expression,
    lookup: FunctionLookup,
) -> QueryOperation:
    """Return the aggregation of ``input`` by windows of rows: the other keys and one aggregate."""
    numbered = number_rows(input, window, keys, lookup)
    expression, name = split_alias(written)
    resolved = resolve_aggregate(input, expression, lookup, usage_of_groups(numbered.keys))
    others = [i for i in range(len(numbered.keys)) if i != numbered.window]
    selected = (*[numbered.keys[i] for i in others], resolved)
    given = (*[numbered.key_names[i] for i in others], name)
    return select_aggregated(
        numbered.rows, GroupKeys(numbered.keys, numbered.key_names), selected, given, numbered.is_full
    )


def number_rows(
    input: QueryOperation, window: GroupWindow, keys: Sequence[Expression], lookup: FunctionLookup
) -> NumberedRows:
    """Return the rows of ``input`` with a window number per key.

    The columns of ``input`` come first, so that expressions over ``input`` are valid over the result.

    Raises:
        ValidationException: the time or a key is not accepted.
        TableException: a row would belong to too many windows.
    """
    assert window.size is not None
    time = window_time(input, window, lookup)
    others, names = resolve_group_keys(input, [key for key in keys if not names_window(key, window)], lookup)
    slide = window.size if window.slide is None else window.slide
    rows, number, is_full = _number_rows(input, others, time, window.size.value, slide.value)
    position = next(i for i, key in enumerate(keys) if names_window(key, window))
    return NumberedRows(
        rows,
        (*others[:position], number, *others[position:]),
        (*names[:position], window.alias, *names[position:]),
        position,
        is_full,
    )


def _number_rows(
    input: QueryOperation, keys: Sequence[ResolvedExpression], time: ResolvedExpression, size: int, slide: int
) -> tuple[QueryOperation, ResolvedExpression, ResolvedExpression]:
    """Return the rows, a window number per key, and the condition that a window is full."""
    if time.data_type.nullable:
        input = Filter(input, call(IS_NOT_NULL, (time,)))
    width = len(input.schema)
    row_number = build_over(call(ROW_NUMBER, ()), tuple(keys), (SortOrder(time, True, True),))
    unique = Names(input.schema.names)
    columns = [_column(input, index) for index in range(width)]
    name = unique.generate("EXPR$", 0)
    rows: QueryOperation = Project(input, (*columns, row_number), (*input.schema.names, name))
    # The number of rows of the same keys before the row, and how many of them a window has begun with.
    before = call(MINUS, (_column(rows, width), _number(1)))
    since = call(MOD, (before, _number(slide)))
    first = call(MINUS, (before, since))
    # Earlier windows that also contain the row began so many rows before.
    earlier = range(0, size, slide)
    if len(earlier) > _MOST_WINDOWS:
        raise TableException(
            f"Each row would belong to {len(earlier)} windows of {size} rows; at most {_MOST_WINDOWS} are possible. "
            "Use a longer slide."
        )
    if len(earlier) > 1:
        back = unique.generate("EXPR$", 1)
        schema = ResolvedSchema.of([back], [t.INT.not_null()])
        offsets = Values(schema, tuple([(_number(offset),) for offset in earlier]))
        offset = FieldReference(back, t.INT.not_null(), 1, 0)
        inside = call(LESS_THAN, (call(PLUS, (since, offset)), _number(size)))
        begun = call(GREATER_THAN_OR_EQUAL, (call(MINUS, (first, offset)), _number(0)))
        rows = Join(rows, offsets, JoinType.INNER, call(AND, (inside, begun)))
        first = call(MINUS, (first, _column(rows, width + 1)))
    elif slide > size:
        rows = Filter(rows, call(LESS_THAN, (since, _number(size))))
    return rows, first, call(EQUALS, (call(COUNT, (_number(1),)), literal(size, t.BIGINT)))


def _column(input: QueryOperation, index: int) -> FieldReference:
    column = input.schema.columns[index]
    return FieldReference(column.name, column.data_type, 0, index)


def _number(value: int) -> ValueLiteral:
    return literal(value)
