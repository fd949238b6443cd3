"""Columns in the indexes of arrays and maps for which older versions take a column that SELECT makes before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ir.call_expressions import Call
from ir.expressions import FieldReference, ResolvedExpression, children_of
from ir.functions.collection import AT, ITEM
from ir.identifiers import fold
from ir.lowerings import lower_for_spark

SHADOWED_INDEX = "index named like a column before it"


def find_shadowed_index(
    columns: Sequence[ResolvedExpression], names: Sequence[str]
) -> tuple[ResolvedExpression, FieldReference] | None:
    """Return the first such column, after the one of SELECT that reads it; None if there is none.

    It is ``i`` of ``SELECT 1 AS i, a[i]``.

    Args:
        columns: the columns of a SELECT.
        names: their names.
    """
    before: set[str] = set()
    for column, name in zip(columns, names, strict=True):
        for index in _columns_in_indexes(column):
            if fold(index.name) in before:
                return column, index
        if not (isinstance(column, FieldReference) and fold(column.name) == fold(name)):
            before.add(fold(name))
    return None


def _columns_in_indexes(column: ResolvedExpression) -> Iterator[FieldReference]:
    """Yield the columns in the indexes of arrays and the keys of maps, as an expression is written."""
    waiting = [column]
    while waiting:
        part = lower_for_spark(waiting.pop())
        if isinstance(part, Call) and part.function in (AT, ITEM):
            yield from [index for index in part.arguments[1].walk() if isinstance(index, FieldReference)]
        waiting.extend(children_of(part))
