"""The reading of a text that is nothing but a type."""

from __future__ import annotations

import re

from grammar.errors import Misread, SyntaxProblem, place
from grammar.parsers import parser
from grammar.unreadable import unreadable
from ir.errors import SqlParserException, ValidationException, shortened
from ir.rendering import Dialect
from ir.types import DescriptorType, LogicalType

_SHOWN = 60
# No other type and no column holds a DESCRIPTOR, which is why the grammar of types does not know it.
_DESCRIPTOR = re.compile(r"\s*DESCRIPTOR(\s+(?P<required>NOT\s+)?NULL)?\s*", re.IGNORECASE)


def parse_type(text: str, dialect: Dialect = Dialect.FLINK) -> LogicalType:
    """Return the type that a text means in a dialect: the inverse of ``LogicalType.as_serializable_string``.

    The text may say what a CAST has no place for, the nullability of the type itself.

    >>> parse_type("ROW<a DECIMAL(10, 2), `b c` STRING NOT NULL>")
    ROW<`a` DECIMAL(10, 2), `b c` STRING NOT NULL>
    >>> parse_type("TIMESTAMP", Dialect.SPARK), parse_type("TIMESTAMP", Dialect.FLINK)
    (TIMESTAMP_LTZ, TIMESTAMP)

    Raises:
        SqlParserException: the text is no type; the message has the position, and what was expected there.
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
        raise SqlParserException(f"Cannot read the type {shortened(text, _SHOWN)!r}: {error}") from None
