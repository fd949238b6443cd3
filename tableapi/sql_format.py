"""Formatting of SQL texts."""

from __future__ import annotations

from grammar.formatting import DEFAULT_WIDTH, format_text
from ir.errors import ValidationException
from ir.rendering import Dialect, DialectName
from tableapi.tracebacks import public_functions

__all__ = ["format_sql"]


def format_sql(text: str, dialect: Dialect | DialectName = Dialect.SPARK, width: int = DEFAULT_WIDTH) -> str:
    """Return SQL in the layout in which tables write theirs: clauses on lines of their own, keywords in upper case.

    The tokens stay what they are, and comments stay at theirs, so that the meaning is the same; names keep their
    spelling. Statements are separated by semicolons. One that this project does not read, such as CREATE TABLE, stays
    as it is. Formatting again changes nothing.

    Args:
        text: any number of statements.
        dialect: how they are read; a dialect, or the name of one.
        width: the columns of a line that items share; an item that is wider takes a line of its own.

    Raises:
        SqlParserException: a query does not parse; the message has line, column and what was expected.
        ValidationException: an argument has another type, or the width is less than 1.

    >>> from tableapi import format_sql
    >>> print(format_sql("select a, sum(b) as total from t -- all\\nwhere c > 1 and d is not null group by a"))
    SELECT a, sum(b) AS total
    FROM t -- all
    WHERE c > 1 AND d IS NOT NULL
    GROUP BY a
    """
    if not isinstance(text, str):
        raise ValidationException(f"format_sql takes a text, but was given {text!r}.")
    if not isinstance(width, int) or isinstance(width, bool) or width < 1:
        raise ValidationException(f"width takes a number of columns from 1 on, but was given {width!r}.")
    formatted = format_text(text, Dialect.of(dialect), width)
    ends_line = text.endswith(("\n", "\r")) and formatted.text
    return formatted.text + (formatted.newline if ends_line else "")


public_functions(globals())
