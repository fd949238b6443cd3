"""Finds a row that violates a constraint, after an engine refused a statement without naming one.

Sail says which constraint of a table of Delta Lake or Iceberg is violated. Spark with Delta Lake shows the row, too.
The rows that the statement would have written are computed once more, as far as the first violation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from ir.errors import TableException
from ir.identifiers import quote
from tableapi.spark.errors import readable_errors

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_CHECK: Final = re.compile(r"CHECK constraint \S+ \((?P<condition>.+)\) violated\.?$", re.MULTILINE)
_NOT_NULL: Final = (
    re.compile(r"NOT NULL constraint violated for column: (?P<column>\S+?)\.?$", re.MULTILINE),
    re.compile(r"Column '(?P<column>[^']+)' is declared as non-nullable but contains null values"),
)
_LONGEST_VALUE: Final = 60
_LONGEST_ROW: Final = 400


def explain_violation(error: TableException, rows: Iterable[Callable[[], DataFrame]]) -> None:
    """Add to an error about a violated constraint a row that violates it.

    Args:
        error: the error of a statement that changes the rows of a table.
        rows: return the rows that the statement writes, with the columns of the table.
    """
    condition = find_violation(str(error))
    if condition is None:
        return
    try:
        found = next(filter(None, (_find_row(frame, condition) for frame in rows)), "")
    except TableException:
        # The first error is the one to report; a query for the rows may have no SQL.
        found = ""
    error.args = (f"{str(error).rstrip('.')}.{found} Nothing was written.", *error.args[1:])


def find_violation(message: str) -> str | None:
    """Return the condition of the rows that violate the constraint in a message, None if the message is another one.

    >>> find_violation("CHECK constraint positive (amount > 0) violated.")
    'NOT (amount > 0)'
    >>> find_violation("NOT NULL constraint violated for column: id"), find_violation("Division by zero")
    ('`id` IS NULL', None)
    """
    check = _CHECK.search(message)
    if check is not None:
        return f"NOT ({check['condition']})"
    found = next(filter(None, (pattern.search(message) for pattern in _NOT_NULL)), None)
    return None if found is None else f"{quote(found['column'])} IS NULL"


def _find_row(rows: Callable[[], DataFrame], condition: str) -> str:
    """Return a row that a condition chooses, as a sentence with a leading blank; "" if there is none."""
    try:
        with readable_errors():
            found = rows().where(condition).limit(1).collect()
    except TableException:
        # The first error is the one to report.
        return ""
    for row in found:
        shown = ", ".join(f"{name} = {_show(value)}" for name, value in row.asDict().items())
        return f" A row that violates it: {shown if len(shown) <= _LONGEST_ROW else shown[:_LONGEST_ROW] + '…'}."
    return ""


def _show(value: Any) -> str:
    text = "NULL" if value is None else str(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"
