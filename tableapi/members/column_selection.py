"""Expressions for several columns: a range, a list, or all columns except some."""

from __future__ import annotations

from typing import Any

from ir.errors import ValidationException
from ir.expressions import ValueLiteral
from ir.unresolved import UnresolvedColumns, UnresolvedRange, UnresolvedReference, UnresolvedStar
from tableapi.expression import Expression, unwrap
from tableapi.tracebacks import public_functions


def range_(start: str | int, end: str | int) -> Expression[Any]:
    """Return the columns between two columns, each given by name or by position from 1.

    >>> range_("b", "d")
    range_(b, d)

    Raises:
        ValidationException: an argument is neither a string nor an integer.
    """
    for given in (start, end):
        if isinstance(given, bool) or not isinstance(given, str | int):
            raise ValidationException(f"range_ takes names or positions of columns, but was given {given!r}.")
    return Expression(UnresolvedRange(start, end))


def with_all_columns() -> Expression[Any]:
    """Return all columns, like ``col("*")``.

    >>> with_all_columns()
    *
    """
    return Expression(UnresolvedStar())


def with_columns(head: Any, *tails: Any) -> Expression[Any]:
    """Return several columns, for ``select`` and as arguments of a call.

    Args:
        head: a column, its name or position from 1, a ``range_`` of columns, or ``col("*")`` for all.
        tails: further columns.

    >>> from tableapi.expressions import call
    >>> concat_all = call("concat_ws", "-", with_columns(range_(2, 4), "name"))

    Raises:
        ValidationException: an argument is of another kind.
    """
    return Expression(UnresolvedColumns(tuple([_selector(given) for given in (head, *tails)])))


def without_columns(head: Any, *tails: Any) -> Expression[Any]:
    """Return all columns except the given ones; the arguments are the same as for ``with_columns``.

    Raises:
        ValidationException: an argument is neither a column, a name, a position nor a range.
    """
    return Expression(UnresolvedColumns(tuple([_selector(given) for given in (head, *tails)]), inverted=True))


def _selector(given: Any) -> str | int | UnresolvedRange | UnresolvedStar:
    inner = unwrap(given) if isinstance(given, Expression) else given
    if isinstance(inner, UnresolvedReference):
        return inner.name
    if isinstance(inner, UnresolvedRange | UnresolvedStar):
        return inner
    if isinstance(inner, ValueLiteral):
        inner = inner.value
    if isinstance(inner, str) or (isinstance(inner, int) and not isinstance(inner, bool)):
        return inner
    raise ValidationException(
        f"with_columns and without_columns take columns, names, positions and ranges of columns, but not {given!r}."
    )


public_functions(globals())
