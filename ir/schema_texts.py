"""Where the reader of schemas registers itself: some functions get the type of their result as text."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from ir.errors import TableException

# The package registers itself wherever this library is imported, also where no type is needed.
if TYPE_CHECKING:
    from ir.types import LogicalType

    SchemaReader = Callable[[str], LogicalType]

_registered: list[SchemaReader] = []


def register(reader: SchemaReader) -> None:
    """Make ``reader`` the one that ``read_schema`` asks."""
    _registered[:] = [reader]
    read_schema.cache_clear()


@lru_cache(maxsize=256)
def read_schema(text: str) -> LogicalType:
    """Return the type that a text means to Spark, everything in it nullable, as data that is read is.

    Raises:
        SqlParserException: the text is neither a type, nor columns with their types, nor the JSON of a type.
        TableException: the package ``grammar`` was not imported.
    """
    if not _registered:
        raise TableException("No reader of schemas is registered; import the package 'grammar' (tableapi does) first.")
    from ir.cast_rules import nullable_throughout

    return nullable_throughout(_registered[0](text))
