"""Formatting of SQL text."""

from __future__ import annotations

from grammar.formatting import DEFAULT_WIDTH, format_text
from ir.errors import ValidationException
from ir.rendering import Dialect, DialectName
from tableapi.tracebacks import public_functions

__all__ = ["format_sql"]


def format_sql(text: str, dialect: Dialect | DialectName = Dialect.SPARK, width: int = DEFAULT_WIDTH) -> str:
    """Format SQL in the layout of generated SQL: each clause on its own line, keywords in upper case.

    Tokens and names do not change and comments keep their positions among them, so the meaning is the same. Statements
    are separated by semicolons. A statement that the parser does not support, such as GRANT, is returned unchanged.
    Formatting is idempotent.

    Args:
        text: any number of statements.
        dialect: the dialect of the text, as an object or a name.
        width: the maximum width of a line that several items share; a wider item gets its own line.

    Raises:
        SqlParserException: a query cannot be parsed; the message has the line, the column and the expected tokens.
        ValidationException: an argument has the wrong type, or the width is less than 1.

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
