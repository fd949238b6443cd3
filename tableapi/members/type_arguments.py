"""Checks of method arguments that are types, names or numbers."""

from __future__ import annotations

from collections.abc import Sequence

from ir.errors import SqlParserException, ValidationException
from ir.light_typing import TYPE_CHECKING, Any
from ir.rendering import Dialect
from ir.types import BIGINT, BOOLEAN, DATE, DOUBLE, FLOAT, INT, SMALLINT, STRING, TINYINT, LogicalType
from tableapi.lazy import lazy

if TYPE_CHECKING:
    from grammar import type_texts
else:
    # Loaded lazily, because many programs write types that need no parser.
    type_texts = lazy(__name__, "grammar.type_texts")

TypeLike = LogicalType | str
# The types whose texts are one word, and the same in both dialects. To load the parser takes longer than the rest of a
# first query.
_OF_WORDS = {
    type_.as_summary_string(): type_ for type_ in (BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, STRING, DATE)
}


def read_data_type(given: Any, what: str) -> LogicalType:
    """Return a type, given as an object or as a string with Flink's names.

    >>> read_data_type("ARRAY<DECIMAL(10, 2)>", "The type")
    ARRAY<DECIMAL(10, 2)>
    >>> read_data_type("BIGNT", "a")
    Traceback (most recent call last):
    tableapi.exceptions.SqlParserException: a: Cannot read the type: FLINK has no type 'BIGNT'. Did you mean 'BIGINT'?
    line 1, column 1:
      BIGNT
      ^^^^^

    Args:
        given: the argument.
        what: the purpose of the type, with which error messages begin.

    Raises:
        SqlParserException: the string is not a type; the message has the position and the nearest name.
        ValidationException: the argument is neither a type nor a string.
    """
    if isinstance(given, LogicalType):
        return given
    if not isinstance(given, str):
        raise ValidationException(f"{what} must be a type such as DataTypes.INT(), or its text, but is {given!r}.")
    word, *rest = given.upper().split(maxsplit=1) or [""]
    if word in _OF_WORDS and rest in ([], ["NOT NULL"]):
        return _OF_WORDS[word].with_nullability(not rest)
    try:
        return type_texts.parse_type(given, Dialect.FLINK)
    except SqlParserException as error:
        error.args = (f"{what}: {error}", *error.args[1:])
        raise


def column_names(given: Sequence[Any], method: str) -> list[str]:
    """Return the names passed to a method; reject other arguments."""
    for name in given:
        if not isinstance(name, str) or not name:
            raise ValidationException(f"{method} takes names, but was given {name!r}.")
    return list(given)


def require_integer(value: Any, method: str) -> int:
    """Return the integer passed to a method; reject other arguments."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValidationException(f"{method} takes a whole number, but was given {value!r}.")
    return value
