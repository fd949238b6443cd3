"""Several columns in one expression: a range of them, those that are named, all but those."""

from __future__ import annotations

from typing import Any

from ir.errors import ValidationException
from ir.expressions import UnresolvedColumns, UnresolvedRange, UnresolvedReference, UnresolvedStar, ValueLiteral
from tableapi.expression import Expression, unwrap
from tableapi.tracebacks import public_functions


def range_(start: str | int, end: str | int) -> Expression[Any]:
    """Return the columns from one to another, each given by its name or by its position from 1.

    >>> range_("b", "d")
    range_(b, d)

    Raises:
        ValidationException: one of them is neither text nor a whole number.
    """
    for given in (start, end):
        if isinstance(given, bool) or not isinstance(given, str | int):
            raise ValidationException(f"range_ takes names or positions of columns, but was given {given!r}.")
    return Expression(UnresolvedRange(start, end))


def with_all_columns() -> Expression[Any]:
    """Return all columns at once, as ``col("*")`` does.

    >>> with_all_columns()
    *
    """
    return Expression(UnresolvedStar())


def with_columns(head: Any, *tails: Any) -> Expression[Any]:
    """Return several columns at once, for ``select`` and as the arguments of a call.

    Args:
        head: a column, its name or its position from 1, a ``range_`` of columns, or ``col("*")`` for all.
        tails: further ones.

    >>> from tableapi.expressions import call
    >>> concat_all = call("concat_ws", "-", with_columns(range_(2, 4), "name"))

    Raises:
        ValidationException: one is anything else.
    """
    return Expression(UnresolvedColumns(tuple([_selector(given) for given in (head, *tails)])))


def without_columns(head: Any, *tails: Any) -> Expression[Any]:
    """Return all columns but some, which are given as for ``with_columns``.

    Raises:
        ValidationException: one is neither a column, a name, a position nor a range.
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
