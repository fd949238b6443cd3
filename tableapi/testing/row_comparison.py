"""Compare the rows of a query with expected rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ir.errors import ValidationException, did_you_mean, listing

_MOST_ROWS: Final = 20

Row = tuple[Any, ...]


def complete_row(row: Any, names: Sequence[str], number: int) -> Row:
    """Return an expected row as a tuple in the order of the columns.

    >>> complete_row({"b": 1, "a": 2}, ["a", "b"], 0)
    (2, 1)

    Args:
        row: a mapping by name, a sequence, or the value of the only column.
        names: the names of the columns.
        number: the position of the row among the expected rows.

    Raises:
        ValidationException: the row lacks a column, or has a further one.
    """
    if isinstance(row, Mapping):
        unknown = [name for name in row if name not in names]
        if unknown:
            raise ValidationException(
                f"Expected row {number} has a column {unknown[0]!r}; the query has [{listing(list(names))}]."
                + did_you_mean(str(unknown[0]), list(names))
            )
        missing = [name for name in names if name not in row]
        if missing:
            raise ValidationException(f"Expected row {number}, {dict(row)!r}, lacks the column {missing[0]!r}.")
        return tuple([row[name] for name in names])
    is_single = len(names) == 1 and (isinstance(row, (str, bytes)) or not hasattr(row, "__len__"))
    values = (row,) if is_single else tuple(row)
    if len(values) != len(names):
        raise ValidationException(
            f"Expected row {number}, {values!r}, has {len(values)} values, but the query has {len(names)} columns: "
            f"[{listing(list(names))}]."
        )
    return values


def describe_difference(
    found: Sequence[Row], expected: Sequence[Row], names: Sequence[str], *, ordered: bool
) -> str | None:
    """Return a message about the difference between rows, None if there is none.

    >>> print(describe_difference([(1,), (3,)], [(1,), (2,)], ["n"], ordered=False))
    The query has other rows than expected, in the columns (n):
      missing: (2)
      unexpected: (3)
    """
    missing, unexpected = _match(found, expected)
    head = f"The query has other rows than expected, in the columns ({', '.join(names)}):"
    if missing or unexpected:
        lines = [f"  missing: {_show(row)}" for row in missing[:_MOST_ROWS]]
        lines += _count_others("missing", missing)
        lines += [f"  unexpected: {_show(row)}" for row in unexpected[:_MOST_ROWS]]
        lines += _count_others("unexpected", unexpected)
        if not found:
            lines.append("  The query has no rows.")
        return "\n".join([head, *lines])
    if ordered:
        for number, (wanted, given) in enumerate(zip(expected, found, strict=True)):
            if not _are_equal(wanted, given):
                return (
                    "The query has the expected rows in another order: "
                    f"row {number} is {_show(given)}, and {_show(wanted)} was expected."
                )
    return None


def _match(found: Sequence[Row], expected: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Return the expected rows that are missing, and the rows that were not expected; equal rows count separately."""
    left = list(found)
    missing = []
    for wanted in expected:
        place = next((place for place, given in enumerate(left) if _are_equal(wanted, given)), None)
        if place is None:
            missing.append(wanted)
        else:
            del left[place]
    return missing, left


def _are_equal(expected: Any, found: Any) -> bool:
    if isinstance(expected, float) and isinstance(found, float) and expected != expected:
        return found != found
    if isinstance(found, bool) is not isinstance(expected, bool) and isinstance(expected, (bool, int)):
        # Python takes True for 1.
        return False
    if isinstance(expected, (tuple, list)) and isinstance(found, (tuple, list)):
        return len(expected) == len(found) and all(map(_are_equal, expected, found))
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        return expected.keys() == found.keys() and all(_are_equal(expected[key], found[key]) for key in expected)
    return bool(expected == found)


def _show(row: Row) -> str:
    return f"({', '.join(map(repr, row))})"


def _count_others(kind: str, rows: Sequence[Row]) -> list[str]:
    rest = len(rows) - _MOST_ROWS
    return [] if rest <= 0 else [f"  {kind}: {rest} further rows"]
