"""Parses a text that consists of a type only."""

from __future__ import annotations

import re

from grammar.diagnostics.unreadable import unreadable
from grammar.errors import Misread, SyntaxProblem, place
from grammar.parsers import parser
from ir.errors import SqlParserException, ValidationException, shorten
from ir.rendering import Dialect
from ir.types import DescriptorType, LogicalType

_SHOWN = 60
# The grammar lacks DESCRIPTOR, because no column and no other type contains it.
_DESCRIPTOR = re.compile(r"\s*DESCRIPTOR(\s+(?P<required>NOT\s+)?NULL)?\s*", re.IGNORECASE)


def parse_type(text: str, dialect: Dialect = Dialect.FLINK) -> LogicalType:
    """Return the type of a text in a dialect: the inverse of ``LogicalType.as_serializable_string``.

    Unlike in a CAST, the text may state the nullability of the type.

    >>> parse_type("ROW<a DECIMAL(10, 2), `b c` STRING NOT NULL>")
    ROW<`a` DECIMAL(10, 2), `b c` STRING NOT NULL>
    >>> parse_type("TIMESTAMP", Dialect.SPARK), parse_type("TIMESTAMP", Dialect.FLINK)
    (TIMESTAMP_LTZ, TIMESTAMP)

    Raises:
        SqlParserException: the text is no type; the message has the position and what was expected.
    """
    descriptor = _DESCRIPTOR.fullmatch(text)
    if descriptor is not None:
        return DescriptorType(nullable=not descriptor["required"])
    reader = parser(dialect)
    try:
        found: LogicalType = reader.parse(text, "only_type")
        return found
    except SyntaxProblem as problem:
        raise unreadable(text, problem, reader, "only_type", "type") from None
    except Misread as error:
        raise SqlParserException(f"Cannot read the type: {error.message}\n{place(text, error.position)}") from None
    except ValidationException as error:
        raise SqlParserException(f"Cannot read the type {shorten(text, _SHOWN)!r}: {error}") from None
