"""Windows over streams, whose columns carry the watermark."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ir.call_expressions import Call
from ir.calls import call
from ir.column_references import column_references
from ir.contents import CHANGING, QUERY
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral
from ir.functions.collection import GET
from ir.functions.comparison import EQUALS
from ir.functions.logic import AND
from ir.functions.time_window import END, START, WINDOW, microseconds, window_end
from ir.literals import literal
from ir.names import Names
from ir.operations.aggregate import Aggregate, GroupingSets
from ir.operations.filter import Filter
from ir.operations.hint import Hint
from ir.operations.join import Join, JoinType
from ir.operations.operation import QueryOperation
from ir.operations.project import Project, project
from ir.resolution.streams.cumulations import end_of_cumulation, window_of_row
from ir.rewriting import replace
from ir.streaming.event_time import carries_time, time_columns_of
from ir.streaming.time_bounds import LEFT, RIGHT, split_conjuncts

_MILLISECOND = 1_000
_PASSING_COLUMNS = (Filter, Hint)


class _Column(NamedTuple):
    """A column of an operation: here, a window that carries the watermark."""

    operation: QueryOperation
    position: int


def has_watermark(time: ResolvedExpression, input: QueryOperation) -> bool:
    """Whether an expression over the rows of ``input`` carries the watermark of a stream."""
    return input.is_unbounded and carries_time(time, time_columns_of(input))


def add_windows(
    input: QueryOperation, time: ResolvedExpression, lengths: tuple[ResolvedExpression, ...], name: str
) -> QueryOperation:
    """Return a copy of each row of a stream for each window that contains its time, with the window as last column."""
    window = call(WINDOW, (time, *lengths))
    return Project(input, (*column_references(input.schema), window), (*input.schema.names, name))


def group_stream(
    input: QueryOperation,
    keys: tuple[ResolvedExpression, ...],
    aggregates: tuple[ResolvedExpression, ...],
    names: tuple[str, ...],
    sets: GroupingSets | None = None,
) -> QueryOperation:
    """Return the groups of a stream, in the form in which a key carries the watermark, if there is one."""
    if sets is None and not any(carries_time(key, time_columns_of(input)) for key in keys):
        found = _find_row(input, keys) or _find_bounds(input, keys)
        if found is not None:
            return _group_by_window(input, keys, aggregates, names, found)
    for position, key in enumerate(keys):
        window = _find_window_of_time(input, key)
        if window is not None and isinstance(key, Call):
            input, index = _carry(input, window)
            changed = call(WINDOW, (field(input, index), *key.arguments[1:]))
            keys = (*keys[:position], changed, *keys[position + 1 :])
    return Aggregate(input, keys, aggregates, names, sets)


# --- groups by both bounds -------------------------------------------------------------------------------------------


class _Keys(NamedTuple):
    """The keys that a window determines and that determine it: by their positions, as expressions over the window."""

    window: _Column
    computed: dict[int, ResolvedExpression]


def _find_bounds(input: QueryOperation, keys: tuple[ResolvedExpression, ...]) -> _Keys | None:
    """Return the keys that are both bounds of one window with a watermark, None if there is no such window."""
    found: dict[_Column, dict[int, _Bound]] = {}
    for position, key in enumerate(keys):
        bound = _find_bound(input, key)
        if bound is not None:
            found.setdefault(bound.window, {})[position] = bound
    for window, bounds in found.items():
        if {bound.name for bound in bounds.values()} == {START, END}:
            computed = {position: _compute_from(window, input, key) for position, key in enumerate(keys)}
            return _Keys(window, {position: made for position, made in computed.items() if made is not None})
    return None


def _compute_from(window: _Column, input: QueryOperation, key: ResolvedExpression) -> ResolvedExpression | None:
    """Return a key as an expression over a window alone; None if it needs other columns."""
    made, operation = _trace(input, key)
    columns = [part for part in made.walk() if isinstance(part, FieldReference)]
    is_of_window = operation is window.operation and {column.index for column in columns} == {window.position}
    return made if is_of_window and not made.contents & (CHANGING | QUERY) else None


def _find_row(input: QueryOperation, keys: tuple[ResolvedExpression, ...]) -> _Keys | None:
    """Return the key that is a row of the bounds of a cumulative window with a watermark, None if there is none."""
    for position, key in enumerate(keys):
        made, operation = _trace(input, key)
        window = window_of_row(made)
        if window is not None and window.index in time_columns_of(operation):
            return _Keys(_Column(operation, window.index), {position: made})
    return None


class _Bound(NamedTuple):
    """The start or the end of a window of a stream.

    Attributes:
        window: the window.
        name: ``start`` or ``end``.
        computed: the bound as an expression over the operation of the window.
    """

    window: _Column
    name: str
    computed: ResolvedExpression


def _find_bound(input: QueryOperation, expression: ResolvedExpression) -> _Bound | None:
    """Return the bound if an expression is the start or end of a window of a stream."""
    made, operation = _trace(input, expression)
    end = end_of_cumulation(made)
    bound = made if end is None else end
    if not isinstance(bound, Call) or bound.function is not GET:
        return None
    row, field = bound.arguments
    name = field.value if isinstance(field, ValueLiteral) else None
    if name not in (START, END) or not isinstance(row, FieldReference) or row.index not in time_columns_of(operation):
        return None
    return _Bound(_Column(operation, row.index), name if end is None else START, made)


def _group_by_window(
    input: QueryOperation,
    keys: tuple[ResolvedExpression, ...],
    aggregates: tuple[ResolvedExpression, ...],
    names: tuple[str, ...],
    found: _Keys,
) -> QueryOperation:
    input, index = _carry(input, found.window)
    first = min(found.computed)
    kept = [i for i in range(len(keys)) if i == first or i not in found.computed]
    unique = Names(names)
    grouped = Aggregate(
        input,
        tuple([field(input, index) if i == first else keys[i] for i in kept]),
        aggregates,
        tuple([unique.free("window") if i == first else names[i] for i in kept]) + names[len(keys) :],
    )
    window = field(grouped, kept.index(first))
    columns = [
        replace(found.computed[i], lambda part: window if isinstance(part, FieldReference) else None)
        if i in found.computed
        else field(grouped, kept.index(i))
        for i in range(len(keys))
    ]
    columns += [field(grouped, len(kept) + i) for i in range(len(aggregates))]
    return Project(grouped, tuple(columns), names)


# --- joins by both bounds --------------------------------------------------------------------------------------------


def join_streams(
    left: QueryOperation, right: QueryOperation, join_type: JoinType, condition: ResolvedExpression
) -> QueryOperation:
    """Return the join of two streams; one by both bounds of two windows compares the windows instead."""
    conjuncts = list(split_conjuncts(condition))
    found: dict[tuple[_Column, _Column], dict[str, list[ResolvedExpression]]] = {}
    for conjunct in conjuncts:
        bounds = _find_equal_bounds(conjunct, (left, right))
        if bounds is not None:
            windows, name = bounds
            found.setdefault(windows, {START: [], END: []})[name].append(conjunct)
    for (first, second), equal in found.items():
        if equal[START] and equal[END]:
            wide, at = _carry(left, first)
            wide_right, at_right = _carry(right, second, wide.schema.names)
            are_equal = call(EQUALS, (field(wide, at), field(wide_right, at_right).evolve(input_index=RIGHT)))
            kept = [part for part in conjuncts if part not in (*equal[START], *equal[END])]
            compared = call(AND, (are_equal, *kept)) if kept else are_equal
            joined = Join(wide, wide_right, join_type, compared)
            shown = (*range(len(left.schema)), *range(len(wide.schema), len(wide.schema) + len(right.schema)))
            names = (*left.schema.names, *right.schema.names)
            return project(joined, tuple([field(joined, index) for index in shown]), names)
    return Join(left, right, join_type, condition)


def _find_equal_bounds(
    conjunct: ResolvedExpression, sides: tuple[QueryOperation, QueryOperation]
) -> tuple[tuple[_Column, _Column], str] | None:
    """Return the window of each side and the name of the bound, if a conjunct says that they have that bound equal."""
    if not isinstance(conjunct, Call) or conjunct.function is not EQUALS:
        return None
    found: dict[int, _Bound] = {}
    for part in conjunct.arguments:
        references = [p for p in part.walk() if isinstance(p, FieldReference)]
        side = references[0].input_index if len(references) == 1 else LEFT
        bound = _find_bound(sides[side], part)
        if bound is not None:
            found[side] = bound
    if len(found) < 2 or found[LEFT].name != found[RIGHT].name:
        return None
    left, right = found[LEFT], found[RIGHT]
    # Cumulative windows of other lengths may have the same bounds.
    if (_is_cumulation(left) or _is_cumulation(right)) and _lengths_of(left) != _lengths_of(right):
        return None
    return (left.window, right.window), left.name


def _is_cumulation(bound: _Bound) -> bool:
    return bound.name == START and end_of_cumulation(bound.computed) is not None


def _lengths_of(bound: _Bound) -> object:
    """Return the lengths of the windows of a bound, and how the bound is computed."""
    made, _ = _trace_window(*bound.window)
    computed = replace(bound.computed, lambda part: literal(0) if isinstance(part, FieldReference) else None)
    return (made.arguments[1:] if isinstance(made, Call) else made), computed


# --- windows of windows ----------------------------------------------------------------------------------------------


def _find_window_of_time(input: QueryOperation, key: ResolvedExpression) -> _Column | None:
    """Return the window W for a key WINDOW(the last millisecond of W, …), None for any other key.

    WINDOW(W, …) takes the last microsecond of W. Both are in the same window if all bounds are whole milliseconds.
    """
    if not isinstance(key, Call) or key.function is not WINDOW or not _has_whole_milliseconds(key):
        return None
    time, operation = _trace(input, key.arguments[0])
    end = window_end(time)
    found = None if end is None else _find_bound(operation, end)
    if found is None or found.name != END:
        return None
    made, _ = _trace_window(*found.window)
    is_plain = isinstance(made, Call) and made.function is WINDOW and _has_whole_milliseconds(made)
    return found.window if is_plain else None


def _has_whole_milliseconds(window: Call) -> bool:
    return all(microseconds(length) % _MILLISECOND == 0 for length in window.arguments[1:])


def _trace_window(operation: QueryOperation, index: int) -> tuple[ResolvedExpression, QueryOperation]:
    """Follow a column down to the expression that makes it, through groups as well."""
    made, below = _trace(operation, field(operation, index))
    while isinstance(made, FieldReference) and isinstance(below, Aggregate) and made.index < len(below.group_keys):
        made, below = _trace(below.input, below.group_keys[made.index])
    return made, below


# --- columns ---------------------------------------------------------------------------------------------------------


def _trace(operation: QueryOperation, expression: ResolvedExpression) -> tuple[ResolvedExpression, QueryOperation]:
    """Trace a column to the expression that computes it; return it and the operation whose columns it uses."""
    while isinstance(expression, FieldReference):
        if isinstance(operation, Project):
            expression = operation.projections[expression.index]
        elif not isinstance(operation, _PASSING_COLUMNS):
            break
        operation = operation.inputs[0]
    return expression, operation


def _carry(operation: QueryOperation, column: _Column, taken: Iterable[str] = ()) -> tuple[QueryOperation, int]:
    """Return an operation with a column of an operation below it: as a new last column, unless it has it already.

    Args:
        operation: the operation.
        column: the column of the operation below.
        taken: names that the new column does not get.
    """
    path: list[QueryOperation] = []
    while operation is not column.operation:
        path.append(operation)
        operation = operation.inputs[0]
    index = column.position
    for above in reversed(path):
        if not isinstance(above, Project):
            operation = above.with_inputs((operation,))
            continue
        reference = field(operation, index)
        if operation is above.input and reference in above.projections:
            operation, index = above, above.projections.index(reference)
            continue
        name = Names((*above.names, *taken)).free("window")
        index = len(above.projections)
        operation = Project(operation, (*above.projections, reference), (*above.names, name))
    return operation, index


def field(operation: QueryOperation, index: int) -> FieldReference:
    """Return a reference to a column of an operation, for an operation above it."""
    return column_references(operation.schema)[index]
