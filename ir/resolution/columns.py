"""Expand expressions that stand for several columns: the star, ranges, and columns by name or position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ir.errors import ValidationException, did_you_mean, listing
from ir.expressions import Expression, FieldReference, ValueLiteral
from ir.identifiers import fold
from ir.schema import ResolvedSchema
from ir.types import INT
from ir.unresolved import UnresolvedCall, UnresolvedColumns, UnresolvedRange, UnresolvedStar

_SETS = (UnresolvedStar, UnresolvedColumns, UnresolvedRange)


def expand(expressions: Sequence[Expression], inputs: Sequence[ResolvedSchema]) -> Sequence[Expression]:
    """Replace each expression that stands for several columns by these columns of the inputs.

    Raises:
        ValidationException: a name or a position matches no column, or an expression selects no column.
    """
    for expression in expressions:
        if isinstance(expression, _SETS):
            break
    else:
        return expressions
    columns = [
        FieldReference(column.name, column.data_type, number, index)
        for number, schema in enumerate(inputs)
        for index, column in enumerate(schema.columns)
    ]
    expanded: list[Expression] = []
    for expression in expressions:
        if isinstance(expression, _SETS):
            expanded.extend(_choose_columns(expression, columns))
        else:
            expanded.append(expression)
    return expanded


def _choose_columns(expression: Expression, columns: list[FieldReference]) -> Iterable[FieldReference]:
    if isinstance(expression, UnresolvedStar):
        return columns
    if isinstance(expression, UnresolvedRange):
        return [columns[index] for index in _indices(expression, columns)]
    assert isinstance(expression, UnresolvedColumns)
    indices = [index for selector in expression.selectors for index in _indices(selector, columns)]
    if not expression.inverted:
        return [columns[index] for index in indices]
    left_out = set(indices)
    chosen = [column for index, column in enumerate(columns) if index not in left_out]
    if not chosen:
        raise ValidationException(f"without_columns leaves no column of [{listing([c.name for c in columns])}].")
    return chosen


def _indices(selector: str | int | UnresolvedRange | UnresolvedStar, columns: list[FieldReference]) -> Iterator[int]:
    if isinstance(selector, UnresolvedStar):
        yield from range(len(columns))
    elif isinstance(selector, UnresolvedRange):
        first, last = _index(selector.start, columns), _index(selector.end, columns)
        if first > last:
            raise ValidationException(
                f"range_({selector.start!r}, {selector.end!r}) goes backwards: the first is column {first + 1} of "
                f"[{listing([c.name for c in columns])}], the second column {last + 1}."
            )
        yield from range(first, last + 1)
    else:
        yield _index(selector, columns)


def _index(selector: str | int, columns: list[FieldReference]) -> int:
    names = [column.name for column in columns]
    if isinstance(selector, int):
        if not 1 <= selector <= len(columns):
            raise ValidationException(
                f"There is no column at position {selector}; the columns, counted from 1, are [{listing(names)}]."
            )
        return selector - 1
    folded = fold(selector)
    found = [index for index, name in enumerate(names) if fold(name) == folded]
    if len(found) == 1:
        return found[0]
    if found:
        raise ValidationException(
            f"Ambiguous column name: {selector}. Both inputs have it; rename one with alias(…).",
            condition="AMBIGUOUS_REFERENCE",
        )
    raise ValidationException(
        f"Cannot resolve field [{selector}], input field list:[{listing(names)}]." + did_you_mean(selector, names),
        condition=f"UNRESOLVED_COLUMN.{'WITH' if names else 'WITHOUT'}_SUGGESTION",
    )


_ONE = ValueLiteral(1, INT.not_null())


def count_rows(current: UnresolvedCall) -> Sequence[Expression]:
    """Return the argument with which COUNT(*) counts rows; COUNT of several columns would skip rows with NULL.

    Raises:
        ValidationException: the star is not the only argument, or the call has DISTINCT.
    """
    if len(current.arguments) > 1 or current.distinct:
        from ir.messages import Term, message

        raise ValidationException(
            message(
                "The star in {COUNT} means rows, and stands alone without {DISTINCT}: {alone}. For the distinct values "
                "of several columns write {columns}.",
                alone=Term("col('*').count", "COUNT(*)"),
                columns=Term("call('count', col('a'), col('b')).distinct", "COUNT(DISTINCT a, b)"),
            )
        )
    return (_ONE,)
