"""The registry of the schema parser, for functions that take the type of their result as a string."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from ir.errors import TableException
from ir.light_typing import TYPE_CHECKING

# The package registers itself wherever this library is imported, even if no schema is ever parsed.
if TYPE_CHECKING:
    from ir.types import LogicalType

    SchemaReader = Callable[[str], LogicalType]

_registered: list[SchemaReader] = []


def register(reader: SchemaReader) -> None:
    """Register the parser that ``parse_schema`` calls."""
    _registered[:] = [reader]
    parse_schema.cache_clear()


@lru_cache(maxsize=256)
def parse_schema(text: str) -> LogicalType:
    """Return the type that Spark parses from a string, with all parts nullable, like the data that is read.

    Raises:
        SqlParserException: the string is neither a type, nor columns with types, nor the JSON of a type.
        TableException: the package ``grammar`` was not imported.
    """
    if not _registered:
        raise TableException("No reader of schemas is registered; import the package 'grammar' (tableapi does) first.")
    from ir.cast_rules import nullable_throughout

    return nullable_throughout(_registered[0](text))
