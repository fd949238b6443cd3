"""Data sources that are written in Python (``pyspark.sql.datasource.DataSource``), as connectors of tables."""

from __future__ import annotations

from typing import Any, Final, TypeGuard

from ir.errors import ValidationException
from ir.identifiers import fold

# The names are those of the process, as a TableDescriptor belongs to no environment.
_SOURCES: Final[dict[str, type[Any]]] = {}
_OWN: Final = ("filesystem", "jdbc", "csv", "json", "orc", "parquet", "text", "xml", "avro")


def is_data_source(given: object) -> TypeGuard[type[Any]]:
    """Whether an object is a class of a data source, without importing PySpark."""
    if not isinstance(given, type):
        return False
    return any(base.__module__ == "pyspark.sql.datasource" and base.__name__ == "DataSource" for base in given.__mro__)


def register(source: type[Any]) -> str:
    """Make a data source known by its name, and return the name. A later class of the name replaces the earlier one.

    Raises:
        ValidationException: the class has no name, or the name of a connector or format of this library.
    """
    name = source.name()
    if not isinstance(name, str) or not name:
        raise ValidationException(f"The data source {source.__qualname__} has no name; name() returned {name!r}.")
    if fold(name) in _OWN:
        raise ValidationException(
            f"The data source {source.__qualname__} cannot be called {name!r}, which is a connector or format."
        )
    _SOURCES[fold(name)] = source
    return name


def find(name: str) -> type[Any] | None:
    """Return the data source of a name, or None."""
    return _SOURCES.get(fold(name))


def names() -> list[str]:
    """Return the names of the known data sources."""
    return sorted(source.name() for source in _SOURCES.values())
