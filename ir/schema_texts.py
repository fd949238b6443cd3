"""Where the reader of schemas registers itself: some functions get the type of their result as text."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from ir import types as t
from ir.errors import TableException
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
    return _nullable(_registered[0](text))


def _nullable(data_type: LogicalType) -> LogicalType:
    """Return a type in which all may be NULL; the reader refuses types too deep for recursion."""
    match data_type:
        case t.ArrayType():
            return t.ArrayType(_nullable(data_type.element))
        case t.MapType():
            return t.MapType(_nullable(data_type.key), _nullable(data_type.value))
        case t.RowType():
            fields = [t.RowField(f.name, _nullable(f.data_type), f.description) for f in data_type.fields]
            return t.RowType(tuple(fields))
    return data_type.as_nullable()
