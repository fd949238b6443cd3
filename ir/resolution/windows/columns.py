"""Extract time windows from keys and aggregates into a column of the input, as Spark does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ir.calls import is_aggregate
from ir.contents import AGGREGATE, TIME_WINDOW
from ir.errors import ValidationException
from ir.expressions import FieldReference, ResolvedExpression, contents_of
from ir.functions.time_window import is_time_window
from ir.names import Names
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.rewriting import replace

Expressions = tuple[ResolvedExpression, ...]


def extract_windows_of_aggregation(
    input: QueryOperation, keys: Expressions, expressions: Expressions
) -> tuple[QueryOperation, Expressions, Expressions]:
    """Return the input, keys and expressions of an aggregation after extracting every window that is not a key.

    Spark computes the windows of a query once, below the query; text with an explicit column means the same.

    Raises:
        ValidationException: the query needs two windows over the same rows.
    """
    while contents_of((*keys, *expressions)) & TIME_WINDOW and _is_column_needed(keys, expressions):
        input, changed = _extract_innermost(input, (*keys, *expressions))
        keys, expressions = changed[: len(keys)], changed[len(keys) :]
    return input, keys, expressions


def extract_nested_windows(input: QueryOperation, expressions: Expressions) -> tuple[QueryOperation, Expressions]:
    """Return the input and expressions of a projection after extracting nested windows.

    Raises:
        ValidationException: the projection needs two windows over the same rows.
    """
    while contents_of(expressions) & TIME_WINDOW:
        windows = set(_windows(expressions))
        if len(windows) < 2 and not any(map(_holds_another, windows)):
            break
        input, expressions = _extract_innermost(input, expressions)
    return input, expressions


def extract_window_of_condition(
    input: QueryOperation, condition: ResolvedExpression
) -> tuple[QueryOperation, ResolvedExpression]:
    """Return the input of a filter with the window of its condition as a column, and the condition over that column.

    Raises:
        ValidationException: the condition needs two windows over the same rows.
    """
    input, (condition,) = extract_window_of_keys(input, (condition,))
    return input, condition


def extract_window_of_keys(input: QueryOperation, keys: Expressions) -> tuple[QueryOperation, Expressions]:
    """Return the input with the window of some keys as a column, and the keys over that column.

    Raises:
        ValidationException: the keys need two windows over the same rows.
    """
    while contents_of(keys) & TIME_WINDOW:
        input, keys = _extract_innermost(input, keys)
    return input, keys


def _is_column_needed(keys: Expressions, expressions: Expressions) -> bool:
    windows = (key for key in keys if key.contents & TIME_WINDOW)
    if any(not is_time_window(key) or _holds_another(key) for key in windows):
        return True
    return any(
        part.contents & TIME_WINDOW and is_aggregate(part)
        for expression in expressions
        if expression.contents & TIME_WINDOW and expression.contents & AGGREGATE
        for part in expression.walk()
    )


def _holds_another(window: ResolvedExpression) -> bool:
    return any(child.contents & TIME_WINDOW for child in window.children)


def _windows(expressions: Iterable[ResolvedExpression]) -> Iterator[ResolvedExpression]:
    for expression in expressions:
        if expression.contents & TIME_WINDOW:
            yield from (part for part in expression.walk() if is_time_window(part))


def _extract_innermost(input: QueryOperation, expressions: Expressions) -> tuple[QueryOperation, Expressions]:
    """Return the input with the innermost window as a column, and the expressions over that column."""
    windows = list(dict.fromkeys(part for part in _windows(expressions) if not _holds_another(part)))
    if len(windows) > 1:
        raise ValidationException(
            f"Spark puts rows into the windows of one kind at a time, but {windows[0]!r} and {windows[1]!r} are given. "
            "Compute one of them in a query below.",
            part=windows[1],
        )
    (window,) = windows
    columns = input.schema.columns
    own = [FieldReference(column.name, column.data_type, 0, index) for index, column in enumerate(columns)]
    name = Names(input.schema.names).free("window")
    below = project(input, (*own, window), (*input.schema.names, name))
    column = FieldReference(name, below.schema.columns[-1].data_type, 0, len(own))
    changed = [replace(e, lambda part: column if part is window else None) for e in expressions]
    return below, tuple(changed)
